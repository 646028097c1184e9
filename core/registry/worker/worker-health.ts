/** How often a worker is asked, in milliseconds, and how many answers in a row may be missing. */
const PING_MS = 500;
const MISSES = 6;
/** Where the host's own loop was held up for longer, in milliseconds, a missing answer is not the worker's fault. */
const HOST_LATE_MS = 250;

/** Asks a worker again and again whether it still turns its loop. */
export class WorkerHealth {
  readonly #timer: NodeJS.Timeout;
  #due = performance.now() + PING_MS;
  #asked = 0;
  #answered = 0;
  #misses = 0;

  /**
   * @param parts.ask sends a question with its number, above 0
   * @param parts.isExcused true while the worker may block its thread, such as in an import
   */
  constructor({ ask, isExcused, onHung }: { ask: (n: number) => void; isExcused: () => boolean; onHung: () => void }) {
    this.#timer = setInterval(() => {
      const late = performance.now() - this.#due;
      this.#due = performance.now() + PING_MS;
      if (late > HOST_LATE_MS) return;
      // Answers that have come and were not read yet count as answers.
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
