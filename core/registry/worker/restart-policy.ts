/** After this time without a failure, in milliseconds, a worker counts as healthy again. */
const HEALTHY_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** After this number of consecutive failures the plugin counts as broken, and is restarted less often. */
const BROKEN_AFTER_FAILURES = 6;
const PROBE_MS = 60_000;

/** When to restart a failed worker: at once, then with growing delays, and finally as a probe once a minute. */
export class RestartPolicy {
  #failures = 0;
  #upSince: number | undefined;

  get isBroken(): boolean {
    return this.#failures >= BROKEN_AFTER_FAILURES;
  }

  /** Forgets previous failures, because their cause may have been fixed. */
  reset(): void {
    this.#failures = 0;
  }

  /** @param now milliseconds of a monotonic clock */
  up(now: number): void {
    this.#upSince = now;
  }

  /**
   * Records that the worker went down, or failed to start.
   * @param random a number between 0 and 1, so that plugins that failed together do not restart at the same moment
   * @returns the delay in milliseconds
   */
  failed(now: number, random = Math.random()): number {
    if (this.#upSince !== undefined && now - this.#upSince >= HEALTHY_AFTER_MS) this.#failures = 0;
    this.#upSince = undefined;
    this.#failures += 1;
    if (this.isBroken) return PROBE_MS;
    if (this.#failures === 1) return 0;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 2)) * (0.5 + random / 2);
  }
}
