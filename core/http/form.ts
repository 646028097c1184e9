import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { OAuthError } from '@keyhost/spi';

/** Maximum size of a request body in bytes. */
export const BODY_LIMIT = 256 * 1024;
/** Maximum number of parameters in a request. */
const PARAMETER_LIMIT = 200;

/** The parameters of an OAuth request. An empty value counts as absent (RFC 6749 §3.1), except in `isPresent`. */
export class Form {
  readonly #values = new Map<string, string>();
  /** All values of repeated parameters. */
  readonly #repeated = new Map<string, string[]>();

  constructor(entries: Iterable<[string, string]>) {
    let count = 0;
    for (const [name, value] of entries) {
      if (++count > PARAMETER_LIMIT) throw new OAuthError('invalid_request', 'Too many parameters');
      const first = this.#values.get(name);
      if (first === undefined) {
        this.#values.set(name, value);
        continue;
      }
      const values = this.#repeated.get(name);
      if (values === undefined) this.#repeated.set(name, [first, value]);
      else values.push(value);
    }
  }

  /** The value; undefined if the parameter is absent or empty. */
  get(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === '' ? undefined : value;
  }

  /** True if the parameter was sent, even if empty. */
  isPresent(name: string): boolean {
    return this.#values.has(name);
  }

  /** All non-empty values. */
  all(name: string): string[] {
    const values = this.#repeated.get(name) ?? [this.#values.get(name)];
    return values.filter((value): value is string => value !== undefined && value !== '');
  }

  /** The first repeated parameter that is not one of `repeatable`; undefined if there is none. */
  duplicate(repeatable: readonly string[] = []): string | undefined {
    for (const name of this.#repeated.keys()) if (!repeatable.includes(name)) return name;
    return undefined;
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

/**
 * Reads an `application/x-www-form-urlencoded` body. koa-bodyparser cannot be used: it nests `a.b=2` and joins repeated
 * parameters, which OAuth forbids.
 * @throws OAuthError 415 for another content type, 413 beyond 256 KiB, 400 for invalid percent-encoding
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || mediaType(contentType) !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Content type must be application/x-www-form-urlencoded', { status: 415 });
  }
  requirePlainText(request);
  const body = await readBody(request);
  if (!isUtf8(body)) throw new OAuthError('invalid_request', 'The body is not UTF-8');
  return parseForm(body.toString());
}

/**
 * Parses `application/x-www-form-urlencoded` text. URLSearchParams cannot be used: it silently replaces invalid bytes
 * instead of reporting them, and takes nine times as long.
 * @throws OAuthError 400 for invalid percent-encoding
 */
export function parseForm(text: string): Form {
  return new Form(parsePairs(text));
}

function parsePairs(text: string): [string, string][] {
  const entries: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    entries.push(end < 0 ? [decode(pair), ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))]);
    // Stop at one more than allowed; `Form` rejects it.
    if (entries.length > PARAMETER_LIMIT) break;
  }
  return entries;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new OAuthError('invalid_request', 'Malformed percent-encoding');
  }
}

/**
 * Rejects bodies that this host cannot decode.
 * @throws OAuthError 415 for a compressed body, or one with a charset other than UTF-8
 */
export function requirePlainText(request: IncomingMessage): void {
  if (!['', 'identity'].includes(request.headers['content-encoding'] ?? '')) {
    throw new OAuthError('invalid_request', 'Compressed bodies are not supported', { status: 415 });
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new OAuthError('invalid_request', 'The charset must be UTF-8', { status: 415 });
  }
}

export function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * Reads the whole body.
 * @param limit in bytes
 * @throws OAuthError 413, or 400 if the client aborts
 */
export function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      request.resume();
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('error', () => reject(new OAuthError('invalid_request', 'The request ended early')));
    request.on('close', () => {
      if (!request.complete) reject(new OAuthError('invalid_request', 'The request ended early'));
    });
  });
}

function tooLarge(): OAuthError {
  return new OAuthError('invalid_request', 'Request body too large', { status: 413, headers: { connection: 'close' } });
}
