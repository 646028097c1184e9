import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import { HostError } from '@keyhost/spi';
import type { Algorithm } from './algorithms.js';

/** The JSON of `KeyRecord.material` before encryption. */
export interface KeyMaterial {
  /** The private key, or the `oct` key of an HMAC. */
  readonly jwk: JsonWebKey;
  /** Base64 DER of an imported certificate. */
  readonly certificate?: string;
}

/** A key pair or a secret for node:crypto. For a secret, both members are the same object. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly certificate?: string;
}

const generate = promisify(generateKeyPair) as (
  type: string,
  options: object,
) => Promise<{ privateKey: KeyObject; publicKey: KeyObject }>;

/** Computes the kid of a key pair like Keycloak: SHA-256 of the SubjectPublicKeyInfo, base64url. */
export function kidOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
}

/** Generates the material of a new key. Same signature as `generateKey`. */
export type KeyMaker = typeof generateKey;

/** The size of a new key: the RSA modulus in bits, or a secret in bytes. */
export interface KeySize {
  readonly bits?: number;
  readonly bytes?: number;
}

/**
 * Generates a key for the algorithm off the main thread: RSA with 2048 bits by default, or a key on the algorithm's
 * curve. A secret is as long as the digest (RFC 7518 §3.2), with a random UUID as kid.
 */
export async function generateKey(
  algorithm: Pick<Algorithm, 'kty' | 'curve' | 'signatureBytes'>,
  { bits = 2048, bytes = algorithm.signatureBytes ?? 64 }: KeySize = {},
): Promise<{ kid: string; material: KeyMaterial }> {
  if (algorithm.kty === 'oct') {
    const secret = randomBytes(bytes);
    return { kid: randomUUID(), material: { jwk: { kty: 'oct', k: secret.toString('base64url') } } };
  }
  const { privateKey, publicKey } = await (algorithm.kty === 'RSA'
    ? generate('rsa', { modulusLength: bits })
    : algorithm.kty === 'EC'
      ? generate('ec', { namedCurve: algorithm.curve })
      : generate('ed25519', {}));
  return { kid: kidOf(publicKey), material: { jwk: privateKey.export({ format: 'jwk' }) } };
}

/**
 * Parses stored material.
 * @throws HostError `key_unreadable` (500); its message contains no part of the material.
 */
export function openMaterial(text: string): KeyPair {
  try {
    const { jwk, certificate } = JSON.parse(text) as KeyMaterial;
    if (jwk.kty === 'oct') {
      if (typeof jwk.k !== 'string' || jwk.k === '') throw new TypeError('an oct key has no k');
      const secret = createSecretKey(jwk.k, 'base64url');
      return { privateKey: secret, publicKey: secret };
    }
    const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
    const publicKey = createPublicKey(privateKey);
    return certificate === undefined ? { privateKey, publicKey } : { privateKey, publicKey, certificate };
  } catch {
    // Without the cause: messages of JSON.parse quote their input, which is a private key here.
    throw new HostError('key_unreadable', 'the stored key material cannot be read');
  }
}
