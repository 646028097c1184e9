import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';
import { LAST_ADMINISTRATOR } from '../last-administrator.js';
import type { Users } from '../users.js';
import { countFailure, type FailureCount, waitSecondsOf } from './failure-count.js';

/** The namespace of counts in the store, like that of a plugin. */
const NAMESPACE = 'keyhost-failed-logins';
/** Keycloak's user attribute for the reason why a user is disabled, and its value for failed logins. */
export const DISABLED_REASON = 'disabledReason';
export const PERMANENT_LOCKOUT = 'permanentLockout';

/** True if failed logins have disabled the user. */
export function isPermanentlyLocked({ enabled, representation }: User): boolean {
  return !enabled && representation.attributes?.[DISABLED_REASON]?.[0] === PERMANENT_LOCKOUT;
}

/** How long other attempts are refused while the attempt that may disable the user is checked, in milliseconds. */
const CHECK_LIMIT_MS = 60_000;
/** A write fails only because a concurrent one succeeded, so this many attempts are enough. */
const MAX_TRIES = 1000;

/** The failed logins of a user. Times in milliseconds since the epoch. */
export interface FailureState extends Partial<FailureCount> {
  readonly failures: number;
  readonly lockouts: number;
  /** True if the next attempt is refused, even a correct one. */
  readonly isLocked: boolean;
}

/** A lock that failed logins caused. */
export interface Lockout {
  readonly user: User;
  /** True if the user is disabled. */
  readonly isPermanent: boolean;
  readonly count: FailureCount;
}

/**
 * Emits the event of a lockout together with its change.
 * @param work performs the change, and resolves to false if it had no effect
 */
export type OnLockout = (realm: Realm, lockout: Lockout, work: () => Promise<boolean>) => Promise<boolean>;

/**
 * An attempt whose answer may now be checked. It counts as failed until reported otherwise, so that concurrent guesses
 * count too.
 */
export interface Attempt {
  /**
   * Reports a wrong answer. This emits the event of a lock that the attempt causes, and disables the user if the realm
   * requires that.
   */
  reportFailure(): Promise<void>;
  /**
   * Reports a correct answer, which resets failures. A password does not reset those of second factors. While failures
   * of plugins' authenticators are counted, only those of second factors are reset, by a second factor.
   */
  reportSuccess(): Promise<void>;
  /** Removes the attempt from the count, without resetting other failures. */
  cancel(): Promise<void>;
}

/** The kind of an attempt: a password, unless one member is true. */
export interface AttemptKind {
  /** True for a second factor. */
  readonly isSecondary?: boolean;
  /** True for the authenticator of a plugin. */
  readonly isOfStep?: boolean;
}

/** Counts failed logins and locks users (the realm's brute-force settings). */
export class LoginFailures {
  readonly #parts: { users: Users; store: Store; clock: Clock; onLockout: OnLockout };

  constructor(parts: { users: Users; store: Store; clock: Clock; onLockout: OnLockout }) {
    this.#parts = parts;
  }

  /**
   * Counts an attempt before its answer is checked.
   * @param ip the caller's address
   * @returns undefined while the user is locked; the attempt is then not counted
   * @throws HostError `user_busy` (503) if too many attempts of the user are made at once
   */
  async attempt(
    realm: Realm,
    user: User,
    ip: string,
    { isSecondary = false, isOfStep = false }: AttemptKind,
  ): Promise<Attempt | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const now = this.#parts.clock.now();
      const previous = await this.#read(realm.name, user.id);
      if (previous !== undefined && parseCount(previous).lockedUntil > now) return undefined;
      const { count, isPermanent } = countFailure(realm, previous === undefined ? undefined : parseCount(previous), {
        now,
        ip,
        isSecondary,
        isOfStep,
      });
      const stored = JSON.stringify(isPermanent ? { ...count, lockedUntil: now + CHECK_LIMIT_MS } : count);
      if (!(await this.#replace(realm, user.id, previous, stored))) continue;
      const undo = () => this.#undo(realm, user.id, { before: previous, written: stored, isSecondary, isOfStep });
      return {
        reportFailure: async () => {
          if (isPermanent) await this.#disable(realm, user, count, stored);
          else if (count.lockedUntil > 0)
            await this.#parts.onLockout(realm, { user, isPermanent, count }, async () => true);
        },
        reportSuccess: async () => {
          // Failures of plugins' authenticators remain until a login is complete: no other proof resets them.
          if ((count.stepFailures ?? 0) === 0)
            return isSecondary ? this.#clear(realm.name, user.id) : this.#resetFirstFactor(realm, user.id);
          await undo();
          if (isSecondary) await this.#change(realm, user.id, (current) => ({ ...current, secondaryFailures: 0 }));
        },
        cancel: undo,
      };
    }
    throw new HostError('user_busy', 'Too many login attempts of this user at once: try again', { status: 503 });
  }

