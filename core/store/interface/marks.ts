import type { OneTimeTokenKey } from './tickets.js';

/** Records keys that may be used only once: action tokens, assertion IDs, revoked access tokens. */
export interface SingleUseStore {
  /**
   * Claims a key.
   * @returns true for exactly one caller per key until the claim expires; false if `expiresAt` is not in the future
   */
  claim(mark: OneTimeTokenKey & { expiresAt: number; now: number }): Promise<boolean>;
  has(key: OneTimeTokenKey & { now: number }): Promise<boolean>;
  /** Returns the time at which a live claim expires; undefined if there is none. */
  expiry(key: OneTimeTokenKey & { now: number }): Promise<number | undefined>;
  /** Deletes a claim, so that the key can be claimed again, because the claimed operation has failed. */
  release(key: OneTimeTokenKey): Promise<void>;
  /** Deletes all claims of a kind. */
  releaseAll(kind: { realm: string; kind: string }): Promise<void>;
}
