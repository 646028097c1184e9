import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import type { ValidateFunction } from 'ajv';
import type { Context } from 'koa';
import { schemaProblems } from '../config/json/schema-check.js';
import { SHARED_SCHEMAS } from '../config/realm-file/schema/realm-schema.js';
import { mediaType, readBody, requirePlainText } from '../http/form.js';
import { bodyAs, readJson, TOLD_PROBLEMS } from '../http/json-body.js';
import { readMultipart } from '../http/multipart.js';
import { AdminError } from './admin.js';
import type { AdminOperation } from './operation.js';

/**
 * What an operation is sent.
 * @returns JSON that the operation's schema holds for, text, or the parts of a form; undefined without a body
 * @throws AdminError 400 with the places, 415
 */
export async function readAdminBody(ctx: Context, operation: AdminOperation): Promise<unknown> {
  if (operation.textBody === true) {
    requirePlainText(ctx.req);
    const bytes = await readBody(ctx.req);
    if (!isUtf8(bytes)) throw new AdminError(400, { errorMessage: 'The body is not UTF-8' });
    return bytes.toString();
  }
  if (operation.documentBody === true) return readDocument(ctx, operation);
  const type = mediaType(ctx.get('content-type'));
  if (operation.formBody === true || (operation.mayBeForm === true && type === 'multipart/form-data')) {
    return readMultipart(ctx.req);
  }
  if (operation.body === undefined || (operation.mayLackBody === true && hasNoBody(ctx))) return undefined;
  if (type !== 'application/json') {
    throw new AdminError(415, {
      error: 'HTTP 415 Unsupported Media Type',
      error_description: 'Content type must be application/json',
    });
  }
  const body = await readJson(ctx, operation.bodyLimit);
  if (operation.mayLackBody === true && body === null) return undefined;
  // A whole realm takes long to read, to check and to carry out: others have their turn in between.
  await turn();
  return bodyAs(body, operation.body, {
    shared: SHARED_SCHEMAS,
    refuse: (failed) => {
      const problems = problemsText(failed);
      return operation.refuseBody?.(problems) ?? new AdminError(400, { errorMessage: problems });
    },
  });
}

/** @returns undefined: there is none */
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

function problemsText(check: ValidateFunction): string {
  return schemaProblems(check)
    .slice(0, TOLD_PROBLEMS)
    .map(({ path, message, suggestion }) => {
      const place = path.join('.').slice(0, 200);
      const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
      return `${place === '' ? 'the body' : place}: ${message}${hint}`;
    })
    .join('; ');
}
