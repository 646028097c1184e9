import type { PluginStore } from '@keyhost/spi';
import {
  DEAD,
  type DeadLetter,
  entriesOf,
  forAll,
  type GivenUpReason,
  type Item,
  sortKey,
  updateState,
} from './entries.js';
import type { RealmQueue } from './realm-queue.js';
import type { Settings } from './settings.js';

const DAY_S = 86_400;

/** The store of messages that were given up. */
export class DeadLetters {
  readonly #store: PluginStore;
  readonly #queue: RealmQueue;
  readonly #settings: Pick<Settings, 'maxDeadLetters' | 'deadLetterDays'>;

  constructor(store: PluginStore, queue: RealmQueue, settings: Settings) {
    this.#store = store;
    this.#queue = queue;
    this.#settings = settings;
  }

  /**
   * Moves a message here. It is written before it is deleted from the queue: it may be in both, but never in neither.
   */
  async add(
    key: string,
    { lease: _, leasedUntil: __, due: ___, ...item }: Item,
    why: GivenUpReason,
    now: number,
  ): Promise<void> {
    const letter: DeadLetter = { ...item, diedAt: now, why };
    const expiresIn = this.#settings.deadLetterDays * DAY_S;
    await this.#store.put(`${DEAD}${sortKey(now, this.#queue.nextNumber(), item.id)}-${item.endpoint}`, letter, {
      expiresIn,
    });
    await this.#store.delete(key);
    this.#queue.onRemoved(key);
    // If the message was still waiting for its next attempt, the ones behind it can be sent now.
    this.#queue.lanesOf(item.endpoint).markReady(item.lane);
    if (this.#queue.dead !== undefined) this.#queue.dead += 1;
  }

  /** Moves many messages here. Messages that were dropped because the queue is full are counted for their endpoints. */
  async addAll(found: readonly { key: string; value: Item }[], why: GivenUpReason, now: number): Promise<void> {
    await forAll(found, ({ key, value }) => this.add(key, value, why, now));
    if (why !== 'queue_full') return;
    for (const endpoint of new Set(found.map(({ value }) => value.endpoint))) {
      const count = found.filter(({ value }) => value.endpoint === endpoint).length;
      await updateState(this.#store, endpoint, (before) =>
        before === undefined ? undefined : { ...before, dropped: (before.dropped ?? 0) + count },
      );
    }
  }

  /**
   * Deletes the oldest dead letters if there are more than the maximum, until 90 % of it are left.
   * @returns the number of deleted ones
   */
  async trim(): Promise<number> {
    const { maxDeadLetters } = this.#settings;
    if ((this.#queue.dead ?? Number.POSITIVE_INFINITY) <= maxDeadLetters) return 0;
    const keys: string[] = [];
    for await (const { key } of entriesOf(this.#store, DEAD)) keys.push(key);
    const surplus = keys.length <= maxDeadLetters ? [] : keys.slice(0, keys.length - Math.floor(maxDeadLetters * 0.9));
    await forAll(surplus, (key) => this.#store.delete(key));
    this.#queue.dead = keys.length - surplus.length;
    return surplus.length;
  }
}
