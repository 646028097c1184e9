import { recentEntries } from './recent-entries.js';

/**
 * Capacity of a realm's bucket, in steps. With `STEPS_PER_SECOND`, a realm can use at most a seventh of the main
 * thread's time.
 */
const MAX_STEPS = 4_000_000;
const STEPS_PER_SECOND = 4_000_000;
/** Maximum number of realms in memory. An evicted realm starts again with a full bucket. */
const MAX_REALMS = 1_000;

/**
 * Limits the CPU time of the main thread that the patterns of a realm take in all of its requests. It is a token bucket
 * in this process. Reasonable patterns do not reach the limit.
 */
export class RegexBudget {
  readonly #now: () => number;
  readonly #buckets = recentEntries<string, { steps: number; updatedAt: number }>(MAX_REALMS);

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes steps from the realm's bucket.
   * @returns undefined if the steps may be used; otherwise the seconds after which to try again
   */
  take(realm: string, steps: number): number | undefined {
    const now = this.#now();
    const bucket = this.#buckets.get(realm) ?? { steps: MAX_STEPS, updatedAt: now };
    bucket.steps = Math.min(MAX_STEPS, bucket.steps + ((now - bucket.updatedAt) * STEPS_PER_SECOND) / 1000);
    bucket.updatedAt = now;
    this.#buckets.set(realm, bucket);
    if (bucket.steps < steps) return Math.ceil((Math.min(steps, MAX_STEPS) - bucket.steps) / STEPS_PER_SECOND);
    bucket.steps -= steps;
    return undefined;
  }
}
