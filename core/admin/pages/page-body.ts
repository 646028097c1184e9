import type { JsonObject, JsonSchema } from '@keyhost/spi';
import type { ErrorObject } from 'ajv';
import { compileSchema, errorPath, schemaProblems } from '../../config/json/schema-check.js';
import { MAX_PROBLEMS } from '../../http/json-body.js';
import { AdminError } from '../admin.js';

/** An error with the field to show it at. */
interface LocatedError {
  readonly pointer: string;
  readonly message: string;
}

const NO_BODY: JsonSchema = { type: 'object', additionalProperties: false };

/**
 * The body of a page's operation, with defaults filled in.
 * @param schema undefined: the operation has no body, and an empty object counts as none
 * @throws AdminError 400 with the path of each mistake
 */
export function pageBody(body: unknown, schema: JsonSchema | undefined): JsonObject | undefined {
  const check = compileSchema(schema ?? NO_BODY, { useDefaults: true });
  if (body === undefined && schema === undefined) return undefined;
  // Without a body, report the missing members.
  const given = body ?? {};
  if (check(given)) return schema === undefined ? undefined : (given as JsonObject);
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: 'The request body is invalid',
    errors: located(check.errors ?? []).slice(0, MAX_PROBLEMS),
  });
}

function located(errors: readonly ErrorObject[]): LocatedError[] {
  const isMissing = ({ keyword }: ErrorObject) => keyword === 'required';
  // A missing member is reported at its own path, not at that of its parent.
  const missing = errors.filter(isMissing).map((error) => ({
    pointer: pointerTo([...errorPath(error), String(error.params.missingProperty)]),
    message: 'is missing',
  }));
  const others = schemaProblems({ errors: errors.filter((error) => !isMissing(error)) });
  return [...missing, ...others.map(({ path, message }) => ({ pointer: pointerTo(path), message }))];
}

/** RFC 6901. */
function pointerTo(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
