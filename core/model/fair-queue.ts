import type { HostError } from '@keyhost/spi';
import { FairSemaphore } from './fair-semaphore.js';
import { retryLater } from './retry-later.js';

/**
 * The `Retry-After` of rejected tasks, in seconds. It is a guess, since it is unknown when the queue will have room.
 */
const RETRY_SECONDS = 1;

interface Waiter {
  /**
   * Virtual start time: the virtual end time of the realm's previous task, or the queue's virtual time if that is
   * later.
   */
  readonly virtualStart: number;
  startTask(): void;
}

/** The tasks of one realm. */
interface RealmQueue {
  readonly waiters: Waiter[];
  running: number;
  /** Virtual end time of the realm's last task, which is the earliest virtual start time of its next task. */
  virtualEnd: number;
}

/**
 * Runs at most `concurrency` tasks at the same time and queues up to `limit` more. Realms share the capacity by the
 * cost of their tasks (start-time fair queueing). So a task waits for running tasks and for the turn of its realm, but
 * not for all waiting tasks of another realm.
 */
export class FairQueue {
  readonly #concurrency: number;
  readonly #maxPerRealm: number;
  readonly #waitingSlots: FairSemaphore;
  readonly #queues = new Map<string, RealmQueue>();
  #running = 0;
  /** The queue's virtual clock: the virtual start time of the task that was started last. */
  #virtualTime = 0;

  /** @param options.ofOneRealm the maximum number of running tasks of one realm; `concurrency` by default */
  constructor(options: { readonly concurrency: number; readonly limit: number; readonly ofOneRealm?: number }) {
    this.#concurrency = options.concurrency;
    this.#maxPerRealm = options.ofOneRealm ?? options.concurrency;
    this.#waitingSlots = new FairSemaphore(options.limit);
  }

  /**
   * Runs the task in its turn.
   * @param cost of the task, in a unit that all tasks of the queue share
   * @throws HostError `temporarily_unavailable` (503, with Retry-After) if the queue is full. A waiting task is evicted
   * if a realm with fewer waiting tasks needs its slot.
   */
  async run<T>(realm: string, task: () => Promise<T>, cost = 1): Promise<T> {
    const queue = this.#queues.get(realm) ?? { waiters: [], running: 0, virtualEnd: 0 };
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
        queue.waiters.pop();
        queue.virtualEnd = start;
        reject(queueFullError());
      });
      if (releaseSlot === undefined) return reject(queueFullError());
      const startTask = () => {
        releaseSlot();
        queue.running += 1;
        this.#virtualTime = start;
        resolve();
      };
      queue.waiters.push({ virtualStart: start, startTask });
      queue.virtualEnd = end;
      this.#queues.set(realm, queue);
    });
  }

  /** Starts the waiting task with the earliest virtual start time in place of a finished task. */
  #startNext(): void {
    let first: RealmQueue | undefined;
    for (const [realm, queue] of this.#queues) {
      const [waiter] = queue.waiters;
      if (waiter === undefined) {
        // A realm without waiting tasks whose virtual end time has passed needs no state.
        if (queue.virtualEnd <= this.#virtualTime && queue.running === 0) this.#queues.delete(realm);
      } else if (
        queue.running < this.#maxPerRealm &&
        (first === undefined || waiter.virtualStart < (first.waiters[0]?.virtualStart ?? 0))
      )
        first = queue;
    }
    const next = first?.waiters.shift();
    if (next === undefined) this.#running -= 1;
    else next.startTask();
    if (this.#running > 0) return;
    this.#queues.clear();
    this.#virtualTime = 0;
  }
}

function queueFullError(): HostError {
  return retryLater('temporarily_unavailable', 'too many requests are waiting, try again later', RETRY_SECONDS);
}
