import { recentEntries } from './recent-entries.js';

/** Steps that a realm may take at once, and those that it gets back in a second: a seventh of the time at the worst. */
const MOST = 4_000_000;
const PER_SECOND = 4_000_000;
/** Realms that are kept in memory; beyond that, the one that was away longest begins anew. */
const REALMS = 1_000;

/**
 * How much of the one thread that answers everybody the patterns of a realm may take, over all its requests: a token bucket in this
 * process. Sound patterns do not reach it.
 */
export class PatternAllowance {
  readonly #now: () => number;
  readonly #buckets = recentEntries<string, { left: number; at: number }>(REALMS);

  /** @param now milliseconds of a clock that nobody sets */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @returns after how many seconds to come again; undefined: the steps may be taken */
  take(realm: string, steps: number): number | undefined {
    const now = this.#now();
    const bucket = this.#buckets.get(realm) ?? { left: MOST, at: now };
    bucket.left = Math.min(MOST, bucket.left + ((now - bucket.at) * PER_SECOND) / 1000);
    bucket.at = now;
    this.#buckets.set(realm, bucket);
    if (bucket.left < steps) return Math.ceil((Math.min(steps, MOST) - bucket.left) / PER_SECOND);
    bucket.left -= steps;
    return undefined;
  }
}
