import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { CredentialTypes } from '../credentials/credential-types.js';
import type { Users } from '../users.js';
import { type Attempt, type AttemptKind, isLockedForGood, type LoginFailures } from './login-failures.js';
import type { Passwords } from './passwords.js';

/** The reason why a login failed: Keycloak's event error codes. Callers get the same answer for all of them. */
export type LoginRefusal =
  | 'user_not_found'
  | 'invalid_user'
  | 'invalid_user_credentials'
  | 'user_temporarily_disabled'
  | 'user_disabled';

export type PasswordLogin = { readonly user: User } | { readonly refused: LoginRefusal; readonly user?: User };

/**
 * True if the answer may reveal that the account is disabled: only to the owner of the password. For users whom failed
 * logins have disabled, right and wrong passwords get the same answer, as in Keycloak. Otherwise an attacker could
 * continue to guess.
 */
export function mayRevealDisabled({ refused, user }: Extract<PasswordLogin, { refused: LoginRefusal }>): boolean {
  return refused === 'user_disabled' && (user === undefined || !isLockedForGood(user));
}

/**
 * Checks username and password for all endpoints. Unknown users and wrong passwords take as long as right ones, and
 * attempts are counted together (the realm's brute-force settings).
 */
export class PasswordLogins {
  readonly #users: Users;
  readonly #passwords: Passwords;
  readonly #failures: LoginFailures;
  readonly #types: CredentialTypes;

  constructor(parts: { users: Users; passwords: Passwords; failures: LoginFailures; types: CredentialTypes }) {
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#failures = parts.failures;
    this.#types = parts.types;
  }

  /**
   * @param login username, or email if the realm allows that
   * @param ip the caller's address
   */
  async check(realm: Realm, login: string, password: string, ip: string): Promise<PasswordLogin> {
    const found = await this.find(realm, login, password);
    return 'refused' in found ? found : this.verify(realm, found.user, password, ip);
  }

  /**
   * Finds the user whose password is to be verified. An unknown user takes as long as a wrong password.
   * @param login username, or email if the realm allows that
   */
  async find(realm: Realm, login: string, password: string): Promise<PasswordLogin> {
    const user = await this.#users.byLogin(realm, login);
    if (user !== undefined && !user.isServiceAccount) return { user };
    await this.#passwords.dummyVerify(realm, password);
    return user === undefined ? { refused: 'user_not_found' } : { user, refused: 'invalid_user' };
  }

  /** @param ip the caller's address */
  async verify(realm: Realm, user: User, password: string, ip: string): Promise<PasswordLogin> {
    const credential = user.credentials.find(({ type }) => type === 'password');
    if (credential === undefined) {
      await this.#passwords.dummyVerify(realm, password);
      return { user, refused: 'invalid_user_credentials' };
    }
    const attempt = isLockedForGood(user) ? 'locked' : await this.#attempt(realm, user, ip);
    if (attempt === 'refused' || attempt === 'locked') {
      await this.#passwords.dummyVerify(realm, password);
      return { user, refused: attempt === 'locked' ? 'user_disabled' : 'user_temporarily_disabled' };
    }
    const { ok, outdated } = await cancelOnError(attempt, () =>
      this.#passwords.verifyLogin(realm, password, credential),
    );
    if (!ok) {
      await attempt?.failed();
      return { user, refused: 'invalid_user_credentials' };
    }
    // A user with a second factor has not signed in yet: a known password must not reset failed guesses of that factor.
    if (user.credentials.some(({ type }) => this.#types.isSecondFactor(realm, type))) await attempt?.cancel();
    else await attempt?.succeeded();
    if (!user.enabled) return { user, refused: 'user_disabled' };
    if (outdated) await this.#rehash(realm, user, password);
    return { user };
  }

  /** Checks a secret other than a password. Failures count and lock like wrong passwords. */
  async guess(
    realm: Realm,
    user: User,
    ip: string,
    isRight: () => Promise<boolean>,
  ): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isSecondary: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    const isIn = await cancelOnError(attempt, isRight);
    await (isIn ? attempt?.succeeded() : attempt?.failed());
    return isIn ? undefined : 'invalid_user_credentials';
  }

  /** The reason why no answer of the user is accepted; undefined if failed logins have not locked the user. */
  async lockOf(realm: Realm, user: User): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    return (await this.#failures.state(realm, user.id)).locked ? 'user_temporarily_disabled' : undefined;
  }

  /**
   * Counts an answer that a plugin has checked: a wrong one like a wrong password. A right one resets nothing, because
   * the end of the login does.
   * @returns the reason why even a right answer is refused
   */
  async countAnswer(realm: Realm, user: User, ip: string, isRight: boolean): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isOfStep: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    await (isRight ? attempt?.cancel() : attempt?.failed());
    return undefined;
  }

  /** @returns undefined in a realm without brute-force detection: nothing is counted */
  async #attempt(
    realm: Realm,
    user: User,
    ip: string,
    what: AttemptKind = {},
  ): Promise<Attempt | 'refused' | undefined> {
    if (!realm.bruteForceProtected) return undefined;
    return (await this.#failures.attempt(realm, user, ip, what)) ?? 'refused';
  }

  /**
   * Rehashes a password whose format differs from the realm's policy. If another login does so first, its hash is used.
   */
  async #rehash(realm: Realm, user: User, password: string): Promise<void> {
    const fresh = await this.#passwords.hash(realm, password).catch((error: unknown) => {
      // The password was right, so keep the old hash if a new one is impossible now.
      if (['temporarily_unavailable', 'password_too_long'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    });
    if (fresh === undefined) return;
    const credentials = user.credentials.map((credential) =>
      credential.type === 'password' ? { ...credential, ...fresh, type: 'password' } : credential,
    );
    await this.#users.update(realm, user, { ...user.representation, credentials });
  }
}

/**
 * Uncounts an attempt that could not be checked, for example because the queue is full: load by others must not lock a
 * user.
 */
async function cancelOnError<T>(attempt: Attempt | undefined, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    await attempt?.cancel();
    throw error;
  }
}
