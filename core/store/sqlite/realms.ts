import type { KeyRecord, KeyState, NameChange, RealmRecord, RealmSourceRecord, RealmStore } from '../store.js';
import type { Connection } from './connection.js';
import { renameInUsers } from './holdings.js';
import { addKeys, changeKeys } from './keys.js';
import type { Reader } from './reader.js';
import { removeSessionsOfClient } from './session-operations.js';
import { insertNewUser, isTaken, type NewUserRow, removeUser, userRow } from './users.js';
import type { Writer } from './writer.js';

export interface RealmRow {
  name: string;
  id: string;
  version: number;
  representation: string;
  source: string | null;
}

type PutOutcome = Awaited<ReturnType<RealmStore['put']>>;

/** Users of one message to the writer. */
const USERS_PER_MESSAGE = 500;
const REALM_TABLES = [
  'users',
  'user_holdings',
  'realm_keys',
  'user_sessions',
  'client_sessions',
  'families',
  'tickets',
  'marks',
  'counters',
  'events',
  'entries',
];

/** Users that arrived for a `realms.put` that is still to come, by its ticket. Nothing is written before that. */
const arrivals = new WeakMap<Connection, Map<number, NewUserRow[]>>();

export const realmOperations = {
  'realms.bring'(db: Connection, load: number, users: readonly NewUserRow[]): void {
    const loads = arrivals.get(db) ?? new Map<number, NewUserRow[]>();
    arrivals.set(db, loads);
    const arrived = loads.get(load) ?? [];
    loads.set(load, arrived);
    arrived.push(...users);
  },

  'realms.put'(
    db: Connection,
    realm: Omit<RealmRow, 'version'>,
    expectedVersion: number,
    keys: readonly KeyRecord[],
    load: number,
    names: readonly NameChange[],
    removedClients: readonly string[],
    keyStates: readonly KeyState[],
    removedKeys: readonly string[],
    imported: { readonly count: number; readonly removed: readonly string[]; readonly emailUnique: boolean },
  ): PutOutcome {
    const users = arrivals.get(db)?.get(load) ?? [];
    arrivals.get(db)?.delete(load);
    const current = db.get<{ version: number }>('SELECT version FROM realms WHERE name = $1', realm.name)?.version ?? 0;
    if (current !== expectedVersion) return 'conflict';
    const newcomers = users.slice(0, imported.count);
    if (newcomers.some((user) => isTaken(db, user, imported))) return 'conflict';
    for (const id of imported.removed) removeUser(db, realm.name, id);
    const version = current + 1;
    db.run(
      'INSERT INTO realms (name, id, version, representation, source) VALUES ($1, $2, $3, $4, $5) ' +
        'ON CONFLICT (name) DO UPDATE SET id = excluded.id, version = excluded.version, ' +
        'representation = excluded.representation, source = excluded.source',
      realm.name,
      realm.id,
      version,
      realm.representation,
      realm.source,
    );
    addKeys(db, keys);
    changeKeys(db, realm.name, keyStates, removedKeys);
    for (const change of names) renameInUsers(db, realm.name, change);
    for (const clientUuid of removedClients) removeTracesOfClient(db, realm.name, clientUuid);
    let usersCreated = 0;
    for (const user of users) if (insertNewUser(db, user)) usersCreated += 1;
    return { version, usersCreated };
  },

  'realms.putSource'(db: Connection, name: string, source: string): void {
    db.run('UPDATE realms SET source = $2 WHERE name = $1', name, source);
  },

  'realms.remove'(db: Connection, name: string): boolean {
    for (const table of REALM_TABLES) db.run(`DELETE FROM ${table} WHERE realm = $1`, name);
    return db.run('DELETE FROM realms WHERE name = $1', name) === 1;
  },
};

function removeTracesOfClient(db: Connection, realm: string, clientUuid: string): void {
  removeSessionsOfClient(db, realm, clientUuid);
  const account = db.get<{ id: string }>(
    'SELECT id FROM users WHERE realm = $1 AND service_account_client = $2',
    realm,
    clientUuid,
  );
  if (account !== undefined) removeUser(db, realm, account.id);
}

export class SqliteRealms implements RealmStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  #loads = 0;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async get(name: string): Promise<RealmRecord | undefined> {
    const sql = 'SELECT name, id, version, representation, source FROM realms WHERE name = $1';
    const row = this.#reader.get<RealmRow>(sql, name);
    return row && { ...listed(row), representation: JSON.parse(row.representation) };
  }

  async list(): ReturnType<RealmStore['list']> {
    return this.#reader
      .all<Omit<RealmRow, 'representation'>>('SELECT name, id, version, source FROM realms ORDER BY name')
      .map(listed);
  }

  async put(
    { id, name, representation, source }: Omit<RealmRecord, 'version'>,
    options: Parameters<RealmStore['put']>[1],
  ): Promise<PutOutcome> {
    const { expectedVersion, keys = [], keyStates = [], removedKeys = [], names = [], removedClients = [] } = options;
    const { users: newcomers = [], removed = [], emailUnique = true } = options.imported ?? {};
    const users = [...newcomers, ...(options.users ?? [])];
    this.#loads += 1;
    const load = this.#loads;
    for (let first = 0; first < users.length; first += USERS_PER_MESSAGE) {
      const some = users.slice(first, first + USERS_PER_MESSAGE);
      // Waiting lets requests be served meanwhile and bounds what is under way.
      await this.#writer.call('realms.bring', load, some.map(userRow));
    }
    const row = {
      name,
      id,
      representation: JSON.stringify(representation),
      source: source === undefined ? null : JSON.stringify(source),
    };
    const imported = { count: newcomers.length, removed, emailUnique };
    const changes = [names, removedClients, keyStates, removedKeys, imported] as const;
    return this.#writer.call('realms.put', row, expectedVersion, keys, load, ...changes);
  }

  putSource(name: string, source: RealmSourceRecord): Promise<void> {
    return this.#writer.call('realms.putSource', name, JSON.stringify(source));
  }

  remove(name: string): Promise<boolean> {
    return this.#writer.call('realms.remove', name);
  }
}

function listed({ id, name, version, source }: Omit<RealmRow, 'representation'>) {
  return { id, name, version, ...(source === null ? {} : { source: JSON.parse(source) as RealmSourceRecord }) };
}
