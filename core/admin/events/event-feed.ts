import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Events } from '../../registry/events/events.js';
import type { EventRecord, EventStore } from '../../store/store.js';

/** Interval between queries for a realm's new events while a stream is open, in milliseconds. */
const POLL_INTERVAL_MS = 500;
/**
 * Maximum delay with which an event may be stored and still be delivered, in milliseconds. Nodes write in batches, and
 * their clocks differ. The event of a long change has the time at which the change began.
 */
export const MAX_DELAY_MS = 5_000;
/**
 * Maximum number of event heads (ID and time) per query. If a query returns that many, listeners are notified of a gap.
 */
const MAX_HEADS = 20_000;
/**
 * Maximum number of events that one query delivers. If there are more, only the newest are delivered, and listeners are
 * notified of a gap.
 */
const MAX_EVENTS = 1_000;

export interface FeedParts {
  readonly store: { readonly events: EventStore };
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FeedListener {
  /** Receives events that were stored since the last call, oldest first. Each event is delivered once. */
  onEvents(events: readonly EventRecord[]): void;
  /** Called if some events are not delivered. */
  onGap(): void;
}

/**
 * Delivers new events of one realm, from all nodes that share the store. The store is polled once for all listeners,
 * and not at all without listeners. Each query covers the last `MAX_DELAY_MS` again, so that late events are found too.
 */
export class EventFeed {
  readonly #parts: FeedParts;
  readonly #realm: string;
  readonly #listeners = new Set<FeedListener>();
  /** IDs and times of delivered events that the next query could return again. */
  readonly #delivered = new Map<string, number>();
  #start: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Start time of the last successful query. */
  #lastPollAt: number;
  #hasFailed = false;

  constructor(parts: FeedParts, realm: string) {
    this.#parts = parts;
    this.#realm = realm;
    this.#lastPollAt = parts.clock.now();
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Adds a listener. Resolves once all events that are stored from now on will be delivered.
   * @throws HostError of the store
   */
  async join(listener: FeedListener): Promise<void> {
    this.#listeners.add(listener);
    this.#start ??= this.#begin();
    try {
      await this.#start;
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
    this.#lastPollAt = clock.now();
    for (const { id, time } of await store.events.heads(this.#realm, this.#lastPollAt - MAX_DELAY_MS, MAX_HEADS))
      this.#delivered.set(id, time);
    this.#scheduleNextPoll();
  }

  #scheduleNextPoll(): void {
    if (!this.isIdle) this.#timer = setTimeout(() => void this.#poll(), POLL_INTERVAL_MS);
  }

  async #poll(): Promise<void> {
    try {
      await this.#deliverNewEvents();
      this.#hasFailed = false;
    } catch (error) {
      // The next successful query returns the events that this one missed.
      const { logger } = this.#parts;
      if (!this.#hasFailed)
        logger.warn('cannot read events for event streams', { realm: this.#realm, reason: messageOf(error) });
      this.#hasFailed = true;
    }
    this.#scheduleNextPoll();
  }

  async #deliverNewEvents(): Promise<void> {
    const { store, events, clock } = this.#parts;
    const now = clock.now();
    await events.flushStored();
    const from = this.#lastPollAt - MAX_DELAY_MS;
    const heads = await store.events.heads(this.#realm, from, MAX_HEADS);
    const newHeads = heads.filter(({ id }) => !this.#delivered.has(id));
    const idsToDeliver = newHeads.slice(0, MAX_EVENTS).map(({ id }) => id);
    const newEvents = idsToDeliver.length === 0 ? [] : await store.events.byIds(this.#realm, idsToDeliver);
    this.#lastPollAt = now;
    for (const [id, time] of this.#delivered) if (time < now - MAX_DELAY_MS) this.#delivered.delete(id);
    for (const { id, time } of newHeads) this.#delivered.set(id, time);
    if (heads.length === MAX_HEADS || newHeads.length > MAX_EVENTS)
      for (const listener of this.#listeners) listener.onGap();
    if (newEvents.length > 0) for (const listener of this.#listeners) listener.onEvents(newEvents);
  }
}
