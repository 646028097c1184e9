import { createHash } from 'node:crypto';
import type { CredentialRepresentation } from '../../model/representation.js';

/** Credentials that were stored before each had an id get one by their place; the next change writes it down. */
export function identifiedCredentials(
  userId: string,
  credentials: readonly CredentialRepresentation[],
): CredentialRepresentation[] {
  return credentials.map((credential, index) => {
    if (credential.id !== undefined) return credential;
    const digest = createHash('sha256').update(`${userId} ${index}`).digest('hex').slice(0, 32);
    return { ...credential, id: digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
  });
}
