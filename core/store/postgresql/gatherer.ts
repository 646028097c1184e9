import { storeUnavailable } from '../engine/store-error.js';

/** Beyond this number the database cannot keep up, and new requests are refused immediately. */
const MOST_WAITING = 10_000;
/** Maximum number of requests in one message. More would delay the first answer too long. */
const MOST_TOGETHER = 50;

/**
 * Gathers the requests of one turn of the event loop, and those that arrive while the maximum number of messages is in
 * flight. So under load, messages contain more requests.
 */
export class Gatherer<Entry extends { readonly reject: (error: unknown) => void }> {
  readonly #carryOut: (entries: readonly Entry[]) => Promise<void>;
  readonly #atOnce: number;
  readonly #together: number;
  #waiting: Entry[] = [];
  #running = 0;
  #isScheduled = false;

  /**
   * @param carryOut answers each entry, and does not reject
   * @param options.atOnce how many of them may be under way
   */
  constructor(
    carryOut: (entries: readonly Entry[]) => Promise<void>,
    { atOnce, together = MOST_TOGETHER }: { readonly atOnce: number; readonly together?: number },
  ) {
    this.#carryOut = carryOut;
    this.#atOnce = atOnce;
    this.#together = together;
  }

  add(entry: Entry): void {
    if (this.#waiting.length >= MOST_WAITING) {
      entry.reject(storeUnavailable('too many requests are waiting for it'));
      return;
    }
    this.#waiting.push(entry);
    if (this.#isScheduled || this.#running >= this.#atOnce) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.#atOnce) {
      this.#running += 1;
      void this.#carryOut(this.#waiting.splice(0, this.#together)).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }
}
