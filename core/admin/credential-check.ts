import { type CredentialVerdict, HostError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { RightRefusals } from '../registry/sessions/right-refusals.js';
import type { CredentialToCheck } from '../registry/sessions/session-services.js';
import type { LoginRefusal, PasswordLogins } from '../users/passwords/password-logins.js';
import type { Users } from '../users/users.js';
import { pluginAdmin } from './plugin-administration.js';

const REQUIRED_RIGHT = 'manage-users';

export interface CredentialCheckParts {
  readonly users: Users;
  readonly passwords: PasswordLogins;
  readonly otps: {
    /** Returns why a one-time code is rejected; undefined if it is accepted. */
    checkCode(realm: Realm, userId: string, typedCode: string, ip: string): Promise<LoginRefusal | undefined>;
  };
  readonly refusals: RightRefusals;
}

/**
 * Verifies a password or one-time code that a user entered in a form of a plugin. Failures count as failed logins. The
 * check reveals no more than the login form, so no rights over the user are required. A step or required action may
 * verify the user of its own login without a grant. Any other call needs `manage-users`.
 */
export class CredentialCheck {
  readonly #parts: CredentialCheckParts;

  constructor(parts: CredentialCheckParts) {
    this.#parts = parts;
  }

  /** Verifies a credential of a user. @throws HostError `plugin_not_granted`, `invalid_argument` */
  async verify(
    { plugin, rights, userId, credential }: CredentialToCheck,
    session: HostSession,
  ): Promise<CredentialVerdict> {
    const { compiledRealm: realm, caller } = session;
    const { type, value } = credential ?? {};
    if ((type !== 'password' && type !== 'otp') || typeof value !== 'string' || typeof userId !== 'string') {
      throw new HostError('invalid_argument', 'credentials.verify: { type: "password" or "otp", value } of a user');
    }
    if (!isLoginOf(session, plugin, userId) && !pluginAdmin(session, plugin, rights).can(realm.name, REQUIRED_RIGHT)) {
      throw this.#parts.refusals.refusalError(plugin, realm.name, REQUIRED_RIGHT, 'credentials.verify');
    }
    const user = await this.#parts.users.byId(realm, userId);
    // Check a password for an unknown user too, so that the answer takes equally long.
    if (user === undefined || user.isServiceAccount) {
      if (type === 'password') await this.#parts.passwords.find(realm, '', value);
      return 'invalid';
    }
    if (type === 'password') {
      const login = await this.#parts.passwords.verify(realm, user, value, caller.ip);
      return toVerdict('refused' in login ? login.refused : undefined);
    }
    const refusal = await this.#parts.otps.checkCode(realm, user.id, value, caller.ip);
    return toVerdict(refusal ?? (user.enabled ? undefined : 'user_disabled'));
  }
}

/** True if a login is running a step, condition or action of the plugin for this user. */
function isLoginOf({ subject }: HostSession, plugin: string, userId: string): boolean {
  return subject !== undefined && subject.plugin === plugin && subject.userId === userId;
}

function toVerdict(refusal: LoginRefusal | undefined): CredentialVerdict {
  if (refusal === undefined) return 'valid';
  if (refusal === 'user_temporarily_disabled') return 'locked';
  return refusal === 'user_disabled' ? 'disabled' : 'invalid';
}
