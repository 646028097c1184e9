import { serviceAccountUsername } from '../../model/built-in-names.js';
import { defined } from '../../model/defined.js';
import type { Reader, Writer } from '../engine/engine.js';
import { get, lock, lockNames, type Operation, RollBack, run } from '../engine/operation.js';
import type {
  KeyRecord,
  KeyState,
  LastAdminGuard,
  NameChange,
  RealmRecord,
  RealmSourceRecord,
  RealmStore,
} from '../store.js';
import { announceChange } from './changes.js';
import { addKeys, changeKeys } from './keys.js';
import { removeSessionsOfClient } from './sessions/session-operations.js';
import { endLoad, forgetLoad, isLoading, USERS_PER_PIECE, UserLoads } from './user-loads.js';
import { renameInUsers } from './users/holdings.js';
import { withGuard } from './users/last-admin-guard.js';
import {
  areValuesTaken,
  insertNewUsers,
  lockNamesOf,
  type NewUserRow,
  removeUser,
  renameServiceAccount,
  userRow,
} from './users/user-operations.js';

export interface RealmRow {
  name: string;
  id: string;
  version: number;
  representation: string;
  source: string | null;
}

/** A realm in the form in which it is sent to the writer. */
export interface NewRealmRow extends Omit<RealmRow, 'version'>, SummaryColumns {
  /** The IDs of the record and of the representation. No other realm may have them. */
  readonly ids: readonly string[];
}

interface SummaryColumns {
  display_name: string | null;
  enabled: number;
}

type PutOutcome = Awaited<ReturnType<RealmStore['put']>>;

/** Maximum number of users in one message to the writer. */
const USERS_PER_MESSAGE = 500;
/** The realm name for locks that apply to all realms. */
const ALL_REALMS = '';
/** All tables except that of keys: operations announce a change before they change keys. */
const REALM_TABLES = [
  'realm_declarations',
  'users',
  'user_holdings',
  'user_sessions',
  'client_sessions',
  'families',
  'tickets',
  'marks',
  'counters',
  'events',
  'event_outbox',
  'entries',
  'action_tokens',
  'event_counts',
  'active_users',
];

/** The users that were sent for a later `realms.put`, by the number of its load. They are not written before it. */
const arrivalsByLoad = new Map<number, NewUserRow[]>();
/**
 * Counts the loads of all stores of this process, because stores that write on the calling thread share these users.
 */
let lastLoad = 0;

export const realmOperations = {
  // biome-ignore lint/correctness/useYield: it writes nothing yet
  *'realms.bring'(load: number, first: number, users: readonly NewUserRow[]): Operation<void> {
    const arrivedUsers = arrivalsByLoad.get(load) ?? [];
    arrivalsByLoad.set(load, arrivedUsers);
    // Insert them at their index and not at the end, because this runs again if another write of its group fails.
    arrivedUsers.splice(first, users.length, ...users);
  },

  // biome-ignore lint/correctness/useYield: it writes nothing
  *'realms.forget'(load: number): Operation<void> {
    arrivalsByLoad.delete(load);
  },

  *'realms.put'(
    realm: NewRealmRow,
    expectedVersion: number,
    keys: readonly KeyRecord[],
    load: number,
    names: readonly NameChange[],
    removed: { readonly clients: readonly string[]; readonly serviceAccounts: readonly string[] },
    declared: string | null,
    keyStates: readonly KeyState[],
    removedKeys: readonly string[],
    imported: { readonly count: number; readonly removed: readonly string[]; readonly emailUnique: boolean },
    kept: LastAdminGuard | undefined,
    /** If true, further users were written before; see user-loads.ts. */
    endsLoad = false,
  ): Operation<PutOutcome> {
    // They stay here until `realms.forget`, because this runs again if another write of its group fails.
    const users = arrivalsByLoad.get(load) ?? [];
    const importedUsers = users.slice(0, imported.count);
    const isIdTaken = yield* isIdTakenByAnother(realm);
    yield* lockNames(realm.name, ['realm', ...importedUsers.flatMap(lockNamesOf)]);
    const sql = 'SELECT version FROM realms WHERE name = $1';
    const current = (yield* get<{ version: number }>(sql, realm.name))?.version ?? 0;
    if (current !== expectedVersion) return 'conflict';
    if (isIdTaken) return 'idTaken';
    if (endsLoad && !(yield* isLoading(realm.name))) return 'conflict';
    const importOptions = { removed: new Set(imported.removed), emailUnique: imported.emailUnique };
    for (const user of importedUsers) if (yield* areValuesTaken(user, importOptions)) return 'conflict';
    const changes = {
      ...{ keys, names, removed, declared, keyStates, removedKeys, endsLoad },
      removedUsers: imported.removed,
    };
    return yield* withGuard(realm.name, kept, writeRealm(realm, current + 1, users, changes));
  },

  *'realms.putSource'(name: string, source: string): Operation<void> {
    yield* run('UPDATE realms SET source = $2 WHERE name = $1', name, source);
  },

  *'realms.remove'(name: string, expectedVersion?: number): Operation<boolean> {
    // A concurrent writer of the realm has either committed, or finds no realm afterwards.
    yield* lockNames(name, ['realm']);
    if (expectedVersion !== undefined) {
      const row = yield* lock<{ version: number }>('SELECT version FROM realms WHERE name = $1', name);
      if (row?.version !== expectedVersion) return false;
    }
    yield* forgetLoad(name);
    for (const table of REALM_TABLES) yield* run(`DELETE FROM ${table} WHERE realm = $1`, name);
    const isRemoved = (yield* run('DELETE FROM realms WHERE name = $1', name)) === 1;
    if (isRemoved) yield* announceChange(name);
    yield* run('DELETE FROM realm_keys WHERE realm = $1', name);
    return isRemoved;
  },
};

