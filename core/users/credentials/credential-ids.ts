import { createHash } from 'node:crypto';
import type { CredentialRepresentation } from '../../model/representation.js';

/**
 * Adds IDs to credentials that have none, because an earlier version stored them. An ID is derived from the user and
 * the credential's position. The next change of the user stores it.
 */
export function withCredentialIds(
  userId: string,
  credentials: readonly CredentialRepresentation[],
): CredentialRepresentation[] {
  return credentials.map((credential, index) => {
    if (credential.id !== undefined) return credential;
    const digest = createHash('sha256').update(`${userId} ${index}`).digest('hex').slice(0, 32);
    return { ...credential, id: digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
  });
}
