import type { Clock } from '../../model/clock.js';
import type { EventOutbox } from '../../store/store.js';

/** How often the events of a full outbox are counted, in milliseconds. */
const COUNT_INTERVAL_MS = 1000;

/**
 * Limits the number of events that wait in a realm's outbox. Counting them is expensive. So they are counted only when
 * this node may have filled the outbox, and at most once a second while it is full.
 */
export class OutboxCapacity {
  /** The number of events that did not fit, by realm. Events that belong to a change are never left out. */
  readonly leftOutCounts = new Map<string, number>();
  readonly limit: number;
  readonly #outbox: Pick<EventOutbox, 'count'>;
  /** Upper bounds of the number of waiting events, by realm, as far as this node knows. */
  readonly #upperBounds = new Map<string, number>();
  /** The full outboxes, each with the time of its next count in milliseconds since the epoch. */
  readonly #nextCountAt = new Map<string, number>();
  readonly #clock: Clock;

  /**
   * @param limit maximum number of waiting events in a realm; events that belong to a change are stored even beyond it
   */
  constructor(outbox: Pick<EventOutbox, 'count'>, limit: number, clock: Clock) {
    this.#outbox = outbox;
    this.limit = limit;
    this.#clock = clock;
  }

  /**
   * Reserves space for events.
   * @returns the number of events that fit, and whether the outbox has just become full
   */
  async reserve(realm: string, wanted: number): Promise<{ readonly granted: number; readonly isNewlyFull: boolean }> {
    let upperBound = this.#upperBounds.get(realm) ?? this.limit;
    const now = this.#clock.now();
    const countAt = this.#nextCountAt.get(realm) ?? now;
    // If the clock was set back, count now: otherwise events would be left out until it catches up.
    const isDue = now >= countAt || countAt - now > COUNT_INTERVAL_MS;
    const isCounted = upperBound + wanted > this.limit && isDue;
    if (isCounted) upperBound = await this.#outbox.count(realm, this.limit);
    const grantedCount = Math.min(wanted, this.limit - upperBound);
    this.#upperBounds.set(realm, upperBound + grantedCount);
    const isNewlyFull = grantedCount < wanted && !this.#nextCountAt.has(realm);
    if (grantedCount === wanted) this.#nextCountAt.delete(realm);
    else {
      this.#nextCountAt.set(realm, isCounted ? now + COUNT_INTERVAL_MS : countAt);
      this.leftOutCounts.set(realm, (this.leftOutCounts.get(realm) ?? 0) + wanted - grantedCount);
    }
    return { granted: grantedCount, isNewlyFull };
  }

  /**
   * Deletes the state of a realm whose event store was disabled. If it is enabled again, its events are counted again.
   */
  deleteRealm(realm: string): void {
    for (const map of [this.leftOutCounts, this.#upperBounds, this.#nextCountAt]) map.delete(realm);
  }
}
