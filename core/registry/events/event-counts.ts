import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realm } from '../../model/realm.js';
import type { EventCount, Store } from '../../store/store.js';
import type { NewEvent } from './complete-events.js';
import { EventTotals } from './event-totals.js';
import { knownError, OTHER } from './known-errors.js';
import { type DayOfUsers, sketchUsers } from './sketch-users.js';

/** How often counts are written, in milliseconds: a process that is killed loses the counts since then. */
export const WRITE_EVERY_MS = 5_000;
/** Thirteen months, in milliseconds. */
const RETENTION_MS = 396 * 86_400_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum number of unwritten counts. Further ones are counted together, without client and error. */
const MAX_PENDING_COUNTS = 10_000;
/** Maximum number of users without a written sketch. With more, the sketches are written at once. */
const MAX_PENDING_USERS = 20_000;
/** Maximum number of rows in a transaction, so that other writers do not wait long. */
const BATCH_ROWS = 500;
/** The value of `counted` for an admin's impersonation, which is not a sign-in of the user. */
export const IMPERSONATED = 'impersonation';

const KNOWN_TYPES = new Set(EVENT_TYPES);

type Pending = { -readonly [Member in keyof EventCount]: EventCount[Member] };

/**
 * Counts every user event by the hour, whether or not the realm saves it. Counting only increments numbers in memory,
 * which are written in batches. Unknown clients and unknown errors get no rows of their own.
 */
export class EventCounts {
  /** Since the start of this process. */
  readonly totals: EventTotals;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #counts = new Map<string, Pending>();
  #days = new Map<string, DayOfUsers>();
  #users = 0;
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
    const known = KNOWN_TYPES.has(type) ? type : OTHER.toUpperCase();
    const client = clientId !== undefined && realm.clients.has(clientId) ? clientId : '';
    const count = {
      realm: realm.name,
      hour: now - (now % HOUR_MS),
      type: error === undefined ? known : `${known}_ERROR`,
      clientId: client,
      about: error === undefined ? counted : knownError(error),
      total: 1,
    };
    this.#add(count);
    const tags = { realm: realm.name, clientId: client, idp: details?.identity_provider ?? '' };
    this.totals.add(known, error === undefined ? '' : count.about, tags);
    if (type === 'LOGIN' && error === undefined && userId !== undefined && counted !== IMPERSONATED)
      this.#addUser(realm.name, now - (now % DAY_MS), userId);
    this.#timer ??= setTimeout(() => void this.flushed(), WRITE_EVERY_MS);
  }

  /**
   * Resolves when all current counts are stored, or have failed to be. Statistics call it first, to include the latest
   * counts.
   */
  flushed(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.flushed();
    clearTimeout(this.#timer);
  }

  #add(count: EventCount): void {
    const key = `${count.realm}\n${count.hour}\n${count.type}\n${count.clientId}\n${count.about}`;
    const pending = this.#counts.get(key);
    if (pending !== undefined) pending.total += count.total;
    else if (this.#counts.size < MAX_PENDING_COUNTS || count.clientId === '') this.#counts.set(key, { ...count });
    else this.#add({ ...count, clientId: '', about: OTHER });
  }

  #addUser(realm: string, day: number, userId: string): void {
    const key = `${realm}\n${day}`;
    let of = this.#days.get(key);
    if (of === undefined) {
      of = { realm, day, users: new Set() };
      this.#days.set(key, of);
    }
    const before = of.users.size;
    of.users.add(userId);
    this.#users += of.users.size - before;
    if (this.#users >= MAX_PENDING_USERS) void this.flushed();
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts.values()];
    const days = [...this.#days.values()];
    this.#counts = new Map();
    this.#days = new Map();
    this.#users = 0;
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
        const some = counts.slice(first, first + BATCH_ROWS);
        await this.#store.statistics.add(some, [], { expireAfter: RETENTION_MS });
      } catch (error) {
        this.#logger.error('cannot store statistics', { reason: String(error) });
        // They are written next time.
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
        if (this.#users >= MAX_PENDING_USERS) return;
        for (const { realm, day: at, users } of days.slice(index)) this.#putBackUsers(realm, at, users);
        return;
      }
    }
  }

  /** Puts back users whose sketch could not be written. They do not trigger another write. */
  #putBackUsers(realm: string, day: number, users: ReadonlySet<string>): void {
    const key = `${realm}\n${day}`;
    const of = this.#days.get(key) ?? { realm, day, users: new Set<string>() };
    for (const user of users) of.users.add(user);
    this.#days.set(key, of);
  }
}
