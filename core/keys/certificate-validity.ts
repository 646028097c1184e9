import { X509Certificate } from 'node:crypto';
import { KeyRefused } from './key-refused.js';

/** When a certificate is valid: milliseconds since the epoch. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** @param certificate base64 DER; without one a key is valid at any time: undefined */
export function validityOf(certificate: string | undefined): Validity | undefined {
  if (certificate === undefined) return undefined;
  const { validFrom, validTo } = new X509Certificate(Buffer.from(certificate, 'base64'));
  return { from: Date.parse(validFrom), until: Date.parse(validTo) };
}

/** @param now milliseconds since the epoch */
export function isValidAt(validity: Validity | undefined, now: number): boolean {
  return validity === undefined || (now >= validity.from && now <= validity.until);
}

/**
 * Refuses the new key of an admin whose certificate is not valid, as Keycloak does. A realm file may hold such a key: the host
 * must start with the file of last year.
 * @param material as `KeyRecord.material` holds it in plain
 * @param now milliseconds since the epoch
 * @throws KeyRefused
 */
export function requireValidCertificate(material: string, now: number): void {
  const { certificate } = JSON.parse(material) as { readonly certificate?: string };
  if (!isValidAt(validityOf(certificate), now)) throw new KeyRefused('Certificate is not valid', 'certificate');
}
