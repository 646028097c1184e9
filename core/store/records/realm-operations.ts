import { serviceAccountUsername } from '../../model/built-in-names.js';
import { get, lock, lockNames, type Operation, RollBack, run } from '../engine/operation.js';
import type { KeyRecord, KeyState, LastAdminGuard, NameChange, RealmStore } from '../store.js';
import { announceChange } from './changes.js';
import { addKeys, changeKeys } from './keys.js';
import { removeSessionsOfClient } from './sessions/session-operations.js';
import { endLoad, forgetLoad, isLoading } from './user-loads.js';
import { renameInUsers } from './users/holdings.js';
import { withGuard } from './users/last-admin-guard.js';
import {
  areValuesTaken,
  insertNewUsers,
  lockNamesOf,
  type NewUserRow,
  removeUser,
  renameServiceAccount,
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

export interface SummaryColumns {
  display_name: string | null;
  enabled: number;
}

export type PutOutcome = Awaited<ReturnType<RealmStore['put']>>;

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
