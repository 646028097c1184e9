import { createConnector } from '../../core/store/postgresql/connect.js';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import { Pool } from '../../core/store/postgresql/pool.js';
import { PostgresqlReader } from '../../core/store/postgresql/reader.js';
import { StatementNames } from '../../core/store/postgresql/session.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { checkUserSearches } from './user-searches.js';

const FIELDS = 'realm, id, username, email, first_name, last_name';
const VALID_INDEXES =
  "SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname IN ('users_pieces', 'users_by_email', 'users_by_first_name', 'users_by_last_name') ORDER BY 1";

/**
 * The processes that create the first index. They are listed once it is in the catalogue: other nodes cannot see it
 * before.
 */
const INDEX_BUILDERS =
  'SELECT p.pid FROM pg_stat_progress_create_index p JOIN pg_index i ON i.indrelid = p.relid ' +
  "WHERE i.indexrelid = to_regclass('users_by_email')";

testPostgresql('PostgreSQL: searches find what they say, by an index that is made while others write', async (t) => {
  const server = await sharedPostgresql();
  const settings = await server.database();
  const store = await openPostgresqlStore(settings);
  const pool = new Pool(await createConnector(settings, new StatementNames()), 2);
  t.teardown(() => pool.close());
  t.teardown(() => store.close());
  const writer = await server.client(settings.database);
  const other = await server.client(settings.database);
  t.teardown(() => Promise.all([writer.end(), other.end()]));
  const insert =
    `INSERT INTO users (${FIELDS}, email_order, version, representation) SELECT ${FIELDS}, 1, 1, '{"enabled":true}' ` +
    `FROM json_to_recordset($1) AS r (${FIELDS.split(', ')
      .map((name) => `${name} text`)
      .join(', ')})`;
  const searched = {
    reader: new PostgresqlReader(pool, { atOnce: 1 }),
    write: async (rows: readonly object[]) => {
      await writer.query(insert, [JSON.stringify(rows)]);
      await writer.query('ANALYZE users');
    },
    run: async (sql: string) => void (await writer.query(sql)),
    plan: async (sql: string, parameters: readonly unknown[]) =>
      (await writer.query(`EXPLAIN ${sql}`, [...parameters])).rows.map((row) => row['QUERY PLAN']).join('\n'),
    planPatterns: {
      index: /Bitmap Index Scan on users_pieces|Index Only Scan using users_by_/,
      texts: /Index Only Scan using users_by_last_name/,
      all: /Seq Scan on users/,
    },
    async index() {
      // Simulates a node that is killed while it creates the index. The older transaction prevents the index from being
      // completed.
      await other.query('BEGIN');
      await other.query("UPDATE users SET version = 1 WHERE id = 'id-1'");
      const abort = new AbortController();
      const cut = store.indexUsers(abort.signal);
      const making = async () => (await writer.query(INDEX_BUILDERS)).rows.map(({ pid }) => pid as number);
      let pids: number[] = [];
      while (pids.length === 0) pids = await making();
      t.false(await store.indexUsers(), 'another node leaves it to the one that makes it');
      // Writers do not wait meanwhile.
      await writer.query("SET lock_timeout = '1s'");
      await writer.query("UPDATE users SET version = 1 WHERE id = 'id-2'");
      await writer.query('SELECT pg_terminate_backend($1)', [pids[0]]);
      await t.throwsAsync(cut);
      while ((await making()).length > 0);
      await other.query('COMMIT');
      t.deepEqual((await writer.query(VALID_INDEXES)).rows, [{ name: 'users_by_email', valid: false }]);
      t.true(await store.indexUsers());
      const made = ['users_by_email', 'users_by_first_name', 'users_by_last_name', 'users_pieces'];
      t.deepEqual(
        (await writer.query(VALID_INDEXES)).rows,
        made.map((name) => ({ name, valid: true })),
      );
      t.true(await store.indexUsers());
    },
  };
  await checkUserSearches(t, searched);
});
