/** How often a worker is asked, in milliseconds, and how many answers in a row may be missing. */
const PING_MS = 500;
const MISSES = 6;
/** The host itself was held up longer than that: what it missed is not the worker's fault. */
const HOST_LATE_MS = 250;

/** Asks a worker again and again whether it still turns its loop. */
export class WorkerHealth {
  readonly #timer: NodeJS.Timeout;
  #due = performance.now() + PING_MS;
  #asked = 0;
  #answered = 0;
  #misses = 0;

  /** @param ask sends a question with its number, above 0; what it returns is not waited for */
  constructor(ask: (n: number) => void, onHung: () => void) {
    this.#timer = setInterval(() => {
      const late = performance.now() - this.#due;
      this.#due = performance.now() + PING_MS;
      if (late > HOST_LATE_MS) return;
      // Answers that have come and wait to be read count.
      setImmediate(() => {
        this.#misses = this.#answered === this.#asked ? 0 : this.#misses + 1;
        if (this.#misses >= MISSES) onHung();
        else if (this.#misses === 0) ask(++this.#asked);
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
