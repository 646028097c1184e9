import type { Clock } from '../../model/clock.js';
import type { EventOutbox } from '../../store/store.js';

/** How often a full one is counted, in milliseconds. */
const COUNT_EVERY_MS = 1000;

/**
 * How full the outboxes of realms are. To ask takes as long as to count, so that is done only where this node has written so many
 * since the last answer that one may be full, and once a second while it is.
 */
export class OutboxRoom {
  /** Events of no change that found no room, by realm. */
  readonly leftOut = new Map<string, number>();
  readonly limit: number;
  readonly #outbox: Pick<EventOutbox, 'count'>;
  /** At most so many wait, as far as this node knows. */
  readonly #most = new Map<string, number>();
  /** Those that are full, and when they are counted again: milliseconds since the epoch. */
  readonly #full = new Map<string, number>();
  readonly #clock: Clock;

  /** @param limit events of one realm that may wait, but for those of changes */
  constructor(outbox: Pick<EventOutbox, 'count'>, limit: number, clock: Clock) {
    this.#outbox = outbox;
    this.limit = limit;
    this.#clock = clock;
  }

  /** @returns for how many of them there is room, and whether it is news that there is none */
  async take(realm: string, wanted: number): Promise<{ readonly granted: number; readonly isNews: boolean }> {
    let most = this.#most.get(realm) ?? this.limit;
    const now = this.#clock.now();
    const countAt = this.#full.get(realm) ?? now;
    // A clock that was set back must not leave events out for longer.
    const isDue = now >= countAt || countAt - now > COUNT_EVERY_MS;
    const isCounted = most + wanted > this.limit && isDue;
    if (isCounted) most = await this.#outbox.count(realm, this.limit);
    const granted = Math.min(wanted, this.limit - most);
    this.#most.set(realm, most + granted);
    const isNews = granted < wanted && !this.#full.has(realm);
    if (granted === wanted) this.#full.delete(realm);
    else {
      this.#full.set(realm, isCounted ? now + COUNT_EVERY_MS : countAt);
      this.leftOut.set(realm, (this.leftOut.get(realm) ?? 0) + wanted - granted);
    }
    return { granted, isNews };
  }

  /** Forgets what is known of the realm: its store is off. What waits is counted anew. */
  forget(realm: string): void {
    for (const known of [this.leftOut, this.#most, this.#full]) known.delete(realm);
  }
}
