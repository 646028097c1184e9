import { LRUCache } from 'lru-cache';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { User } from '../model/user.js';
import type { Store, UserRecord } from '../store/store.js';

/** Users held in memory, over all realms. */
const CACHED_USERS = 10_000;

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
    const serviceAccountClientId = user.view.serviceAccountClientId;
    const written = await this.#store.users.put(
      {
        realm: realm.name,
        id: user.id,
        username: representation.username.toLowerCase(),
        ...(representation.email === undefined ? {} : { email: representation.email.toLowerCase() }),
        ...(serviceAccountClientId === undefined ? {} : { serviceAccountClientId }),
        representation,
      },
      { expectedVersion: user.version, emailUnique: realm.representation.duplicateEmailsAllowed !== true },
    );
    this.forget(realm.name, user.id);
    return typeof written === 'object' && 'version' in written;
  }

  /** Drops a user from memory after the store changed. */
  forget(realm: string, id: string): void {
    this.#byId.delete(`${realm} ${id}`);
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
