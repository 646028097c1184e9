import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { HostError } from '@keyhost/spi';
import type { ValidateFunction } from 'ajv';
import type { Context } from 'koa';
import type { JsonPath } from '../config/json/json-document.js';
import { schemaProblems } from '../config/json/schema-check.js';
import { SHARED_SCHEMAS } from '../config/realm-file/schema/realm-schema.js';
import { mediaType, readBody, requirePlainText } from '../http/form.js';
import { bodyAs, copyJson, MAX_PROBLEMS, readJson } from '../http/json-body.js';
import { readMultipart } from '../http/multipart.js';
import { defined } from '../model/defined.js';
import { isObject } from '../model/is-object.js';
import { ITEMS_PER_PIECE, pathInList } from '../model/list-pieces.js';
import { AdminError, badRequest } from './admin.js';
import type { AdminOperation } from './operation.js';

export interface ParsedBody {
  readonly body: unknown;
  /** Members that were left out or replaced: see `AdminOperation.sanitizeBody`. */
  readonly droppedMembers: readonly JsonPath[];
}

const withoutDroppedMembers = (body: unknown): ParsedBody => ({ body, droppedMembers: [] });

/**
 * Reads the body of an operation.
 * @returns JSON that is valid for the operation's schema, text, or the parts of a form; undefined without a body
 * @throws AdminError 400 with the paths of the problems, 415
 */
export async function readAdminBody(ctx: Context, operation: AdminOperation): Promise<ParsedBody> {
  if (operation.textBody === true) {
    requirePlainText(ctx.req);
    const bytes = await readBody(ctx.req);
    if (!isUtf8(bytes)) throw new AdminError(400, { errorMessage: 'The body is not UTF-8' });
    return withoutDroppedMembers(bytes.toString());
  }
  if (operation.documentBody === true) return withoutDroppedMembers(await readDocument(ctx, operation));
  const type = mediaType(ctx.get('content-type'));
  if (operation.formBody === true || (operation.mayBeForm === true && type === 'multipart/form-data')) {
    return withoutDroppedMembers(await readMultipart(ctx.req));
  }
  if (operation.body === undefined || (operation.hasOptionalBody === true && hasNoBody(ctx)))
    return withoutDroppedMembers(undefined);
  if (type !== 'application/json') {
    throw new AdminError(415, {
      error: 'HTTP 415 Unsupported Media Type',
      error_description: 'Content type must be application/json',
    });
  }
  return checkAgainstSchema(operation, await readJson(ctx, operation.bodyLimit));
}

/**
 * Checks a body that a plugin passes to an operation, as if it had been sent over HTTP.
 * @throws AdminError or HostError 400, 413
 */
export async function checkPluginBody(operation: AdminOperation, body: unknown): Promise<ParsedBody> {
  if (operation.textBody === true) {
    if (typeof body !== 'string') throw badRequest('The body must be a text');
    return withoutDroppedMembers(body);
  }
  if (operation.body === undefined || (operation.hasOptionalBody === true && body === undefined))
    return withoutDroppedMembers(undefined);
  if (body === undefined) throw new HostError('invalid_request', 'A JSON body is required', { status: 400 });
  return checkAgainstSchema(operation, copyJson(body, operation.bodyLimit));
}

async function checkAgainstSchema(operation: AdminOperation, body: unknown): Promise<ParsedBody> {
  if (operation.hasOptionalBody === true && body === null) return withoutDroppedMembers(undefined);
  // Reading, checking and applying a whole realm takes long, so let other requests run in between.
  await turn();
  if (!isObject(body) || !Array.isArray(body.users) || body.users.length <= ITEMS_PER_PIECE)
    return checkPart(operation, body);
  const { users, ...others } = body;
  const checked = checkPart(operation, others);
  const checkedUsers: unknown[] = [];
  const droppedMembers = [...checked.droppedMembers];
  for (let first = 0; first < users.length; first += ITEMS_PER_PIECE) {
    await turn();
    const piece = { ...defined({ realm: others.realm }), users: users.slice(first, first + ITEMS_PER_PIECE) };
    const checkedPiece = checkPart(operation, piece, first);
    checkedUsers.push(...(checkedPiece.body as typeof piece).users);
    droppedMembers.push(...checkedPiece.droppedMembers);
  }
  return { body: { ...(checked.body as object), users: checkedUsers }, droppedMembers };
}

/** @param firstUser the index in the body of the part's first user */
function checkPart(operation: AdminOperation, part: unknown, firstUser = 0): ParsedBody {
  let droppedMembers: readonly JsonPath[] = [];
  const body = bodyAs(part, operation.body ?? {}, {
    shared: SHARED_SCHEMAS,
    mend: (parsed) => {
      droppedMembers = operation.sanitizeBody?.(parsed) ?? [];
    },
    refuse: (failedValidator) => {
      const problems = problemsText(failedValidator, firstUser);
      return operation.bodyError?.(problems) ?? new AdminError(400, { errorMessage: problems });
    },
  });
  return { body, droppedMembers: droppedMembers.map((path) => pathInList(path, 'users', firstUser)) };
}

/** Reads an optional document as bytes, without parsing it. @returns undefined without a body */
async function readDocument(
  ctx: Context,
  { bodyLimit, mayBeXml }: Pick<AdminOperation, 'bodyLimit' | 'mayBeXml'>,
): Promise<Buffer | undefined> {
  requirePlainText(ctx.req);
  const bytes = await readBody(ctx.req, bodyLimit);
  if (bytes.length === 0) return undefined;
  const types = ['application/json', ...(mayBeXml === true ? ['application/xml'] : []), 'text/plain'];
  if (!types.includes(mediaType(ctx.get('content-type')))) {
    throw new AdminError(415, {
      error: 'HTTP 415 Unsupported Media Type',
      error_description: `Content type must be ${types.slice(0, -1).join(', ')} or text/plain`,
    });
  }
  return bytes;
}

function hasNoBody({ req }: Context): boolean {
  return req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
}

function problemsText(check: ValidateFunction, firstUser: number): string {
  return schemaProblems(check)
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message, suggestion }) => {
      const location = pathInList(path, 'users', firstUser).join('.').slice(0, 200);
      const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
      return `${location === '' ? 'the body' : location}: ${message}${hint}`;
    })
    .join('; ');
}
