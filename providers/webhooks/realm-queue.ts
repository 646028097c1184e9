import { EventListener, type Session } from '@keyhost/spi';
import { type Item, laneKey, POKE, placeOf } from './entries.js';
import { Lanes } from './lanes.js';
import type { Message } from './message.js';

/** Events that are heard within so many milliseconds are written together: one commit for all of them. */
const BATCH_MS = 10;

/**
 * What this process knows of the queue of one realm. The queue itself is in the store; this tells where in it there is
 * something to do.
 */
export class RealmQueue {
  readonly #lanes = new Map<string, Lanes>();
  #count = 0;
  #batch: Promise<void> | undefined;
  readonly #wakes = new Map<string, () => void>();
  /** The keys of messages that wait, the oldest first, as far as this process knows. */
  #keys = new Set<string>();
  /** Those that come while the queue is read. */
  #fresh: string[] | undefined;
  /** Dead letters, as far as this process knows; undefined: nobody has counted. */
  dead: number | undefined;
  /** When the whole queue was read last, in milliseconds since the epoch. */
  scannedAt: number | undefined;
  /** The `poke` entry as it was read last. */
  poke: unknown;
  /** Of the endpoints that there were then. */
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

  /** Numbers messages in the order in which they were heard. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Resolves when it is time to write what was heard: never in the turn of whoever is answered, whom nothing holds up. */
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
  removed(key: string): void {
    this.#keys.delete(key);
  }

  /** The queue is being read. @returns what is told the keys that were found */
  reading(): (found: readonly string[]) => void {
    this.#fresh = [];
    return (found) => {
      const place = (key: string) => key.slice(key.lastIndexOf('/') + 1);
      const inOrder = found.map((key) => ({ key, place: place(key) })).sort((a, b) => (a.place < b.place ? -1 : 1));
      this.#keys = new Set([...inOrder.map(({ key }) => key), ...(this.#fresh ?? [])]);
      this.#fresh = undefined;
    };
  }

  /** Something was queued here. @returns whether a run that is under way sees to it */
  added(key: string, { endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): boolean {
    this.#keys.add(key);
    this.#fresh?.push(key);
    this.of(endpoint).add(lane);
    const wake = this.#wakes.get(endpoint);
    wake?.();
    return wake !== undefined;
  }

  /** A run for an endpoint begins: `added` tells it. @returns what ends it */
  running(endpoint: string, wake: () => void): () => void {
    this.#wakes.set(endpoint, wake);
    return () => {
      if (this.#wakes.get(endpoint) === wake) this.#wakes.delete(endpoint);
    };
  }
}

/** Writes a message down for some endpoints; resolved means durable. */
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
      if (!queue.added(key, item)) await session.background.wake(EventListener, LISTENER, endpoint);
    }),
  );
}

/** The id of both providers. */
export const LISTENER = 'webhooks';

/** Has the queue looked at as a whole: something was written there that no run can know of. */
export async function poke({ store, clock, background }: Session): Promise<void> {
  await store.put(POKE, `${clock.now()} ${Math.random()}`);
  await background.wake(EventListener, LISTENER);
}
