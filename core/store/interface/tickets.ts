export interface OneTimeTokenKey {
  readonly realm: string;
  /** The type, such as `authorization-code`. A token of one type can never be redeemed as another. */
  readonly kind: string;
  readonly keyHash: string;
}

/** One-time objects with a payload. */
export interface OneTimeTokenStore {
  issue(ticket: OneTimeTokenKey & { payload: string; expiresAt: number }): Promise<'issued' | 'exists'>;
  /** The payload, as long as the ticket has neither been redeemed nor expired. */
  get(key: OneTimeTokenKey & { now: number }): Promise<string | undefined>;
  /** Exactly one caller ever gets `first`. The row stays as a tombstone until it expires. */
  redeem(
    key: OneTimeTokenKey & { now: number },
  ): Promise<{ outcome: 'first'; payload: string } | { outcome: 'replayed'; payload: string } | { outcome: 'absent' }>;
}
