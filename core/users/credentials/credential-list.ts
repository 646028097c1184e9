import { createHash } from 'node:crypto';
import type { CredentialRepresentation } from '../../model/representation.js';

/**
 * Adds IDs to credentials that versions without IDs stored. An ID is derived from the position; the next change of the
 * user stores it.
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
