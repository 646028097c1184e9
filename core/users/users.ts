import { HostError } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import { recentEntries } from '../model/recent-entries.js';
import type { UserRepresentation } from '../model/representation.js';
import { retryLater } from '../model/retry-later.js';
import { User } from '../model/user.js';
import type { RoughCount, Store, UserFilter, UserRecord } from '../store/store.js';
import { WriteConditions } from '../store/write-conditions.js';
import { guardForUserChange, isAdministrator, lastAdministratorError } from './last-administrator.js';
import { UserLists } from './user-lists.js';

/** The unique field whose value another user already has. */
export type TakenField = 'username' | 'email' | 'federatedIdentity';

/** Maximum number of users in memory, over all realms. */
const CACHED_USERS = 10_000;
/** How many times a change is tried if concurrent requests change the user. */
const MAX_ATTEMPTS = 10;

/**
 * The users of all realms. If this host does not share its store, users are cached in memory. On a shared store each
 * call reads, so that a user who is disabled on one node is disabled on all.
 */
export class Users {
  readonly #store: Store;
  readonly #conditions: WriteConditions;
  readonly #lists: UserLists;
  readonly #byId = recentEntries<string, User>(CACHED_USERS);
  /** IDs by username. */
  readonly #idsByUsername = recentEntries<string, string>(CACHED_USERS);
  /** IDs by the client of the service account. */
  readonly #serviceAccountIds = recentEntries<string, string>(CACHED_USERS);

  /** @param conditions the preconditions that callers set for their changes */
  constructor(store: Store, conditions = new WriteConditions()) {
    this.#store = store;
    this.#conditions = conditions;
    this.#lists = new UserLists(store);
  }

  async byId(realm: Realm, id: string): Promise<User | undefined> {
    const cached = this.#byId.get(`${realm.name} ${id}`);
    if (cached !== undefined) return cached;
    return this.#toUser(realm.name, await this.#store.users.byId(realm.name, id));
  }

  async byUsername(realm: Realm, username: string): Promise<User | undefined> {
    const name = username.toLowerCase();
    const key = `${realm.name} ${name}`;
    const id = this.#idsByUsername.get(key);
    const cached = id === undefined ? undefined : this.#byId.get(`${realm.name} ${id}`);
    // If the cached user was renamed, look the username up again.
    if (cached?.username.toLowerCase() === name) return cached;
    const user = this.#toUser(realm.name, await this.#store.users.byUsername(realm.name, name));
    if (user !== undefined) this.#idsByUsername.set(key, user.id);
    return user;
  }

  /** Finds by username, else by email if the realm allows that. */
  async byLogin(realm: Realm, login: string): Promise<User | undefined> {
    const user = await this.byUsername(realm, login);
    if (user !== undefined || !realm.loginWithEmailAllowed || !login.includes('@')) return user;
    return this.#toUser(realm.name, await this.#store.users.byEmail(realm.name, login.toLowerCase()));
  }

  /** True if the email is another user's email or username. Always false if the realm allows duplicate emails. */
  async isTaken(realm: Realm, id: string, email: string): Promise<boolean> {
    if (!requiresUniqueEmail(realm)) return false;
    const [byName, byAddress] = await Promise.all([
      this.byUsername(realm, email),
      this.#store.users.byEmail(realm.name, email.toLowerCase()),
    ]);
    return [byName, byAddress].some((user) => user !== undefined && user.id !== id);
  }

  /** The user of a client's service account. It is created when the realm is applied. */
  async serviceAccount(realm: Realm, client: Client): Promise<User | undefined> {
    const key = `${realm.name} ${client.id}`;
    const id = this.#serviceAccountIds.get(key);
    const cached = id === undefined ? undefined : await this.byId(realm, id);
    if (cached !== undefined) return cached;
    const user = this.#toUser(realm.name, await this.#store.users.byServiceAccountClient(realm.name, client.id));
    if (user !== undefined) this.#serviceAccountIds.set(key, user.id);
    return user;
  }

  /** The user who is linked to that account at the identity provider with this alias. */
  async byFederatedIdentity(realm: Realm, alias: string, userId: string): Promise<User | undefined> {
    return this.#toUser(realm.name, await this.#store.users.byFederatedIdentity(realm.name, alias, userId));
  }

  /** Finds a user by email; the first one if the realm allows several users to share it. */
  async byEmail(realm: Realm, email: string): Promise<User | undefined> {
    return this.#toUser(realm.name, await this.#store.users.byEmail(realm.name, email.toLowerCase()));
  }

  /**
   * Finds users, ordered by username; at most `max`, default 100.
   * @throws HostError `temporarily_unavailable` (503) if too many lists of the realm are waiting
   */
  find(realm: Realm, query: Parameters<Store['users']['find']>[1]): Promise<User[]> {
    return this.#lists.find(realm.name, query);
  }

  count(realm: Realm, query: UserFilter): Promise<number> {
    return this.#lists.count(realm.name, query);
  }

  /** Counts users. The count is exact up to 10,000; beyond that it is an estimate, marked as such. */
  countRoughly(realm: Realm, query: UserFilter): Promise<RoughCount> {
    return this.#lists.countRoughly(realm.name, query);
  }

