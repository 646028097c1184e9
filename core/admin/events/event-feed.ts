import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Events } from '../../registry/events/events.js';
import type { EventRecord, EventStore } from '../../store/store.js';

/** How often a realm's events are looked for while somebody listens, in milliseconds. */
const LOOK_MS = 500;
/**
 * How late an event may be stored and still be told, in milliseconds: nodes write in batches, with clocks that differ a little,
 * and the event of a long change bears the time when that began.
 */
export const LATE_MS = 5_000;
/** Heads that one look takes. Beyond that something is missing. */
const HEADS = 20_000;
/** Events that one look tells. Beyond that the newest are told, and that some are missing. */
const AT_ONCE = 1_000;

export interface FeedParts {
  readonly store: { readonly events: EventStore };
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FeedListener {
  /** Events that were stored since the last time, oldest first; each is told once. */
  told(events: readonly EventRecord[]): void;
  /** Some events came that are not told. */
  missed(): void;
}

/**
 * New events of one realm, of all nodes that share the store: it is asked again and again, once for all listeners, and not at
 * all while there are none. What is late is found too, since each look goes back by `LATE_MS`.
 */
export class EventFeed {
  readonly #parts: FeedParts;
  readonly #realm: string;
  readonly #listeners = new Set<FeedListener>();
  /** Ids that were found before, with their times: those that the next look could find again. */
  readonly #known = new Map<string, number>();
  #begun: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the last look that came to something began. */
  #lookedAt: number;
  #failed = false;

  constructor(parts: FeedParts, realm: string) {
    this.#parts = parts;
    this.#realm = realm;
    this.#lookedAt = parts.clock.now();
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Resolves once everything that is stored from now on will be told.
   * @throws HostError of the store
   */
  async join(listener: FeedListener): Promise<void> {
    this.#listeners.add(listener);
    this.#begun ??= this.#begin();
    try {
      await this.#begun;
    } catch (error) {
      this.leave(listener);
      throw error;
    }
  }

  leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    if (this.isIdle) clearTimeout(this.#timer);
  }

  async #begin(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#lookedAt = clock.now();
    for (const { id, time } of await store.events.heads(this.#realm, this.#lookedAt - LATE_MS, HEADS))
      this.#known.set(id, time);
    this.#wait();
  }

  #wait(): void {
    if (!this.isIdle) this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    try {
      await this.#find();
      this.#failed = false;
    } catch (error) {
      // The next look that succeeds finds what this one did not.
      const { logger } = this.#parts;
      if (!this.#failed)
        logger.warn('cannot read events for event streams', { realm: this.#realm, reason: messageOf(error) });
      this.#failed = true;
    }
    this.#wait();
  }

  async #find(): Promise<void> {
    const { store, events, clock } = this.#parts;
    const now = clock.now();
    await events.written();
    const from = this.#lookedAt - LATE_MS;
    const heads = await store.events.heads(this.#realm, from, HEADS);
    const fresh = heads.filter(({ id }) => !this.#known.has(id));
    const told = fresh.slice(0, AT_ONCE).map(({ id }) => id);
    const found = told.length === 0 ? [] : await store.events.byIds(this.#realm, told);
    this.#lookedAt = now;
    for (const [id, time] of this.#known) if (time < now - LATE_MS) this.#known.delete(id);
    for (const { id, time } of fresh) this.#known.set(id, time);
    if (heads.length === HEADS || fresh.length > AT_ONCE) for (const listener of this.#listeners) listener.missed();
    if (found.length > 0) for (const listener of this.#listeners) listener.told(found);
  }
}
