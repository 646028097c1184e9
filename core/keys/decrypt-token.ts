import * as jose from 'jose';
import { ECDH_ALGORITHMS } from './algorithms.js';
import type { RealmKeys } from './realm-keys.js';

/** RSA1_5 is left out: what decrypts it tells who asks often enough what was in it (RFC 8725 §3.2). */
const ALGORITHMS = ['RSA-OAEP', 'RSA-OAEP-256', ...ECDH_ALGORITHMS];

/** True for what has the form of a compact JWE (RFC 7516 §3.1). */
export function isEncrypted(token: string): boolean {
  return token.split('.').length === 5;
}

/**
 * The text in a compact JWE that somebody has encrypted for the realm, with a key of its JWKS whose `use` is `enc`.
 * @throws JOSEError when it is for no key of the realm, or was changed
 */
export async function decryptToken(keys: RealmKeys, token: string): Promise<string> {
  const { plaintext } = await jose.compactDecrypt(
    token,
    ({ kid, alg }) => {
      const key = keys.decrypter(kid, alg);
      if (key === undefined) throw new jose.errors.JWEDecryptionFailed('it is not encrypted with a key of the realm');
      return key.privateKey;
    },
    { keyManagementAlgorithms: ALGORITHMS },
  );
  return Buffer.from(plaintext).toString('utf8');
}
