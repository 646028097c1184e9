/** What revokes everything that was issued for it before a second (since the epoch); 0: nothing. */
interface Revoking {
  readonly notBefore: number;
}

/**
 * The second (since the epoch) before which tokens are worth nothing: the latest that counts. Stricter than Keycloak, where
 * an older one of the client undoes the realm's.
 */
export function notBeforeOf(realm: Revoking, ...others: readonly Revoking[]): number {
  return others.reduce((latest, { notBefore }) => Math.max(latest, notBefore), realm.notBefore);
}
