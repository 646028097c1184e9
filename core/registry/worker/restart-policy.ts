/** A worker that ran this long without a failure counts as healthy again; in milliseconds. */
const HEALTHY_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** After this number of consecutive failures, a plugin counts as broken. Its worker is then restarted less often. */
const BROKEN_AFTER_FAILURES = 6;
const PROBE_INTERVAL_MS = 60_000;

/** Determines when to restart a failed worker: at once, then after increasing delays, and finally once a minute. */
export class RestartPolicy {
  #failures = 0;
  #upSince: number | undefined;

  get isBroken(): boolean {
    return this.#failures >= BROKEN_AFTER_FAILURES;
  }

  /** Resets the number of failures, because their cause may have been fixed. */
  reset(): void {
    this.#failures = 0;
  }

  /**
   * Records that the worker has started.
   * @param now milliseconds of a monotonic clock
   */
  recordStart(now: number): void {
    this.#upSince = now;
  }

  /**
   * Records that the worker has ended, or failed to start.
   * @param random a number between 0 and 1, so that workers that failed together do not restart at the same moment
   * @returns the delay until the restart, in milliseconds
   */
  recordFailure(now: number, random = Math.random()): number {
    if (this.#upSince !== undefined && now - this.#upSince >= HEALTHY_AFTER_MS) this.#failures = 0;
    this.#upSince = undefined;
    this.#failures += 1;
    if (this.isBroken) return PROBE_INTERVAL_MS;
    if (this.#failures === 1) return 0;
    return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 2)) * (0.5 + random / 2);
  }
}
