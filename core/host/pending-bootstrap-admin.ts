import { randomToken } from '../model/random-token.js';
import { MASTER_REALM } from '../model/realm.js';
import { userRecords } from '../realms/file-users.js';
import type { Store, UserRecord } from '../store/store.js';
import type { PasswordHasher } from '../users/passwords/password.js';

const KEY = { realm: MASTER_REALM, namespace: '/bootstrap-admin', key: 'untold' };

/** An admin with a generated password that must be displayed. */
export interface NewAdmin {
  readonly username: string;
  readonly password: string;
}

interface Note {
  readonly userId: string;
  /** Version of the user's record. If it has changed since, the user has signed in or was edited. */
  readonly version: number;
  /** When it was written, in milliseconds since the epoch. */
  readonly at?: number;
}

/** Maximum time that another node may need between creating an admin and displaying the password, in milliseconds. */
const DISPLAY_LIMIT_MS = 60_000;

/**
 * The bootstrap admin with a random password until it was displayed. The record survives a start that is killed in
 * between; the next start then generates and displays another password.
 */
export class PendingBootstrapAdmin {
  readonly #store: Store;
  readonly #services: { readonly passwords: PasswordHasher; readonly clock: { now(): number } };

  constructor(services: { store: Store; passwords: PasswordHasher; clock: { now(): number } }) {
    this.#store = services.store;
    this.#services = services;
  }

  /** Written before the user, so that no such user exists without its record. */
  note(userId: string, version = 1): Promise<void> {
    return this.#store.entries.put({
      ...KEY,
      value: JSON.stringify({ userId, version, at: this.#services.clock.now() } satisfies Note),
    });
  }

  /** Call when the password was displayed, or need not be. */
  forget(): Promise<void> {
    return this.#store.entries.delete(KEY);
  }

  /**
   * The bootstrap admin whose password was never displayed and who was not changed since. With several nodes: only once
   * no other node can still be about to display it.
   */
  async find(): Promise<UserRecord | undefined> {
    const value = await this.#store.entries.get({ ...KEY, now: this.#services.clock.now() });
    if (value === undefined) return undefined;
    const { userId, version, at = 0 } = JSON.parse(value) as Note;
    if (this.#store.isShared && this.#services.clock.now() - at < DISPLAY_LIMIT_MS) return undefined;
    const user = await this.#store.users.byId(MASTER_REALM, userId);
    if (user !== undefined && user.version <= version) return user;
    await this.forget();
    return undefined;
  }

  /** Generates another password for that admin; the earlier one was never displayed. */
  async renew(user: UserRecord): Promise<NewAdmin> {
    const password = randomPassword();
    const credentials = [{ type: 'password', value: password }];
    const changed = { ...user.representation, id: user.id, credentials };
    const [record = user] = await userRecords(MASTER_REALM, [{ user: changed }], this.#services);
    await this.note(user.id, user.version + 1);
    const written = await this.#store.users.put(record, { expectedVersion: user.version });
    if (typeof written === 'string' || 'exists' in written)
      throw new Error('the bootstrap admin was changed before its password was shown');
    return { username: user.username, password };
  }
}

export function randomPassword(): string {
  return randomToken(18);
}
