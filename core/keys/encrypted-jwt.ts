import { createCipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { CompactJWEHeaderParameters, JWTPayload } from 'jose';
import { randomOctets } from '../model/random-token.js';
import { AES } from './algorithms.js';
import type { RealmKeys } from './realm-keys.js';
import { MAX_TOKEN_LENGTH } from './verify.js';

/** The length of an initialisation vector (RFC 7518 §5.3). */
const IV_BYTES = 12;
const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * Encrypts a JWT that only this realm can decrypt, like Keycloak's cookies: a compact JWE with `dir` and `A256GCM` (RFC
 * 7516, RFC 7518 §4.5, §5.3). The key is derived from the realm's AES secret for this `typ` (HKDF, RFC 5869), so it
 * does not decrypt tokens of another type.
 * @param payload with `exp` in seconds since the epoch
 */
export async function encryptJwt(keys: RealmKeys, typ: string, payload: JWTPayload): Promise<string> {
  return encryptText(keys, typ, JSON.stringify(payload));
}

/**
 * Decrypts a JWT of `encryptJwt`. Its secret may have become PASSIVE since then.
 * @param nowSeconds seconds since the epoch
 * @returns undefined if it has another realm, type or issuer, was modified, or has expired
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

/** Like `encryptJwt`, for text that is stored. It never expires. */
export async function encryptText(keys: RealmKeys, typ: string, text: string): Promise<string> {
  const { kid, privateKey } = await keys.encryption(AES);
  return compactJwe(deriveKey(privateKey, typ), { alg: 'dir', enc: 'A256GCM', kid, typ }, text);
}

/**
 * Encrypts text as a compact JWE (RFC 7516 §5.1) with `dir` and `A256GCM`. Every login page needs one, and jose, which
 * encrypts in the thread pool, takes five times the CPU time. Decryption handles untrusted input, so it uses jose.
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

/** Decrypts text of `encryptText`; undefined if its key no longer exists, or it is of another realm or type. */
export async function decryptText(keys: RealmKeys, typ: string, encrypted: string): Promise<string | undefined> {
  const jose = await import('jose');
  try {
    const { plaintext } = await jose.compactDecrypt(
      encrypted,
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
  return secret === undefined ? NO_KEY : deriveKey(secret.privateKey, typ);
}

/** A random key that has encrypted nothing, so that decryption with it always fails. */
const NO_KEY = createSecretKey(randomOctets(32));
/** The derived keys of a secret, by type. They are garbage-collected with the secret. */
const DERIVED_KEYS = new WeakMap<KeyObject, Map<string, KeyObject>>();

function deriveKey(secret: KeyObject, typ: string): KeyObject {
  const keysByType = DERIVED_KEYS.get(secret) ?? new Map<string, KeyObject>();
  DERIVED_KEYS.set(secret, keysByType);
  let key = keysByType.get(typ);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret.export(), '', `keyhost encrypted jwt ${typ}`, 32)));
    keysByType.set(typ, key);
  }
  return key;
}
