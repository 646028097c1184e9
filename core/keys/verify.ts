import { isUtf8 } from 'node:buffer';
import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Algorithm } from './algorithms.js';
import { TokenError } from './token-error.js';
import type { VerifiedToken, VerifiedTokens } from './verified-tokens.js';

/** Longest JWT that is looked at, in characters. */
export const MAX_TOKEN_LENGTH = 16 * 1024;

export type JwtHeader = { readonly alg: string; readonly [name: string]: unknown };
export type JwtPayload = { readonly [claim: string]: unknown };

/** A key that verifies, bound to one algorithm. */
export class VerificationKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
  /** The argument of `crypto.verify`, made once. */
  readonly verifyInput: object;

  constructor(kid: string, algorithm: Algorithm, key: KeyObject) {
    this.kid = kid;
    this.algorithm = algorithm;
    this.key = key;
    this.verifyInput = { key, ...algorithm.options };
  }
}

/** Where `verifyJwt` finds keys: `RealmKeys` is one. */
export interface KeyLookup {
  /** The key of exactly that kid, when it is bound to that algorithm. */
  verifier(kid: string, algorithm: string): VerificationKey | undefined;
  /** The header that this text was read as before, under a signature of one of these keys. */
  header?(encoded: string): JwtHeader | undefined;
  keepHeader?(encoded: string, header: JwtHeader): void;
  /** Tokens that a key found here has verified before. */
  readonly verified?: VerifiedTokens;
}

/**
 * Verifies a JWT signed by one of the given keys and checks its form: strict base64url without trailing bits, `alg`
 * among the allowed ones and equal to the key's own, exact `kid`; keys or addresses of keys in the header are never
 * looked at; `crit`, `zip` and `enc` are refused; `exp`, `nbf` and `iat`, when present, are whole seconds from 0 on.
 * What a header reads as is remembered once a token bore it, and so is a whole token that a key verified, for as long as that
 * key is found. Time is not judged: see `checkTimes`.
 * @param options.algorithms the allowed algorithms; any that the keys are bound to without it
 * @throws TokenError `malformed`, `algorithm`, `key`, `signature` or `claims`
 */
export function verifyJwt(
  token: string,
  keys: KeyLookup,
  options: { readonly algorithms?: readonly string[] } = {},
): { header: JwtHeader; payload: JwtPayload } {
  const before = keys.verified?.get(token);
  if (before !== undefined && isAccepted(before, keys, options.algorithms)) {
    return { header: before.header, payload: JSON.parse(before.payload) as JwtPayload };
  }
  const parts = split(token);
  const header = keys.header?.(parts.header) ?? readHeader(parts.header);
  if (options.algorithms !== undefined && !options.algorithms.includes(header.alg)) {
    throw new TokenError('algorithm', 'the algorithm of the token is not accepted here');
  }
  if (typeof header.kid !== 'string') throw new TokenError('key', 'the token names no key');
  const key = keys.verifier(header.kid, header.alg);
  if (key === undefined) throw new TokenError('key', 'the token names no key of this realm for its algorithm');
  const input = token.slice(0, parts.signatureAt);
  if (!signatureMatches(key, input, decode(parts.signature))) {
    throw new TokenError('signature', 'the signature of the token does not match');
  }
  keys.keepHeader?.(parts.header, header);
  const bytes = decode(parts.payload);
  const payload = readPayload(bytes);
  if (key.algorithm.kty !== 'oct') keys.verified?.keep(token, { key, header, payload: bytes.toString() });
  return { header, payload };
}

function isAccepted({ key }: VerifiedToken, keys: KeyLookup, algorithms: readonly string[] | undefined): boolean {
  const { kid, algorithm } = key;
  return (
    keys.verifier(kid, algorithm.name) === key && (algorithms === undefined || algorithms.includes(algorithm.name))
  );
}

/**
 * Reads a JWT **without verifying it**. For callers that choose by what it says about itself how it will be checked: the
 * realm by its `iss` (`Realms.ofToken`), the handler by its `typ` (action tokens), the client by its `sub` (client
 * assertions), the identity provider by its `iss` (logout tokens), the kind of check by its `alg` (client registration).
 * Whatever is granted must come from `verifyJwt`.
 * @throws TokenError `malformed`
 */
