import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';
import { LAST_ADMINISTRATOR } from '../kept-administrators.js';
import type { Users } from '../users.js';

const LOCK = 'login-lock';
const ATTEMPTS = 'login-attempts ';
const LOCKOUTS = 'login-lockouts ';
/** Where the last attempt is noted, as a plugin of that name would. */
const LAST = 'keyhost-login-failures';

/** What is known of wrong passwords given for a user. Times in milliseconds since the epoch. */
export interface FailureState {
  /** Wrong passwords since the last right one, or since they were forgotten. */
  readonly failures: number;
  /** True when the next attempt is refused, right or wrong. */
  readonly locked: boolean;
  readonly lockedUntil: number | undefined;
  readonly lockouts: number;
  readonly lastFailure: number | undefined;
  readonly lastIp: string | undefined;
}

/** Counts wrong passwords and locks users for a while (the realm's brute-force settings). */
export class LoginFailures {
  readonly #users: Users;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { users: Users; store: Store; clock: Clock }) {
    this.#users = parts.users;
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * Counted before the password is looked at, so that guesses at the same time are counted too.
   * @param ip the caller's address
   */
  async mayTry(realm: Realm, user: User, ip: string): Promise<boolean> {
    const now = this.#clock.now();
    const lock = { realm: realm.name, kind: LOCK, keyHash: user.id };
    if (await this.#store.marks.has({ ...lock, now })) return false;
    const { failureFactor, waitIncrementSeconds, maxFailureWaitSeconds, permanentLockout } = realm.bruteForce;
    const windowMs = windowOf(realm);
    const attempts = { realm: realm.name, subject: ATTEMPTS + user.id };
    const note = { ...noteOf(realm.name, user.id), value: JSON.stringify({ at: now, ip }), expiresAt: now + windowMs };
    const [{ count }] = await Promise.all([
      this.#store.counters.bump({ ...attempts, now, windowMs }),
      this.#store.entries.put(note),
    ]);
    if (count <= failureFactor) return true;
    const lockouts = await this.#store.counters.bump({
      realm: realm.name,
      subject: LOCKOUTS + user.id,
      now,
      windowMs,
    });
    const wait = Math.min(waitIncrementSeconds * lockouts.count, maxFailureWaitSeconds);
    if (await this.#store.marks.claim({ ...lock, now, expiresAt: now + wait * 1000 })) {
      await this.#store.counters.clear(attempts);
      if (permanentLockout) await this.#disable(realm, user);
    }
    return false;
  }

  /** The last administrator of `master` is locked for the time alone: whoever guesses must not lock everybody out. */
  async #disable(realm: Realm, user: User): Promise<void> {
    try {
      await this.#users.update(realm, user, { ...user.representation, enabled: false });
    } catch (error) {
      if (codeOf(error) !== LAST_ADMINISTRATOR) throw error;
    }
  }

  /** What was counted beforehand was no failure, and does not wipe out others. */
  async takeBack(realm: Realm, { id }: User): Promise<void> {
    await this.#store.counters.release({ realm: realm.name, subject: ATTEMPTS + id });
  }

  async succeeded(realm: Realm, { id }: User): Promise<void> {
    const { counters, entries } = this.#store;
    const name = realm.name;
    await Promise.all([
      ...[ATTEMPTS, LOCKOUTS].map((subject) => counters.clear({ realm: name, subject: subject + id })),
      entries.delete(noteOf(name, id)),
    ]);
  }

  async state(realm: Realm, id: string): Promise<FailureState> {
    const now = this.#clock.now();
    const { counters, marks, entries } = this.#store;
    const name = realm.name;
    const [attempts, lockouts, lockedUntil, note] = await Promise.all([
      counters.get({ realm: name, subject: ATTEMPTS + id, now }),
      counters.get({ realm: name, subject: LOCKOUTS + id, now }),
      marks.expiry({ realm: name, kind: LOCK, keyHash: id, now }),
      entries.get({ ...noteOf(name, id), now }),
    ]);
    const { failureFactor } = realm.bruteForce;
    const last = note === undefined ? undefined : (JSON.parse(note) as { at: number; ip: string });
    const since = attempts?.count ?? 0;
    return {
      // Each lockout used up its attempts; the one that caused it was not looked at.
      failures: since + (lockouts?.count ?? 0) * failureFactor,
      locked: realm.bruteForceProtected && (lockedUntil !== undefined || since >= failureFactor),
      lockedUntil,
      lockouts: lockouts?.count ?? 0,
      lastFailure: last?.at,
      lastIp: last?.ip,
    };
  }

  /** Forgets a user's failures: a lock ends. */
  async forget(realm: Realm, user: User): Promise<void> {
    const lock = { realm: realm.name, kind: LOCK, keyHash: user.id };
    await Promise.all([this.succeeded(realm, user), this.#store.marks.release(lock)]);
  }

  /** Forgets the failures of every user of the realm. */
  async forgetAll({ name }: Realm): Promise<void> {
    const { counters, marks, entries } = this.#store;
    await Promise.all([
      ...[ATTEMPTS, LOCKOUTS].map((prefix) => counters.clearAll({ realm: name, prefix })),
      marks.releaseAll({ realm: name, kind: LOCK }),
      entries.clear({ realm: name, namespace: LAST }),
    ]);
  }
}

function windowOf({ bruteForce }: Realm): number {
  return bruteForce.maxDeltaTimeSeconds * 1000;
}

function noteOf(realm: string, id: string) {
  return { realm, namespace: LAST, key: id };
}
