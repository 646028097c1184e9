import { createCipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { CompactJWEHeaderParameters, JWTPayload } from 'jose';
import { randomOctets } from '../model/random-token.js';
import { AES } from './algorithms.js';
import type { RealmKeys } from './realm-keys.js';
import { MAX_TOKEN_LENGTH } from './verify.js';

/** RFC 7518 §5.3. */
const IV_BYTES = 12;
const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * A JWT that only this realm reads again, encrypted and authenticated as Keycloak's cookies are: compact JWE, `dir` and
 * `A256GCM` (RFC 7516, RFC 7518 §4.5, §5.3). Its key is derived from the realm's AES secret for this `typ` alone (HKDF,
 * RFC 5869): no token of another type is read by it.
 * @param payload with `exp` in seconds since the epoch
 */
export async function encryptJwt(keys: RealmKeys, typ: string, payload: JWTPayload): Promise<string> {
  return encryptText(keys, typ, JSON.stringify(payload));
}

/**
 * The payload of such a JWT. The secret that it was made with may be PASSIVE meanwhile.
 * @param nowSeconds seconds since the epoch
 * @returns undefined when it is of another realm, type or issuer, was changed, or has expired
 */
export async function decryptJwt(
  keys: RealmKeys,
  typ: string,
  token: string,
  { issuer, nowSeconds }: { readonly issuer: string; readonly nowSeconds: number },
): Promise<JWTPayload | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const jose = await import('jose');
  try {
    const options = { ...ALGORITHMS, issuer, typ, requiredClaims: ['exp'], currentDate: new Date(nowSeconds * 1000) };
    return (await jose.jwtDecrypt(token, (header: CompactJWEHeaderParameters) => keyOf(keys, typ, header), options))
      .payload;
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) return undefined;
    throw error;
  }
}

/** A text that only this realm reads again, however late: as `encryptJwt`, for what is stored. */
export async function encryptText(keys: RealmKeys, typ: string, text: string): Promise<string> {
  const { kid, privateKey } = await keys.encryption(AES);
  return compactJwe(derived(privateKey, typ), { alg: 'dir', enc: 'A256GCM', kid, typ }, text);
}

/**
 * RFC 7516 §5.1 for `dir` and `A256GCM`. Every login page has one, and by jose, which encrypts on the thread pool, that takes
 * five times the processor time. What is read may be anybody's: that is jose's.
 */
function compactJwe(key: KeyObject, header: object, text: string): string {
  const protectedHeader = base64url(JSON.stringify(header));
  const iv = randomOctets(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(protectedHeader, 'latin1'));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [protectedHeader, '', ...[iv, encrypted, cipher.getAuthTag()].map(base64url)].join('.');
}

function base64url(data: string | Buffer): string {
  return (typeof data === 'string' ? Buffer.from(data) : data).toString('base64url');
}

/** The text of `encryptText`; undefined when its key is gone, or it is of another realm or type. */
export async function decryptText(keys: RealmKeys, typ: string, sealed: string): Promise<string | undefined> {
  const jose = await import('jose');
  try {
    const { plaintext } = await jose.compactDecrypt(
      sealed,
      (header: CompactJWEHeaderParameters) => keyOf(keys, typ, header),
      ALGORITHMS,
    );
    return Buffer.from(plaintext).toString('utf8');
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) return undefined;
    throw error;
  }
}

function keyOf(keys: RealmKeys, typ: string, { kid }: CompactJWEHeaderParameters): KeyObject {
  const secret = typeof kid === 'string' ? keys.decrypter(kid, AES) : undefined;
  return secret === undefined ? NO_KEY : derived(secret.privateKey, typ);
}

/** What nothing was encrypted with. */
const NO_KEY = createSecretKey(randomOctets(32));
/** Those of a secret, by type. They go when the secret goes. */
const DERIVED = new WeakMap<KeyObject, Map<string, KeyObject>>();

function derived(secret: KeyObject, typ: string): KeyObject {
  const known = DERIVED.get(secret) ?? new Map<string, KeyObject>();
  DERIVED.set(secret, known);
  let key = known.get(typ);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret.export(), '', `keyhost encrypted jwt ${typ}`, 32)));
    known.set(typ, key);
  }
  return key;
}
