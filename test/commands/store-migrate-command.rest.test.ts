import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readMigrations } from '../../core/store/engine/migrations.js';
import { openStore, openStoreForReading } from '../../core/store/open-store.js';
import { Connection } from '../../core/store/sqlite/connection.js';
import { sqliteDriver } from '../../core/store/sqlite/driver.js';
import { createSchema } from '../../core/store/sqlite/migrations.js';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { temporaryDirectory } from '../store/temporary-directory.js';

const NEWEST = readMigrations().at(-1)?.version;
const STORE_ID = 0x4b657948;

/** A store as Keyhost left it with schema 9, from before the rule of expansions. */
async function olderFolder(t: ExecutionContext): Promise<string> {
  const dataDir = join(await temporaryDirectory(t), 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const database = new (sqliteDriver().DatabaseSync)(join(dataDir, 'keyhost.db'));
  const db = new Connection(database);
  db.exec(`PRAGMA application_id = ${STORE_ID}`);
  createSchema(db, readMigrations().slice(0, 9), 7);
  db.exec('ALTER TABLE schema_migrations DROP COLUMN readable_by');
  db.exec(
    "INSERT INTO users (realm, id, username, email_order, version, representation) VALUES ('r', 'i', 'u', 1, 1, '{}')",
  );
  db.close();
  return dataDir;
}

test('keyhost store migrate: the plan lists the steps for a data directory, and the command runs them', async (t) => {
  const dataDir = await olderFolder(t);
  const plan = await keyhost(['store', 'migrate', '--plan', '--data-dir', dataDir]);
  t.deepEqual([plan.code, plan.stderr], [2, '']);
  t.regex(
    plan.stdout,
    /^010_people_by_username\.sql: less than a second\n {4}stop servers that do not know schema 10 first\n {4}CREATE INDEX users_people .*\(1 rows of users\)$/m,
  );
  t.false(plan.stdout.includes('009_'));
  t.false(plan.stdout.includes('blocks'), 'no host has it meanwhile');
  const done = await keyhost(['store', 'migrate', '--data-dir', dataDir]);
  t.is(done.code, 0, done.stderr);
  t.regex(done.stderr, /010_people_by_username\.sql …\n010_people_by_username\.sql: done in [\d.]+ s\n/);
  t.true(done.stdout.includes(`is now at schema ${NEWEST}`));
  const nothing = await keyhost(['store', 'migrate', '--plan', '--data-dir', dataDir]);
  t.deepEqual([nothing.code, nothing.stdout.includes('is up to date')], [0, true]);
  const store = await openStore({ dataDir, postgresql: undefined });
  t.is(await store.users.count('r'), 1);
  t.regex((await keyhost(['store', 'migrate', '--data-dir', dataDir])).stderr, /\[store_locked\]/);
  await store.close();
});

testPostgresql(
  'keyhost store migrate: a database is migrated by one of several, beside hosts that serve',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const settings = await server.database();
    const url = `postgres://${settings.username}@${settings.host}:${settings.port}/${settings.database}`;
    const words = ['store', 'migrate', '--db', 'postgres', '--db-url', url];
    const env = { KEYHOST_DB_PASSWORD: settings.password ?? '' };
    const fresh = await keyhost([...words, '--plan'], { env });
    t.is(fresh.code, 2);
    t.regex(fresh.stdout, /^008_schema\.pg\.sql: less than a second$/m);
    t.is(await openStoreForReading({ postgresql: settings, dataDir: '' }), undefined, 'a plan changes nothing');
    const made = await Promise.all(Array.from({ length: 3 }, () => keyhost(words, { env })));
    t.deepEqual(
      made.map(({ code }) => code),
      [0, 0, 0],
      made.map(({ stderr }) => stderr).join(''),
    );
    t.is(made.filter(({ stderr }) => stderr.includes('008_schema.pg.sql …')).length, 1);
    t.is((await keyhost([...words, '--plan'], { env })).code, 0);

    // As a Keyhost of schema 9 left it, which serves meanwhile.
    const admin = await server.client(settings.database);
    await admin.query('DROP INDEX users_people; DELETE FROM schema_migrations WHERE version >= 10');
    const triggers = ['insert', 'enabled', 'delete'].map((when) => `user_sign_ins_${when}`);
    await admin.query(`DROP TABLE ${tablesSince(14).join(', ')}; DROP FUNCTION ${triggers.join(', ')} CASCADE`);
    await admin.query('ALTER TABLE schema_migrations DROP COLUMN readable_by');
    await admin.query("INSERT INTO users VALUES ('r', 'i', 'u', NULL, 1, NULL, 1, '{}', NULL, NULL)");
    const plan = await keyhost([...words, '--plan'], { env });
    t.regex(plan.stdout, /\(1 rows of users\)\n {4}blocks writes to users while it runs\n/);
    t.teardown(() => admin.end());
    await admin.query("BEGIN; UPDATE users SET version = 2 WHERE id = 'i'");
    const migrating = keyhost(words, { env });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${settings.database}' AND wait_event_type = 'Lock'`;
    await eventually(async () => (await server.run(waiting)).rows.length > 0);
    // It releases its lock request repeatedly, so that others do not wait behind it for long.
    await eventually(async () => (await server.run(waiting)).rows.length === 0);
    await admin.query('COMMIT');
    const done = await migrating;
    t.is(done.code, 0, done.stderr);
    const { rows } = await admin.query(
      'SELECT version, readable_by FROM schema_migrations WHERE version > 8 ORDER BY version',
    );
    t.deepEqual(rows.slice(0, 2), [
      { version: '9', readable_by: null },
      { version: '10', readable_by: '10' },
    ]);
    t.is(rows.at(-1).version, `${NEWEST}`);
  },
);

test('keyhost store migrate: --help', async (t) => {
  const help = await keyhost(['store', 'migrate', '--help']);
  t.deepEqual([help.code, help.stdout.startsWith('Usage: keyhost store migrate ')], [0, true]);
  t.regex((await keyhost(['store', 'migrate', '--plan', '--nonsense'])).stderr, /unknown option --nonsense/);
});

/** The tables that migrations from that version on create. */
function tablesSince(first: number): string[] {
  const texts = readMigrations().flatMap(({ version, sql }) => (version >= first ? [sql] : []));
  return texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name));
}
