import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { CredentialTypes } from '../credentials/credential-types.js';
import type { Users } from '../users.js';
import { type Attempt, type AttemptKind, isPermanentlyLocked, type LoginFailures } from './login-failures.js';
import type { Passwords } from './passwords.js';

/**
 * The reason why a login failed: an error code of Keycloak's events. Callers must answer all of them in the same way,
 * except where `mayRevealDisabled` allows more.
 */
export type LoginRefusal =
  | 'user_not_found'
  | 'invalid_user'
  | 'invalid_user_credentials'
  | 'user_temporarily_disabled'
  | 'user_disabled';

export type PasswordLoginResult = { readonly user: User } | { readonly refused: LoginRefusal; readonly user?: User };

/**
 * True if the answer may reveal that the account is disabled, because the password was correct. For users whom
 * failed logins have disabled, correct and wrong passwords get the same answer, as in Keycloak. Otherwise an attacker
 * could continue to guess.
 */
export function mayRevealDisabled({ refused, user }: Extract<PasswordLoginResult, { refused: LoginRefusal }>): boolean {
  return refused === 'user_disabled' && (user === undefined || !isPermanentlyLocked(user));
}

/**
 * Checks usernames and passwords for all endpoints. Unknown users and wrong passwords take as long as correct ones, and
 * all endpoints count attempts together (the realm's brute-force settings).
 */
export class PasswordLogins {
  readonly #parts: { users: Users; passwords: Passwords; failures: LoginFailures; types: CredentialTypes };

  constructor(parts: { users: Users; passwords: Passwords; failures: LoginFailures; types: CredentialTypes }) {
    this.#parts = parts;
  }

  /**
   * Finds a user and verifies the password.
   * @param login username, or email if the realm allows that
   * @param ip the caller's address
   */
  async check(realm: Realm, login: string, password: string, ip: string): Promise<PasswordLoginResult> {
    const lookup = await this.find(realm, login, password);
    return 'refused' in lookup ? lookup : this.verify(realm, lookup.user, password, ip);
  }

  /**
   * Finds the user whose password is then verified. An unknown user takes as long as a wrong password.
   * @param login username, or email if the realm allows that
   */
  async find(realm: Realm, login: string, password: string): Promise<PasswordLoginResult> {
    const user = await this.#parts.users.byLogin(realm, login);
    if (user !== undefined && !user.isServiceAccount) return { user };
    await this.#parts.passwords.dummyVerify(realm, password);
    return user === undefined ? { refused: 'user_not_found' } : { user, refused: 'invalid_user' };
  }

  /**
   * Verifies the password of a user, and counts the attempt.
   * @param ip the caller's address
   */
  async verify(realm: Realm, user: User, password: string, ip: string): Promise<PasswordLoginResult> {
    const credential = user.credentials.find(({ type }) => type === 'password');
    if (credential === undefined) {
      await this.#parts.passwords.dummyVerify(realm, password);
      return { user, refused: 'invalid_user_credentials' };
    }
    const attempt = isPermanentlyLocked(user) ? 'locked' : await this.#attempt(realm, user, ip);
    if (attempt === 'refused' || attempt === 'locked') {
      await this.#parts.passwords.dummyVerify(realm, password);
      return { user, refused: attempt === 'locked' ? 'user_disabled' : 'user_temporarily_disabled' };
    }
    const { ok, outdated } = await cancelOnError(attempt, () =>
      this.#parts.passwords.verifyLogin(realm, password, credential),
    );
    if (!ok) {
      await attempt?.reportFailure();
      return { user, refused: 'invalid_user_credentials' };
    }
    // A user with a second factor has not signed in yet. A user with only the password must not be able to reset the
    // failed guesses of that factor.
    if (user.credentials.some(({ type }) => this.#parts.types.isSecondFactor(realm, type))) await attempt?.cancel();
    else await attempt?.reportSuccess();
    if (!user.enabled) return { user, refused: 'user_disabled' };
    if (outdated) await this.#rehash(realm, user, password);
    return { user };
  }

  /**
   * Checks a secret other than a password. Failures count and lock like wrong passwords.
   * @returns the reason of the refusal; undefined if the secret is correct
   */
  async verifySecret(
    realm: Realm,
    user: User,
    ip: string,
    verify: () => Promise<boolean>,
  ): Promise<LoginRefusal | undefined> {
    if (isPermanentlyLocked(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isSecondary: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    const isCorrect = await cancelOnError(attempt, verify);
    await (isCorrect ? attempt?.reportSuccess() : attempt?.reportFailure());
    return isCorrect ? undefined : 'invalid_user_credentials';
  }

  /** The reason why every answer of this user is refused; undefined if failed logins have not locked the user. */
  async lockRefusal(realm: Realm, user: User): Promise<LoginRefusal | undefined> {
    if (isPermanentlyLocked(user)) return 'user_disabled';
    return (await this.#parts.failures.state(realm, user.id)).isLocked ? 'user_temporarily_disabled' : undefined;
  }

  /**
   * Counts an answer that a plugin has checked. A wrong one counts like a wrong password. A correct one resets nothing:
   * only the end of a login resets these failures.
   * @returns the reason why even a correct answer is refused; undefined if the answer was counted
   */
  async countAnswer(realm: Realm, user: User, ip: string, isCorrect: boolean): Promise<LoginRefusal | undefined> {
    if (isPermanentlyLocked(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isOfStep: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    await (isCorrect ? attempt?.cancel() : attempt?.reportFailure());
    return undefined;
  }

  /**
   * Counts an attempt.
   * @returns `refused` while the user is locked; undefined in a realm without brute-force detection
   */
  async #attempt(
    realm: Realm,
    user: User,
    ip: string,
    kind: AttemptKind = {},
  ): Promise<Attempt | 'refused' | undefined> {
    if (!realm.bruteForceProtected) return undefined;
    return (await this.#parts.failures.attempt(realm, user, ip, kind)) ?? 'refused';
  }

  /**
   * Rehashes a password whose format differs from the realm's policy. If another login has done so first, its hash
   * remains.
   */
  async #rehash(realm: Realm, user: User, password: string): Promise<void> {
    const newCredential = await this.#parts.passwords.hash(realm, password).catch((error: unknown) => {
      // The password was correct, so continue with the old hash if a new one is impossible at the moment.
      if (['temporarily_unavailable', 'password_too_long'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    });
    if (newCredential === undefined) return;
    const credentials = user.credentials.map((credential) =>
      credential.type === 'password' ? { ...credential, ...newCredential, type: 'password' } : credential,
    );
    await this.#parts.users.update(realm, user, { ...user.representation, credentials });
  }
}

/**
 * Removes an attempt from the count if it could not be checked, for example because the queue is full. Load by others
 * must not lock a user.
 */
async function cancelOnError<T>(attempt: Attempt | undefined, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    await attempt?.cancel();
    throw error;
  }
}
