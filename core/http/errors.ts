import type { Logger } from '@keyhost/spi';
import type { Context } from 'koa';
import { exactJson } from '../model/exact-json.js';
import { shorten } from '../model/shortened.js';
import { acceptsHtml, acceptsXhtml, writePlainErrorPage } from './page.js';

/** Answers a browser's request with an error page. `text` is English; undefined if the reason must not be shown. */
export type ErrorPage = (ctx: Context, status: number, text: string | undefined) => Promise<void>;

interface Failure {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { error?: string; error_description?: string; former_error?: string };
}

/**
 * The members by which errors are recognised. Classes are not compared, because errors may come from another copy of a
 * package.
 */
type Thrown = {
  code?: unknown;
  status?: unknown;
  expose?: unknown;
  message?: unknown;
  error?: unknown;
  errorDescription?: unknown;
  headers?: unknown;
  body?: unknown;
  type?: unknown;
  stack?: unknown;
};

const UNKNOWN_ERROR: Failure = {
  status: 500,
  headers: {},
  body: { error: 'unknown_error', error_description: 'For more on this error consult the server log.' },
};

/** Meaning of koa-bodyparser's errors, by their `type`. Compression and charset are checked before it runs. */
const BODY_ERRORS: ReadonlyMap<unknown, readonly [status: number, description: string]> = new Map([
  ['entity.too.large', [413, 'Request body too large']],
  ['request.aborted', [400, 'The request ended early']],
  ['request.size.invalid', [400, 'The request ended early']],
]);

/** Maximum length of a text in a response, in characters, so that a request cannot have all of its input echoed. */
const TEXT_LIMIT = 4000;

/**
 * The response for an error, in Keycloak's format. It contains no stack, path or secret, and long input is shortened.
 */
export function toFailure(error: unknown): Failure {
  const failure = failureOf(error);
  const members = Object.entries(failure.body).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? shorten(value, TEXT_LIMIT) : value,
  ]);
  return { ...failure, body: Object.fromEntries(members) };
}

/** Codes that have changed, with their former ones. Responses contain both until the next minor version. */
const FORMER_CODES: Readonly<Record<string, string>> = { pattern_too_expensive: 'pattern_too_dear' };

function failureOf(error: unknown): Failure {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  const status = typeof thrown.status === 'number' && thrown.status >= 400 && thrown.status < 600 ? thrown.status : 500;
  const headers = (thrown.headers ?? {}) as Readonly<Record<string, string>>;
  const bodyError = BODY_ERRORS.get(thrown.type);
  if (bodyError !== undefined) return bodyFailure(...bodyError);
  // The Admin REST API has its own response bodies.
  if (typeof thrown.body === 'object' && thrown.body !== null && thrown.expose === true) {
    return { status, headers, body: thrown.body };
  }
  if (typeof thrown.error === 'string') {
    const { error: code, errorDescription } = thrown;
    const body =
      typeof errorDescription === 'string' ? { error: code, error_description: errorDescription } : { error: code };
    return { status, headers, body };
  }
  if (thrown.expose === true && typeof thrown.code === 'string') {
    const { code } = thrown;
    const former = FORMER_CODES[code];
    const body = { error: code, error_description: String(thrown.message) };
    return { status, headers, body: former === undefined ? body : { ...body, former_error: former } };
  }
  // koa-bodyparser reports invalid JSON as a plain SyntaxError with a status.
  if (status === 400 && error instanceof SyntaxError) {
    return { status, headers: {}, body: { error: 'invalid_request', error_description: 'Cannot parse the JSON' } };
  }
  return status < 500 ? { status, headers: {}, body: { error: `HTTP ${status}` } } : { ...UNKNOWN_ERROR, status };
}

/** The failure for a body that could not be read. The rest of a body that is too large must not be read. */
function bodyFailure(status: number, description: string): Failure {
  const headers: Record<string, string> = status === 413 ? { connection: 'close' } : {};
  return { status, headers, body: { error: 'invalid_request', error_description: description } };
}

/** Writes all error responses. */
export async function writeFailure(
  ctx: Context,
  error: unknown,
  logger: Logger,
  errorPage: ErrorPage | undefined,
): Promise<void> {
  const failure = toFailure(error);
  const { message, stack, code, expose } = (error ?? {}) as Thrown;
  // Log an error that is hidden from the caller: a plugin may have thrown it by mistake.
  const isHidden = expose === false && typeof code === 'string';
  if (failure.status >= 500 || isHidden) {
    const logFields = {
      method: ctx.method,
      path: ctx.path,
      status: failure.status,
      // A member “code” would be masked as an authorization code.
      error: String(code ?? ''),
      reason: String(message ?? error),
    };
    // An exposed 503 means a limit or a plugin that is down, not a fault of the host.
    if (failure.status < 500) logger.warn('request refused, and its caller was not told why', logFields);
    else if (failure.status === 503 && expose === true) logger.warn('request rejected for the moment', logFields);
    else logger.error('request failed', { ...logFields, stack: String(stack ?? '') });
  }
  ctx.status = failure.status;
  for (const [name, value] of Object.entries(failure.headers)) ctx.set(name, value);
  // Programs get the challenge of a 401 as JSON. On endpoints that only browsers use, a 401 comes from a plugin, so a
  // page is shown.
  const allowsPage = failure.status !== 401 || ctx.isBrowserEndpoint === true;
  if (allowsPage && wantsHtmlPage(ctx)) await writePage(ctx, failure, logger, errorPage);
  else writeJson(ctx, failure.status, failure.body);
}

/**
 * True for a browser's GET, and for a posted form that navigates; other posts come from scripts. Over plain http,
 * browsers do not send this information (https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header). They are then
 * recognised by accepting XHTML, because some HTTP libraries accept text/html by default.
 */
function wantsHtmlPage(ctx: Context): boolean {
  if (!acceptsHtml(ctx)) return false;
  const mode = ctx.get('sec-fetch-mode');
  return ctx.method !== 'POST' || mode === 'navigate' || (mode === '' && acceptsXhtml(ctx));
}

async function writePage(
  ctx: Context,
  { status, body }: Failure,
  logger: Logger,
  errorPage: ErrorPage | undefined,
): Promise<void> {
  try {
    if (errorPage !== undefined) return await errorPage(ctx, status, body.error_description);
  } catch (error) {
    logger.error('the error page failed', { path: ctx.path, reason: String(error) });
  }
  writePlainErrorPage(ctx, status);
}

/** JSON without a charset parameter, as in Keycloak's protocol endpoints (RFC 8259 §11 defines none). */
export function writeJson(ctx: Context, status: number, body: object | string | Buffer): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.body = typeof body === 'string' || Buffer.isBuffer(body) ? body : exactJson(body);
}
