/** The refresh tokens that belong to one login (Keycloak's `reuse_id`). */
export interface FamilyRecord {
  readonly realm: string;
  readonly id: string;
  readonly sessionId: string;
  readonly offline: boolean;
  readonly clientUuid: string;
  readonly userId: string;
  /** The hash of the first refresh token's `jti`. */
  readonly current: string;
  readonly expiresAt: number;
}

export type RotateOutcome =
  /**
   * The presented token was the newest one, or was used again within `maxReuse`. The token `next` can now be used too.
   */
  | { outcome: 'rotated'; uses: number }
  /**
   * The token was used more often than allowed, or is an older one. The family was revoked, and the client session
   * removed.
   */
  | { outcome: 'reused' | 'stale' }
  /** The family does not exist, or was revoked before. */
  | { outcome: 'absent' };

export interface FamilyStore {
  /**
   * Uses a refresh token. Each token can be used `maxReuse` + 1 times, and no longer after a newer one was used. The
   * family stores the last used token with its number of uses, and the unused tokens that were issued from it
   * (`pending`). On `reused` and `stale`, the same transaction revokes the family and removes its client session.
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
