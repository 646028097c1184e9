import { hash, randomInt, randomUUID } from 'node:crypto';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../../model/clock.js';
import { isOtpAlgorithm, type OtpFormat, otpPolicyOf } from '../../../model/otp-policy.js';
import type { Realm } from '../../../model/realm.js';
import type { CredentialRepresentation } from '../../../model/representation.js';
import type { User } from '../../../model/user.js';
import type { Store } from '../../../store/store.js';
import type { LoginRefusal, PasswordLogins } from '../../../users/passwords/password-logins.js';
import type { Users } from '../../../users/users.js';
import { findCounter, fromBase32 } from './one-time-password.js';

export const OTP = 'otp';
/** Alphabet and length of a new secret: 20 of 62 characters, as in Keycloak. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 20;

/** One-time passwords of users, in Keycloak's stored form. */
export class OtpCredentials {
  readonly #parts: { users: Users; store: Store; clock: Clock; passwordLogins: PasswordLogins; logger: Logger };

  constructor(parts: { users: Users; store: Store; clock: Clock; passwordLogins: PasswordLogins; logger: Logger }) {
    this.#parts = parts;
  }

  async has(realm: Realm, userId: string): Promise<boolean> {
    const user = await this.#parts.users.byId(realm, userId);
    return user?.credentials.some(({ type }) => type === OTP) ?? false;
  }

  /**
   * Checks a code. Wrong codes count like wrong passwords.
   * @param ip the caller's address
   * @returns the reason of the refusal; undefined if the code is accepted
   */
  async checkCode(realm: Realm, userId: string, input: string, ip: string): Promise<LoginRefusal | undefined> {
    const user = await this.#parts.users.byId(realm, userId);
    if (user === undefined) return 'user_not_found';
    return this.#parts.passwordLogins.verifySecret(realm, user, ip, () => this.#acceptCode(realm, user, input));
  }

  /** Creates a secret for an authenticator app. */
  newSecret(): string {
    return Array.from({ length: SECRET_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  }

  /**
   * Stores the secret for the user, if the code proves that the app has the secret.
   * @param completedAction the required action that this completes
   * @returns false if the code is wrong or was used before
   */
  async add(
    realm: Realm,
    user: User,
    { secret, code, label, completedAction }: { secret: string; code: string; label: string; completedAction: string },
  ): Promise<boolean> {
    const { format, window } = otpPolicyOf(realm);
    const id = randomUUID();
    const counter = findCounter(Buffer.from(secret), normalizeCode(code), format, {
      window,
      now: this.#parts.clock.now(),
    });
    if (counter === undefined || !(await this.#claim(realm, user, id, format, counter))) return false;
    const data = { ...format, counter: format.subType === 'hotp' ? counter + 1 : 0 };
    await this.#parts.users.change(realm, user.id, (draft) => {
      draft.credentials = [
        ...(draft.credentials ?? []),
        {
          id,
          type: OTP,
          userLabel: label,
          createdDate: this.#parts.clock.now(),
          secretData: JSON.stringify({ value: secret }),
          credentialData: JSON.stringify(data),
        },
      ];
      draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== completedAction);
    });
    return true;
  }

  async #acceptCode(realm: Realm, user: User, input: string): Promise<boolean> {
    const { window } = otpPolicyOf(realm);
    for (const credential of user.credentials) {
      const otp = credential.type === OTP ? this.#read(credential) : undefined;
      if (otp === undefined) continue;
      const counter = findCounter(otp.secret, normalizeCode(input), otp.format, {
        window,
        now: this.#parts.clock.now(),
      });
      if (counter === undefined) continue;
      if (!(await this.#claim(realm, user, credentialKey(credential), otp.format, counter))) continue;
      if (otp.format.subType === 'hotp') await this.#advance(realm, user, credential, counter + 1);
      return true;
    }
    return false;
  }

  /**
   * Records the use of a code, which is valid once. Only time-based codes may be reused, if the realm allows that (RFC
   * 6238 §5.2).
   * @returns false if the code was used before
   */
  async #claim(realm: Realm, user: User, key: string, format: OtpFormat, counter: number): Promise<boolean> {
    const { window, reusable } = otpPolicyOf(realm);
    if (reusable && format.subType === 'totp') return true;
    const now = this.#parts.clock.now();
    const keyHash = hash('sha256', `${user.id} ${key} ${counter}`, 'base64url');
    const lifetimeSeconds = (2 * window + 2) * (format.subType === 'totp' ? format.period : 3600);
    return this.#parts.store.marks.claim({
      realm: realm.name,
      kind: 'otp-code',
      keyHash,
      now,
      expiresAt: now + lifetimeSeconds * 1000,
    });
  }

  async #advance(realm: Realm, user: User, { credentialData, secretData }: CredentialRepresentation, counter: number) {
    await this.#parts.users.change(realm, user.id, (draft) => {
      const stored = draft.credentials?.find(
        (candidate) => candidate.secretData === secretData && candidate.credentialData === credentialData,
      );
      if (stored !== undefined)
        stored.credentialData = JSON.stringify({ ...JSON.parse(credentialData ?? '{}'), counter });
    });
  }

  /** An unreadable credential never verifies. */
  #read(credential: CredentialRepresentation): { secret: Buffer; format: OtpFormat } | undefined {
    try {
      const { value } = JSON.parse(credential.secretData ?? '') as { value?: unknown };
      const data = JSON.parse(credential.credentialData ?? '') as Record<string, unknown>;
      const { digits = 6, period = 30, counter = 0, algorithm = 'HmacSHA1', subType = 'totp' } = data;
      if (typeof value !== 'string' || value === '' || !isOtpAlgorithm(algorithm))
        throw new Error('its secret is invalid');
      if (![digits, period, counter].every(Number.isSafeInteger) || Number(period) < 1)
        throw new Error('its numbers are invalid');
      if (Number(digits) < 6 || Number(digits) > 10) throw new Error('its number of digits is invalid');
      const secret = data.secretEncoding === 'BASE32' ? fromBase32(value) : Buffer.from(value);
      return {
        secret,
        format: {
          subType: subType === 'hotp' ? 'hotp' : 'totp',
          digits: Number(digits),
          period: Number(period),
          counter: Number(counter),
          algorithm,
        },
      };
    } catch {
      this.#parts.logger.warn('a one-time password credential cannot be read', { credentialId: credential.id ?? '' });
      return undefined;
    }
  }
}

function credentialKey({ id, secretData }: CredentialRepresentation): string {
  return id ?? hash('sha256', secretData ?? '', 'base64url');
}

/** Removes the spaces that some apps display. */
function normalizeCode(input: string): string {
  return input.replace(/\s/g, '').slice(0, 20);
}
