import { storeUnavailable } from '../engine/store-error.js';

/** Beyond this many the database does not keep up, and who comes is refused at once. */
const MOST_WAITING = 10_000;
/** What goes to the server together: more would keep the first one's answer waiting for the last one. */
const MOST_TOGETHER = 50;

/**
 * Gathers what is asked for in one turn of the event loop, and what comes while as much is under way as may be: under load
 * more goes together.
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
