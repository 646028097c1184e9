import { all, get, lock, lockNames, type Operation, run, runAll } from '../../engine/operation.js';
import type { LastAdminGuard, UserRecord, UserStore } from '../../store.js';
import { endSessionsOfUser } from '../sessions/session-operations.js';
import {
  type HoldingRow,
  holdingInserts,
  holdingsOf,
  isIdentityTaken,
  putHoldings,
  removeHoldings,
} from './holdings.js';
import { indexMoreUsers } from './index-users.js';
import { lockNamesOfGuard, withGuard } from './last-admin-guard.js';

/** A row of a user. The representation is JSON. */
export interface UserRow {
  realm: string;
  id: string;
  username: string;
  email: string | null;
  service_account_client: string | null;
  version: number;
  representation: string;
}

/** A user in the form in which it is sent to the writer. */
export interface NewUserRow extends UserRow {
  first_name: string | null;
  last_name: string | null;
  holdings: readonly HoldingRow[];
}

/** Number of users that are inserted with one list of statements. */
const USERS_PER_INSERT = 100;

export type PutOutcome = Awaited<ReturnType<UserStore['put']>>;

export const USER_COLUMNS = 'realm, id, username, email, service_account_client, version, representation';
const NEXT_EMAIL_ORDER =
  '(SELECT COALESCE(MAX(o.email_order), 0) + 1 FROM users o WHERE o.realm = $1 AND o.email = $4)';
const INSERT_USER =
  'INSERT INTO users (realm, id, username, email, service_account_client, version, representation, first_name, ' +
  `last_name, email_order) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${NEXT_EMAIL_ORDER})`;

export const userOperations = {
  *'users.put'(
    user: NewUserRow,
    expectedVersion: number,
    emailUnique: boolean,
    kept?: LastAdminGuard,
  ): Operation<PutOutcome> {
    yield* lockNames(user.realm, [...lockNamesOfGuard(kept), ...lockNamesOf(user)]);
    return yield* withGuard(user.realm, kept, putUser(user, expectedVersion, emailUnique));
  },

  *'users.remove'(
    realm: string,
    id: string,
    expectedVersion?: number,
    kept?: LastAdminGuard,
  ): Operation<boolean | 'unheld'> {
    yield* lockNames(realm, lockNamesOfGuard(kept));
    const removed = yield* withGuard(realm, kept, removeUser(realm, id, expectedVersion));
    return removed === 'conflict' ? false : removed;
  },

  'users.index': indexMoreUsers,
};

function* putUser(user: NewUserRow, expectedVersion: number, emailUnique: boolean): Operation<PutOutcome> {
  const { realm, id } = user;
  const sql = 'SELECT version, username, email FROM users WHERE realm = $1 AND id = $2';
  const current = yield* lock<{ version: number; username: string; email: string | null }>(sql, realm, id);
  if (expectedVersion === 0 && current !== undefined) return { exists: 'id' };
  if (expectedVersion !== (current?.version ?? 0)) return 'conflict';
  const takenAttribute =
    (yield* findTakenAttribute(user, emailUnique)) ?? (emailUnique ? yield* findAmbiguous(user, current) : undefined);
  if (takenAttribute !== undefined) return { exists: takenAttribute };
  const version = expectedVersion + 1;
  if (current === undefined) {
    yield* runAll([userInsert(INSERT_USER, { ...user, version })]);
    yield* putHoldings(realm, id, user.holdings);
    return { version };
  }
  const order = current.email === user.email ? 'email_order' : NEXT_EMAIL_ORDER;
  yield* run(
    'UPDATE users SET username = $3, email = $4, service_account_client = $5, version = $6, representation = $7, ' +
      `first_name = $8, last_name = $9, email_order = ${order} WHERE realm = $1 AND id = $2`,
    realm,
    id,
    user.username,
    user.email,
    user.service_account_client,
    version,
    user.representation,
    user.first_name,
    user.last_name,
  );
  yield* putHoldings(realm, id, user.holdings);
  return { version };
}

export function* removeUser(realm: string, id: string, expectedVersion?: number): Operation<boolean> {
  // Writers of a user lock the user before its holdings too.
  const row = yield* lock<{ version: number }>('SELECT version FROM users WHERE realm = $1 AND id = $2', realm, id);
  if (expectedVersion !== undefined && row?.version !== expectedVersion) return false;
  yield* endSessionsOfUser(realm, id);
  yield* removeHoldings(realm, id);
  yield* run('DELETE FROM action_tokens WHERE realm = $1 AND user_id = $2', realm, id);
  return (yield* run('DELETE FROM users WHERE realm = $1 AND id = $2', realm, id)) === 1;
}

function userInsert(sql: string, user: NewUserRow) {
  return [
    sql,
    user.realm,
    user.id,
    user.username,
    user.email,
    user.service_account_client,
    user.version,
    user.representation,
    user.first_name,
    user.last_name,
  ] as const;
}

/**
 * Creates users, except those whose ID, username, service account or account at an identity provider exists already.
 * @returns the IDs of the created users
 */
