export interface OneTimeTokenKey {
  readonly realm: string;
  /** The type, such as `authorization-code`. A token of one type can never be redeemed as another. */
  readonly kind: string;
  readonly keyHash: string;
}

/** One-time tokens with a payload. */
export interface OneTimeTokenStore {
  issue(ticket: OneTimeTokenKey & { payload: string; expiresAt: number }): Promise<'issued' | 'exists'>;
  /** Returns the payload, unless the token was redeemed or has expired. */
  get(key: OneTimeTokenKey & { now: number }): Promise<string | undefined>;
  /**
   * Redeems a token. Exactly one caller gets `first`. The row remains until it expires, so that a replay is detected.
   */
  redeem(
    key: OneTimeTokenKey & { now: number },
  ): Promise<{ outcome: 'first'; payload: string } | { outcome: 'replayed'; payload: string } | { outcome: 'absent' }>;
}
