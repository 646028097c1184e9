import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { ProvidedKey } from '@keyhost/spi';
import { MINIMUM_RSA_BITS } from '../../model/key-sizes.js';
import { type Algorithm, signatureAlgorithm } from '../algorithms.js';
import { KeyRefused } from '../key-refused.js';

/** The public half of a provider's key, checked against its algorithm. */
export interface ReadProvidedKey {
  readonly algorithm: Algorithm;
  readonly publicKey: KeyObject;
  readonly certificate?: string;
}

/**
 * Reads and checks a provider's key.
 * @throws KeyRefused
 */
export function readProvidedKey(key: ProvidedKey): ReadProvidedKey {
  const algorithm = signatureAlgorithm(key.algorithm);
  if (algorithm === undefined || algorithm.kty === 'oct') {
    throw new KeyRefused(`the algorithm ${JSON.stringify(key.algorithm)} is not supported`);
  }
  const publicKey = publicKeyOf(key);
  const { kty, crv } = publicKey.export({ format: 'jwk' });
  if (kty !== algorithm.kty || crv !== algorithm.curve) throw new KeyRefused(`the key does not fit ${algorithm.name}`);
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? MINIMUM_RSA_BITS;
  if (bits < MINIMUM_RSA_BITS) {
    throw new KeyRefused(`the key has ${bits} bits; at least ${MINIMUM_RSA_BITS} are required`);
  }
  if (key.certificate === undefined) return { algorithm, publicKey };
  if (!isOfKey(key.certificate, publicKey)) throw new KeyRefused('the certificate is not one of this key');
  return { algorithm, publicKey, certificate: key.certificate };
}

function publicKeyOf({ publicKey }: ProvidedKey): KeyObject {
  try {
    return createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' });
  } catch {
    throw new KeyRefused('the public key cannot be read');
  }
}

function isOfKey(certificate: string, publicKey: KeyObject): boolean {
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).publicKey.equals(publicKey);
  } catch {
    return false;
  }
}