export function* insertNewUsers(users: readonly NewUserRow[]): Operation<string[]> {
  const created: string[] = [];
  for (let first = 0; first < users.length; first += USERS_PER_INSERT) {
    const batch: NewUserRow[] = [];
    for (const user of users.slice(first, first + USERS_PER_INSERT)) {
      const hasAccounts = user.holdings.some(({ kind }) => kind === 'identity');
      if (!hasAccounts) batch.push(user);
      else {
        // Whether its accounts are taken is only known when the users before it have been inserted.
        created.push(...(yield* insertAll(batch.splice(0))));
        const isTaken = yield* isIdentityTaken(user.realm, user.holdings, (id) => id === user.id);
        if (!isTaken) created.push(...(yield* insertAll([user])));
      }
    }
    created.push(...(yield* insertAll(batch)));
  }
  return created;
}

function* insertAll(users: readonly NewUserRow[]): Operation<string[]> {
  const inserted = yield* runAll(users.map((user) => userInsert(`${INSERT_USER} ON CONFLICT DO NOTHING`, user)));
  const created = users.filter((_, index) => inserted[index] === 1);
  yield* runAll(created.flatMap(({ realm, id, holdings }) => holdingInserts(realm, id, holdings)));
  return created.map(({ id }) => id);
}

/**
 * Renames the service account of a client after a change of the client ID.
 * @returns false, without writing anything, if another user has that name
 */
export function* renameServiceAccount(
  realm: string,
  { clientUuid, clientId, username }: { clientUuid: string; clientId: string; username: string },
): Operation<boolean> {
  const row = yield* lock<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users WHERE realm = $1 AND service_account_client = $2`,
    realm,
    clientUuid,
  );
  if (row === undefined) return true;
  if ((yield* findTakenAttribute({ ...row, username, email: null }, false)) !== undefined) return false;
  const representation = { ...JSON.parse(row.representation), username, serviceAccountClientId: clientId };
  yield* run(
    'UPDATE users SET version = version + 1, username = $3, representation = $4 WHERE realm = $1 AND id = $2',
    realm,
    row.id,
    username,
    JSON.stringify(representation),
  );
  return true;
}

/**
 * Returns the lock names of a user: its unique values and its ID. Usernames and addresses share the same names, because
 * they exclude each other.
 */
export function lockNamesOf({ id, username, email, service_account_client, holdings }: NewUserRow): string[] {
  return [
    `user ${id}`,
    `name ${username}`,
    ...(email === null ? [] : [`name ${email}`]),
    ...(service_account_client === null ? [] : [`account of ${service_account_client}`]),
    ...holdings.filter(({ kind }) => kind === 'identity').map(({ container, name }) => `identity ${container} ${name}`),
  ];
}

/** True if another user has a unique value of a new user. The users that are deleted first do not count. */
export function* areValuesTaken(
  { realm, id, username, email, service_account_client, holdings }: NewUserRow,
  { removed, emailUnique }: { readonly removed: ReadonlySet<string>; readonly emailUnique: boolean },
): Operation<boolean> {
  for (const [column, value] of [
    ['id', id],
    ['username', username],
    ['email', emailUnique ? email : null],
    ['service_account_client', service_account_client],
  ] as const) {
    if (value === null) continue;
    const sql = `SELECT id FROM users WHERE realm = $1 AND ${column} = $2`;
    const holders = yield* all<{ id: string }>(sql, realm, value);
    if (holders.some((holder) => !removed.has(holder.id))) return true;
  }
  return yield* isIdentityTaken(realm, holdings, (holder) => removed.has(holder));
}

function* findTakenAttribute(
  user: UserRow & Partial<Pick<NewUserRow, 'holdings'>>,
  emailUnique: boolean,
): Operation<Extract<PutOutcome, { exists: unknown }>['exists'] | undefined> {
  const { realm, id } = user;
  if (yield* isValueOfOther(realm, id, 'username', user.username)) return 'username';
  if (emailUnique && (yield* isValueOfOther(realm, id, 'email', user.email))) return 'email';
  if (yield* isValueOfOther(realm, id, 'service_account_client', user.service_account_client)) return 'serviceAccount';
  if (yield* isIdentityTaken(realm, user.holdings ?? [], (holder) => holder === id)) return 'federatedIdentity';
  return undefined;
}

/**
 * Returns the value of a user that would make a login ambiguous: a new username that is another user's address, or the
 * reverse. Unchanged values are not checked.
 */
function* findAmbiguous(
  { realm, id, username, email }: UserRow,
  current: { username: string; email: string | null } | undefined,
): Operation<'username' | 'email' | undefined> {
  if (username !== current?.username && (yield* isValueOfOther(realm, id, 'email', username))) return 'username';
  if (email !== current?.email && (yield* isValueOfOther(realm, id, 'username', email))) return 'email';
  return undefined;
}

function* isValueOfOther(realm: string, id: string, column: string, value: string | null): Operation<boolean> {
  if (value === null) return false;
  const sql = `SELECT 1 FROM users WHERE realm = $1 AND ${column} = $2 AND id <> $3`;
  return (yield* get(sql, realm, value, id)) !== undefined;
}

export function userRow(user: UserRecord): NewUserRow {
  return {
    realm: user.realm,
    id: user.id,
    username: user.username,
    email: user.email ?? null,
    service_account_client: user.serviceAccountClientId ?? null,
    version: user.version,
    representation: JSON.stringify(user.representation),
    first_name: user.representation.firstName?.toLowerCase() ?? null,
    last_name: user.representation.lastName?.toLowerCase() ?? null,
    holdings: holdingsOf(user.representation),
  };
}
