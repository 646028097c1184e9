import type { UserDialect } from '../engine/dialect.js';

/** Greater than every character, so that all pieces with a prefix are below it. */
const LAST_PIECE = '\u{10ffff}';

/** A piece that no text contains. */
const UNMATCHED_PIECE = '"\x04\x04\x04"';

/** https://www.sqlite.org/fts5.html; migration 013 creates the tables. */
export const SQLITE_USERS: UserDialect = {
  isIndexed: 'SELECT 1 AS there FROM users_search_progress WHERE done = 1',
  having: (pieces, bind) => ({
    // A cross join fixes the order. An indexed user is not in the waiting list.
    from:
      '(SELECT p.realm, p.id FROM users_search s CROSS JOIN users_search_places p ON p.n = s.rowid ' +
      `WHERE users_search MATCH ${matchExpression(pieces, bind)} UNION ALL SELECT realm, id FROM users_search_waiting) f ` +
      'CROSS JOIN users u ON u.realm = f.realm AND u.id = f.id',
    where: '1 = 1',
  }),
  others: 'users_search_waiting w CROSS JOIN users u ON u.realm = w.realm AND u.id = w.id',
  // If a username changes, the user is indexed again. An entry from before migration 018 may lack the username.
  indexedHits: (pieces, bind) => ({
    from:
      '(SELECT p.realm, p.id, s.rowid AS place, ' +
      'COALESCE(p.username, (SELECT u.username FROM users u WHERE u.realm = p.realm AND u.id = p.id)) AS username FROM users_search s ' +
      `CROSS JOIN users_search_places p ON p.n = s.rowid WHERE users_search MATCH ${matchExpression(pieces, bind)}) u`,
    places: 'SELECT COALESCE(MAX(n), 0) AS places FROM users_search_places',
  }),
  countSql: (pieces, limit, bind) =>
    'SELECT count(*) + (SELECT count(*) FROM users_search_waiting) AS users FROM ' +
    `(SELECT 1 FROM users_search WHERE users_search MATCH ${matchExpression(pieces, bind)} LIMIT ${limit})`,
  texts: [
    { from: 'users_search_texts h', text: 'h.text', areShared: true },
    ...['email', 'first_name', 'last_name'].map((column) => ({
      from: 'users_search_waiting w CROSS JOIN users h ON h.realm = w.realm AND h.id = w.id',
      text: `h.${column}`,
      where: "COALESCE(h.service_account_client, '') = ''",
    })),
  ],
  // SQLite has no lateral joins, so first look up the last username that is needed for each text.
  firstOfEach: ({ from, text }, { list, most, after }) => {
    const afterCondition = (name: string) => (after === undefined ? '' : ` AND ${name}.username > ${after}`);
    return (
      `SELECT h.id, h.username FROM json_each(${list}) v CROSS JOIN ${from} WHERE h.realm = $1 AND ${text} = v.value${afterCondition('h')} ` +
      'AND h.username <= COALESCE((SELECT x.username FROM users_search_texts x ' +
      `WHERE x.realm = $1 AND x.text = v.value${afterCondition('x')} ORDER BY x.username LIMIT 1 OFFSET ${most} - 1), '${LAST_PIECE}')`
    );
  },
  withoutIndexOrder: (column) => `+${column}`,
  rows: 'SELECT COALESCE(MAX(rowid), 0) AS rows FROM users',
  randomRows: (rows, count) =>
    `(WITH RECURSIVE r (i, x) AS (SELECT 1, 0 UNION ALL SELECT i + 1, abs(random() % CAST(${rows} AS INTEGER)) + 1 FROM r WHERE i <= ${count}) ` +
    'SELECT x FROM r WHERE x > 0) r LEFT JOIN users u ON u.rowid = r.x',
};

/**
 * Returns the MATCH expression for the pieces. A piece of less than three characters is replaced by the indexed pieces
 * that begin with it.
 */
function matchExpression(pieces: readonly string[], bind: (value: string) => string): string {
  const wholePieces = pieces.filter((piece) => [...piece].length === 3);
  const expressions = pieces
    .filter((piece) => !wholePieces.includes(piece))
    .map(
      (piece) =>
        `'(' || (SELECT COALESCE(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), '${UNMATCHED_PIECE}') FROM users_search_pieces ` +
        `WHERE term >= ${bind(piece)} AND term < ${bind(piece + LAST_PIECE)}) || ')'`,
    );
  if (wholePieces.length > 0)
    expressions.push(bind(wholePieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ')));
  return `(${expressions.join(" || ' AND ' || ")})`;
}
