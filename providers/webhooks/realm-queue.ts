import { EventListener, type Session } from '@keyhost/spi';
import { type Item, laneKey, POKE, placeOf } from './entries.js';
import { Lanes } from './lanes.js';
import type { Message } from './message.js';

/**
 * What this process knows of the queue of one realm. The queue itself is in the store; this tells where in it there is
 * something to do.
 */
export class RealmQueue {
  readonly #lanes = new Map<string, Lanes>();
  #count = 0;
  readonly #wakes = new Map<string, () => void>();
  /** Messages that wait, as far as this process knows. */
  pending = 0;
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

  /** Something was queued here. @returns whether a run that is under way sees to it */
  added({ endpoint, lane }: Pick<Item, 'endpoint' | 'lane'>): boolean {
    this.pending += 1;
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
      await session.store.put(laneKey(item) + placeOf(time, count, id), item);
      if (!queue.added(item)) await session.background.wake(EventListener, LISTENER, endpoint);
    }),
  );
}

/** The id of both providers. */
export const LISTENER = 'webhooks';

/** Writes messages down that no run can know of. */
export async function enqueueFromOutside(
  session: Session,
  items: readonly (Item & { place: string })[],
): Promise<void> {
  for (const { place, ...item } of items) await session.store.put(laneKey(item) + place, item);
  await poke(session);
}

/** Has the queue looked at as a whole. */
export async function poke({ store, clock, background }: Session): Promise<void> {
  await store.put(POKE, `${clock.now()} ${Math.random()}`);
  await background.wake(EventListener, LISTENER);
}
