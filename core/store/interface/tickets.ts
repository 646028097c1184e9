export interface TicketKey {
  readonly realm: string;
  /** The type, such as `authorization-code`. A token of one type can never be redeemed as another. */
  readonly kind: string;
  readonly keyHash: string;
}

/** One-time objects with a payload. */
export interface TicketStore {
  issue(ticket: TicketKey & { payload: string; expiresAt: number }): Promise<'issued' | 'exists'>;
  /** The payload, as long as the ticket has neither been redeemed nor expired. */
  get(key: TicketKey & { now: number }): Promise<string | undefined>;
  /** Exactly one caller ever gets `first`. The row stays as a tombstone until it expires. */
  redeem(
    key: TicketKey & { now: number },
  ): Promise<{ outcome: 'first'; payload: string } | { outcome: 'replayed'; payload: string } | { outcome: 'absent' }>;
}