/** Locks the IDs, so that a concurrent writer of the same ID waits until this one has committed, and checks them. */
function* isIdTakenByAnother({ name, ids }: NewRealmRow): Operation<boolean> {
  yield* lockNames(
    ALL_REALMS,
    ids.map((id) => `realm ${id}`),
  );
  for (const id of ids) {
    const other = yield* get<{ name: string }>('SELECT name FROM realms WHERE id = $1 AND name <> $2', id, name);
    if (other !== undefined) return true;
  }
  return false;
}

interface RealmWrites {
  readonly keys: readonly KeyRecord[];
  readonly names: readonly NameChange[];
  readonly removed: { readonly clients: readonly string[]; readonly serviceAccounts: readonly string[] };
  readonly declared: string | null;
  readonly keyStates: readonly KeyState[];
  readonly removedKeys: readonly string[];
  readonly removedUsers: readonly string[];
  readonly endsLoad: boolean;
}

function* writeRealm(
  realm: NewRealmRow,
  version: number,
  users: readonly NewUserRow[],
  { keys, names, removed, declared, keyStates, removedKeys, removedUsers, endsLoad }: RealmWrites,
): Operation<PutOutcome> {
  if (endsLoad) yield* endLoad(realm.name);
  for (const id of removedUsers) yield* removeUser(realm.name, id);
  yield* run(
    'INSERT INTO realms (name, id, version, representation, source, display_name, enabled) ' +
      'VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO UPDATE SET id = excluded.id, ' +
      'version = excluded.version, representation = excluded.representation, source = excluded.source, ' +
      'display_name = excluded.display_name, enabled = excluded.enabled',
    realm.name,
    realm.id,
    version,
    realm.representation,
    realm.source,
    realm.display_name,
    realm.enabled,
  );
  if (declared !== null) {
    yield* run(
      'INSERT INTO realm_declarations (realm, declared) VALUES ($1, $2) ' +
        'ON CONFLICT (realm) DO UPDATE SET declared = excluded.declared',
      realm.name,
      declared,
    );
  }
  for (const change of names) {
    yield* renameInUsers(realm.name, change);
    if (change.what !== 'client' || change.to === undefined) continue;
    const username = serviceAccountUsername(change.to);
    const account = { clientUuid: change.id, clientId: change.to, username };
    if (!(yield* renameServiceAccount(realm.name, account))) throw new RollBack('conflict' satisfies PutOutcome);
  }
  for (const clientUuid of removed.clients) yield* removeSessionsOfClient(realm.name, clientUuid);
  for (const clientUuid of [...removed.clients, ...removed.serviceAccounts]) {
    yield* removeServiceAccount(realm.name, clientUuid);
  }
  const usersCreated = (yield* insertNewUsers(users)).length;
  yield* announceChange(realm.name);
  yield* addKeys(keys);
  yield* changeKeys(realm.name, keyStates, removedKeys);
  return { version, usersCreated };
}

function* removeServiceAccount(realm: string, clientUuid: string): Operation<void> {
  const account = yield* get<{ id: string }>(
    'SELECT id FROM users WHERE realm = $1 AND service_account_client = $2',
    realm,
    clientUuid,
  );
  if (account !== undefined) yield* removeUser(realm, account.id);
}

