import { X509Certificate } from 'node:crypto';
import { KeyRefused } from './key-refused.js';

/** The validity of a certificate, in milliseconds since the epoch. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/**
 * Reads the validity of a certificate.
 * @param certificate base64 DER
 * @returns undefined without a certificate, because a key without one is always valid
 */
export function validityOf(certificate: string | undefined): Validity | undefined {
  if (certificate === undefined) return undefined;
  const { validFrom, validTo } = new X509Certificate(Buffer.from(certificate, 'base64'));
  return { from: Date.parse(validFrom), until: Date.parse(validTo) };
}

/**
 * True if the certificate is valid at this time. A key without a certificate is always valid.
 * @param now milliseconds since the epoch
 */
export function isValidAt(validity: Validity | undefined, now: number): boolean {
  return validity === undefined || (now >= validity.from && now <= validity.until);
}

/**
 * Rejects an admin's new key if its certificate is not valid, as Keycloak does. Keys of realm files are not rejected,
 * because the host must still start with an old file.
 * @param material in the unencrypted form of `KeyRecord.material`
 * @param now milliseconds since the epoch
 * @throws KeyRefused
 */
export function requireValidCertificate(material: string, now: number): void {
  const { certificate } = JSON.parse(material) as { readonly certificate?: string };
  if (!isValidAt(validityOf(certificate), now)) throw new KeyRefused('Certificate is not valid', 'certificate');
}
