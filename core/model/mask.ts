/**
 * Placeholder for a secret that is not shown (Keycloak's ComponentRepresentation.SECRET_VALUE). It is never a secret
 * itself.
 */
export const MASK = '**********';

/** True for the mask. A client that sends the mask back means the stored secret, not these characters. */
export function isMask(value: unknown): boolean {
  return value === MASK;
}
