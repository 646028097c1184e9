import { EventListener, type Session } from '@keyhost/spi';
import { type Item, laneKey, POKE, placeOf } from './entries.js';
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
  #count = 0;
  #batch: Promise<void> | undefined;
  readonly #wakes = new Map<string, () => void>();
  /** The keys of the waiting messages, oldest first, as known to this process. */
  #keys = new Set<string>();
  /** Keys that are added while the queue is read. */
  #fresh: string[] | undefined;
  /** The number of dead letters as known to this process; undefined if they were not counted yet. */
  dead: number | undefined;
  /** The time of the last full read of the queue, in milliseconds since the epoch. */
  scannedAt: number | undefined;
  /** The `poke` entry at the last read. */
  poke: unknown;
  /** The names of the endpoints at that time. */
  names: string | undefined;
  /** Addresses of endpoints that answered 410, by name. */
  gone: ReadonlyMap<string, string> = new Map();

  of(endpoint: string): Lanes {
    let lanes = this.#lanes.get(endpoint);
    if (lanes === undefined) {
      lanes = new Lanes();
      this.#lanes.set(endpoint, lanes);
    }
    return lanes;
  }

  /** Numbers messages in the order of their events. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /**
   * Resolves when the collected events should be written. Never in the turn of the request that caused the event, so
   * that its answer is not delayed.
   */
  batch(): Promise<void> {
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

  /** A message is no longer in the queue. */
  onRemoved(key: string): void {
    this.#keys.delete(key);
  }

  /** Begins a full read of the queue. @returns a function that takes the keys that were found */
  beginRead(): (found: readonly string[]) => void {
    this.#fresh = [];
    return (found) => {
      const place = (key: string) => key.slice(key.lastIndexOf('/') + 1);
      const inOrder = found.map((key) => ({ key, place: place(key) })).sort((a, b) => (a.place < b.place ? -1 : 1));
      this.#keys = new Set([...inOrder.map(({ key }) => key), ...(this.#fresh ?? [])]);
      this.#fresh = undefined;
    };
  }

  /** A message was queued on this node. @returns true if a running run will send it */
  onQueued(key: string, { endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): boolean {
    this.#keys.add(key);
    this.#fresh?.push(key);
    this.of(endpoint).add(lane);
    const wake = this.#wakes.get(endpoint);
    wake?.();
    return wake !== undefined;
  }

  /** Registers a run for an endpoint, which `added` wakes. @returns a function that ends the registration */
  registerRun(endpoint: string, wake: () => void): () => void {
    this.#wakes.set(endpoint, wake);
    return () => {
      if (this.#wakes.get(endpoint) === wake) this.#wakes.delete(endpoint);
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
      const key = laneKey(item) + placeOf(time, count, id);
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
