import { setImmediate as turn } from 'node:timers/promises';
import { HostError } from '@keyhost/spi';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { createScanner } from 'jsonc-parser';
import type { Context, Middleware } from 'koa';
import { readAsJackson } from '../config/json/jackson.js';
import { findTooDeep, JSON_DEPTH_LIMIT } from '../config/json/json-depth.js';
import { LONE_SURROGATE, loneSurrogates } from '../config/json/lone-surrogates.js';
import { compileSchema, schemaProblem } from '../config/json/schema-check.js';
import { BODY_LIMIT, requirePlainText } from './form.js';

/** Size in characters from which a body is parsed in two steps, with other requests in between. */
const LARGE_BODY = 64 * 1024;
/** Number of tokens of a body that are read before other requests run. It takes a few milliseconds. */
const TOKENS_PER_TURN = 20_000;

/**
 * Middleware that reads bodies, by size limit. koa-bodyparser is imported with the first JSON body, because a start
 * does not need it.
 */
const parsers = new Map<number, Promise<Middleware>>();

function parserFor(limit: number): Promise<Middleware> {
  let parser = parsers.get(limit);
  if (parser === undefined) {
    parser = import('koa-bodyparser').then(({ default: bodyParser }) =>
      bodyParser({ enableTypes: ['json'], jsonLimit: String(limit), strict: false }),
    );
    parsers.set(limit, parser);
  }
  return parser;
}

/**
 * Reads the JSON body of a request with koa-bodyparser.
 * @param limit maximum size in bytes
 * @throws HostError 400 for invalid JSON, invalid UTF-8 or Unicode, duplicate keys or too deep nesting; 413 beyond the
 * limit; 415 for a compressed body
 */
export async function readJson(ctx: Context, limit: number = BODY_LIMIT): Promise<unknown> {
  requirePlainText(ctx.req);
  const parser = await parserFor(limit);
  await parser(ctx as Parameters<Middleware>[0], async () => {});
  const raw = (ctx.request as { rawBody?: string }).rawBody ?? '';
  if (raw.trim() === '') throw new HostError('invalid_request', 'A JSON body is required', { status: 400 });
  // The parser replaces invalid UTF-8, and uses the last of duplicate keys. So both are checked in the raw text.
  if (raw.includes('\ufffd')) throw new HostError('invalid_request', 'The body is not UTF-8', { status: 400 });
  requireShallow(raw);
  if (raw.length > LARGE_BODY) await turn();
  const duplicate = await duplicateKey(raw);
  if (duplicate !== undefined) {
    throw new HostError('invalid_request', `The body has the member ${JSON.stringify(duplicate)} twice`, {
      status: 400,
    });
  }
  const { body } = ctx.request as { body?: unknown };
  requireReadable(raw, body);
  return body;
}

/** Checks that strings are valid Unicode. @throws HostError 400 if one contains half of a surrogate pair */
function requireReadable(raw: string, body: unknown): void {
  const [invalidPath] = loneSurrogates(raw, body);
  if (invalidPath !== undefined) {
    throw new HostError('invalid_request', `${invalidPath.join('.').slice(0, 200) || 'the body'} ${LONE_SURROGATE}`, {
      status: 400,
    });
  }
}

/**
 * Copies a value by JSON, with the checks of a request's body.
 * @param limit maximum size in bytes
 * @throws HostError 400, 413
 */
export function copyJson(value: unknown, limit: number = BODY_LIMIT): unknown {
  const raw = JSON.stringify(value);
  if (Buffer.byteLength(raw) > limit) throw new HostError('invalid_request', 'The body is too large', { status: 413 });
  requireShallow(raw);
  const body: unknown = JSON.parse(raw);
  requireReadable(raw, body);
  return body;
}

/**
 * Limits the nesting: JSON.parse does not recurse, but schema checks, masking and the serialization of events do.
 * @throws HostError 400
 */
function requireShallow(raw: string): void {
  if (findTooDeep(raw) === undefined) return;
  const message = `The body has more than ${JSON_DEPTH_LIMIT} objects and lists within each other`;
  throw new HostError('invalid_request', message, { status: 400 });
}

export interface BodyOptions {
  /** Schemas that the schema refers to by `$id`. */
  readonly shared?: readonly object[];
  /** If true, values are not coerced as Keycloak's JSON library does. */
  readonly asWritten?: boolean;
  /** Changes the body in place before the schema is checked. */
  readonly mend?: (body: unknown) => void;
  /** The error for violations; default: a HostError 400 that names the members. */
  readonly refuse?: (failed: ValidateFunction) => Error;
}

/** Reads the JSON body of a request and validates it. @throws as `readJson` and `bodyAs` */
export async function readJsonAs<T>(ctx: Context, schema: object, options?: BodyOptions): Promise<T> {
  return bodyAs<T>(await readJson(ctx), schema, options);
}

/**
 * Validates a JSON body.
 * @param body changed in place to the values that Keycloak would read
 * @throws the error of `options.refuse`
 */
export function bodyAs<T>(body: unknown, schema: object, options: BodyOptions = {}): T {
  const { shared = [], asWritten = false, mend, refuse = ({ errors }) => invalidBody(errors ?? []) } = options;
  if (!asWritten) readAsJackson(body, schema, shared);
  mend?.(body);
  const check = compileSchema(schema, { shared });
  if (!check(body)) throw refuse(check);
  return body as T;
}

/**
 * Finds a key that an object has twice, and lets other requests run while it reads a long body. It reads tokens instead
 * of using a visitor, which recurses: a deeply nested body would overflow its stack.
 */
async function duplicateKey(json: string): Promise<string | undefined> {
  const scanner = createScanner(json, true);
  const openObjects: Set<string>[] = [];
  let text: string | undefined;
  for (let token = 1; ; token += 1) {
    if (token % TOKENS_PER_TURN === 0) await turn();
    scanner.scan();
    const character = json[scanner.getTokenOffset()];
    if (character === undefined) return undefined;
    if (character === ':' && text !== undefined) {
      if (openObjects.at(-1)?.has(text)) return text;
      openObjects.at(-1)?.add(text);
    }
    text = character === '"' ? scanner.getTokenValue() : undefined;
    if (character === '{') openObjects.push(new Set());
    else if (character === '}') openObjects.pop();
  }
}

/** Maximum number of reported problems: a body can have thousands. */
export const MAX_PROBLEMS = 10;

/** Creates the error for schema violations. It names the members, but never repeats their values. */
export function invalidBody(errors: readonly ErrorObject[]): HostError {
  const texts = errors.slice(0, MAX_PROBLEMS).map((error) => {
    const { instancePath } = error;
    const { additionalProperty: extra, missingProperty: missing } = error.params as Record<string, string | undefined>;
    if (missing !== undefined) return `${missing} is required`;
    if (extra !== undefined) return `unknown member ${JSON.stringify(extra.slice(0, 64))}`;
    return `${instancePath.slice(1).replaceAll('/', '.') || 'the body'} ${schemaProblem(error).message}`;
  });
  return new HostError('invalid_request', `Invalid request: ${texts.join('; ')}`, { status: 400 });
}