export class RealmRecords implements RealmStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #userLoads: UserLoads;

  /** @param unfencedWriter undoes what `writer` has written */
  constructor(reader: Reader, writer: Writer, unfencedWriter = writer) {
    this.#reader = reader;
    this.#writer = writer;
    this.#userLoads = new UserLoads(writer, unfencedWriter);
  }

  async get(name: string): Promise<RealmRecord | undefined> {
    const sql = 'SELECT name, id, version, representation, source FROM realms WHERE name = $1';
    const row = await this.#reader.get<RealmRow>(sql, name);
    return row && { ...realmSummary(row), representation: JSON.parse(row.representation) };
  }

  async withDeclaration(name: string): ReturnType<RealmStore['withDeclaration']> {
    const row = await this.#reader.get<RealmRow & { declared: string | null }>(
      'SELECT r.name, r.id, r.version, r.representation, r.source, d.declared FROM realms r ' +
        'LEFT JOIN realm_declarations d ON d.realm = r.name WHERE r.name = $1',
      name,
    );
    if (row === undefined) return undefined;
    const record = { ...realmSummary(row), representation: JSON.parse(row.representation) };
    return row.declared === null ? record : { ...record, declared: JSON.parse(row.declared) };
  }

  async list(): ReturnType<RealmStore['list']> {
    const sql = 'SELECT name, id, version, source FROM realms ORDER BY name';
    return (await this.#reader.all<Omit<RealmRow, 'representation'>>(sql)).map(realmSummary);
  }

  async summaries(): ReturnType<RealmStore['summaries']> {
    const rows = await this.#reader.all<Pick<RealmRow, 'name' | 'id'> & SummaryColumns>(
      'SELECT name, id, display_name, enabled FROM realms ORDER BY name',
    );
    return rows.map(({ name, id, display_name, enabled }) =>
      defined({ id, name, enabled: enabled === 1, displayName: display_name ?? undefined }),
    );
  }

  async put(
    { id, name, representation, source }: Omit<RealmRecord, 'version'>,
    options: Parameters<RealmStore['put']>[1],
  ): Promise<PutOutcome> {
    const { expectedVersion, keys = [], keyStates = [], removedKeys = [], declared } = options;
    const { names = [], removedClients = [], removedServiceAccounts = [], kept } = options;
    const { users: importedUsers = [], removed = [], emailUnique = true } = options.imported ?? {};
    const users = [...importedUsers, ...(options.users ?? [])];
    lastLoad += 1;
    const load = lastLoad;
    const row = {
      name,
      id,
      representation: JSON.stringify(representation),
      source: source === undefined ? null : JSON.stringify(source),
      display_name: representation.displayName ?? null,
      enabled: representation.enabled === true ? 1 : 0,
      // An ID that stays the same is not checked, so that existing realms can be written.
      ids: [...new Set([id, representation.id ?? id])].filter((candidate) => expectedVersion === 0 || candidate !== id),
    };
    const text = declared === undefined ? null : JSON.stringify(declared);
    const removedClientIds = { clients: removedClients, serviceAccounts: removedServiceAccounts };
    const write = (count: number, endsLoad: boolean) => {
      const imported = { count, removed, emailUnique };
      const changes = [names, removedClientIds, text, keyStates, removedKeys, imported, kept] as const;
      return this.#writer.call('realms.put', row, expectedVersion, keys, load, ...changes, endsLoad);
    };
    for (let other = this.#userLoads.running(name); other !== undefined; other = this.#userLoads.running(name))
      await other;
    // New users may need the names and addresses that removals and renames free in the same transaction.
    const needsFreedValues = names.length + removed.length + removedClients.length + removedServiceAccounts.length > 0;
    if (users.length > USERS_PER_PIECE && !needsFreedValues && !this.#reader.isShared) {
      const others = options.users ?? [];
      const userLoad = { realm: name, expectedVersion, imported: importedUsers, others, emailUnique };
      return this.#userLoads.run(userLoad, () => write(0, true));
    }
    try {
      for (let first = 0; first < users.length; first += USERS_PER_MESSAGE) {
        const batch = users.slice(first, first + USERS_PER_MESSAGE);
        // Waiting for each message lets other requests run, and limits the data in flight.
        await this.#writer.call('realms.bring', load, first, batch.map(userRow));
      }
      return await write(importedUsers.length, false);
    } finally {
      // If the store is closed, the users are gone with it.
      if (users.length > 0) this.#writer.call('realms.forget', load).catch(() => {});
    }
  }

  putSource(name: string, source: RealmSourceRecord): Promise<void> {
    return this.#writer.call('realms.putSource', name, JSON.stringify(source));
  }

  remove(name: string, expectedVersion?: number): Promise<boolean> {
    return this.#writer.call('realms.remove', name, expectedVersion);
  }

  /** Ends writes of many users, which fail. Resolves when they are undone. */
  close(): Promise<void> {
    return this.#userLoads.close();
  }
}

function realmSummary({ id, name, version, source }: Omit<RealmRow, 'representation'>) {
  return { id, name, version, ...(source === null ? {} : { source: JSON.parse(source) as RealmSourceRecord }) };
}
