import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { Store } from '../store/store.js';
import type { PasswordHasher } from './password.js';
import { PasswordPolicy } from './password-policy.js';
import type { Users } from './users.js';

/** Why a password did not log anybody in: Keycloak's event error codes. Callers see one and the same answer. */
export type LoginRefusal =
  | 'user_not_found'
  | 'invalid_user'
  | 'invalid_user_credentials'
  | 'user_temporarily_disabled'
  | 'user_disabled';

export type PasswordLogin = { readonly user: User } | { readonly refused: LoginRefusal; readonly user?: User };

const LOCK = 'login-lock';
const POLICY = Symbol('password policy');

/**
 * Checks user name and password, for every door alike: unknown users and wrong passwords take as long as right ones,
 * and attempts are counted together (the realm's brute-force settings).
 */
export class PasswordLogins {
  readonly #users: Users;
  readonly #passwords: PasswordHasher;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { users: Users; passwords: PasswordHasher; store: Store; clock: Clock }) {
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** @param login user name, or e-mail address where the realm allows that */
  async check(realm: Realm, login: string, password: string): Promise<PasswordLogin> {
    const found = await this.find(realm, login, password);
    return 'refused' in found ? found : this.verify(realm, found.user, password);
  }

  /**
   * Whose password is to be verified. Nobody's takes as long to be refused as a wrong one.
   * @param login user name, or e-mail address where the realm allows that
   */
  async find(realm: Realm, login: string, password: string): Promise<PasswordLogin> {
    const user = await this.#users.byLogin(realm, login);
    if (user !== undefined && !user.isServiceAccount) return { user };
    await this.#passwords.dummyVerify(password, policyOf(realm));
    return user === undefined ? { refused: 'user_not_found' } : { user, refused: 'invalid_user' };
  }

  async verify(realm: Realm, user: User, password: string): Promise<PasswordLogin> {
    const policy = policyOf(realm);
    const credential = user.credentials.find(({ type }) => type === 'password');
    if (credential === undefined) {
      await this.#passwords.dummyVerify(password, policy);
      return { user, refused: 'invalid_user_credentials' };
    }
    if (realm.bruteForceProtected && !(await this.#mayTry(realm, user))) {
      await this.#passwords.dummyVerify(password, policy);
      return { user, refused: 'user_temporarily_disabled' };
    }
    const { ok, outdated } = await this.#passwords.verify(password, credential, policy);
    if (!ok) return { user, refused: 'invalid_user_credentials' };
    if (realm.bruteForceProtected) {
      // Whoever has a second factor is not in yet: a known password must not wipe out what was guessed of that.
      if (user.credentials.some(({ type }) => type === 'otp'))
        await this.#store.counters.release(attemptsOf(realm, user));
      else await this.#succeeded(realm, user);
    }
    if (!user.enabled) return { user, refused: 'user_disabled' };
    if (outdated) await this.#rehash(realm, user, password);
    return { user };
  }

  /** Tries what may be guessed beside a password. It is counted with passwords, and so is locked with them. */
  async guess(realm: Realm, user: User, isRight: () => Promise<boolean>): Promise<LoginRefusal | undefined> {
    if (realm.bruteForceProtected && !(await this.#mayTry(realm, user))) return 'user_temporarily_disabled';
    if (!(await isRight())) return 'invalid_user_credentials';
    if (realm.bruteForceProtected) await this.#succeeded(realm, user);
    return undefined;
  }

  /** Counted before the password is looked at, so that guesses at the same time are counted too. */
  async #mayTry(realm: Realm, user: User): Promise<boolean> {
    const now = this.#clock.now();
    const lock = { realm: realm.name, kind: LOCK, keyHash: user.id };
    if (await this.#store.marks.has({ ...lock, now })) return false;
    const { failureFactor, maxDeltaTimeSeconds, waitIncrementSeconds, maxFailureWaitSeconds, permanentLockout } =
      realm.bruteForce;
    const windowMs = maxDeltaTimeSeconds * 1000;
    const attempts = attemptsOf(realm, user);
    const { count } = await this.#store.counters.bump({ ...attempts, now, windowMs });
    if (count <= failureFactor) return true;
    const lockouts = await this.#store.counters.bump({
      realm: realm.name,
      subject: `login-lockouts ${user.id}`,
      now,
      windowMs,
    });
    const wait = Math.min(waitIncrementSeconds * lockouts.count, maxFailureWaitSeconds);
    if (await this.#store.marks.claim({ ...lock, now, expiresAt: now + wait * 1000 })) {
      await this.#store.counters.clear(attempts);
      if (permanentLockout) await this.#users.update(realm, user, { ...user.representation, enabled: false });
    }
    return false;
  }

  async #succeeded(realm: Realm, user: User): Promise<void> {
    const { counters } = this.#store;
    await Promise.all(
      ['login-attempts', 'login-lockouts'].map((name) =>
        counters.clear({ realm: realm.name, subject: `${name} ${user.id}` }),
      ),
    );
  }

  /**
   * A password of another format than the realm's policy asks for gets a new hash. Losing a race against another login
   * loses nothing.
   */
  async #rehash(realm: Realm, user: User, password: string): Promise<void> {
    const fresh = await this.#passwords.hash(password, policyOf(realm));
    const credentials = user.credentials.map((credential) =>
      credential.type === 'password' ? { ...credential, ...fresh, type: 'password' } : credential,
    );
    await this.#users.update(realm, user, { ...user.representation, credentials });
  }
}

function attemptsOf(realm: Realm, user: User): { realm: string; subject: string } {
  return { realm: realm.name, subject: `login-attempts ${user.id}` };
}

/** How passwords of this realm are hashed. */
export function policyOf(realm: Realm): PasswordPolicy {
  return realm.derive(POLICY, () => PasswordPolicy.parse(realm.passwordPolicy).policy);
}
