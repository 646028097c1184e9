import { HostError } from '@keyhost/spi';

interface WatchedCall {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * A time limit for all calls of a host. They share one timer, because one timer per call would take a large part of the
 * time of a call. The timer runs ten times per limit, so a call may be aborted up to a tenth of the limit early.
 */
export class CallLimit {
  readonly #limitMs: number;
  readonly #watchedCalls = new Set<WatchedCall>();
  #timer: NodeJS.Timeout | undefined;
  #now = performance.now();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * Returns the answer, or rejects if it takes longer than the limit.
   * @param onExpired called if it takes longer
   * @throws HostError `provider_timeout` (504)
   */
  watch<T>(answer: Promise<T>, onExpired: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#timer === undefined) this.#start();
      const watchedCall: WatchedCall = {
        deadline: this.#now + this.#limitMs,
        expire: () => {
          onExpired();
          reject(
            new HostError('provider_timeout', 'The provider did not answer in time', { status: 504, expose: true }),
          );
        },
      };
      this.#watchedCalls.add(watchedCall);
      answer.then(
        (value) => {
          this.#watchedCalls.delete(watchedCall);
          resolve(value);
        },
        (error: unknown) => {
          this.#watchedCalls.delete(watchedCall);
          reject(error);
        },
      );
    });
  }

  #start(): void {
    this.#now = performance.now();
    this.#timer = setInterval(() => this.#expireCalls(), Math.max(1, this.#limitMs / 10));
    this.#timer.unref();
  }

  #expireCalls(): void {
    this.#now = performance.now();
    if (this.#watchedCalls.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const watchedCall of this.#watchedCalls) {
      // The calls are in the order of their deadlines.
      if (watchedCall.deadline > this.#now) break;
      this.#watchedCalls.delete(watchedCall);
      watchedCall.expire();
    }
  }
}
