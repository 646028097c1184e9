import { serviceAccountUsername } from '../../model/built-in-names.js';
import { defined } from '../../model/defined.js';
import type { Connection } from '../sqlite/connection.js';
import type { Reader } from '../sqlite/reader.js';
import type { Writer } from '../sqlite/writing/writer.js';
import type { KeyRecord, KeyState, NameChange, RealmRecord, RealmSourceRecord, RealmStore } from '../store.js';
import { Undo } from './commit.js';
import { addKeys, changeKeys } from './keys.js';
import { removeSessionsOfClient } from './sessions/session-operations.js';
import { renameInUsers } from './users/holdings.js';
import { insertNewUser, isTaken, type NewUserRow, removeUser, renameServiceAccount, userRow } from './users/users.js';

export interface RealmRow {
  name: string;
  id: string;
  version: number;
  representation: string;
  source: string | null;
}

/** What the writer is sent of a realm. */
export interface NewRealmRow extends Omit<RealmRow, 'version'>, SummaryColumns {}

interface SummaryColumns {
  display_name: string | null;
  enabled: number;
}

type PutOutcome = Awaited<ReturnType<RealmStore['put']>>;

/** Users of one message to the writer. */
const USERS_PER_MESSAGE = 500;
const REALM_TABLES = [
  'realm_declarations',
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
  'action_tokens',
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

  'realms.forget'(db: Connection, load: number): void {
    arrivals.get(db)?.delete(load);
  },

  'realms.put'(
    db: Connection,
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
  ): PutOutcome {
    // They stay until they are forgotten: a put is carried out twice when another write of its group fails.
    const users = arrivals.get(db)?.get(load) ?? [];
    const current = db.get<{ version: number }>('SELECT version FROM realms WHERE name = $1', realm.name)?.version ?? 0;
    if (current !== expectedVersion) return 'conflict';
    const newcomers = users.slice(0, imported.count);
    const going = { removed: new Set(imported.removed), emailUnique: imported.emailUnique };
    if (newcomers.some((user) => isTaken(db, user, going))) return 'conflict';
    for (const id of imported.removed) removeUser(db, realm.name, id);
    const version = current + 1;
    db.run(
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
      db.run(
        'INSERT INTO realm_declarations (realm, declared) VALUES ($1, $2) ' +
          'ON CONFLICT (realm) DO UPDATE SET declared = excluded.declared',
        realm.name,
        declared,
      );
    }
    addKeys(db, keys);
    changeKeys(db, realm.name, keyStates, removedKeys);
    for (const change of names) {
      renameInUsers(db, realm.name, change);
      if (change.what !== 'client' || change.to === undefined) continue;
      const username = serviceAccountUsername(change.to);
      const account = { clientUuid: change.id, clientId: change.to, username };
      if (!renameServiceAccount(db, realm.name, account)) throw new Undo('conflict' satisfies PutOutcome);
    }
    for (const clientUuid of removed.clients) removeSessionsOfClient(db, realm.name, clientUuid);
    for (const clientUuid of [...removed.clients, ...removed.serviceAccounts]) {
      removeServiceAccount(db, realm.name, clientUuid);
    }
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

function removeServiceAccount(db: Connection, realm: string, clientUuid: string): void {
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

  async withDeclaration(name: string): ReturnType<RealmStore['withDeclaration']> {
    const row = this.#reader.get<RealmRow & { declared: string | null }>(
      'SELECT r.name, r.id, r.version, r.representation, r.source, d.declared FROM realms r ' +
        'LEFT JOIN realm_declarations d ON d.realm = r.name WHERE r.name = $1',
      name,
    );
    if (row === undefined) return undefined;
    const record = { ...listed(row), representation: JSON.parse(row.representation) };
    return row.declared === null ? record : { ...record, declared: JSON.parse(row.declared) };
  }

  async list(): ReturnType<RealmStore['list']> {
    return this.#reader
      .all<Omit<RealmRow, 'representation'>>('SELECT name, id, version, source FROM realms ORDER BY name')
      .map(listed);
  }

  async summaries(): ReturnType<RealmStore['summaries']> {
    return this.#reader
      .all<Pick<RealmRow, 'name' | 'id'> & SummaryColumns>(
        'SELECT name, id, display_name, enabled FROM realms ORDER BY name',
      )
      .map(({ name, id, display_name, enabled }) =>
        defined({ id, name, enabled: enabled === 1, displayName: display_name ?? undefined }),
      );
  }

  async put(
    { id, name, representation, source }: Omit<RealmRecord, 'version'>,
    options: Parameters<RealmStore['put']>[1],
  ): Promise<PutOutcome> {
    const { expectedVersion, keys = [], keyStates = [], removedKeys = [], declared } = options;
    const { names = [], removedClients = [], removedServiceAccounts = [] } = options;
    const { users: newcomers = [], removed = [], emailUnique = true } = options.imported ?? {};
    const users = [...newcomers, ...(options.users ?? [])];
    this.#loads += 1;
    const load = this.#loads;
    const row = {
      name,
      id,
      representation: JSON.stringify(representation),
      source: source === undefined ? null : JSON.stringify(source),
      display_name: representation.displayName ?? null,
      enabled: representation.enabled === true ? 1 : 0,
    };
    const text = declared === undefined ? null : JSON.stringify(declared);
    const imported = { count: newcomers.length, removed, emailUnique };
    try {
      for (let first = 0; first < users.length; first += USERS_PER_MESSAGE) {
        const some = users.slice(first, first + USERS_PER_MESSAGE);
        // Waiting lets requests be served meanwhile and bounds what is under way.
        await this.#writer.call('realms.bring', load, some.map(userRow));
      }
      const gone = { clients: removedClients, serviceAccounts: removedServiceAccounts };
      const changes = [names, gone, text, keyStates, removedKeys, imported] as const;
      return await this.#writer.call('realms.put', row, expectedVersion, keys, load, ...changes);
    } finally {
      // A store that is gone has forgotten them.
      if (users.length > 0) this.#writer.call('realms.forget', load).catch(() => {});
    }
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