export function peek(token: string): { header: JwtHeader; payload: JwtPayload } {
  try {
    const parts = split(token);
    return { header: readHeader(parts.header), payload: parseObject(decode(parts.payload)) };
  } catch (error) {
    throw new TokenError('malformed', error instanceof Error ? error.message : 'the token is malformed');
  }
}

/**
 * So far ahead may a token have been issued, in seconds: nodes agree about the time within what a question to their database takes,
 * and what one issues is looked at by another within the same millisecond.
 */
const ISSUED_AHEAD = 5;

/**
 * Judges `exp`, `nbf` and `iat` (RFC 7519 §4.1) of a verified payload of the host's own.
 * @param nowSeconds seconds since the epoch
 * @param options.unlimited accepts a token without `exp`, as offline tokens may be
 * @throws TokenError `claims` (no `exp`), `expired`, `not_yet_valid` or `issued_in_future`
 */
export function checkTimes(
  payload: JwtPayload,
  nowSeconds: number,
  options: { readonly unlimited?: boolean } = {},
): void {
  const { exp, nbf, iat } = payload;
  if (exp === undefined && options.unlimited !== true) throw new TokenError('claims', 'the token has no exp');
  if (typeof exp === 'number' && nowSeconds >= exp) throw new TokenError('expired', 'the token has expired');
  if (typeof nbf === 'number' && nowSeconds < nbf) {
    throw new TokenError('not_yet_valid', 'the token is not valid yet');
  }
  if (typeof iat === 'number' && nowSeconds + ISSUED_AHEAD < iat) {
    throw new TokenError('issued_in_future', 'the token was issued in the future');
  }
}

function split(token: string): { header: string; payload: string; signature: string; signatureAt: number } {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) {
    throw new TokenError('malformed', 'the token is too long');
  }
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (first <= 0 || second <= first + 1 || second === token.length - 1 || token.includes('.', second + 1)) {
    throw new TokenError('malformed', 'the token does not have three parts');
  }
  return {
    header: token.slice(0, first),
    payload: token.slice(first + 1, second),
    signature: token.slice(second + 1),
    signatureAt: second,
  };
}

/** node decodes leniently, so what it read is written again: padding, `+/`, whitespace and spare bits all differ. */
function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new TokenError('malformed', 'the token is not base64url');
  return bytes;
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw new TokenError('malformed', 'the token is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new TokenError('malformed', 'the token does not hold JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TokenError('malformed', 'the token does not hold a JSON object');
  }
  return value as Record<string, unknown>;
}

function readHeader(part: string): JwtHeader {
  const header = parseObject(decode(part));
  if (typeof header.alg !== 'string') throw new TokenError('algorithm', 'the token names no algorithm');
  for (const name of ['crit', 'zip', 'enc']) {
    if (Object.hasOwn(header, name)) throw new TokenError('malformed', `the token header has ${name}`);
  }
  return header as JwtHeader;
}

function readPayload(bytes: Buffer): JwtPayload {
  const payload = parseObject(bytes);
  for (const claim of ['exp', 'nbf', 'iat']) {
    const value = payload[claim];
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= 0)) {
      throw new TokenError('claims', `${claim} is not a time in whole seconds`);
    }
  }
  return payload;
}

function signatureMatches(key: VerificationKey, input: string, signature: Buffer): boolean {
  const { algorithm } = key;
  if (algorithm.signatureBytes !== undefined && signature.length !== algorithm.signatureBytes) return false;
  if (algorithm.kty === 'oct') {
    return timingSafeEqual(
      createHmac(algorithm.hash ?? 'sha512', key.key)
        .update(input)
        .digest(),
      signature,
    );
  }
  const verifyInput = key.verifyInput as Parameters<typeof verify>[2];
  return verify(algorithm.hash, Buffer.from(input, 'latin1'), verifyInput, signature);
}
