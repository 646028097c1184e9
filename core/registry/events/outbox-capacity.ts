import type { Clock } from '../../model/clock.js';
import type { EventOutbox } from '../../store/store.js';

/** How often a full outbox is counted, in milliseconds. */
const COUNT_EVERY_MS = 1000;

/**
 * The free space in the outboxes of realms. Counting is expensive, so an outbox is counted only if it may be full by
 * the number of events that this node has written. A full one is counted once a second.
 */
export class OutboxCapacity {
  /** Number of events that did not fit, by realm. Events of changes always fit. */
  readonly leftOut = new Map<string, number>();
  readonly limit: number;
  readonly #outbox: Pick<EventOutbox, 'count'>;
  /** Upper bounds of the waiting events, as far as this node knows. */
  readonly #upperBounds = new Map<string, number>();
  /** Full outboxes, with the time of the next count in milliseconds since the epoch. */
  readonly #full = new Map<string, number>();
  readonly #clock: Clock;

  /** @param limit maximum number of waiting events in a realm, not counting those of changes */
  constructor(outbox: Pick<EventOutbox, 'count'>, limit: number, clock: Clock) {
    this.#outbox = outbox;
    this.limit = limit;
    this.#clock = clock;
  }

  /** @returns the number of events that fit, and whether the outbox has just become full */
  async take(realm: string, wanted: number): Promise<{ readonly granted: number; readonly isNews: boolean }> {
    let most = this.#upperBounds.get(realm) ?? this.limit;
    const now = this.#clock.now();
    const countAt = this.#full.get(realm) ?? now;
    // If the clock was set back, count now: otherwise events would be left out until it catches up.
    const isDue = now >= countAt || countAt - now > COUNT_EVERY_MS;
    const isCounted = most + wanted > this.limit && isDue;
    if (isCounted) most = await this.#outbox.count(realm, this.limit);
    const granted = Math.min(wanted, this.limit - most);
    this.#upperBounds.set(realm, most + granted);
    const isNews = granted < wanted && !this.#full.has(realm);
    if (granted === wanted) this.#full.delete(realm);
    else {
      this.#full.set(realm, isCounted ? now + COUNT_EVERY_MS : countAt);
      this.leftOut.set(realm, (this.leftOut.get(realm) ?? 0) + wanted - granted);
    }
    return { granted, isNews };
  }

  /** Forgets the state of a realm whose store was disabled. Its events will be counted again. */
  forget(realm: string): void {
    for (const known of [this.leftOut, this.#upperBounds, this.#full]) known.delete(realm);
  }
}
