import { HostError } from '@keyhost/spi';

/** The longest queue is through sooner or later: a second later is as good a guess as another, and no burden. */
const RETRY_SECONDS = '1';

/** Runs at most `concurrency` tasks at once and lets `limit` more wait their turn, in order. */
export class BoundedQueue {
  readonly #concurrency: number;
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: { readonly concurrency: number; readonly limit: number }) {
    this.#concurrency = options.concurrency;
    this.#limit = options.limit;
  }

  /** @throws HostError `temporarily_unavailable` (503, with Retry-After) when the queue is full: the task is not run. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running++;
    else if (this.#waiting.length >= this.#limit) {
      throw new HostError('temporarily_unavailable', 'too many requests are waiting, try again later', {
        status: 503,
        expose: true,
        headers: { 'retry-after': RETRY_SECONDS },
      });
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes to the next in line without being free in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
