import type { TicketKey } from './tickets.js';

/** First-seen registry: single-use action tokens, assertion ids, revoked access tokens. */
export interface MarkStore {
  /** True for exactly one caller per key, until it expires; never for one that is expired when it comes. */
  claim(mark: TicketKey & { expiresAt: number; now: number }): Promise<boolean>;
  has(key: TicketKey & { now: number }): Promise<boolean>;
  /** When a claim that stands ends. */
  expiry(key: TicketKey & { now: number }): Promise<number | undefined>;
  /** Takes a claim back, so that the key may be claimed again: what it stood for did not come about. */
  release(key: TicketKey): Promise<void>;
  /** Takes all claims of a kind back. */
  releaseAll(kind: { realm: string; kind: string }): Promise<void>;
}
