import type { HostError } from '@keyhost/spi';
import { FairSemaphore } from './fair-semaphore.js';
import { retryLater } from './retry-later.js';

/** The `Retry-After` of rejected tasks. When the queue will have room is unknown, so one second is a guess. */
const RETRY_SECONDS = 1;

interface Waiter {
  /** Virtual start time: the total cost of the realm's earlier tasks, on the queue's virtual clock. */
  readonly virtualStart: number;
  go(): void;
}

/** The tasks of one realm. */
interface RealmQueue {
  readonly waiting: Waiter[];
  running: number;
  /** Virtual end time of the realm's last task. Its next task starts at this time at the earliest. */
  virtualEnd: number;
}

/**
 * Runs at most `concurrency` tasks at once and queues up to `limit` more. Realms share the capacity by the cost of
 * their tasks (start-time fair queueing). So a task waits for those that run, and for its turn among realms, but not
 * for the backlog of another realm.
 */
export class FairQueue {
  readonly #concurrency: number;
  readonly #maxPerRealm: number;
  readonly #waitingSlots: FairSemaphore;
  readonly #queues = new Map<string, RealmQueue>();
  #running = 0;
  /** The queue's virtual clock: the virtual start time of the task that was started last. */
  #virtualTime = 0;

  /** @param options.ofOneRealm how many tasks of one realm may run at once; `concurrency` by default */
  constructor(options: { readonly concurrency: number; readonly limit: number; readonly ofOneRealm?: number }) {
    this.#concurrency = options.concurrency;
    this.#maxPerRealm = options.ofOneRealm ?? options.concurrency;
    this.#waitingSlots = new FairSemaphore(options.limit);
  }

  /**
   * Runs the task when it is its turn.
   * @param cost of the task, in a unit that all tasks of the queue share
   * @throws HostError `temporarily_unavailable` (503, with Retry-After) if the queue is full. A waiting task is evicted
   * if a realm with fewer waiting tasks needs its slot.
   */
  async run<T>(realm: string, task: () => Promise<T>, cost = 1): Promise<T> {
    const queue = this.#queues.get(realm) ?? { waiting: [], running: 0, virtualEnd: 0 };
    const start = Math.max(this.#virtualTime, queue.virtualEnd);
    if (this.#running < this.#concurrency && queue.running < this.#maxPerRealm) {
      this.#running += 1;
      queue.running += 1;
      this.#virtualTime = start;
      queue.virtualEnd = start + cost;
      this.#queues.set(realm, queue);
    } else await this.#waitForTurn(realm, queue, start, start + cost);
    try {
      return await task();
    } finally {
      queue.running -= 1;
      this.#startNext();
    }
  }

  #waitForTurn(realm: string, queue: RealmQueue, start: number, end: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const releaseSlot = this.#waitingSlots.acquire(realm, () => {
        // The semaphore evicts the realm's newest waiter, which is the last in the list.
        queue.waiting.pop();
        queue.virtualEnd = start;
        reject(queueFullError());
      });
      if (releaseSlot === undefined) return reject(queueFullError());
      const go = () => {
        releaseSlot();
        queue.running += 1;
        this.#virtualTime = start;
        resolve();
      };
      queue.waiting.push({ virtualStart: start, go });
      queue.virtualEnd = end;
      this.#queues.set(realm, queue);
    });
  }

  /** Passes the slot of a finished task directly to the next task. */
  #startNext(): void {
    let first: RealmQueue | undefined;
    for (const [realm, queue] of this.#queues) {
      const [waiter] = queue.waiting;
      if (waiter === undefined) {
        // Delete the state of a realm whose virtual end time has passed: it has no backlog.
        if (queue.virtualEnd <= this.#virtualTime && queue.running === 0) this.#queues.delete(realm);
      } else if (
        queue.running < this.#maxPerRealm &&
        (first === undefined || waiter.virtualStart < (first.waiting[0]?.virtualStart ?? 0))
      )
        first = queue;
    }
    const next = first?.waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.go();
    if (this.#running > 0) return;
    this.#queues.clear();
    this.#virtualTime = 0;
  }
}

function queueFullError(): HostError {
  return retryLater('temporarily_unavailable', 'too many requests are waiting, try again later', RETRY_SECONDS);
}
