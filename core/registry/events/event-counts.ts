import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realm } from '../../model/realm.js';
import { isUserSignIn } from '../../model/sign-in-counts.js';
import type { EventCount, Store } from '../../store/store.js';
import type { NewEvent } from './complete-events.js';
import { EventTotals } from './event-totals.js';
import { knownError, OTHER } from './known-errors.js';
import { type DayOfUsers, sketchUsers } from './sketch-users.js';

/** How often counts are written, in milliseconds. A process that is killed loses the counts since the last write. */
export const WRITE_INTERVAL_MS = 5_000;
/** Thirteen months, in milliseconds. */
const RETENTION_MS = 396 * 86_400_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum number of unwritten counts. Beyond it, events are counted together, without their client and error. */
const MAX_PENDING_COUNTS = 10_000;
/**
 * Maximum number of users who are not yet in a written sketch (an estimate of how many different users signed in). If
 * it is reached, the sketches are written at once.
 */
const MAX_PENDING_USERS = 20_000;
/** Maximum number of rows in a transaction, so that other writers do not wait long. */
const BATCH_ROWS = 500;

const KNOWN_TYPES = new Set(EVENT_TYPES);

type PendingCount = { -readonly [Member in keyof EventCount]: EventCount[Member] };

/**
 * Counts every user event by the hour, even if the realm does not save it. Counting only increments numbers in memory,
 * which are written in batches. Unknown clients and unknown errors get no rows of their own.
 */
export class EventCounts {
  /** The counts since the start of this process. */
  readonly totals: EventTotals;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pendingCounts = new Map<string, PendingCount>();
  #pendingDays = new Map<string, DayOfUsers>();
  #pendingUserCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(services: { store: Store; clock: Clock; logger: Logger; totals?: EventTotals }) {
    this.totals = services.totals ?? new EventTotals();
    this.#store = services.store;
    this.#clock = services.clock;
    this.#logger = services.logger;
  }

  count(realm: Realm, { type, error, clientId, userId, details, counted = '' }: NewEvent): void {
    const now = this.#clock.now();
    const countedType = KNOWN_TYPES.has(type) ? type : OTHER.toUpperCase();
    const client = clientId !== undefined && realm.clients.has(clientId) ? clientId : '';
    const count = {
      realm: realm.name,
      hour: now - (now % HOUR_MS),
      type: error === undefined ? countedType : `${countedType}_ERROR`,
      clientId: client,
      about: error === undefined ? counted : knownError(error),
      total: 1,
    };
    this.#add(count);
    const tags = { realm: realm.name, clientId: client, idp: details?.identity_provider ?? '' };
    this.totals.add(countedType, error === undefined ? '' : count.about, tags);
    if (type === 'LOGIN' && error === undefined && userId !== undefined && isUserSignIn(count))
      this.#addUser(realm.name, now - (now % DAY_MS), userId);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_INTERVAL_MS);
  }

  /**
   * Writes the current counts. Resolves when they are stored, or when storing them has failed. Statistics call it
   * first, to include the latest counts.
   */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #add(count: EventCount): void {
    const key = `${count.realm}\n${count.hour}\n${count.type}\n${count.clientId}\n${count.about}`;
    const pendingCount = this.#pendingCounts.get(key);
    if (pendingCount !== undefined) pendingCount.total += count.total;
    else if (this.#pendingCounts.size < MAX_PENDING_COUNTS || count.clientId === '')
      this.#pendingCounts.set(key, { ...count });
    else this.#add({ ...count, clientId: '', about: OTHER });
  }

  #addUser(realm: string, day: number, userId: string): void {
    const key = `${realm}\n${day}`;
    let dayOfUsers = this.#pendingDays.get(key);
    if (dayOfUsers === undefined) {
      dayOfUsers = { realm, day, users: new Set() };
      this.#pendingDays.set(key, dayOfUsers);
    }
    const before = dayOfUsers.users.size;
    dayOfUsers.users.add(userId);
    this.#pendingUserCount += dayOfUsers.users.size - before;
    if (this.#pendingUserCount >= MAX_PENDING_USERS) void this.flush();
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#pendingCounts.values()];
    const days = [...this.#pendingDays.values()];
    this.#pendingCounts = new Map();
    this.#pendingDays = new Map();
    this.#pendingUserCount = 0;
    await this.#store.unfenced(() =>
      this.#store.withoutEvents(async () => {
        await this.#writeCounts(counts);
        await this.#writeDays(days);
      }),
    );
  }

  async #writeCounts(counts: readonly EventCount[]): Promise<void> {
    for (let first = 0; first < counts.length; first += BATCH_ROWS) {
      try {
        const batch = counts.slice(first, first + BATCH_ROWS);
        await this.#store.statistics.add(batch, [], { expireAfter: RETENTION_MS });
      } catch (error) {
        this.#logger.error('cannot store statistics', { reason: String(error) });
        // The next write includes them.
        for (const count of counts.slice(first)) this.#add(count);
        return;
      }
    }
  }

  async #writeDays(days: readonly DayOfUsers[]): Promise<void> {
    for (const [index, day] of days.entries()) {
      try {
        const sketch = await sketchUsers(this.#store.entries, day, this.#clock.now());
        await this.#store.statistics.add([], [sketch], { expireAfter: RETENTION_MS });
      } catch (error) {
        this.#logger.error('cannot store who was active', { reason: String(error) });
        if (this.#pendingUserCount >= MAX_PENDING_USERS) return;
        for (const { realm, day: startOfDay, users } of days.slice(index)) this.#putBackUsers(realm, startOfDay, users);
        return;
      }
    }
  }

  /** Puts back users whose sketch could not be written. They do not trigger another write. */
  #putBackUsers(realm: string, day: number, users: ReadonlySet<string>): void {
    const key = `${realm}\n${day}`;
    const dayOfUsers = this.#pendingDays.get(key) ?? { realm, day, users: new Set<string>() };
    for (const user of users) dayOfUsers.users.add(user);
    this.#pendingDays.set(key, dayOfUsers);
  }
}
