import * as jose from 'jose';
import { ECDH_ALGORITHMS } from './algorithms.js';
import type { RealmKeys } from './realm-keys.js';

/** The accepted algorithms. RSA1_5 is missing, because its decryption is a padding oracle (RFC 8725 §3.2). */
const ALGORITHMS = ['RSA-OAEP', 'RSA-OAEP-256', ...ECDH_ALGORITHMS];

/** True if the text has the form of a compact JWE (RFC 7516 §3.1). */
export function isEncrypted(token: string): boolean {
  return token.split('.').length === 5;
}

/**
 * Decrypts a compact JWE that was encrypted with a key of the realm's JWKS whose `use` is `enc`.
 * @throws JOSEError if no key of the realm fits, or the token was modified
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
