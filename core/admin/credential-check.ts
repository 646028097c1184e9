import { type CredentialVerdict, HostError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { GrantRefusals } from '../registry/sessions/grant-refusals.js';
import type { HostSession } from '../registry/sessions/session.js';
import type { CredentialToCheck } from '../registry/sessions/session-services.js';
import type { LoginRefusal, PasswordLogins } from '../users/passwords/password-logins.js';
import type { Users } from '../users/users.js';
import { pluginAdmin } from './plugin-administration.js';
import { requireCovered } from './users/change-user.js';

const RIGHT = 'manage-users';

export interface CredentialCheckParts {
  readonly users: Users;
  readonly passwords: PasswordLogins;
  readonly otps: {
    /** Why a one-time code lets nobody in; undefined when it does. */
    refusal(realm: Realm, userId: string, typed: string, ip: string): Promise<LoginRefusal | undefined>;
  };
  readonly refusals: GrantRefusals;
}

/** Checks what somebody typed into a form of a plugin's, as the login does: counted with all that is tried of the user. */
export class CredentialCheck {
  readonly #users: Users;
  readonly #passwords: PasswordLogins;
  readonly #otps: CredentialCheckParts['otps'];
  readonly #refusals: GrantRefusals;

  constructor(parts: CredentialCheckParts) {
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#otps = parts.otps;
    this.#refusals = parts.refusals;
  }

  /** @throws HostError `plugin_not_granted`, `invalid_argument`, 403 for an administrator out of the plugin's reach */
  async verdict(
    { plugin, rights, userId, credential }: CredentialToCheck,
    session: HostSession,
  ): Promise<CredentialVerdict> {
    const { compiledRealm: realm, caller } = session;
    const { type, value } = credential ?? {};
    if ((type !== 'password' && type !== 'otp') || typeof value !== 'string' || typeof userId !== 'string') {
      throw new HostError('invalid_argument', 'credentials.verify: { type: "password" or "otp", value } of a user');
    }
    const admin = pluginAdmin(session, plugin, rights);
    if (!admin.can(realm.name, RIGHT)) throw this.#refusals.refused(plugin, realm.name, RIGHT, 'credentials.verify');
    const user = await this.#users.byId(realm, userId);
    // Nobody's password takes as long as anybody's.
    if (user === undefined || user.isServiceAccount) {
      if (type === 'password') await this.#passwords.find(realm, '', value);
      return 'invalid';
    }
    // A wrong one may lock the user.
    requireCovered(admin, realm, user);
    if (type === 'password') {
      const login = await this.#passwords.verify(realm, user, value, caller.ip);
      return verdictOf('refused' in login ? login.refused : undefined);
    }
    const refused = await this.#otps.refusal(realm, user.id, value, caller.ip);
    return verdictOf(refused ?? (user.enabled ? undefined : 'user_disabled'));
  }
}

function verdictOf(refused: LoginRefusal | undefined): CredentialVerdict {
  if (refused === undefined) return 'valid';
  if (refused === 'user_temporarily_disabled') return 'locked';
  return refused === 'user_disabled' ? 'disabled' : 'invalid';
}
