import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';
import { LAST_ADMINISTRATOR } from '../kept-administrators.js';
import type { Users } from '../users.js';
import { afterFailure, type FailureCount, waitOf } from './failure-count.js';

/** Where counts are kept, as those of a plugin of that name would be. */
const NAMESPACE = 'keyhost-failed-logins';
/** Keycloak's attribute of a user that failed logins disabled, and its value. */
export const DISABLED_REASON = 'disabledReason';
export const PERMANENT_LOCKOUT = 'permanentLockout';

/** True for a user that failed logins have disabled. */
export function isLockedForGood({ enabled, representation }: User): boolean {
  return !enabled && representation.attributes?.[DISABLED_REASON]?.[0] === PERMANENT_LOCKOUT;
}

/** So long others are refused while the attempt that may disable the user is looked at, in milliseconds. */
const LOOK_MS = 60_000;
/** Each time that an attempt is not written, another one is. */
const MOST_TRIES = 1000;

/** What is known of failed logins of a user. Times in milliseconds since the epoch. */
export interface FailureState extends Partial<FailureCount> {
  readonly failures: number;
  readonly lockouts: number;
  /** True when the next attempt is refused, right or wrong. */
  readonly locked: boolean;
}

/** What failed logins have brought about. */
export interface Lockout {
  readonly user: User;
  /** True: the user is disabled. */
  readonly isPermanent: boolean;
  readonly count: FailureCount;
}

/** Tells of a lockout. `work` makes it, and resolves to false where it came to nothing. */
export type OnLockout = (realm: Realm, lockout: Lockout, work: () => Promise<boolean>) => Promise<boolean>;

/** An attempt that may be looked at. It counts as failed until it says otherwise: so guesses at the same time count, too. */
export interface Attempt {
  /** It was wrong. Tells of the lock that it causes, and disables the user where the realm says so. */
  failed(): Promise<void>;
  /** It was right: failures are forgotten. */
  succeeded(): Promise<void>;
  /** It was no failure, and does not wipe out others. */
  takeBack(): Promise<void>;
}

/** What is tried: a password, unless one of these is true. */
export interface AttemptKind {
  /** What is asked for beside a password. */
  readonly isSecondary?: boolean;
  /** What a step of a plugin asks for. */
  readonly isOfStep?: boolean;
}

/** Counts failed logins and locks users (the realm's brute-force settings). */
export class LoginFailures {
  readonly #users: Users;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onLockout: OnLockout;

