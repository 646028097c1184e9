import { storeUnavailableError } from '../engine/store-error.js';

/** Maximum number of waiting requests. Beyond it the database cannot keep up, and new requests are rejected at once. */
const MAX_WAITING = 10_000;
/** Maximum number of requests in one message. More would delay the first answer too long. */
const MAX_BATCH_SIZE = 50;

/**
 * Gathers the requests of one turn of the event loop, and those that arrive while the maximum number of messages is in
 * flight. So under load, each message contains more requests.
 */
export class Gatherer<Entry extends { readonly reject: (error: unknown) => void }> {
  readonly #carryOut: (entries: readonly Entry[]) => Promise<void>;
  readonly #maxConcurrent: number;
  readonly #batchSize: number;
  #waiting: Entry[] = [];
  #active = 0;
  #isScheduled = false;

  /**
   * @param carryOut answers all entries of a message, and does not reject
   * @param options.atOnce maximum number of messages in flight
   */
  constructor(
    carryOut: (entries: readonly Entry[]) => Promise<void>,
    { atOnce, together = MAX_BATCH_SIZE }: { readonly atOnce: number; readonly together?: number },
  ) {
    this.#carryOut = carryOut;
    this.#maxConcurrent = atOnce;
    this.#batchSize = together;
  }

  add(entry: Entry): void {
    if (this.#waiting.length >= MAX_WAITING) {
      entry.reject(storeUnavailableError('too many requests are waiting for it'));
      return;
    }
    this.#waiting.push(entry);
    if (this.#isScheduled || this.#active >= this.#maxConcurrent) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#active < this.#maxConcurrent) {
      this.#active += 1;
      void this.#carryOut(this.#waiting.splice(0, this.#batchSize)).finally(() => {
        this.#active -= 1;
        this.#start();
      });
    }
  }
}
