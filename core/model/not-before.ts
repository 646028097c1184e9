/**
 * A realm, client or user whose tokens issued before `notBefore` are revoked. It is in seconds since the epoch; 0
 * revokes none.
 */
interface NotBeforeHolder {
  readonly notBefore: number;
}

/**
 * Returns the latest `notBefore` of all, in seconds since the epoch: older tokens are invalid. Keycloak is less strict:
 * a client's value replaces the realm's, even if it is older.
 */
export function notBeforeOf(realm: NotBeforeHolder, ...holders: readonly NotBeforeHolder[]): number {
  return holders.reduce((latest, { notBefore }) => Math.max(latest, notBefore), realm.notBefore);
}
