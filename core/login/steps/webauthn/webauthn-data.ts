import type { CredentialRepresentation } from '../../../model/representation.js';

/** A public key credential of a user (Keycloak's WebAuthnCredentialData). */
export interface WebAuthnData {
  /** Base64url, as in browsers. Stored as base64. */
  readonly credentialId: string;
  /** COSE_Key (RFC 9052 §7). Stored as base64url. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter of its last use; 0 if the authenticator does not count. */
  readonly counter: number;
  readonly aaguid: string;
  readonly attestationStatementFormat: string;
  readonly transports: readonly string[];
}

/** The JSON text of a credential's `credentialData`. */
export function writeWebAuthnData({ credentialId, publicKey, ...data }: WebAuthnData): string {
  return JSON.stringify({
    aaguid: data.aaguid,
    credentialId: Buffer.from(credentialId, 'base64url').toString('base64'),
    counter: data.counter,
    credentialPublicKey: Buffer.from(publicKey).toString('base64url'),
    attestationStatementFormat: data.attestationStatementFormat,
    transports: data.transports,
  });
}

/**
 * Parses a stored credential.
 * @throws Error if it is invalid
 */
export function readWebAuthnData({ credentialData }: CredentialRepresentation): WebAuthnData {
  const data = JSON.parse(credentialData ?? '') as Record<string, unknown>;
  const { credentialId, credentialPublicKey, counter = 0, transports } = data;
  if (typeof credentialId !== 'string' || credentialId === '') throw new Error('credentialId is missing');
  if (typeof credentialPublicKey !== 'string' || credentialPublicKey === '') {
    throw new Error('credentialPublicKey is missing');
  }
  if (!Number.isSafeInteger(counter) || Number(counter) < 0) throw new Error('counter is not a number');
  return {
    credentialId: Buffer.from(credentialId, 'base64').toString('base64url'),
    publicKey: new Uint8Array(Buffer.from(credentialPublicKey, 'base64')),
    counter: Number(counter),
    aaguid: String(data.aaguid ?? ''),
    attestationStatementFormat: String(data.attestationStatementFormat ?? 'none'),
    transports: Array.isArray(transports) ? transports.map(String) : [],
  };
}