  constructor(parts: { users: Users; store: Store; clock: Clock; onLockout: OnLockout }) {
    this.#onLockout = parts.onLockout;
    this.#users = parts.users;
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * @param ip the caller's address
   * @returns undefined while the user is locked: such an attempt counts for nothing
   */
  async attempt(
    realm: Realm,
    user: User,
    ip: string,
    { isSecondary = false, isOfStep = false }: AttemptKind,
  ): Promise<Attempt | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const now = this.#clock.now();
      const before = await this.#read(realm.name, user.id);
      if (before !== undefined && countOf(before).lockedUntil > now) return undefined;
      const { count, isPermanent } = afterFailure(realm, before === undefined ? undefined : countOf(before), {
        ...{ now, ip, isSecondary, isOfStep },
      });
      const written = JSON.stringify(isPermanent ? { ...count, lockedUntil: now + LOOK_MS } : count);
      if (!(await this.#replace(realm, user.id, before, written))) continue;
      const takeBack = () => this.#takeBack(realm, user.id, { before, written, isSecondary, isOfStep });
      return {
        failed: async () => {
          if (isPermanent) await this.#disable(realm, user, count, written);
          else if (count.lockedUntil > 0) await this.#onLockout(realm, { user, isPermanent, count }, async () => true);
        },
        succeeded: async () => {
          // Wrong answers to a plugin's step stay until a login ends well: no other proof wipes them out.
          if ((count.stepFailures ?? 0) === 0)
            return isSecondary ? this.#clear(realm.name, user.id) : this.#forgive(realm, user.id);
          await takeBack();
          if (isSecondary) await this.#change(realm, user.id, (current) => ({ ...current, secondaryFailures: 0 }));
        },
        takeBack,
      };
    }
    throw new HostError('user_busy', 'Too many login attempts of this user at once: try again', { status: 503 });
  }

  /** The last administrator of `master` is locked for a time alone: whoever guesses must not lock everybody out. */
  async #disable(realm: Realm, user: User, count: FailureCount, written: string): Promise<void> {
    try {
      const isDisabled = await this.#onLockout(realm, { user, isPermanent: true, count }, async () => {
        const changed = await this.#users.change(realm, user.id, (draft) => {
          draft.enabled = false;
          draft.attributes = { ...draft.attributes, [DISABLED_REASON]: [PERMANENT_LOCKOUT] };
        });
        return changed !== undefined;
      });
      if (isDisabled) await this.#replace(realm, user.id, written, JSON.stringify(count));
    } catch (error) {
      if (codeOf(error) !== LAST_ADMINISTRATOR) throw error;
      const { bruteForce } = realm;
      const seconds = Math.min(waitOf(bruteForce, count.failures), bruteForce.maxFailureWaitSeconds);
      const lockedUntil = Math.max(count.lockedUntil, count.lastFailure + seconds * 1000);
      await this.#replace(realm, user.id, written, JSON.stringify({ ...count, lockedUntil }));
    }
  }

  async #takeBack(
    realm: Realm,
    id: string,
    { before, written, isSecondary, isOfStep }: { before: string | undefined; written: string } & Required<AttemptKind>,
  ): Promise<void> {
    if (before === undefined) {
      if ((await this.#read(realm.name, id)) === written) return this.#clear(realm.name, id);
    } else if (await this.#replace(realm, id, written, before)) return;
    // Others have failed meanwhile: what they caused stays.
    await this.#change(realm, id, (count) => ({
      ...count,
      failures: Math.max(count.failures - 1, 0),
      secondaryFailures: Math.max(count.secondaryFailures - (isSecondary ? 1 : 0), 0),
      ...(isOfStep ? { stepFailures: Math.max((count.stepFailures ?? 0) - 1, 0) } : {}),
    }));
  }

  /** Forgets failures but those of second factors, which a password does not wipe out. */
  #forgive(realm: Realm, id: string): Promise<void> {
    return this.#change(realm, id, ({ secondaryFailures, stepFailures: _, ...count }) =>
      secondaryFailures === 0 ? undefined : { ...count, failures: 0, lockouts: 0, lockedUntil: 0, secondaryFailures },
    );
  }

  /** @param change what is kept; undefined: nothing */
  async #change(realm: Realm, id: string, change: (count: FailureCount) => FailureCount | undefined): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const current = await this.#read(realm.name, id);
      if (current === undefined) return;
      const changed = change(countOf(current));
      if (changed === undefined) return this.#clear(realm.name, id);
      if (await this.#replace(realm, id, current, JSON.stringify(changed))) return;
    }
  }

  async state(realm: Realm, id: string): Promise<FailureState> {
    const kept = realm.bruteForceProtected ? await this.#read(realm.name, id) : undefined;
    if (kept === undefined) return { failures: 0, lockouts: 0, locked: false };
    const count = countOf(kept);
    return { ...count, locked: count.lockedUntil > this.#clock.now() };
  }

  /**
   * A login is complete, by a password, a mailed link or an identity provider: the user's failures are forgotten, but for those
   * of second factors, which only a right one wipes out.
   */
  async loggedIn(realm: Realm, { id }: User): Promise<void> {
    if (realm.bruteForceProtected) await this.#forgive(realm, id);
  }

  /** Forgets a user's failures: a lock ends. */
  forget(realm: Realm, user: User): Promise<void> {
    return this.#clear(realm.name, user.id);
  }

  /** Forgets the failures of every user of the realm. */
  async forgetAll({ name }: Realm): Promise<void> {
    await this.#store.entries.clear({ realm: name, namespace: NAMESPACE });
  }

  #read(realm: string, id: string): Promise<string | undefined> {
    return this.#store.entries.get({ realm, namespace: NAMESPACE, key: id, now: this.#clock.now() });
  }

  #clear(realm: string, id: string): Promise<void> {
    return this.#store.entries.delete({ realm, namespace: NAMESPACE, key: id });
  }

  #replace(realm: Realm, id: string, expected: string | undefined, value: string): Promise<boolean> {
    const { permanentLockout, maxTemporaryLockouts, maxDeltaTimeSeconds, maxSecondaryAuthFailures } = realm.bruteForce;
    const { lastFailure, lockedUntil, secondaryFailures } = countOf(value);
    const isKept =
      (permanentLockout && maxTemporaryLockouts === 0) || (maxSecondaryAuthFailures > 0 && secondaryFailures > 0);
    const expiresAt = Math.max(lastFailure + maxDeltaTimeSeconds * 1000, lockedUntil) + 1;
    return this.#store.entries.replace({
      ...{ realm: realm.name, namespace: NAMESPACE, key: id, expected, value, now: this.#clock.now() },
      // What disables a user counts for ever.
      ...(isKept ? {} : { expiresAt }),
    });
  }
}

function countOf(text: string): FailureCount {
  return JSON.parse(text) as FailureCount;
}
