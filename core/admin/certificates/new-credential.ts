import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { KeyMaker } from '../../keys/key-material.js';
import { badRequest } from '../admin.js';
import { EXPENSIVE_WORK, runCertificateJob } from './certificate-worker.js';
import type { ClientCredential } from './credential-attributes.js';

/** Keycloak's defaults. */
const DEFAULTS = { bits: 4096, years: 3 } as const;
const BITS: readonly number[] = [2048, 3072, 4096];
const MAX_YEARS = 20;
/**
 * How long before its creation a certificate becomes valid, in milliseconds, since clocks differ. Keycloak uses the
 * same value.
 */
const CLOCK_SKEW_MS = 100_000;

/**
 * Generates an RSA key with a self-signed certificate (SHA-256).
 * @param makeKey generates the key
 * @param options.keySize bits: 2048, 3072 or 4096
 * @param options.validity years; 0 or less means Keycloak's default
 * @param now milliseconds since the epoch
 * @throws AdminError 400
 */
export async function createCredential(
  makeKey: KeyMaker,
  { realm, clientId }: { readonly realm: string; readonly clientId: string },
  options: { readonly keySize?: number | null; readonly validity?: number | null },
  now: number,
): Promise<Required<Pick<ClientCredential, 'privateKey' | 'certificate'>>> {
  const bits = positiveOrUndefined(options.keySize) ?? DEFAULTS.bits;
  if (!BITS.includes(bits)) throw badRequest(`keySize: must be one of ${BITS.join(', ')}`);
  const years = positiveOrUndefined(options.validity) ?? DEFAULTS.years;
  if (years > MAX_YEARS) throw badRequest(`validity: must be at most ${MAX_YEARS} years`);
  const { material } = await EXPENSIVE_WORK.run(realm, () => makeKey({ kty: 'RSA' }, { bits }));
  const privateKey = createPrivateKey({ key: material.jwk, format: 'jwk' });
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  const certificate = await runCertificateJob<'certificate'>(realm, {
    kind: 'certificate',
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    commonName: clientId,
    notBefore: now - CLOCK_SKEW_MS,
    notAfter: end.getTime(),
  });
  return { privateKey: base64OfPrivateKey(privateKey), certificate: Buffer.from(certificate).toString('base64') };
}

/** Encodes a private key like Keycloak: RSA as PKCS#1, EC as SEC1, others as PKCS#8. */
export function base64OfPrivateKey(key: KeyObject): string {
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8';
  return key.export({ type, format: 'der' }).toString('base64');
}

/** Checks the strength of an RSA key. @throws AdminError 400 for a key that is too weak */
export function requireStrongKey(key: KeyObject): void {
  const { modulusLength } = (key.type === 'private' ? createPublicKey(key) : key).asymmetricKeyDetails ?? {};
  if (modulusLength === undefined || modulusLength >= 2048) return;
  throw badRequest(`the RSA key has ${modulusLength} bits; 2048 are needed`);
}

function positiveOrUndefined(value: number | null | undefined): number | undefined {
  return value !== undefined && value !== null && value > 0 ? value : undefined;
}
