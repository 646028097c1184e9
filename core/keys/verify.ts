import { isUtf8 } from 'node:buffer';
import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Algorithm } from './algorithms.js';
import { TokenError } from './token-error.js';
import type { VerifiedToken, VerifiedTokens } from './verified-tokens.js';

/** Maximum length of a JWT in characters. */
export const MAX_TOKEN_LENGTH = 16 * 1024;

export type JwtHeader = { readonly alg: string; readonly [name: string]: unknown };
export type JwtPayload = { readonly [claim: string]: unknown };

/** A verification key, bound to one algorithm. */
export class VerificationKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
  /** The argument of `crypto.verify`, created once. */
  readonly verifyInput: object;

  constructor(kid: string, algorithm: Algorithm, key: KeyObject) {
    this.kid = kid;
    this.algorithm = algorithm;
    this.key = key;
    this.verifyInput = { key, ...algorithm.options };
  }
}

/** Finds keys for `verifyJwt`. `RealmKeys` implements it. */
export interface KeyLookup {
  /** The key with exactly this kid, if it is bound to this algorithm. */
  verifier(kid: string, algorithm: string): VerificationKey | undefined;
  /** The parsed header of this encoded text, if one of these keys has verified a token with this header before. */
  header?(encoded: string): JwtHeader | undefined;
  keepHeader?(encoded: string, header: JwtHeader): void;
  /** The cache of tokens that these keys have verified. */
  readonly verified?: VerifiedTokens;
}

/**
 * Verifies a JWT signed by one of the given keys, and checks its form. The base64url must be strict, without trailing
 * bits. `alg` must be allowed and equal the key's own, and `kid` must match exactly. Keys and key URLs in the header
 * are ignored, and `crit`, `zip` and `enc` are rejected. `exp`, `nbf` and `iat` must be non-negative integers if
 * present. Headers and tokens that were verified are cached as long as their key exists. Times are not checked: see
 * `checkTimes`.
 * @param options.algorithms the allowed algorithms; default: those of the keys
 * @throws TokenError `malformed`, `algorithm`, `key`, `signature` or `claims`
 */
export function verifyJwt(
  token: string,
  keys: KeyLookup,
  options: { readonly algorithms?: readonly string[] } = {},
): { header: JwtHeader; payload: JwtPayload } {
  const cached = keys.verified?.get(token);
  if (cached !== undefined && isAccepted(cached, keys, options.algorithms)) {
    return { header: cached.header, payload: JSON.parse(cached.payload) as JwtPayload };
  }
  const parts = splitToken(token);
  const header = keys.header?.(parts.header) ?? readHeader(parts.header);
  if (options.algorithms !== undefined && !options.algorithms.includes(header.alg)) {
    throw new TokenError('algorithm', 'the algorithm of the token is not accepted here');
  }
  if (typeof header.kid !== 'string') throw new TokenError('key', 'the token names no key');
  const key = keys.verifier(header.kid, header.alg);
  if (key === undefined) throw new TokenError('key', 'the token names no key of this realm for its algorithm');
  const input = token.slice(0, parts.signatureAt);
  if (!signatureMatches(key, input, decodeStrictly(parts.signature))) {
    throw new TokenError('signature', 'the signature of the token does not match');
  }
  keys.keepHeader?.(parts.header, header);
  const bytes = decodeStrictly(parts.payload);
  const payload = readPayload(bytes);
  if (key.algorithm.kty !== 'oct') {
    const expiresAt = typeof payload.exp === 'number' ? payload.exp : Number.POSITIVE_INFINITY;
    keys.verified?.add(token, { key, header, payload: bytes.toString(), expiresAt });
  }
  return { header, payload };
}

function isAccepted({ key }: VerifiedToken, keys: KeyLookup, algorithms: readonly string[] | undefined): boolean {
  const { kid, algorithm } = key;
  return (
    keys.verifier(kid, algorithm.name) === key && (algorithms === undefined || algorithms.includes(algorithm.name))
  );
}

/**
 * Decodes a JWT **without verifying it**, for callers that need a claim to decide how to verify it. For example, the
 * `typ` of an action token determines its handler, and the `iss` of a logout token its identity provider. Use
 * `verifyJwt` before granting anything.
 * @throws TokenError `malformed`
 */
export function decodeUnverified(token: string): { header: JwtHeader; payload: JwtPayload } {
  try {
    const parts = splitToken(token);
    return { header: readHeader(parts.header), payload: parseObject(decodeStrictly(parts.payload)) };
  } catch (error) {
    throw new TokenError('malformed', error instanceof Error ? error.message : 'the token is malformed');
  }
}

/**
 * Tolerance for an `iat` in the future, in seconds. The clocks of nodes agree within the round trip to their database,
 * but a node may receive another node's token within the same millisecond.
 */
const MAX_ISSUED_AHEAD = 5;

/**
 * Checks `exp`, `nbf` and `iat` (RFC 7519 §4.1) of a verified payload that the host issued.
 * @param nowSeconds seconds since the epoch
 * @param options.unlimited accepts a token without `exp`; offline tokens may have none
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
  if (typeof iat === 'number' && nowSeconds + MAX_ISSUED_AHEAD < iat) {
    throw new TokenError('issued_in_future', 'the token was issued in the future');
  }
}

function splitToken(token: string): { header: string; payload: string; signature: string; signatureAt: number } {
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

/**
 * Decodes base64url strictly. Node decodes leniently, so compare the re-encoded bytes: padding, `+/`, whitespace and
 * trailing bits all differ.
 */
function decodeStrictly(part: string): Buffer {
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
  const header = parseObject(decodeStrictly(part));
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