  /**
   * Creates a user with the representation's ID.
   * @returns the user, or the unique field whose value is taken
   */
  async create(
    realm: Realm,
    representation: UserRepresentation & { readonly id: string },
  ): Promise<User | { exists: TakenField }> {
    const result = await this.#store.users.put(recordOf(realm, representation.id, representation), {
      expectedVersion: 0,
      emailUnique: requiresUniqueEmail(realm),
    });
    if (typeof result === 'object' && 'version' in result) {
      return new User({ id: representation.id, version: result.version, representation });
    }
    if (typeof result === 'object' && isTakenField(result.exists)) return { exists: result.exists };
    throw new HostError('user_exists', 'A user with this ID already exists', { status: 409, expose: true });
  }

  /**
   * Deletes a user with all sessions. False if the user does not exist.
   * @throws HostError `user_busy` (503) if others keep changing the user; `last_administrator` (400)
   */
  async remove(realm: Realm, id: string): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const user = await this.byId(realm, id);
      if (user === undefined) return false;
      const isConditional = this.#conditions.apply || realm.name === MASTER_REALM;
      await this.#conditions.check();
      const removed = await this.#remove(realm, user, isConditional ? user.version : undefined);
      if (removed || !isConditional) return removed;
    }
    throw userBusyError();
  }

  /**
   * Checks that a user may be removed. Call it before side effects of a removal, such as ending sessions.
   * @throws HostError 400 for the last administrator
   */
  async requireRemovable(realm: Realm, user: User): Promise<void> {
    if (!user.enabled || user.isServiceAccount || !isAdministrator(realm, user)) return;
    for (const { kind, container, name } of guardForUserChange(realm, user.representation, undefined)?.before ?? []) {
      const membership = { kind, name, ...(container !== '' && { clientId: container }) };
      const holders = await this.find(realm, { holds: membership, enabled: true, max: 2 });
      if (holders.some(({ id }) => id !== user.id)) return;
    }
    throw lastAdministratorError();
  }

  /** Replaces a user's representation. False if the user was changed in the meantime. */
  async update(realm: Realm, user: User, representation: UserRepresentation): Promise<boolean> {
    const result = await this.#put(realm, user, representation);
    return typeof result === 'object' && 'version' in result;
  }

  /**
   * Changes a user, and retries if a concurrent request changes it too.
   * @param change modifies a copy, and may be called again; its errors are rethrown
   * @returns the new user; undefined if it does not exist; the unique field whose value is taken, if any
   * @throws HostError `user_busy` (503) if the retries are used up
   */
  async change(
    realm: Realm,
    id: string,
    change: (draft: UserRepresentation, user: User) => void | Promise<void>,
  ): Promise<User | undefined | { exists: TakenField }> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const user = await this.byId(realm, id);
      if (user === undefined) return undefined;
      await this.#conditions.check();
      const draft = structuredClone(user.representation);
      await change(draft, user);
      const result = await this.#put(realm, user, draft);
      if (typeof result === 'object' && 'version' in result) return this.byId(realm, id);
      if (typeof result === 'object' && isTakenField(result.exists)) return { exists: result.exists };
    }
    throw userBusyError();
  }

  /** Removes a user from memory after a change of the store. */
  evict(realm: string, id: string): void {
    this.#byId.delete(`${realm} ${id}`);
  }

  /** Removes all users of a realm from memory. */
  evictAll(realm: string): void {
    for (const key of this.#byId.keys()) if (key.startsWith(`${realm} `)) this.#byId.delete(key);
    for (const key of this.#serviceAccountIds.keys())
      if (key.startsWith(`${realm} `)) this.#serviceAccountIds.delete(key);
  }

  async #remove(realm: Realm, user: User, expectedVersion?: number): Promise<boolean> {
    const removed = await this.#store.users.remove(
      realm.name,
      user.id,
      expectedVersion,
      guardForUserChange(realm, user.representation, undefined),
    );
    this.evict(realm.name, user.id);
    if (removed === 'unheld') throw lastAdministratorError();
    if (removed) this.#conditions.markMet();
    return removed;
  }

  async #put(realm: Realm, user: User, representation: UserRepresentation) {
    const { serviceAccountClientId } = user.view;
    const result = await this.#store.users.put(
      {
        ...recordOf(realm, user.id, representation),
        ...defined({ serviceAccountClientId }),
      },
      {
        expectedVersion: user.version,
        emailUnique: requiresUniqueEmail(realm),
        ...defined({ kept: guardForUserChange(realm, user.representation, representation) }),
      },
    );
    this.evict(realm.name, user.id);
    if (result === 'unheld') throw lastAdministratorError();
    if (typeof result === 'object' && 'version' in result) this.#conditions.markMet();
    return result;
  }

  #toUser(realm: string, record: UserRecord | undefined): User | undefined {
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

function userBusyError(): HostError {
  return retryLater('user_busy', 'Another request is changing the user. Try again.', 1);
}

function isTakenField(field: string): field is TakenField {
  return field === 'username' || field === 'email' || field === 'federatedIdentity';
}

function requiresUniqueEmail({ settings }: Realm): boolean {
  return !settings.duplicateEmailsAllowed;
}
