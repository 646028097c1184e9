/** The refresh tokens of one login (Keycloak's `reuse_id`). */
export interface FamilyRecord {
  readonly realm: string;
  readonly id: string;
  readonly sessionId: string;
  readonly offline: boolean;
  readonly clientUuid: string;
  readonly userId: string;
  /** Hash of the first refresh token's `jti`. */
  readonly current: string;
  readonly expiresAt: number;
}

export type RotateOutcome =
  /** The presented token was the newest, or is used again within `maxReuse`; `next` is now acceptable too. */
  | { outcome: 'rotated'; uses: number }
  /** Used more often than allowed, or an older one: the family is revoked and the client session removed. */
  | { outcome: 'reused' | 'stale' }
  /** No such family, or it was revoked before. */
  | { outcome: 'absent' };

export interface FamilyStore {
  /**
   * Uses a refresh token. Each token can be used exactly `maxReuse` + 1 times, and not at all after a newer one was
   * used. The family stores the tokens that were issued from the last used one and are unused (`pending`), the last
   * used one, and its number of uses. On `reused` and `stale`, the same transaction revokes the family and removes its
   * client session.
   */
  rotate(request: {
    realm: string;
    family: string;
    presented: string;
    next: string;
    maxReuse: number;
    now: number;
    expiresAt: number;
  }): Promise<RotateOutcome>;
  revoke(realm: string, by: { family: string } | { sessionId: string } | { userId: string }): Promise<number>;
}
