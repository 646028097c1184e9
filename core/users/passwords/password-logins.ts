import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { CredentialTypes } from '../credentials/credential-types.js';
import type { Users } from '../users.js';
import { type Attempt, type AttemptKind, isLockedForGood, type LoginFailures } from './login-failures.js';
import type { Passwords } from './passwords.js';

/** Why a password did not log anybody in: Keycloak's event error codes. Callers see one and the same answer. */
export type LoginRefusal =
  | 'user_not_found'
  | 'invalid_user'
  | 'invalid_user_credentials'
  | 'user_temporarily_disabled'
  | 'user_disabled';

export type PasswordLogin = { readonly user: User } | { readonly refused: LoginRefusal; readonly user?: User };

/**
 * True if the answer may say that the account is disabled: only the owner of the password learns that. Right and wrong passwords
 * of a user that failed logins have disabled get the same answer, as in Keycloak: else a guesser could go on.
 */
export function saysDisabled({ refused, user }: Extract<PasswordLogin, { refused: LoginRefusal }>): boolean {
  return refused === 'user_disabled' && (user === undefined || !isLockedForGood(user));
}

/**
 * Checks user name and password, for every door alike: unknown users and wrong passwords take as long as right ones,
 * and attempts are counted together (the realm's brute-force settings).
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
   * @param login user name, or e-mail address where the realm allows that
   * @param ip the caller's address
   */
  async check(realm: Realm, login: string, password: string, ip: string): Promise<PasswordLogin> {
    const found = await this.find(realm, login, password);
    return 'refused' in found ? found : this.verify(realm, found.user, password, ip);
  }

  /**
   * Whose password is to be verified. Nobody's takes as long to be refused as a wrong one.
   * @param login user name, or e-mail address where the realm allows that
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
    const { ok, outdated } = await looked(attempt, () => this.#passwords.verifyLogin(realm, password, credential));
    if (!ok) {
      await attempt?.failed();
      return { user, refused: 'invalid_user_credentials' };
    }
    // Whoever has a second factor is not in yet: a known password must not wipe out what was guessed of that.
    if (user.credentials.some(({ type }) => this.#types.isSecondFactor(realm, type))) await attempt?.takeBack();
    else await attempt?.succeeded();
    if (!user.enabled) return { user, refused: 'user_disabled' };
    if (outdated) await this.#rehash(realm, user, password);
    return { user };
  }

  /** Tries what may be guessed beside a password. It is counted with passwords, and so is locked with them. */
  async guess(
    realm: Realm,
    user: User,
    ip: string,
    isRight: () => Promise<boolean>,
  ): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isSecondary: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    const isIn = await looked(attempt, isRight);
    await (isIn ? attempt?.succeeded() : attempt?.failed());
    return isIn ? undefined : 'invalid_user_credentials';
  }

  /** Why no answer of the user is looked at now; undefined: failed logins have not locked the user. */
  async lockOf(realm: Realm, user: User): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    return (await this.#failures.state(realm, user.id)).locked ? 'user_temporarily_disabled' : undefined;
  }

  /**
   * Counts an answer that a plugin has judged: a wrong one with wrong passwords. A right one clears nothing, since the end of the login
   * does.
   * @returns why even a right answer is refused
   */
  async countAnswer(realm: Realm, user: User, ip: string, isRight: boolean): Promise<LoginRefusal | undefined> {
    if (isLockedForGood(user)) return 'user_disabled';
    const attempt = await this.#attempt(realm, user, ip, { isOfStep: true });
    if (attempt === 'refused') return 'user_temporarily_disabled';
    await (isRight ? attempt?.takeBack() : attempt?.failed());
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
   * A password of another format than the realm's policy asks for gets a new hash. Losing a race against another login
   * loses nothing.
   */
  async #rehash(realm: Realm, user: User, password: string): Promise<void> {
    const fresh = await this.#passwords.hash(realm, password).catch((error: unknown) => {
      // The password was right: who cannot hash it now, or not at all, leaves it as it is.
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

/** What could not be looked at, since too many passwords are waiting, was no failure: nobody is locked out by others. */
async function looked<T>(attempt: Attempt | undefined, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    await attempt?.takeBack();
    throw error;
  }
}
