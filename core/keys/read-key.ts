import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { KeyStatus } from '../store/store.js';
import { type Algorithm, ENCRYPTION_ALGORITHMS, signatureAlgorithm } from './algorithms.js';
import { type KeyMaterial, kidOf } from './key-material.js';
import { KeyRefused } from './key-refused.js';
import { DEFAULT_KEY_PRIORITY, type KeyRecordDraft } from './key-ring.js';

const MINIMUM_RSA_BITS = 2048;
const MINIMUM_SECRET_BYTES = 32;

/** Reads one key of a configuration; undefined when it is absent or empty. */
export type Config = (key: string) => string | undefined;

/**
 * A key that stands in a configuration.
 * @param field the key of the configuration that holds it
 * @throws KeyRefused
 */
export function readKey(
  config: Config,
  algorithm: string,
  use: 'sig' | 'enc',
  field: string,
  now: number,
): KeyRecordDraft {
  const text = config(field) ?? '';
  if (/^\*+$/.test(text)) {
    throw new KeyRefused('the key is masked: export the realm with "kc.sh export", which writes its secrets', field);
  }
  const spec = algorithmOf(use, algorithm);
  const state = keyState(config);
  const { kid, material } = spec?.kty === 'oct' ? readSecret(text, config) : readPrivateKey(text, spec, field, config);
  return {
    kid: config('kid') ?? kid,
    use,
    algorithm,
    ...state,
    createdAt: now,
    material: JSON.stringify(material),
  };
}

/** The algorithm of a signature; undefined for encryption. @throws KeyRefused for one that is not supported */
export function algorithmOf(use: 'sig' | 'enc', algorithm: string): Algorithm | undefined {
  const spec = use === 'sig' ? signatureAlgorithm(algorithm) : undefined;
  if (spec === undefined && !(use === 'enc' && ENCRYPTION_ALGORITHMS.includes(algorithm))) {
    throw new KeyRefused(`the algorithm ${JSON.stringify(algorithm)} is not supported`, 'algorithm');
  }
  return spec;
}

/** @throws KeyRefused */
export function keyState(config: Config): { status: KeyStatus; priority: number } {
  const priority = Number(config('priority') ?? DEFAULT_KEY_PRIORITY);
  if (!Number.isSafeInteger(priority)) throw new KeyRefused('the priority is not a whole number', 'priority');
  if (config('enabled') === 'false') return { status: 'DISABLED', priority };
  return { status: config('active') === 'false' ? 'PASSIVE' : 'ACTIVE', priority };
}

function readSecret(text: string, config: Config): { kid: string; material: KeyMaterial } {
  const secret = Buffer.from(text, 'base64url');
  if (!/^[A-Za-z0-9_-]+=*$/.test(text)) throw new KeyRefused('the secret is not base64url', 'secret');
  if (secret.length < MINIMUM_SECRET_BYTES) {
    throw new KeyRefused(`the secret has ${secret.length} bytes; ${MINIMUM_SECRET_BYTES} are needed`, 'secret');
  }
  const kid = config('kid');
  if (kid === undefined) throw new KeyRefused('an HMAC key needs a kid', 'kid');
  return { kid, material: { jwk: createSecretKey(secret).export({ format: 'jwk' }) } };
}

function readPrivateKey(
  text: string,
  spec: Algorithm | undefined,
  field: string,
  config: Config,
): { kid: string; material: KeyMaterial } {
  const key = parsePrivateKey(text, field);
  checkFits(key, spec, field);
  const jwk = key.export({ format: 'jwk' });
  const certificate = config('certificate');
  const material = certificate === undefined ? { jwk } : { jwk, certificate: readCertificate(certificate, key) };
  return { kid: kidOf(createPublicKey(key)), material };
}

/** Base64 with or without PEM armour; PKCS#8, or PKCS#1 as old Keycloaks wrote it. */
function parsePrivateKey(text: string, field: string): KeyObject {
  const key = withoutArmour(text);
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // The next encoding is tried; the refusal below tells when none fits. OpenSSL's reasons say nothing to a person.
    }
  }
  throw new KeyRefused(`${field} is not a PKCS#8 or PKCS#1 private key`, field);
}

function checkFits(key: KeyObject, spec: Algorithm | undefined, field: string): void {
  const kty = spec?.kty ?? 'RSA';
  const expected = kty === 'RSA' ? 'rsa' : kty === 'EC' ? 'ec' : 'ed25519';
  if (key.asymmetricKeyType !== expected) {
    throw new KeyRefused(`${field} is of type ${key.asymmetricKeyType}, not ${expected}`, field);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < MINIMUM_RSA_BITS) {
    throw new KeyRefused(`the RSA key has ${bits} bits; ${MINIMUM_RSA_BITS} are needed`, field);
  }
  const curve = kty === 'EC' ? key.export({ format: 'jwk' }).crv : spec?.curve;
  if (curve !== spec?.curve) throw new KeyRefused(`the key is on the curve ${curve}, not ${spec?.curve}`, field);
}

function readCertificate(text: string, key: KeyObject): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(withoutArmour(text));
  } catch {
    throw new KeyRefused('the certificate cannot be read', 'certificate');
  }
  if (!certificate.checkPrivateKey(key)) throw new KeyRefused('the certificate is of another key', 'certificate');
  return certificate.raw.toString('base64');
}

function withoutArmour(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
}
