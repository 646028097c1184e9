/**
 * A realm, client or user whose tokens issued before `notBefore` are revoked. It is in seconds since the epoch; 0
 * revokes none.
 */
interface NotBeforeHolder {
  readonly notBefore: number;
}

/**
 * Returns the latest `notBefore`, in seconds since the epoch: tokens issued earlier are invalid. Keycloak is less
 * strict: a client's value replaces the realm's, even if it is earlier.
 */
export function notBeforeOf(realm: NotBeforeHolder, ...holders: readonly NotBeforeHolder[]): number {
  return holders.reduce((latest, { notBefore }) => Math.max(latest, notBefore), realm.notBefore);
}
