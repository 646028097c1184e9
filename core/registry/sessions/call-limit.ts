import { HostError } from '@keyhost/spi';

interface Watched {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * A time limit shared by all calls of a host: one timer looks after them, since a timer for each call takes as long as
 * much of its work. So a call may be given up by a tenth of the limit late.
 */
export class CallLimit {
  readonly #limitMs: number;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #now = performance.now();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * The answer, unless it takes longer than the limit.
   * @param onExpired called when it does
   * @throws HostError `provider_timeout` (504)
   */
  watch<T>(answer: Promise<T>, onExpired: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#timer === undefined) this.#start();
      const watched: Watched = {
        deadline: this.#now + this.#limitMs,
        expire: () => {
          onExpired();
          reject(
            new HostError('provider_timeout', 'The provider did not answer in time', { status: 504, expose: true }),
          );
        },
      };
      this.#watched.add(watched);
      answer.then(
        (value) => {
          this.#watched.delete(watched);
          resolve(value);
        },
        (error: unknown) => {
          this.#watched.delete(watched);
          reject(error);
        },
      );
    });
  }

  #start(): void {
    this.#now = performance.now();
    this.#timer = setInterval(() => this.#look(), Math.max(1, this.#limitMs / 10));
    this.#timer.unref();
  }

  #look(): void {
    this.#now = performance.now();
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const watched of this.#watched) {
      // They stand in the order of their deadlines.
      if (watched.deadline > this.#now) break;
      this.#watched.delete(watched);
      watched.expire();
    }
  }
}
