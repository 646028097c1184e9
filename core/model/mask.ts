/** What stands where a secret is not shown (Keycloak's ComponentRepresentation.SECRET_VALUE). It is never a secret itself. */
export const MASK = '**********';

/** True for the mask: whoever sends it back means the secret that it stands for, and not these characters. */
export function isMask(value: unknown): boolean {
  return value === MASK;
}
