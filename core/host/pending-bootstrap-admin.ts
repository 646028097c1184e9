import { randomToken } from '../model/random-token.js';
import { MASTER_REALM } from '../model/realm.js';
import { userRecords } from '../realms/file-users.js';
import type { Store, UserRecord } from '../store/store.js';
import type { PasswordHasher } from '../users/passwords/password-hasher.js';

const RECORD_KEY = { realm: MASTER_REALM, namespace: '/bootstrap-admin', key: 'untold' };

/** An admin whose generated password must be displayed. */
export interface NewAdmin {
  readonly username: string;
  readonly password: string;
}

interface PendingRecord {
  readonly userId: string;
  /** The version of the user's record. If it has changed, the user has signed in or was edited. */
  readonly version: number;
  /** When the record was written, in milliseconds since the epoch. */
  readonly at?: number;
}

/** Maximum time in milliseconds that another node takes to display the password after it has created the admin. */
const DISPLAY_LIMIT_MS = 60_000;

/**
 * Records a bootstrap admin whose random password was not displayed yet. The record survives a start that is
 * killed in between; the next start then generates and displays another password.
 */
export class PendingBootstrapAdmin {
  readonly #store: Store;
  readonly #services: { readonly passwords: PasswordHasher; readonly clock: { now(): number } };

  constructor(services: { store: Store; passwords: PasswordHasher; clock: { now(): number } }) {
    this.#store = services.store;
    this.#services = services;
  }

  /** Writes the record. It is written before the user, so that no such user exists without a record. */
  write(userId: string, version = 1): Promise<void> {
    return this.#store.entries.put({
      ...RECORD_KEY,
      value: JSON.stringify({ userId, version, at: this.#services.clock.now() } satisfies PendingRecord),
    });
  }

  /** Deletes the record. Called when the password was displayed, or need not be displayed any more. */
  delete(): Promise<void> {
    return this.#store.entries.delete(RECORD_KEY);
  }

  /**
   * Returns the bootstrap admin whose password was never displayed, if it has not changed since. If nodes share the
   * store, it is returned only when no other node can still be about to display the password.
   */
  async find(): Promise<UserRecord | undefined> {
    const value = await this.#store.entries.get({ ...RECORD_KEY, now: this.#services.clock.now() });
    if (value === undefined) return undefined;
    const { userId, version, at = 0 } = JSON.parse(value) as PendingRecord;
    if (this.#store.isShared && this.#services.clock.now() - at < DISPLAY_LIMIT_MS) return undefined;
    const user = await this.#store.users.byId(MASTER_REALM, userId);
    if (user !== undefined && user.version <= version) return user;
    await this.delete();
    return undefined;
  }

  /** Generates another password for that admin, because the earlier one was never displayed. */
  async renew(user: UserRecord): Promise<NewAdmin> {
    const password = randomPassword();
    const credentials = [{ type: 'password', value: password }];
    const changed = { ...user.representation, id: user.id, credentials };
    const [record = user] = await userRecords(MASTER_REALM, [{ user: changed }], this.#services);
    await this.write(user.id, user.version + 1);
    const written = await this.#store.users.put(record, { expectedVersion: user.version });
    if (typeof written === 'string' || 'exists' in written)
      throw new Error('the bootstrap admin was changed before its password was shown');
    return { username: user.username, password };
  }
}

export function randomPassword(): string {
  return randomToken(18);
}
