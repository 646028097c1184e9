import { HostError } from '@keyhost/spi';
import { LRUCache } from 'lru-cache';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { User } from '../model/user.js';
import type { Store, UserRecord } from '../store/store.js';

/** Users held in memory, over all realms. */
const CACHED_USERS = 10_000;
/** How often a change is tried again because somebody else was faster. */
const ATTEMPTS = 10;

/** The users of all realms. This process alone writes them, so what is cached is what is stored. */
export class Users {
  readonly #store: Store;
  readonly #byId = new LRUCache<string, User>({ max: CACHED_USERS });
  /** Ids by username. */
  readonly #ids = new LRUCache<string, string>({ max: CACHED_USERS });
  readonly #serviceAccounts = new LRUCache<string, string>({ max: CACHED_USERS });

  constructor(store: Store) {
    this.#store = store;
  }

  async byId(realm: Realm, id: string): Promise<User | undefined> {
    const cached = this.#byId.get(`${realm.name} ${id}`);
    if (cached !== undefined) return cached;
    return this.#remember(realm.name, await this.#store.users.byId(realm.name, id));
  }

  async byUsername(realm: Realm, username: string): Promise<User | undefined> {
    const name = username.toLowerCase();
    const key = `${realm.name} ${name}`;
    const id = this.#ids.get(key);
    const cached = id === undefined ? undefined : this.#byId.get(`${realm.name} ${id}`);
    // A name that was another's before is looked up again.
    if (cached?.username.toLowerCase() === name) return cached;
    const user = this.#remember(realm.name, await this.#store.users.byUsername(realm.name, name));
    if (user !== undefined) this.#ids.set(key, user.id);
    return user;
  }

  /** By username, else by e-mail where the realm allows that. */
  async byLogin(realm: Realm, login: string): Promise<User | undefined> {
    const user = await this.byUsername(realm, login);
    if (user !== undefined || !realm.loginWithEmailAllowed || !login.includes('@')) return user;
    return this.#remember(realm.name, await this.#store.users.byEmail(realm.name, login.toLowerCase()));
  }

  /** The user behind the client's service account; it came into being with the realm. */
  async serviceAccount(realm: Realm, client: Client): Promise<User | undefined> {
    const key = `${realm.name} ${client.id}`;
    const id = this.#serviceAccounts.get(key);
    const cached = id === undefined ? undefined : await this.byId(realm, id);
    if (cached !== undefined) return cached;
    const user = this.#remember(realm.name, await this.#store.users.byServiceAccountClient(realm.name, client.id));
    if (user !== undefined) this.#serviceAccounts.set(key, user.id);
    return user;
  }

  /** Replaces a user's representation. False when somebody else changed the user meanwhile. */
  async update(realm: Realm, user: User, representation: UserRepresentation): Promise<boolean> {
    const written = await this.#put(realm, user, representation);
    return typeof written === 'object' && 'version' in written;
  }

  /**
   * Changes a user; tried again when somebody else was faster.
   * @param change works on a copy, and may be called again; what it throws is thrown on
   * @returns the user as it is now; undefined when there is none; what is taken, when a name or address is
   * @throws HostError `user_busy` (503) when others kept being faster
   */
  async change(
    realm: Realm,
    id: string,
    change: (draft: UserRepresentation, user: User) => void | Promise<void>,
  ): Promise<User | undefined | { exists: 'username' | 'email' }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const user = await this.byId(realm, id);
      if (user === undefined) return undefined;
      const draft = structuredClone(user.representation);
      await change(draft, user);
      const written = await this.#put(realm, user, draft);
      if (typeof written === 'object' && 'version' in written) return this.byId(realm, id);
      if (typeof written === 'object' && (written.exists === 'username' || written.exists === 'email')) {
        return { exists: written.exists };
      }
    }
    throw new HostError('user_busy', 'The user is being changed by others: try again', { status: 503, expose: true });
  }

  /** Drops a user from memory after the store changed. */
  forget(realm: string, id: string): void {
    this.#byId.delete(`${realm} ${id}`);
  }

  /** Drops all users of a realm from memory. */
  forgetAll(realm: string): void {
    for (const key of this.#byId.keys()) if (key.startsWith(`${realm} `)) this.#byId.delete(key);
    for (const key of this.#serviceAccounts.keys()) if (key.startsWith(`${realm} `)) this.#serviceAccounts.delete(key);
  }

  async #put(realm: Realm, user: User, representation: UserRepresentation) {
    const { serviceAccountClientId } = user.view;
    const written = await this.#store.users.put(
      {
        realm: realm.name,
        id: user.id,
        username: representation.username.toLowerCase(),
        ...(representation.email ? { email: representation.email.toLowerCase() } : {}),
        ...(serviceAccountClientId === undefined ? {} : { serviceAccountClientId }),
        representation,
      },
      { expectedVersion: user.version, emailUnique: realm.representation.duplicateEmailsAllowed !== true },
    );
    this.forget(realm.name, user.id);
    return written;
  }

  #remember(realm: string, record: UserRecord | undefined): User | undefined {
    if (record === undefined) return undefined;
    const key = `${realm} ${record.id}`;
    const cached = this.#byId.get(key);
    if (cached?.version === record.version) return cached;
    const user = new User(record);
    this.#byId.set(key, user);
    return user;
  }
}
