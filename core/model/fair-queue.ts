import type { HostError } from '@keyhost/spi';
import { FairSemaphore } from './fair-semaphore.js';
import { retryLater } from './retry-later.js';

/** The longest queue is through sooner or later: a second later is as good a guess as another, and no burden. */
const RETRY_SECONDS = 1;

interface Waiter {
  /** When its turn is, on the queue's own clock: what its realm was given before it. */
  readonly start: number;
  go(): void;
}

/** The tasks of one realm. */
interface RealmQueue {
  readonly waiting: Waiter[];
  running: number;
  /** The virtual start time of the next task. */
  end: number;
}

/**
 * Runs at most `concurrency` tasks at once and queues up to `limit` more. Realms share the capacity by the cost of
 * their tasks (start-time fair queueing). So a task waits for those that run, and for its turn among realms, but not
 * for the backlog of another realm.
 */
export class FairQueue {
  readonly #concurrency: number;
  readonly #ofOneRealm: number;
  readonly #places: FairSemaphore;
  readonly #queues = new Map<string, RealmQueue>();
  #running = 0;
  /** The `start` of the task that was begun last. */
  #now = 0;

  /** @param options.ofOneRealm tasks of one realm that run at once. Default: `concurrency` */
  constructor(options: { readonly concurrency: number; readonly limit: number; readonly ofOneRealm?: number }) {
    this.#concurrency = options.concurrency;
    this.#ofOneRealm = options.ofOneRealm ?? options.concurrency;
    this.#places = new FairSemaphore(options.limit);
  }

  /**
   * @param cost of the task, in a unit that all tasks of the queue share
   * @throws HostError `temporarily_unavailable` (503, with Retry-After) if the queue is full. A waiting task is evicted
   * if a realm with fewer tasks needs its slot.
   */
  async run<T>(realm: string, task: () => Promise<T>, cost = 1): Promise<T> {
    const line = this.#queues.get(realm) ?? { waiting: [], running: 0, end: 0 };
    const start = Math.max(this.#now, line.end);
    if (this.#running < this.#concurrency && line.running < this.#ofOneRealm) {
      this.#running += 1;
      line.running += 1;
      this.#now = start;
      line.end = start + cost;
      this.#queues.set(realm, line);
    } else await this.#turn(realm, line, start, start + cost);
    try {
      return await task();
    } finally {
      line.running -= 1;
      this.#next();
    }
  }

  #turn(realm: string, line: RealmQueue, start: number, end: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveBack = this.#places.acquire(realm, () => {
        // It is the last of its realm.
        line.waiting.pop();
        line.end = start;
        reject(tooManyWait());
      });
      if (giveBack === undefined) return reject(tooManyWait());
      const go = () => {
        giveBack();
        line.running += 1;
        this.#now = start;
        resolve();
      };
      line.waiting.push({ start, go });
      line.end = end;
      this.#queues.set(realm, line);
    });
  }

  /** Passes the slot of a finished task to the next one directly. */
  #next(): void {
    let first: RealmQueue | undefined;
    for (const [realm, line] of this.#queues) {
      const [waiter] = line.waiting;
      if (waiter === undefined) {
        // Forget a realm whose virtual end time has passed: it owes nothing.
        if (line.end <= this.#now && line.running === 0) this.#queues.delete(realm);
      } else if (
        line.running < this.#ofOneRealm &&
        (first === undefined || waiter.start < (first.waiting[0]?.start ?? 0))
      )
        first = line;
    }
    const next = first?.waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.go();
    if (this.#running > 0) return;
    this.#queues.clear();
    this.#now = 0;
  }
}

function tooManyWait(): HostError {
  return retryLater('temporarily_unavailable', 'too many requests are waiting, try again later', RETRY_SECONDS);
}
