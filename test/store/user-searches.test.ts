import test from 'ava';
import { operationOf } from '../../core/store/records/operations.js';
import { openMemoryDatabase } from '../../core/store/sqlite/open-database.js';
import { SqliteReader } from '../../core/store/sqlite/reader.js';
import { runOperation } from '../../core/store/sqlite/writing/carry-out.js';
import { checkUserSearches, type Row, type SearchableDatabase } from './user-searches.js';

const FIELDS = 'realm, id, username, email, first_name, last_name';
const UNNAMED =
  'SELECT count(*) AS places FROM users_search_places p JOIN users u ON u.realm = p.realm AND u.id = p.id WHERE p.username IS NOT u.username';

test('user searches: SQLite: searches use an index that older Keyhosts maintain without knowing it', async (t) => {
  const db = openMemoryDatabase(0);
  const columns = FIELDS.split(', ').map((name) => `value ->> '${name}'`);
  const insert =
    `INSERT INTO users (${FIELDS}, email_order, version, representation) ` +
    `SELECT ${columns.join(', ')}, 1, 1, '{"enabled":true}' FROM json_each($1)`;
  const searched: SearchableDatabase = {
    reader: new SqliteReader(db),
    write: async (rows: readonly Row[]) => void db.run(insert, JSON.stringify(rows)),
    run: async (sql) => db.exec(sql),
    async index() {
      let pieces = 0;
      while (!runOperation(db, operationOf('users.index', []))) pieces += 1;
      t.true(pieces > 100, 'a few at a time');
    },
    plan: async (sql, parameters) =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters)
        .map(({ detail }) => detail)
        .join('\n'),
    planPatterns: {
      texts: /SEARCH h USING PRIMARY KEY \(realm=\? AND text[>=]/,
      index: /SCAN users_search VIRTUAL TABLE INDEX|SCAN s VIRTUAL TABLE INDEX|SEARCH h USING PRIMARY KEY/,
      all: /SCAN (u|users)\b(?! USING (COVERING )?INDEX)/,
    },
  };
  // A store of an older version, without the trigger that collects new users for the index.
  db.exec('DROP TRIGGER users_search_insert');
  const trigger =
    'CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN INSERT INTO users_search_waiting (realm, id) ' +
    'VALUES (new.realm, new.id) ON CONFLICT DO NOTHING; END';
  await checkUserSearches(t, {
    ...searched,
    index: async () => {
      db.exec(trigger);
      await searched.index();
      // The state that migration 018 finds.
      db.exec('UPDATE users_search_places SET username = NULL WHERE n % 2 = 0');
      db.exec('UPDATE users_search_progress SET named = 0');
    },
  });
  const unnamed = () => db.get<{ places: number }>(UNNAMED)?.places;
  t.true(Number(unnamed()) > 10_000);
  let pieces = 0;
  while (!runOperation(db, operationOf('users.index', []))) pieces += 1;
  t.true(pieces > 10, 'a few at a time');
  t.is(unnamed(), 0);
  db.exec("INSERT INTO users_search (users_search) VALUES ('integrity-check')");
  db.exec('DELETE FROM users');
  for (const table of ['places', 'texts', 'waiting']) t.deepEqual(db.all(`SELECT id FROM users_search_${table}`), []);
  t.deepEqual(db.all('SELECT term FROM users_search_pieces'), []);
});
