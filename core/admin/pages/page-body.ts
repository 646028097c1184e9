import type { JsonObject, JsonSchema } from '@keyhost/spi';
import type { ErrorObject } from 'ajv';
import { compileSchema, errorPath, schemaProblems } from '../../config/json/schema-check.js';
import { MAX_PROBLEMS } from '../../http/json-body.js';
import { AdminError } from '../admin.js';

/** An error, with the JSON Pointer of the field to which it belongs. */
interface LocatedError {
  readonly pointer: string;
  readonly message: string;
}

const NO_BODY: JsonSchema = { type: 'object', additionalProperties: false };

/**
 * Validates the body of a page's operation, and fills in defaults.
 * @param schema undefined: the operation has no body, and an empty object counts as none
 * @throws AdminError 400 with the path of each problem
 */
export function requireValidBody(body: unknown, schema: JsonSchema | undefined): JsonObject | undefined {
  const check = compileSchema(schema ?? NO_BODY, { useDefaults: true });
  if (body === undefined && schema === undefined) return undefined;
  // Without a body, report the missing members.
  const value = body ?? {};
  if (check(value)) return schema === undefined ? undefined : (value as JsonObject);
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: 'The request body is invalid',
    errors: locateErrors(check.errors ?? []).slice(0, MAX_PROBLEMS),
  });
}

function locateErrors(errors: readonly ErrorObject[]): LocatedError[] {
  const isMissing = ({ keyword }: ErrorObject) => keyword === 'required';
  // A missing member is reported at its own path, not at that of its parent.
  const missingMembers = errors.filter(isMissing).map((error) => ({
    pointer: toJsonPointer([...errorPath(error), String(error.params.missingProperty)]),
    message: 'is missing',
  }));
  const problems = schemaProblems({ errors: errors.filter((error) => !isMissing(error)) });
  return [...missingMembers, ...problems.map(({ path, message }) => ({ pointer: toJsonPointer(path), message }))];
}

/** Formats a path as a JSON Pointer (RFC 6901). */
function toJsonPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
