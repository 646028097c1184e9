import { EventListener, type Session } from '@keyhost/spi';
import { type Item, laneKey, POKE, sortKey } from './entries.js';
import { Lanes } from './lanes.js';
import type { Message } from './message.js';

/** Events within this time are written together, in one commit, in milliseconds. */
const BATCH_MS = 10;

/**
 * This process's view of the queue of one realm. The queue itself is in the store; this records which parts of it have
 * work.
 */
export class RealmQueue {
  readonly #lanes = new Map<string, Lanes>();
  #lastNumber = 0;
  #batch: Promise<void> | undefined;
  readonly #wakeByEndpoint = new Map<string, () => void>();
  /** The keys of the waiting messages, oldest first, as known to this process. */
  #keys = new Set<string>();
  /** Keys that are added while the queue is read. */
  #addedWhileReading: string[] | undefined;
  /** The number of dead letters as known to this process; undefined if they were not counted yet. */
  dead: number | undefined;
  /** The time of the last full read of the queue, in milliseconds since the epoch. */
  scannedAt: number | undefined;
  /** The value of the entry `poke` at the last full read. */
  poke: unknown;
  /** The names of the endpoints at the last full read. */
  names: string | undefined;
  /** Addresses of endpoints that answered 410, by name. */
  gone: ReadonlyMap<string, string> = new Map();

  lanesOf(endpoint: string): Lanes {
    let lanes = this.#lanes.get(endpoint);
    if (lanes === undefined) {
      lanes = new Lanes();
      this.#lanes.set(endpoint, lanes);
    }
    return lanes;
  }

  /** Returns the next number, by which messages are in the order of their events. */
  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /**
   * Resolves when the collected events should be written. Never in the turn of the request that caused the event, so
   * that its answer is not delayed.
   */
  waitForBatch(): Promise<void> {
    this.#batch ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#batch = undefined;
        resolve();
      }, BATCH_MS);
    });
    return this.#batch;
  }

  get pending(): number {
    return this.#keys.size;
  }

  oldest(count: number): readonly string[] {
    return [...this.#keys].slice(0, count);
  }

  /** Called when a message is no longer in the queue. */
  onRemoved(key: string): void {
    this.#keys.delete(key);
  }

  /**
   * Begins a full read of the queue.
   * @returns a function that ends it, with the keys that were found
   */
  beginRead(): (found: readonly string[]) => void {
    this.#addedWhileReading = [];
    return (found) => {
      const sortKey = (key: string) => key.slice(key.lastIndexOf('/') + 1);
      const inOrder = found.map((key) => ({ key, place: sortKey(key) })).sort((a, b) => (a.place < b.place ? -1 : 1));
      this.#keys = new Set([...inOrder.map(({ key }) => key), ...(this.#addedWhileReading ?? [])]);
      this.#addedWhileReading = undefined;
    };
  }

  /**
   * Called when a message was queued on this node.
   * @returns true if a current run will send it
   */
  onQueued(key: string, { endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): boolean {
    this.#keys.add(key);
    this.#addedWhileReading?.push(key);
    this.lanesOf(endpoint).add(lane);
    const wake = this.#wakeByEndpoint.get(endpoint);
    wake?.();
    return wake !== undefined;
  }

  /**
   * Registers a run for an endpoint, which `onQueued` wakes.
   * @returns a function that ends the registration
   */
  registerRun(endpoint: string, wake: () => void): () => void {
    this.#wakeByEndpoint.set(endpoint, wake);
    return () => {
      if (this.#wakeByEndpoint.get(endpoint) === wake) this.#wakeByEndpoint.delete(endpoint);
    };
  }
}

/** Stores a message for some endpoints. It is durable once this resolves. */
export async function enqueue(
  session: Session,
  queue: RealmQueue,
  message: Message,
  { endpoints, count }: { readonly endpoints: readonly string[]; readonly count: number },
): Promise<void> {
  const { id, type, time, lane } = message;
  const body = message.body();
  const queuedAt = session.clock.now();
  await Promise.all(
    endpoints.map(async (endpoint) => {
      const item: Item = { id, type, endpoint, lane, body, queuedAt, attempts: 0 };
      const key = laneKey(item) + sortKey(time, count, id);
      await session.store.put(key, item);
      if (!queue.onQueued(key, item)) await session.background.wake(EventListener, LISTENER, endpoint);
    }),
  );
}

/** The ID of both providers. */
export const LISTENER = 'webhooks';

/** Requests a full read of the queue, after a change that no run can know of. */
export async function requestFullRead({ store, clock, background }: Session): Promise<void> {
  await store.put(POKE, `${clock.now()} ${Math.random()}`);
  await background.wake(EventListener, LISTENER);
}
