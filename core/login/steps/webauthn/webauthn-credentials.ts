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

/** The browser's answer, with the challenge that it must contain. */
export interface WebAuthnAnswer {
  /** JSON text. */
  readonly credential: string;
  /** Undefined if the challenge was already answered. */
  readonly challenge: string | undefined;
}

/** Thrown if a concurrent login has stored a later use of the same authenticator. */
class CounterOutdatedError extends Error {}

/** Public key credentials of users (Web Authentication Level 3), in Keycloak's stored form. */
export class WebAuthnCredentials {
  readonly #parts: { users: Users; clock: Clock; passwordLogins: PasswordLogins; logger: Logger };

  constructor(parts: { users: Users; clock: Clock; passwordLogins: PasswordLogins; logger: Logger }) {
    this.#parts = parts;
  }

  async has(realm: Realm, userId: string, type: WebAuthnType): Promise<boolean> {
    const user = await this.#parts.users.byId(realm, userId);
    return user?.credentials.some((credential) => credential.type === type) ?? false;
  }

  /** The user's readable credentials. */
  async list(realm: Realm, userId: string, type: WebAuthnType): Promise<WebAuthnData[]> {
    const user = await this.#parts.users.byId(realm, userId);
    return user === undefined ? [] : this.#read(user, type);
  }

  /**
   * Verifies the browser's answer. Wrong answers for a user count like wrong passwords.
   * @param userId the only acceptable user; undefined: any user, whom the answer identifies
   * @param ip the caller's address
   * @returns the user, or the reason of the refusal
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
    const namedUserId = handle ? Buffer.from(handle, 'base64url').toString() : undefined;
    if (userId !== undefined && namedUserId !== undefined && namedUserId !== userId)
      return { refused: 'invalid_user_credentials' };
    const id = userId ?? namedUserId;
    const user = id === undefined ? undefined : await this.#parts.users.byId(realm, id);
    if (user === undefined) return { refused: 'user_not_found' };
    if (user.isServiceAccount) return { refused: 'invalid_user', user };
    const verify = () => this.#verify(realm, user, type, response, challenge);
    const refusal = await this.#parts.passwordLogins.verifySecret(realm, user, ip, verify);
    if (refusal !== undefined) return { refused: refusal, user };
    return user.enabled ? { user } : { refused: 'user_disabled', user };
  }

  /**
   * Stores a new credential of the browser for the user.
   * @param label the user's name for it
   * @param completedAction the required action that this completes
   * @returns the credential; undefined if the answer is invalid, violates the realm's policy, or has a credential that
   * the user already has
   */
  async add(
    realm: Realm,
    user: User,
    type: WebAuthnType,
    {
      credential,
      challenge,
      label,
      completedAction,
    }: WebAuthnAnswer & { readonly label: string; readonly completedAction: string },
  ): Promise<WebAuthnData | undefined> {
    const response = readRegistration(credential);
    if (response === undefined || challenge === undefined) return undefined;
    const { verifyRegistration } = await import('./verify-registration.js');
    let data: WebAuthnData;
    try {
      data = await verifyRegistration(webAuthnPolicyOf(realm, type), response, challenge);
    } catch (error) {
      this.#logRejection('a new passkey was rejected', realm, user, error);
      return undefined;
    }
    let isKnown = false;
    await this.#parts.users.change(realm, user.id, (draft, current) => {
      isKnown = this.#read(current, type).some(({ credentialId }) => credentialId === data.credentialId);
      if (isKnown) return;
      const credentials = { type, credentialData: writeWebAuthnData(data), secretData: '{}' };
      const created = { id: randomUUID(), userLabel: label, createdDate: this.#parts.clock.now() };
      draft.credentials = [...(draft.credentials ?? []), { ...created, ...credentials }];
      draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== completedAction);
    });
    return isKnown ? undefined : data;
  }

  async #verify(
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
      this.#logRejection('a passkey was rejected', realm, user, error);
      return false;
    }
    return counter === 0 || this.#storeCounter(realm, user, type, stored, counter);
  }

  /** Stores the counter. False if a concurrent login with the same authenticator was faster. */
  async #storeCounter(realm: Realm, user: User, type: WebAuthnType, { credentialId }: WebAuthnData, counter: number) {
    try {
      await this.#parts.users.change(realm, user.id, (draft) => {
        for (const credential of draft.credentials ?? []) {
          const data = credential.type === type ? this.#readCredential(credential) : undefined;
          if (data?.credentialId !== credentialId) continue;
          if (counter <= data.counter) break;
          credential.credentialData = JSON.stringify({ ...JSON.parse(credential.credentialData ?? ''), counter });
          return;
        }
        throw new CounterOutdatedError();
      });
      return true;
    } catch (error) {
      if (error instanceof CounterOutdatedError) return false;
      throw error;
    }
  }

  #logRejection(message: string, { name }: Realm, { id }: User, error: unknown): void {
    this.#parts.logger.info(message, { realm: name, userId: id, reason: messageOf(error) });
  }

  #read(user: User, type: WebAuthnType): WebAuthnData[] {
    return user.credentials
      .filter((credential) => credential.type === type)
      .map((credential) => this.#readCredential(credential))
      .filter((data) => data !== undefined);
  }

  /** An unreadable credential never verifies. */
  #readCredential(credential: User['credentials'][number]): WebAuthnData | undefined {
    try {
      return readWebAuthnData(credential);
    } catch {
      this.#parts.logger.warn('a passkey cannot be read', { credentialId: credential.id ?? '' });
      return undefined;
    }
  }
}
