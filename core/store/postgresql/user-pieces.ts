import type { UserDialect } from '../engine/dialect.js';

/** Migration 013 creates the function; user-index.ts builds the index. */
export const USER_INDEX = 'users_pieces';
export const PIECES_OF_USER = 'user_pieces(username, email, first_name, last_name)';
/** The condition for users that are not service accounts; the same as in migration 010. */
const IS_PERSON = "COALESCE(service_account_client, '') = ''";
const TEXT_COLUMNS = ['email', 'first_name', 'last_name'] as const;
/**
 * Indexes in addition to that of pieces, by name. Each has one text in order, and the columns that a page of results
 * needs.
 */
export const TEXT_INDEXES: ReadonlyMap<string, string> = new Map(
  TEXT_COLUMNS.map((text) => [
    `users_by_${text}`,
    `users (realm, ${text}, username, id) WHERE ${IS_PERSON} AND ${text} IS NOT NULL`,
  ]),
);
/** The columns that conditions on users use. */
const FILTER_COLUMNS = 'realm, id, username, email, first_name, last_name, service_account_client, representation';

/** Returns a source of rows with the texts of a JSON list in the column `value`. */
export function elements(list: string, name: string): string {
  return `json_array_elements_text(${list}::json) ${name} (value)`;
}

/** https://www.postgresql.org/docs/current/datatype-textsearch.html */
export const POSTGRESQL_USERS: UserDialect = {
  isIndexed: `SELECT 1 AS there WHERE ${[USER_INDEX, ...TEXT_INDEXES.keys()]
    .map((name) => `EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND indisvalid)`)
    .join(' AND ')}`,
  // OFFSET 0 prevents the planner from using another index, such as that of the realm, which would read all its users.
  having: (pieces, bind) => ({
    from: `(SELECT ${FILTER_COLUMNS} FROM users WHERE ${PIECES_OF_USER} @@ ${bind(matchQuery(pieces))}::tsquery OFFSET 0) u`,
    where: '1 = 1',
  }),
  indexedHits: (pieces, bind) => ({
    from: `(SELECT realm, id, username FROM users WHERE ${PIECES_OF_USER} @@ ${bind(matchQuery(pieces))}::tsquery OFFSET 0) u`,
  }),
  countSql: () => undefined,
  texts: TEXT_COLUMNS.map((text) => ({
    from: 'users h',
    text: `h.${text}`,
    where: "COALESCE(h.service_account_client, '') = ''",
    ...(text === 'email' ? {} : { areShared: true as const }),
  })),
  firstOfEach: ({ from, text, where = '1 = 1' }, { list, most, after }) =>
    `SELECT p.id, p.username FROM ${elements(list, 'v')} CROSS JOIN LATERAL (SELECT h.id, h.username FROM ${from} ` +
    `WHERE h.realm = $1 AND ${where} AND ${text} = v.value${after === undefined ? '' : ` AND h.username > ${after}`} ` +
    `ORDER BY h.username LIMIT ${most}) p`,
  withoutIndexOrder: (column) => `${column} || ''`,
  rows:
    'SELECT (c.reltuples / greatest(c.relpages, 1) * ' +
    "(pg_relation_size(c.oid) / current_setting('block_size')::bigint))::bigint AS rows " +
    "FROM pg_class c WHERE c.oid = 'users'::regclass",
  // It samples pages, so neighbouring rows are sampled together.
  randomRows: (rows, count) => `users u TABLESAMPLE SYSTEM (least(100, ${100 * count} / ${rows}::real))`,
};

/**
 * Returns the tsquery for the pieces. Pieces of less than three characters match as prefixes. A user with a text that
 * is too long for the index matches any piece.
 */
function matchQuery(pieces: readonly string[]): string {
  const terms = pieces.map((piece) => `'${piece.replace(/['\\]/g, '$&$&')}'${[...piece].length < 3 ? ':*' : ''}`);
  return `(${terms.join(' & ')}) | '\x03\x03\x03'`;
}
