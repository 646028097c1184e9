import { randomToken } from '../model/random-token.js';
import { MASTER_REALM } from '../model/realm.js';
import { userRecords } from '../realms/file-users.js';
import type { Store, UserRecord } from '../store/store.js';
import type { PasswordHasher } from '../users/passwords/password.js';

const KEY = { realm: MASTER_REALM, namespace: '/bootstrap-admin', key: 'untold' };

/** An admin with a password that somebody has to be told. */
export interface NewAdmin {
  readonly username: string;
  readonly password: string;
}

interface Note {
  readonly userId: string;
  /** Of the user's record: whoever has changed it since has come in. */
  readonly version: number;
  /** When it was written, in milliseconds since the epoch. */
  readonly at?: number;
}

/** So long another node may take from making an admin to telling the password, in milliseconds. */
const TELLING_MS = 60_000;

/**
 * The admin that a start has made with a random password, until somebody was told it. What is written here survives a start
 * that is killed between making the admin and telling the password: the next one makes another password, and tells that.
 */
export class UntoldAdmin {
  readonly #store: Store;
  readonly #services: { readonly passwords: PasswordHasher; readonly clock: { now(): number } };

  constructor(services: { store: Store; passwords: PasswordHasher; clock: { now(): number } }) {
    this.#store = services.store;
    this.#services = services;
  }

  /** Written before the user, so that none is there of whom nothing is noted. */
  note(userId: string, version = 1): Promise<void> {
    return this.#store.entries.put({
      ...KEY,
      value: JSON.stringify({ userId, version, at: this.#services.clock.now() } satisfies Note),
    });
  }

  /** Somebody knows the password, or nobody need. */
  forget(): Promise<void> {
    return this.#store.entries.delete(KEY);
  }

  /**
   * The admin whose password nobody was told, as long as nobody has changed it. Beside other nodes: whose password none of
   * them can be about to tell.
   */
  async find(): Promise<UserRecord | undefined> {
    const value = await this.#store.entries.get({ ...KEY, now: this.#services.clock.now() });
    if (value === undefined) return undefined;
    const { userId, version, at = 0 } = JSON.parse(value) as Note;
    if (this.#store.isShared && this.#services.clock.now() - at < TELLING_MS) return undefined;
    const user = await this.#store.users.byId(MASTER_REALM, userId);
    if (user !== undefined && user.version <= version) return user;
    await this.forget();
    return undefined;
  }

  /** Another password for that admin: the one before was told to nobody. */
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
