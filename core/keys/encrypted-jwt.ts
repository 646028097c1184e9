import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import * as jose from 'jose';
import { AES } from './algorithms.js';
import type { RealmKeys } from './realm-keys.js';
import { MAX_TOKEN_LENGTH } from './verify.js';

const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * A JWT that only this realm reads again, encrypted and authenticated as Keycloak's cookies are: compact JWE, `dir` and
 * `A256GCM` (RFC 7516, RFC 7518 §4.5, §5.3). Its key is derived from the realm's AES secret for this `typ` alone (HKDF,
 * RFC 5869): no token of another type is read by it.
 * @param payload with `exp` in seconds since the epoch
 */
export async function encryptJwt(keys: RealmKeys, typ: string, payload: jose.JWTPayload): Promise<string> {
  const { kid, privateKey } = await keys.encryption(AES);
  return new jose.EncryptJWT(payload)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, typ })
    .encrypt(derived(privateKey, typ));
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
): Promise<jose.JWTPayload | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  try {
    const options = { ...ALGORITHMS, issuer, typ, requiredClaims: ['exp'], currentDate: new Date(nowSeconds * 1000) };
    return (
      await jose.jwtDecrypt(token, (header: jose.CompactJWEHeaderParameters) => keyOf(keys, typ, header), options)
    ).payload;
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) return undefined;
    throw error;
  }
}

/** A text that only this realm reads again, however late: as `encryptJwt`, for what is stored. */
export async function encryptText(keys: RealmKeys, typ: string, text: string): Promise<string> {
  const { kid, privateKey } = await keys.encryption(AES);
  return new jose.CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, typ })
    .encrypt(derived(privateKey, typ));
}

/** The text of `encryptText`; undefined when its key is gone, or it is of another realm or type. */
export async function decryptText(keys: RealmKeys, typ: string, sealed: string): Promise<string | undefined> {
  try {
    const { plaintext } = await jose.compactDecrypt(
      sealed,
      (header: jose.CompactJWEHeaderParameters) => keyOf(keys, typ, header),
      ALGORITHMS,
    );
    return Buffer.from(plaintext).toString('utf8');
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) return undefined;
    throw error;
  }
}

function keyOf(keys: RealmKeys, typ: string, { kid }: jose.CompactJWEHeaderParameters): KeyObject {
  const secret = typeof kid === 'string' ? keys.decrypter(kid, AES) : undefined;
  if (secret === undefined) throw new jose.errors.JWEInvalid('no key of this realm');
  return derived(secret.privateKey, typ);
}

function derived(secret: KeyObject, typ: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret.export(), '', `keyhost encrypted jwt ${typ}`, 32)));
}
