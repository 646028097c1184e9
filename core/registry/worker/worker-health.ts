/** The interval of pings to a worker, in milliseconds, and the number of consecutive answers that may be missing. */
const PING_MS = 500;
const MISSES = 6;
/** If the host's own event loop was blocked for longer, in milliseconds, a missing answer is not the worker's fault. */
const HOST_LATE_MS = 250;

/** Pings a worker regularly to check that its event loop runs. */
export class WorkerHealth {
  readonly #timer: NodeJS.Timeout;
  #due = performance.now() + PING_MS;
  #asked = 0;
  #answered = 0;
  #misses = 0;

  /**
   * @param parts.ask sends a ping with its number, above 0
   * @param parts.isExcused returns true while the worker may block its thread, as during an import
   */
  constructor({ ask, isExcused, onHung }: { ask: (n: number) => void; isExcused: () => boolean; onHung: () => void }) {
    this.#timer = setInterval(() => {
      const late = performance.now() - this.#due;
      this.#due = performance.now() + PING_MS;
      if (late > HOST_LATE_MS) return;
      // Handle answers first that have arrived but were not read yet.
      setImmediate(() => {
        const isAnswered = this.#answered === this.#asked;
        this.#misses = isAnswered || isExcused() ? 0 : this.#misses + 1;
        if (this.#misses >= MISSES) onHung();
        else if (isAnswered) ask(++this.#asked);
      });
    }, PING_MS);
    this.#timer.unref();
  }

  answered(n: number): void {
    if (n === this.#asked) this.#answered = n;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
