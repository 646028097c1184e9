import { randomInt, randomUUID } from 'node:crypto';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../../model/clock.js';
import type { Realm } from '../../../model/realm.js';
import type { CredentialRepresentation } from '../../../model/representation.js';
import type { User } from '../../../model/user.js';
import type { LoginRefusal, PasswordLogins } from '../../../users/passwords/password-logins.js';
import type { Users } from '../../../users/users.js';
import {
  isNext,
  RECOVERY_CODES,
  type RecoveryData,
  readRecoveryData,
  withoutNext,
  writeRecoveryCodes,
} from './recovery-data.js';

/** The required action that creates codes. */
export const CONFIGURE_RECOVERY_CODES = 'CONFIGURE_RECOVERY_AUTHN_CODES';

/** Number, length and alphabet (without O and 0) of the codes, as in Keycloak. */
const CODE_COUNT = 12;
const CODE_LENGTH = 12;
const LETTERS = 'ABCDEFGHIJKLMNPQRSTUVWXYZ123456789';

/** Thrown if a concurrent login has used the code. */
class CodeUsedError extends Error {}

/** Recovery codes of users, in Keycloak's stored form. */
export class RecoveryCodes {
  readonly #parts: { users: Users; clock: Clock; passwordLogins: PasswordLogins; logger: Logger };

  constructor(parts: { users: Users; clock: Clock; passwordLogins: PasswordLogins; logger: Logger }) {
    this.#parts = parts;
  }

  async has(realm: Realm, userId: string): Promise<boolean> {
    const user = await this.#parts.users.byId(realm, userId);
    return user?.credentials.some(({ type }) => type === RECOVERY_CODES) ?? false;
  }

  /** The number of the next code, and how many codes remain including it; undefined if the user has none. */
  async nextCode(
    realm: Realm,
    userId: string,
  ): Promise<{ readonly number: number; readonly left: number } | undefined> {
    const user = await this.#parts.users.byId(realm, userId);
    const codes = user && this.#read(user.credentials)?.codes;
    return codes?.[0] && { number: codes[0].number, left: codes.length };
  }

  /**
   * Redeems the next code. After the last one, creating new codes becomes a required action. Wrong codes count like
   * wrong passwords.
   * @param ip the caller's address
   * @returns the reason of the refusal; undefined if the code is accepted
   */
  async redeemCode(realm: Realm, userId: string, input: string, ip: string): Promise<LoginRefusal | undefined> {
    const user = await this.#parts.users.byId(realm, userId);
    if (user === undefined) return 'user_not_found';
    return this.#parts.passwordLogins.verifySecret(realm, user, ip, () =>
      this.#useCode(realm, user, normalizeCode(input)),
    );
  }

  newCodes(): string[] {
    const letter = () => LETTERS[randomInt(LETTERS.length)];
    return Array.from({ length: CODE_COUNT }, () => Array.from({ length: CODE_LENGTH }, letter).join(''));
  }

  /**
   * Replaces the user's codes.
   * @param label the name of the set of codes for the user
   */
  async replaceCodes(realm: Realm, userId: string, codes: readonly string[], label: string): Promise<void> {
    const created = { id: randomUUID(), userLabel: label, createdDate: this.#parts.clock.now() };
    await this.#parts.users.change(realm, userId, (draft) => {
      const otherCredentials = (draft.credentials ?? []).filter(({ type }) => type !== RECOVERY_CODES);
      draft.credentials = [...otherCredentials, { ...created, ...writeRecoveryCodes(codes) }];
      draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== CONFIGURE_RECOVERY_CODES);
    });
  }

  async #useCode(realm: Realm, user: User, code: string): Promise<boolean> {
    const current = this.#read(user.credentials);
    if (current === undefined || !isNext(current, code)) return false;
    try {
      await this.#parts.users.change(realm, user.id, (draft) => {
        const data = this.#read(draft.credentials ?? []);
        if (data === undefined || !isNext(data, code)) throw new CodeUsedError();
        const isLast = data.codes.length === 1;
        draft.credentials = (draft.credentials ?? []).flatMap((credential) => {
          if (credential.type !== RECOVERY_CODES) return [credential];
          return isLast ? [] : [{ ...credential, ...withoutNext(data) }];
        });
        if (isLast) draft.requiredActions = [...new Set([...(draft.requiredActions ?? []), CONFIGURE_RECOVERY_CODES])];
      });
      return true;
    } catch (error) {
      if (error instanceof CodeUsedError) return false;
      throw error;
    }
  }

  /** Unreadable codes never verify. */
  #read(credentials: readonly CredentialRepresentation[]): RecoveryData | undefined {
    const credential = credentials.find(({ type }) => type === RECOVERY_CODES);
    if (credential === undefined) return undefined;
    try {
      return readRecoveryData(credential);
    } catch {
      this.#parts.logger.warn('recovery codes cannot be read', { credentialId: credential.id ?? '' });
      return undefined;
    }
  }
}

/** Removes separators and converts to upper case, because users may type codes in any form. */
function normalizeCode(input: string): string {
  return input.replace(/[\s-]/g, '').slice(0, 100).toUpperCase();
}
