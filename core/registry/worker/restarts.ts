/** After so many milliseconds without a failure a worker counts as sound again. */
const SOUND_MS = 60_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** After so many failures in a row the plugin counts as broken: it is tried again less often. */
const FAILURES = 6;
const PROBE_MS = 60_000;

/** When a worker that failed is started again: at once, then ever later, and at last as a probe now and then. */
export class Restarts {
  #failures = 0;
  #upSince: number | undefined;

  get isBroken(): boolean {
    return this.#failures >= FAILURES;
  }

  /** Forgets the failures so far, since somebody has mended what they came from. */
  reset(): void {
    this.#failures = 0;
  }

  /** @param now milliseconds of any clock that does not go back */
  up(now: number): void {
    this.#upSince = now;
  }

  /**
   * The worker went down, or did not come up.
   * @param random between 0 and 1, so that plugins that failed together are not all started again at the same moment
   * @returns how long to wait, in milliseconds
   */
  failed(now: number, random = Math.random()): number {
    if (this.#upSince !== undefined && now - this.#upSince >= SOUND_MS) this.#failures = 0;
    this.#upSince = undefined;
    this.#failures += 1;
    if (this.isBroken) return PROBE_MS;
    if (this.#failures === 1) return 0;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 2)) * (0.5 + random / 2);
  }
}
