import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import type { KeyPair } from './key-material.js';

/** The public part of a key: its SubjectPublicKeyInfo and its certificate, both as base64. */
export interface PublicKeyInfo {
  readonly type: 'RSA' | 'EC' | 'OKP' | 'OCT';
  readonly publicKey?: string;
  readonly certificate?: string;
  /** When the certificate expires, in milliseconds since the epoch. */
  readonly validTo?: number;
}

/** The public part of a key; for a secret, only its type. */
export function describeKey({ publicKey, certificate }: Omit<KeyPair, 'privateKey'>): PublicKeyInfo {
  if (publicKey.type !== 'public') return { type: 'OCT' };
  return {
    type: publicKey.asymmetricKeyType === 'rsa' ? 'RSA' : publicKey.asymmetricKeyType === 'ec' ? 'EC' : 'OKP',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    ...(certificate !== undefined && { certificate, validTo: endOf(certificate) }),
  };
}

function endOf(certificate: string): number {
  return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
}

/** The size of a key: the modulus of RSA or the secret in bits, or the curve (JWK `crv`). */
export function sizeOfKey({ publicKey }: Pick<KeyPair, 'publicKey'>): {
  readonly bits?: number;
  readonly curve?: string;
} {
  if (publicKey.type !== 'public') return { bits: (publicKey.symmetricKeySize ?? 0) * 8 };
  const bits = publicKey.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined) return { bits };
  const { crv } = publicKey.export({ format: 'jwk' });
  return crv === undefined ? {} : { curve: crv };
}

/** The JWKS entry of a key, with Keycloak's order of members. */
export function publicJwk(key: {
  kid: string;
  algorithm: string;
  use: string;
  publicKey: KeyObject;
  certificate?: string | undefined;
}): Record<string, unknown> {
  const { kty, n, e, crv, x, y } = key.publicKey.export({ format: 'jwk' });
  const entry: Record<string, unknown> = { kid: key.kid, kty, alg: key.algorithm, use: key.use };
  if (key.certificate !== undefined) {
    const der = new X509Certificate(Buffer.from(key.certificate, 'base64')).raw;
    entry.x5c = [key.certificate];
    entry.x5t = createHash('sha1').update(der).digest('base64url');
    entry['x5t#S256'] = createHash('sha256').update(der).digest('base64url');
  }
  return Object.assign(entry, kty === 'RSA' ? { n, e } : kty === 'EC' ? { crv, x, y } : { crv, x });
}
