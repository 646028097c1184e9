import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Events } from '../../registry/events/events.js';
import type { EventRecord, EventStore } from '../../store/store.js';

/** Interval between queries for a realm's new events while a stream is open, in milliseconds. */
const LOOK_MS = 500;
/**
 * How late an event may be stored and still be delivered, in milliseconds. Nodes write in batches and their clocks
 * differ. The event of a long change has the time at which the change began.
 */
export const LATE_MS = 5_000;
/** Maximum number of event heads per query. If there are more, some are missing. */
const HEADS = 20_000;
/**
 * Maximum number of events that one query delivers. If there are more, the newest are delivered and listeners learn of
 * a gap.
 */
const AT_ONCE = 1_000;

export interface FeedParts {
  readonly store: { readonly events: EventStore };
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FeedListener {
  /** Receives events that were stored since the last call, oldest first. Each event is delivered once. */
  told(events: readonly EventRecord[]): void;
  /** Called if some events are not delivered. */
  missed(): void;
}

/**
 * New events of one realm from all nodes that share the store. The store is polled once for all listeners, and not at
 * all without listeners. Each query reaches back by `LATE_MS`, so that late events are found too.
 */
export class EventFeed {
  readonly #parts: FeedParts;
  readonly #realm: string;
  readonly #listeners = new Set<FeedListener>();
  /** IDs of delivered events with their times, for as long as the next query could find them again. */
  readonly #known = new Map<string, number>();
  #begun: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Start time of the last successful query. */
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
   * Resolves once everything that is stored from now on will be delivered.
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
      // The next successful query finds what this one missed.
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
