import type { PluginStore } from '@keyhost/spi';
import { changedState, DEAD, type DeadLetter, type Death, entriesOf, forAll, type Item, placeOf } from './entries.js';
import type { RealmQueue } from './realm-queue.js';
import type { Settings } from './settings.js';

const DAY = 86_400;

/** Where given-up messages go. */
export class DeadLetters {
  readonly #store: PluginStore;
  readonly #queue: RealmQueue;
  readonly #settings: Pick<Settings, 'maxDeadLetters' | 'deadLetterDays'>;

  constructor(store: PluginStore, queue: RealmQueue, settings: Settings) {
    this.#store = store;
    this.#queue = queue;
    this.#settings = settings;
  }

  /** Moves a message here. It is written before it goes from the queue: it may be in both, never in neither. */
  async take(
    key: string,
    { lease: _, leasedUntil: __, due: ___, ...item }: Item,
    why: Death,
    now: number,
  ): Promise<void> {
    const letter: DeadLetter = { ...item, diedAt: now, why };
    const expiresIn = this.#settings.deadLetterDays * DAY;
    await this.#store.put(`${DEAD}${placeOf(now, this.#queue.next(), item.id)}-${item.endpoint}`, letter, {
      expiresIn,
    });
    await this.#store.delete(key);
    this.#queue.removed(key);
    // It may be given up while it waits, and what comes behind it has nothing to wait for.
    this.#queue.of(item.endpoint).recall(item.lane);
    if (this.#queue.dead !== undefined) this.#queue.dead += 1;
  }

  /** Moves many here, and counts them at their endpoints. */
  async takeAll(found: readonly { key: string; value: Item }[], why: Death, now: number): Promise<void> {
    await forAll(found, ({ key, value }) => this.take(key, value, why, now));
    if (why !== 'queue_full') return;
    for (const endpoint of new Set(found.map(({ value }) => value.endpoint))) {
      const count = found.filter(({ value }) => value.endpoint === endpoint).length;
      await changedState(this.#store, endpoint, (before) =>
        before === undefined ? undefined : { ...before, dropped: (before.dropped ?? 0) + count },
      );
    }
  }

  /** Forgets the oldest where there are too many. @returns how many */
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
