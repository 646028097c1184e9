import { HostError } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import { recentEntries } from '../model/recent-entries.js';
import type { UserRepresentation } from '../model/representation.js';
import { User } from '../model/user.js';
import type { RoughCount, Store, UserFilter, UserRecord } from '../store/store.js';
import { WriteConditions } from '../store/write-conditions.js';
import { isAdministrator, keptByUser, lastAdministrator } from './kept-administrators.js';
import { UserLists } from './user-lists.js';

/** What another user has that should be this one's alone. */
export type Taken = 'username' | 'email' | 'federatedIdentity';

/** Users held in memory, over all realms. */
const CACHED_USERS = 10_000;
/** How often a change is tried again because somebody else was faster. */
const ATTEMPTS = 10;

/**
 * The users of all realms. A host that is alone with its store holds them in memory: what is cached is what is stored. Beside
 * others it reads each time, so that a user who is disabled on one node is disabled on all.
 */
export class Users {
  readonly #store: Store;
  readonly #conditions: WriteConditions;
  readonly #lists: UserLists;
  readonly #byId = recentEntries<string, User>(CACHED_USERS);
  /** Ids by username. */
  readonly #ids = recentEntries<string, string>(CACHED_USERS);
  readonly #serviceAccounts = recentEntries<string, string>(CACHED_USERS);

  /** @param conditions what callers have made their changes depend on */
  constructor(store: Store, conditions = new WriteConditions()) {
    this.#store = store;
    this.#conditions = conditions;
    this.#lists = new UserLists(store);
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

  /** True when the address is another user's, or another user's name. Where addresses may be shared it never is. */
  async isTaken(realm: Realm, id: string, email: string): Promise<boolean> {
    if (!emailUnique(realm)) return false;
    const [named, addressed] = await Promise.all([
      this.byUsername(realm, email),
      this.#store.users.byEmail(realm.name, email.toLowerCase()),
    ]);
    return [named, addressed].some((user) => user !== undefined && user.id !== id);
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

  /** Who is linked to that account at the identity provider of that alias. */
  async byFederatedIdentity(realm: Realm, alias: string, userId: string): Promise<User | undefined> {
    return this.#remember(realm.name, await this.#store.users.byFederatedIdentity(realm.name, alias, userId));
  }

  /** By e-mail address, the first where several may have it. */
  async byEmail(realm: Realm, email: string): Promise<User | undefined> {
    return this.#remember(realm.name, await this.#store.users.byEmail(realm.name, email.toLowerCase()));
  }

  /**
   * Ordered by username; at most `max`, 100 without it.
   * @throws HostError `temporarily_unavailable` (503) if too many lists of the realm are waiting
   */
  find(realm: Realm, query: Parameters<Store['users']['find']>[1]): Promise<User[]> {
    return this.#lists.find(realm.name, query);
  }

  count(realm: Realm, query: UserFilter): Promise<number> {
    return this.#lists.count(realm.name, query);
  }

  /** Exact up to 10,000; beyond that an estimate, which says so. */
  countRoughly(realm: Realm, query: UserFilter): Promise<RoughCount> {
    return this.#lists.countRoughly(realm.name, query);
  }

  /** A new user, with the id of the representation. @returns what is taken, when a name or address is */
  async create(
    realm: Realm,
    representation: UserRepresentation & { readonly id: string },
  ): Promise<User | { exists: Taken }> {
    const written = await this.#store.users.put(recordOf(realm, representation.id, representation), {
      expectedVersion: 0,
      emailUnique: emailUnique(realm),
    });
    if (typeof written === 'object' && 'version' in written) {
      return new User({ id: representation.id, version: written.version, representation });
    }
    if (typeof written === 'object' && isTaken(written.exists)) return { exists: written.exists };
    throw new HostError('user_exists', 'A user with this ID already exists', { status: 409, expose: true });
  }

  /** Removes a user with all sessions. False when there was none. */
  async remove(realm: Realm, id: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const user = await this.byId(realm, id);
      if (user === undefined) return false;
      const isJudged = this.#conditions.apply || realm.name === MASTER_REALM;
      await this.#conditions.check();
      const removed = await this.#remove(realm, user, isJudged ? user.version : undefined);
      if (removed || !isJudged) return removed;
    }
    throw busy();
  }

  /** Before what goes along with a removal, such as the end of sessions. @throws HostError 400 for the last administrator */
  async requireRemovable(realm: Realm, user: User): Promise<void> {
    if (!user.enabled || user.isServiceAccount || !isAdministrator(realm, user)) return;
    for (const { kind, container, name } of keptByUser(realm, user.representation, undefined)?.before ?? []) {
      const holds = { kind, name, ...(container !== '' && { clientId: container }) };
      const some = await this.find(realm, { holds, enabled: true, max: 2 });
      if (some.some(({ id }) => id !== user.id)) return;
    }
    throw lastAdministrator();
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
  ): Promise<User | undefined | { exists: Taken }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const user = await this.byId(realm, id);
      if (user === undefined) return undefined;
      await this.#conditions.check();
      const draft = structuredClone(user.representation);
      await change(draft, user);
      const written = await this.#put(realm, user, draft);
      if (typeof written === 'object' && 'version' in written) return this.byId(realm, id);
      if (typeof written === 'object' && isTaken(written.exists)) return { exists: written.exists };
    }
    throw busy();
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

  async #remove(realm: Realm, user: User, expectedVersion?: number): Promise<boolean> {
    const removed = await this.#store.users.remove(
      realm.name,
      user.id,
      expectedVersion,
      keptByUser(realm, user.representation, undefined),
    );
    this.forget(realm.name, user.id);
    if (removed === 'unheld') throw lastAdministrator();
    if (removed) this.#conditions.met();
    return removed;
  }

  async #put(realm: Realm, user: User, representation: UserRepresentation) {
    const { serviceAccountClientId } = user.view;
    const written = await this.#store.users.put(
      {
        ...recordOf(realm, user.id, representation),
        ...defined({ serviceAccountClientId }),
      },
      {
        expectedVersion: user.version,
        emailUnique: emailUnique(realm),
        ...defined({ kept: keptByUser(realm, user.representation, representation) }),
      },
    );
    this.forget(realm.name, user.id);
    if (written === 'unheld') throw lastAdministrator();
    if (typeof written === 'object' && 'version' in written) this.#conditions.met();
    return written;
  }

  #remember(realm: string, record: UserRecord | undefined): User | undefined {
    if (record === undefined) return undefined;
    const key = `${realm} ${record.id}`;
    const cached = this.#byId.get(key);
    if (cached?.version === record.version) return cached;
    const user = new User(record);
    if (!this.#store.isShared) this.#byId.set(key, user);
    return user;
  }
}

function recordOf(realm: Realm, id: string, representation: UserRepresentation) {
  const { username, email } = representation;
  if (!username.isWellFormed() || email?.isWellFormed() === false) {
    throw new HostError('user_invalid', 'username and email must be valid Unicode', { status: 400, expose: true });
  }
  return {
    realm: realm.name,
    id,
    username: username.toLowerCase(),
    ...(email ? { email: email.toLowerCase() } : {}),
    representation,
  };
}

function busy(): HostError {
  return new HostError('user_busy', 'Another request is changing the user. Try again.', {
    status: 503,
    expose: true,
    headers: { 'retry-after': '1' },
  });
}

function isTaken(what: string): what is Taken {
  return what === 'username' || what === 'email' || what === 'federatedIdentity';
}

function emailUnique({ settings }: Realm): boolean {
  return !settings.duplicateEmailsAllowed;
}
