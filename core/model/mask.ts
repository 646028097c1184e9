/**
 * Placeholder for a secret that is not returned (Keycloak's ComponentRepresentation.SECRET_VALUE). A secret never has
 * this value.
 */
export const MASK = '**********';

/** True for the mask. A program that sends the mask back does not change the stored secret. */
export function isMask(value: unknown): boolean {
  return value === MASK;
}
