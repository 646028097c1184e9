import { recentEntries } from './recent-entries.js';

/** Steps that a realm may take at once, and those that it gets back in a second: a seventh of the time at the worst. */
const MOST = 4_000_000;
const PER_SECOND = 4_000_000;
/** Maximum number of realms in memory. The least recently used one starts again with a full bucket. */
const REALMS = 1_000;

/**
 * Bounds the CPU time that a realm's patterns take from the main thread, over all its requests: a token bucket in this
 * process. Sound patterns do not reach the bound.
 */
export class RegexBudget {
  readonly #now: () => number;
  readonly #buckets = recentEntries<string, { left: number; at: number }>(REALMS);

  /** @param now milliseconds of a monotonic clock */
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
