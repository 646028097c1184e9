import { HostError } from '@keyhost/spi';

interface Watched {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * A time limit for all calls of a host. They share one timer, because a timer for each call would cost as much as a
 * large part of its work. So a call may be aborted up to a tenth of the limit late.
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
   * Returns the answer, unless it takes longer than the limit.
   * @param onExpired called if it does
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
      // They are in the order of their deadlines.
      if (watched.deadline > this.#now) break;
      this.#watched.delete(watched);
      watched.expire();
    }
  }
}
