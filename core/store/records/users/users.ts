import type { Reader, Writer } from '../../engine/engine.js';
import type { IdleUser, LastAdminGuard, RoughCount, UserFilter, UserRecord, UserStore } from '../../store.js';
import { isStorable } from './holdings.js';
import { countRoughly } from './rough-count.js';
import { idleRows, SignIns } from './sign-ins.js';
import { type PutOutcome, USER_COLUMNS, type UserRow, userRow } from './user-operations.js';
import { countUsers, findUsers } from './user-search.js';

export class UserRecords implements UserStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #signIns: SignIns;

  constructor(reader: Reader, writer: Writer, signIns = new SignIns((batch) => writer.call('users.signedIn', batch))) {
    this.#reader = reader;
    this.#writer = writer;
    this.#signIns = signIns;
  }

  async byId(realm: string, id: string): Promise<UserRecord | undefined> {
    return this.#findOne('id = $2', realm, id);
  }

  async byUsername(realm: string, username: string): Promise<UserRecord | undefined> {
    return this.#findOne('username = $2', realm, username);
  }

  async byEmail(realm: string, email: string): Promise<UserRecord | undefined> {
    return this.#findOne('email = $2 ORDER BY email_order LIMIT 1', realm, email);
  }

  async byServiceAccountClient(realm: string, clientUuid: string): Promise<UserRecord | undefined> {
    return this.#findOne('service_account_client = $2', realm, clientUuid);
  }

  async byFederatedIdentity(realm: string, alias: string, userId: string): Promise<UserRecord | undefined> {
    if (!isStorable(alias) || !isStorable(userId)) return undefined;
    const row = await this.#reader.get<UserRow>(
      `SELECT ${USER_COLUMNS.split(', ')
        .map((column) => `u.${column}`)
        .join(', ')} FROM user_holdings h JOIN users u ON u.realm = h.realm AND u.id = h.user_id ` +
        "WHERE h.realm = $1 AND h.kind = 'identity' AND h.container = $2 AND h.name = $3",
      realm,
      alias,
      userId,
    );
    return row && userRecord(row);
  }

  put(
    user: Omit<UserRecord, 'version'>,
    { expectedVersion, emailUnique = true, kept }: Parameters<UserStore['put']>[1],
  ): Promise<PutOutcome> {
    const row = userRow({ ...user, version: expectedVersion });
    return this.#writer.call('users.put', row, expectedVersion, emailUnique, kept);
  }

  remove(realm: string, id: string, expectedVersion?: number, kept?: LastAdminGuard): Promise<boolean | 'unheld'> {
    return this.#writer.call('users.remove', realm, id, expectedVersion, kept);
  }

  count(realm: string, query?: UserFilter): Promise<number> {
    return countUsers(this.#reader, realm, query);
  }

  countRoughly(realm: string, query: UserFilter): Promise<RoughCount> {
    return countRoughly(this.#reader, realm, query);
  }

  async find(realm: string, query: Parameters<UserStore['find']>[1]): Promise<readonly UserRecord[]> {
    const { first = 0, max = 100, after = '', ...filter } = query;
    const page = { columns: USER_COLUMNS, first, max, after };
    const rows = await findUsers<UserRow>(this.#reader, realm, filter, page);
    return rows.map(userRecord);
  }

  signedIn(realm: string, userId: string, at: number): void {
    this.#signIns.add({ realm, userId, at });
  }

  async idle(realm: string, query: Parameters<UserStore['idle']>[1]): Promise<readonly IdleUser[]> {
    await this.#signIns.flush();
    const rows = await idleRows(this.#reader, realm, query);
    return rows.map(({ idleSince, lastSignIn, ...row }) => ({
      user: userRecord(row),
      idleSince,
      ...(lastSignIn === undefined ? {} : { lastSignIn }),
    }));
  }

  async #findOne(where: string, realm: string, value: string): Promise<UserRecord | undefined> {
    // The driver cuts off a text at its first NUL, and would find the user of the part before it.
    if (!isStorable(value)) return undefined;
    const row = await this.#reader.get<UserRow>(
      `SELECT ${USER_COLUMNS} FROM users WHERE realm = $1 AND ${where}`,
      realm,
      value,
    );
    return row && userRecord(row);
  }
}

function userRecord(row: UserRow): UserRecord {
  return {
    realm: row.realm,
    id: row.id,
    username: row.username,
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.service_account_client === null ? {} : { serviceAccountClientId: row.service_account_client }),
    version: row.version,
    representation: JSON.parse(row.representation),
  };
}
