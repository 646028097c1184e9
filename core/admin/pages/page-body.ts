import type { JsonObject, JsonSchema } from '@keyhost/spi';
import type { ErrorObject } from 'ajv';
import { compileSchema, errorPath, schemaProblems } from '../../config/json/schema-check.js';
import { TOLD_PROBLEMS } from '../../http/json-body.js';
import { AdminError } from '../admin.js';

/** A mistake beside the field that it is in. */
interface LocatedError {
  readonly pointer: string;
  readonly message: string;
}

const NO_BODY: JsonSchema = { type: 'object', additionalProperties: false };

/**
 * The body of a page's operation, with defaults filled in.
 * @param schema undefined: the operation has no body; an empty object is none
 * @throws AdminError 400 with the place of each mistake
 */
export function pageBody(body: unknown, schema: JsonSchema | undefined): JsonObject | undefined {
  const check = compileSchema(schema ?? NO_BODY, { useDefaults: true });
  if (body === undefined && schema === undefined) return undefined;
  // Without a body the members that are missing are told.
  const given = body ?? {};
  if (check(given)) return schema === undefined ? undefined : (given as JsonObject);
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: 'The request body is invalid',
    errors: located(check.errors ?? []).slice(0, TOLD_PROBLEMS),
  });
}

function located(errors: readonly ErrorObject[]): LocatedError[] {
  const isMissing = ({ keyword }: ErrorObject) => keyword === 'required';
  // What is missing has its place beside its own field, not beside all of them.
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
