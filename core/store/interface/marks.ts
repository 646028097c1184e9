import type { OneTimeTokenKey } from './tickets.js';

/** First-seen registry: single-use action tokens, assertion ids, revoked access tokens. */
export interface SingleUseStore {
  /** True for exactly one caller per key, until the claim expires; never for one that has expired already. */
  claim(mark: OneTimeTokenKey & { expiresAt: number; now: number }): Promise<boolean>;
  has(key: OneTimeTokenKey & { now: number }): Promise<boolean>;
  /** The time when a live claim expires. */
  expiry(key: OneTimeTokenKey & { now: number }): Promise<number | undefined>;
  /** Releases a claim, so that the key may be claimed again: its purpose failed. */
  release(key: OneTimeTokenKey): Promise<void>;
  /** Takes all claims of a kind back. */
  releaseAll(kind: { realm: string; kind: string }): Promise<void>;
}
