import { randomUUID } from 'node:crypto';
import type { Logger } from '@keyhost/spi';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Clock } from '../../../model/clock.js';
import type { Realm } from '../../../model/realm.js';
import { messageOf } from '../../../model/thrown.js';
import type { User } from '../../../model/user.js';
import { type WebAuthnType, webAuthnPolicyOf } from '../../../model/webauthn-policy.js';
import type { LoginRefusal, PasswordLogins } from '../../../users/passwords/password-logins.js';
import type { Users } from '../../../users/users.js';
import { readAssertion, readRegistration } from './browser-answer.js';
import { readWebAuthnData, type WebAuthnData, writeWebAuthnData } from './webauthn-data.js';

/** The browser's answer, and the challenge that it must contain. */
export interface WebAuthnAnswer {
  /** JSON text. */
  readonly credential: string;
  /** Undefined if the challenge was answered already. */
  readonly challenge: string | undefined;
}

/** A later use of the same authenticator was recorded meanwhile. */
class CounterPassed extends Error {}

/** Public key credentials of users (Web Authentication Level 3), in Keycloak's stored form. */
export class WebAuthnCredentials {
  readonly #users: Users;
  readonly #clock: Clock;
  readonly #passwordLogins: PasswordLogins;
  readonly #logger: Logger;

  constructor(parts: { users: Users; clock: Clock; passwordLogins: PasswordLogins; logger: Logger }) {
    this.#users = parts.users;
    this.#clock = parts.clock;
    this.#passwordLogins = parts.passwordLogins;
    this.#logger = parts.logger;
  }

  async has(realm: Realm, userId: string, type: WebAuthnType): Promise<boolean> {
    const user = await this.#users.byId(realm, userId);
    return user?.credentials.some((credential) => credential.type === type) ?? false;
  }

  /** The user's readable credentials. */
  async list(realm: Realm, userId: string, type: WebAuthnType): Promise<WebAuthnData[]> {
    const user = await this.#users.byId(realm, userId);
    return user === undefined ? [] : this.#read(user, type);
  }

  /**
   * Verifies the browser's answer and returns its user, or the reason of a refusal. Wrong answers for a user count like
   * wrong passwords.
   * @param userId the only acceptable user; undefined: any user that the authenticator names
   * @param ip the caller's address
   */
  async check(
    realm: Realm,
    type: WebAuthnType,
    { credential, challenge }: WebAuthnAnswer,
    userId: string | undefined,
    ip: string,
  ): Promise<{ readonly user: User } | { readonly refused: LoginRefusal; readonly user?: User }> {
    const response = readAssertion(credential);
    const handle = response?.response.userHandle;
    const named = handle ? Buffer.from(handle, 'base64url').toString() : undefined;
    if (userId !== undefined && named !== undefined && named !== userId) return { refused: 'invalid_user_credentials' };
    const id = userId ?? named;
    const user = id === undefined ? undefined : await this.#users.byId(realm, id);
    if (user === undefined) return { refused: 'user_not_found' };
    if (user.isServiceAccount) return { refused: 'invalid_user', user };
    const isRight = () => this.#verifies(realm, user, type, response, challenge);
    const refused = await this.#passwordLogins.verifySecret(realm, user, ip, isRight);
    if (refused !== undefined) return { refused, user };
    return user.enabled ? { user } : { refused: 'user_disabled', user };
  }

  /**
   * Stores the browser's new credential for the user.
   * @param label the user's name for it
   * @param done the required action that this completes
   * @returns the credential; undefined if the answer or the authenticator does not fit the realm's policy
   */
  async add(
    realm: Realm,
    user: User,
    type: WebAuthnType,
    { credential, challenge, label, done }: WebAuthnAnswer & { readonly label: string; readonly done: string },
  ): Promise<WebAuthnData | undefined> {
    const response = readRegistration(credential);
    if (response === undefined || challenge === undefined) return undefined;
    const { verifyRegistration } = await import('./verify-registration.js');
    let data: WebAuthnData;
    try {
      data = await verifyRegistration(webAuthnPolicyOf(realm, type), response, challenge);
    } catch (error) {
      this.#tell('a new passkey was rejected', realm, user, error);
      return undefined;
    }
    let isKnown = false;
    await this.#users.change(realm, user.id, (draft, current) => {
      isKnown = this.#read(current, type).some(({ credentialId }) => credentialId === data.credentialId);
      if (isKnown) return;
      const credentials = { type, credentialData: writeWebAuthnData(data), secretData: '{}' };
      const created = { id: randomUUID(), userLabel: label, createdDate: this.#clock.now() };
      draft.credentials = [...(draft.credentials ?? []), { ...created, ...credentials }];
      draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== done);
    });
    return isKnown ? undefined : data;
  }

  async #verifies(
    realm: Realm,
    user: User,
    type: WebAuthnType,
    response: AuthenticationResponseJSON | undefined,
    challenge: string | undefined,
  ): Promise<boolean> {
    const stored = this.#read(user, type).find(({ credentialId }) => credentialId === response?.id);
    if (response === undefined || challenge === undefined || stored === undefined) return false;
    const { verifyAssertion } = await import('./verify-assertion.js');
    let counter: number;
    try {
      counter = await verifyAssertion(webAuthnPolicyOf(realm, type), response, challenge, stored);
    } catch (error) {
      this.#tell('a passkey was rejected', realm, user, error);
      return false;
    }
    return counter === 0 || this.#count(realm, user, type, stored, counter);
  }

  /** Stores the counter. False if another login with the same authenticator did so first. */
  async #count(realm: Realm, user: User, type: WebAuthnType, { credentialId }: WebAuthnData, counter: number) {
    try {
      await this.#users.change(realm, user.id, (draft) => {
        for (const credential of draft.credentials ?? []) {
          const data = credential.type === type ? this.#readOne(credential) : undefined;
          if (data?.credentialId !== credentialId) continue;
          if (counter <= data.counter) break;
          credential.credentialData = JSON.stringify({ ...JSON.parse(credential.credentialData ?? ''), counter });
          return;
        }
        throw new CounterPassed();
      });
      return true;
    } catch (error) {
      if (error instanceof CounterPassed) return false;
      throw error;
    }
  }

  #tell(message: string, { name }: Realm, { id }: User, error: unknown): void {
    this.#logger.info(message, { realm: name, userId: id, reason: messageOf(error) });
  }

  #read(user: User, type: WebAuthnType): WebAuthnData[] {
    return user.credentials
      .filter((credential) => credential.type === type)
      .map((credential) => this.#readOne(credential))
      .filter((data) => data !== undefined);
  }

  /** An unreadable credential never verifies. */
  #readOne(credential: User['credentials'][number]): WebAuthnData | undefined {
    try {
      return readWebAuthnData(credential);
    } catch {
      this.#logger.warn('a passkey cannot be read', { credentialId: credential.id ?? '' });
      return undefined;
    }
  }
}
