/** Revokes everything issued before this second (since the epoch); 0 revokes nothing. */
interface Revoking {
  readonly notBefore: number;
}

/**
 * The second (since the epoch) before which tokens are invalid: the latest of all. Keycloak is laxer: an older value of
 * the client replaces the realm's.
 */
export function notBeforeOf(realm: Revoking, ...others: readonly Revoking[]): number {
  return others.reduce((latest, { notBefore }) => Math.max(latest, notBefore), realm.notBefore);
}
