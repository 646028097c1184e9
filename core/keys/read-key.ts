import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import { decodeDer } from '../model/armour.js';
import { AES_BYTES, MINIMUM_RSA_BITS, MINIMUM_SECRET_BYTES } from '../model/key-sizes.js';
import type { KeyStatus } from '../store/store.js';
import { AES, keyTypeOf, useOf } from './algorithms.js';
import { type KeyMaterial, kidOf } from './key-material.js';
import { KeyRefused } from './key-refused.js';
import type { KeyRecordDraft } from './key-ring.js';

/** Keycloak's default priority of a key provider. */
const DEFAULT_PRIORITY = 0;

type KeyType = ReturnType<typeof keyTypeOf>;

/** Returns a member of a component's configuration; undefined if it is absent or empty. */
export type Config = (key: string) => string | undefined;

/**
 * Reads a key from a component's configuration.
 * @param field the member of the configuration that contains the key
 * @throws KeyRefused
 */
export function readKey({
  config,
  algorithm,
  use,
  field,
  curve,
  now,
}: {
  readonly config: Config;
  readonly algorithm: string;
  readonly use: 'sig' | 'enc';
  readonly field: string;
  readonly curve?: string | undefined;
  readonly now: number;
}): KeyRecordDraft {
  const text = config(field) ?? '';
  if (/^\*+$/.test(text)) {
    throw new KeyRefused('the key is masked: export the realm with "kc.sh export", which writes its secrets', field);
  }
  requireAlgorithm(use, algorithm);
  const spec = keyTypeOf(algorithm, curve);
  const state = keyState(config);
  const { kid, material } =
    spec.kty === 'oct' ? readSecret(text, algorithm, config) : readPrivateKey(text, spec, field, config);
  return {
    kid: config('kid') ?? kid,
    use,
    algorithm,
    ...state,
    createdAt: now,
    material: JSON.stringify(material),
  };
}

/**
 * Checks that an algorithm is supported for this use.
 * @throws KeyRefused
 */
export function requireAlgorithm(use: 'sig' | 'enc', algorithm: string): void {
  if (useOf(algorithm) === use) return;
  throw new KeyRefused(`the algorithm ${JSON.stringify(algorithm)} is not supported`, 'algorithm');
}

/**
 * Reads the status and priority of a key.
 * @throws KeyRefused
 */
export function keyState(config: Config): { status: KeyStatus; priority: number } {
  const priority = Number(config('priority') ?? DEFAULT_PRIORITY);
  if (!Number.isSafeInteger(priority)) throw new KeyRefused('the priority is not a whole number', 'priority');
  if (config('enabled') === 'false') return { status: 'DISABLED', priority };
  return { status: config('active') === 'false' ? 'PASSIVE' : 'ACTIVE', priority };
}

function readSecret(text: string, algorithm: string, config: Config): { kid: string; material: KeyMaterial } {
  const secret = Buffer.from(text, 'base64url');
  if (!/^[A-Za-z0-9_-]+=*$/.test(text)) throw new KeyRefused('the secret is not base64url', 'secret');
  if (algorithm === AES && !AES_BYTES.includes(secret.length)) {
    throw new KeyRefused(`the secret has ${secret.length} bytes; AES requires ${AES_BYTES.join(', ')}`, 'secret');
  }
  if (algorithm !== AES && secret.length < MINIMUM_SECRET_BYTES) {
    throw new KeyRefused(
      `the secret has ${secret.length} bytes; at least ${MINIMUM_SECRET_BYTES} are required`,
      'secret',
    );
  }
  const kid = config('kid');
  if (kid === undefined) throw new KeyRefused('a secret requires a kid', 'kid');
  return { kid, material: { jwk: createSecretKey(secret).export({ format: 'jwk' }) } };
}

function readPrivateKey(
  text: string,
  spec: KeyType,
  field: string,
  config: Config,
): { kid: string; material: KeyMaterial } {
  const key = parsePrivateKey(text, field);
  requireKeyType(key, spec, field);
  const jwk = key.export({ format: 'jwk' });
  const certificate = config('certificate');
  const material = certificate === undefined ? { jwk } : { jwk, certificate: readCertificate(certificate, key) };
  return { kid: kidOf(createPublicKey(key)), material };
}

/**
 * Parses a private key: base64 with or without PEM armour, PKCS#8, or PKCS#1 as older versions of Keycloak wrote it.
 */
function parsePrivateKey(text: string, field: string): KeyObject {
  const key = decodeDer(text);
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // Try the next encoding. OpenSSL's message would not help users, so the error below does not contain it.
    }
  }
  throw new KeyRefused(`${field} is not a PKCS#8 or PKCS#1 private key`, field);
}

function requireKeyType(key: KeyObject, { kty, curve: expectedCurve }: KeyType, field: string): void {
  const expected = kty === 'RSA' ? 'rsa' : kty === 'EC' ? 'ec' : 'ed25519';
  if (key.asymmetricKeyType !== expected) {
    throw new KeyRefused(`${field} is of type ${key.asymmetricKeyType}, not ${expected}`, field);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < MINIMUM_RSA_BITS) {
    throw new KeyRefused(`the RSA key has ${bits} bits; at least ${MINIMUM_RSA_BITS} are required`, field);
  }
  const curve = kty === 'EC' ? key.export({ format: 'jwk' }).crv : expectedCurve;
  if (curve !== expectedCurve) throw new KeyRefused(`the key is on the curve ${curve}, not ${expectedCurve}`, field);
}

function readCertificate(text: string, key: KeyObject): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(decodeDer(text));
  } catch {
    throw new KeyRefused('the certificate cannot be read', 'certificate');
  }
  if (!certificate.checkPrivateKey(key)) throw new KeyRefused('the certificate does not match the key', 'certificate');
  return certificate.raw.toString('base64');
}
