import type { UserDialect } from '../engine/dialect.js';

/** The function is of migration 013; user-index.ts makes the index. */
export const USER_INDEX = 'users_pieces';
export const PIECES_OF_USER = 'user_pieces(username, email, first_name, last_name)';
/** What conditions on users ask for. */
const COLUMNS = 'realm, id, username, email, first_name, last_name, service_account_client, representation';

/** https://www.postgresql.org/docs/current/datatype-textsearch.html */
export const POSTGRESQL_USERS: UserDialect = {
  isIndexed: `SELECT 1 AS there FROM pg_index WHERE indexrelid = to_regclass('${USER_INDEX}') AND indisvalid`,
  // OFFSET 0 keeps the server from beginning with another index, such as that of the realm, which leads to all of its users.
  having: (pieces, bind) => ({
    from: `(SELECT ${COLUMNS} FROM users WHERE ${PIECES_OF_USER} @@ ${bind(matching(pieces))}::tsquery OFFSET 0) u`,
    where: '1 = 1',
  }),
  counting: () => undefined,
  rows:
    'SELECT (c.reltuples / greatest(c.relpages, 1) * ' +
    "(pg_relation_size(c.oid) / current_setting('block_size')::bigint))::bigint AS rows " +
    "FROM pg_class c WHERE c.oid = 'users'::regclass",
  // Of pages: those who came together are there together.
  sample: (rows, count) => `users u TABLESAMPLE SYSTEM (least(100, ${100 * count} / ${rows}::real))`,
};

/** Pieces of less than three characters begin some. Who has a text that is too long may have any piece. */
function matching(pieces: readonly string[]): string {
  const all = pieces.map((piece) => `'${piece.replace(/['\\]/g, '$&$&')}'${[...piece].length < 3 ? ':*' : ''}`);
  return `(${all.join(' & ')}) | '\x03\x03\x03'`;
}
