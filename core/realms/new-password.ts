import { randomUUID } from 'node:crypto';
import type { Message } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { CredentialRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import { MAX_PASSWORD_LENGTH, type PasswordHasher } from './password.js';
import { policyOf } from './password-logins.js';
import type { Users } from './users.js';

/** Keycloak's type of the credentials that hold former passwords. */
const HISTORY = 'password-history';
const DAY_MS = 86_400_000;

/** Gives users new passwords, by the realm's policy. */
export class NewPasswords {
  readonly #users: Users;
  readonly #passwords: PasswordHasher;
  readonly #clock: Clock;

  constructor(parts: { users: Users; passwords: PasswordHasher; clock: Clock }) {
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#clock = parts.clock;
  }

  /** What the policy has against the password. */
  async problem(realm: Realm, user: User, password: string): Promise<Message | undefined> {
    const policy = policyOf(realm);
    if (password.length > MAX_PASSWORD_LENGTH) {
      return { key: 'invalidPasswordMaxLengthMessage', params: [String(MAX_PASSWORD_LENGTH)] };
    }
    const [violation] = policy.check(password, user.view);
    if (violation !== undefined) return { key: violation.message, params: violation.parameters.map(String) };
    const former = user.credentials.filter(({ type }) => type === HISTORY);
    const current = user.credentials.find(({ type }) => type === 'password');
    const count = policy.passwordHistory ?? 0;
    const since = this.#clock.now() - (policy.passwordAge ?? 0) * DAY_MS;
    const held = [current, ...former].filter(
      (credential, index) => credential !== undefined && (index < count || (credential.createdDate ?? 0) > since),
    );
    for (const credential of held as CredentialRepresentation[]) {
      if ((await this.#passwords.verify(password, credential, policy)).ok) {
        return { key: 'invalidPasswordHistoryMessage', params: [String(policy.passwordHistory ?? held.length)] };
      }
    }
    return undefined;
  }

  /**
   * Makes it the user's password, and the one before a former one where the policy wants to know those.
   * @param done a required action that is done with it, in the same write
   */
  async set(realm: Realm, user: User, password: string, done?: string): Promise<void> {
    const policy = policyOf(realm);
    const fresh = await this.#passwords.hash(password, policy);
    const now = this.#clock.now();
    const keeps = Math.max(policy.passwordHistory ?? 0, policy.passwordAge === undefined ? 0 : 1) - 1;
    await this.#users.change(realm, user.id, (draft) => {
      const credentials = draft.credentials ?? [];
      const before = credentials.filter(({ type }) => type === 'password').map((one) => ({ ...one, type: HISTORY }));
      const young = (one: CredentialRepresentation, index: number) =>
        index < keeps || (one.createdDate ?? 0) > now - (policy.passwordAge ?? 0) * DAY_MS;
      draft.credentials = [
        { id: randomUUID(), createdDate: now, ...fresh },
        ...credentials.filter(({ type }) => type !== 'password' && type !== HISTORY),
        ...[...before, ...credentials.filter(({ type }) => type === HISTORY)].filter(young),
      ];
      draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== done);
    });
  }

  /** True when the policy says that a password of that age must be changed. */
  isTooOld(realm: Realm, user: User): boolean {
    const days = policyOf(realm).forceExpiredPasswordChange;
    const password = user.credentials.find(({ type }) => type === 'password');
    if (days === undefined || password === undefined) return false;
    const since = password.createdDate ?? user.representation.createdTimestamp ?? 0;
    return this.#clock.now() - since > days * DAY_MS;
  }
}