  /**
   * Disables the user. The last administrator of `master` is only locked temporarily: an attacker must not lock out all
   * administrators.
   */
  async #disable(realm: Realm, user: User, count: FailureCount, stored: string): Promise<void> {
    try {
      const isDisabled = await this.#parts.onLockout(realm, { user, isPermanent: true, count }, async () => {
        const changedUser = await this.#parts.users.change(realm, user.id, (draft) => {
          draft.enabled = false;
          draft.attributes = { ...draft.attributes, [DISABLED_REASON]: [PERMANENT_LOCKOUT] };
        });
        return changedUser !== undefined;
      });
      if (isDisabled) await this.#replace(realm, user.id, stored, JSON.stringify(count));
    } catch (error) {
      if (codeOf(error) !== LAST_ADMINISTRATOR) throw error;
      const { bruteForce } = realm;
      const seconds = Math.min(waitSecondsOf(bruteForce, count.failures), bruteForce.maxFailureWaitSeconds);
      const lockedUntil = Math.max(count.lockedUntil, count.lastFailure + seconds * 1000);
      await this.#replace(realm, user.id, stored, JSON.stringify({ ...count, lockedUntil }));
    }
  }

  async #undo(
    realm: Realm,
    id: string,
    { before, written, isSecondary, isOfStep }: { before: string | undefined; written: string } & Required<AttemptKind>,
  ): Promise<void> {
    if (before === undefined) {
      if ((await this.#read(realm.name, id)) === written) return this.#clear(realm.name, id);
    } else if (await this.#replace(realm, id, written, before)) return;
    // Other attempts have failed in the meantime. Their effects remain.
    await this.#change(realm, id, (count) => ({
      ...count,
      failures: Math.max(count.failures - 1, 0),
      secondaryFailures: Math.max(count.secondaryFailures - (isSecondary ? 1 : 0), 0),
      ...(isOfStep ? { stepFailures: Math.max((count.stepFailures ?? 0) - 1, 0) } : {}),
    }));
  }

  /** Resets failures, except those of second factors: a correct password does not reset them. */
  #resetFirstFactor(realm: Realm, id: string): Promise<void> {
    return this.#change(realm, id, ({ secondaryFailures, stepFailures: _, ...count }) =>
      secondaryFailures === 0 ? undefined : { ...count, failures: 0, lockouts: 0, lockedUntil: 0, secondaryFailures },
    );
  }

  /**
   * Changes the stored count, if there is one.
   * @param change returns the new count; undefined: delete it
   */
  async #change(realm: Realm, id: string, change: (count: FailureCount) => FailureCount | undefined): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const current = await this.#read(realm.name, id);
      if (current === undefined) return;
      const newCount = change(parseCount(current));
      if (newCount === undefined) return this.#clear(realm.name, id);
      if (await this.#replace(realm, id, current, JSON.stringify(newCount))) return;
    }
  }

  async state(realm: Realm, id: string): Promise<FailureState> {
    const stored = realm.bruteForceProtected ? await this.#read(realm.name, id) : undefined;
    if (stored === undefined) return { failures: 0, lockouts: 0, isLocked: false };
    const count = parseCount(stored);
    return { ...count, isLocked: count.lockedUntil > this.#parts.clock.now() };
  }

  /**
   * Resets the user's failures after a complete login by a password, a mailed link or an identity provider. Failures of
   * second factors remain until one succeeds.
   */
  async resetAfterLogin(realm: Realm, { id }: User): Promise<void> {
    if (realm.bruteForceProtected) await this.#resetFirstFactor(realm, id);
  }

  /** Resets a user's failures, which ends a lock. */
  reset(realm: Realm, user: User): Promise<void> {
    return this.#clear(realm.name, user.id);
  }

  /** Resets the failures of all users of the realm. */
  async resetAll({ name }: Realm): Promise<void> {
    await this.#parts.store.entries.clear({ realm: name, namespace: NAMESPACE });
  }

  #read(realm: string, id: string): Promise<string | undefined> {
    return this.#parts.store.entries.get({ realm, namespace: NAMESPACE, key: id, now: this.#parts.clock.now() });
  }

  #clear(realm: string, id: string): Promise<void> {
    return this.#parts.store.entries.delete({ realm, namespace: NAMESPACE, key: id });
  }

  #replace(realm: Realm, id: string, expected: string | undefined, value: string): Promise<boolean> {
    const { permanentLockout, maxTemporaryLockouts, maxDeltaTimeSeconds, maxSecondaryAuthFailures } = realm.bruteForce;
    const { lastFailure, lockedUntil, secondaryFailures } = parseCount(value);
    const isPermanent =
      (permanentLockout && maxTemporaryLockouts === 0) || (maxSecondaryAuthFailures > 0 && secondaryFailures > 0);
    const expiresAt = Math.max(lastFailure + maxDeltaTimeSeconds * 1000, lockedUntil) + 1;
    return this.#parts.store.entries.replace({
      realm: realm.name,
      namespace: NAMESPACE,
      key: id,
      expected,
      value,
      now: this.#parts.clock.now(),
      // A count that can disable the user never expires.
      ...(isPermanent ? {} : { expiresAt }),
    });
  }
}

function parseCount(text: string): FailureCount {
  return JSON.parse(text) as FailureCount;
}
