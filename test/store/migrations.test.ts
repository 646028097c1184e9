import { appendFile, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readMigrations } from '../../core/store/engine/migrations.js';
import { Connection } from '../../core/store/sqlite/connection.js';
import { sqliteDriver } from '../../core/store/sqlite/driver.js';
import { createSchema, migrate } from '../../core/store/sqlite/migrations.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { temporaryDirectory } from './temporary-directory.js';

async function folderWith(t: ExecutionContext, files: Record<string, string>): Promise<string> {
  const folder = join(await temporaryDirectory(t), 'migrations');
  await mkdir(folder);
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return folder;
}

function emptyDatabase(t: ExecutionContext): Connection {
  const { DatabaseSync } = sqliteDriver();
  const db = new Connection(new DatabaseSync(':memory:'));
  t.teardown(() => db.close());
  return db;
}

const FIRST = { '001_first.sql': 'CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT);' };

test('migrations: migrations are applied once, in order, and later ones when they come', async (t) => {
  const db = emptyDatabase(t);
  const folder = await folderWith(t, FIRST);
  createSchema(db, readMigrations(folder), 7);
  await writeFile(join(folder, '002_second.sql'), 'ALTER TABLE a ADD COLUMN y TEXT;');
  migrate(db, readMigrations(folder), 8);
  migrate(db, readMigrations(folder), 9);
  t.is(db.run('INSERT INTO a (x, y) VALUES ($1, $2)', 'x', 'y'), 1);
  const rows = db.all<{ version: number; applied_at: number }>('SELECT version, applied_at FROM schema_migrations');
  t.deepEqual(
    rows.map((row) => [row.version, row.applied_at]),
    [
      [1, 7],
      [2, 8],
    ],
  );
});

test('migrations: a migration that fails leaves the schema as it was', async (t) => {
  const db = emptyDatabase(t);
  const folder = await folderWith(t, FIRST);
  createSchema(db, readMigrations(folder), 0);
  await writeFile(join(folder, '002_good.sql'), 'CREATE TABLE c (x TEXT);');
  await writeFile(join(folder, '003_bad.sql'), 'CREATE TABLE d (x TEXT); CREATE TABLE a (x TEXT);');
  t.throws(() => migrate(db, readMigrations(folder), 0), { message: /already exists/ });
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  t.deepEqual(
    tables.map(({ name }) => name),
    ['a', 'b', 'schema_migrations'],
  );
});

test('migrations: an applied migration that was edited and a schema of a newer Keyhost are refused', async (t) => {
  const db = emptyDatabase(t);
  const folder = await folderWith(t, { ...FIRST, '002_second.sql': 'CREATE TABLE c (x TEXT);' });
  createSchema(db, readMigrations(folder), 0);
  t.throws(() => migrate(db, readMigrations(folder).slice(0, 1), 0), { code: 'store_failed', message: /has schema 2/ });
  await appendFile(join(folder, '001_first.sql'), '-- edited');
  t.throws(() => migrate(db, readMigrations(folder), 0), { code: 'store_failed', message: /001_first\.sql differs/ });
});

test('migrations: migrations are numbered without a gap', async (t) => {
  const folder = await folderWith(t, { ...FIRST, '003_third.sql': '' });
  t.throws(() => readMigrations(folder), { code: 'store_failed', message: /003_third\.sql is not migration 2/ });
});

test('migrations: migrations are found from an installed copy of the package', async (t) => {
  const root = await temporaryDirectory(t);
  const compiled = new URL('../../core/', import.meta.url);
  const source = new URL('../../../core/store/migrations/', import.meta.url);
  const copies: [from: URL, to: string][] = [
    [new URL('store/engine/migrations.js', compiled), 'dist/core/store/engine/migrations.js'],
    [new URL('config/boot-error.js', compiled), 'dist/core/config/boot-error.js'],
    [new URL('config/problem.js', compiled), 'dist/core/config/problem.js'],
  ];
  for (const name of await readdir(source)) copies.push([new URL(name, source), `core/store/migrations/${name}`]);
  for (const [from, to] of copies) {
    await mkdir(join(root, to, '..'), { recursive: true });
    await copyFile(from, join(root, to));
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  const copy = await import(join(root, 'dist/core/store/engine/migrations.js'));
  t.deepEqual(copy.readMigrations(), readMigrations());
});

test('migrations: a store that a newer Keyhost wrote is not opened', async (t) => {
  const dataDir = await temporaryDirectory(t);
  await (await openStore({ dataDir })).close();
  const { DatabaseSync } = sqliteDriver();
  const db = new DatabaseSync(join(dataDir, 'keyhost.db'));
  db.exec("INSERT INTO schema_migrations (version, checksum, applied_at) VALUES (999, 'x', 0)");
  db.close();
  const error = await t.throwsAsync(openStore({ dataDir }), { name: 'BootError', code: 'store_failed' });
  t.regex((error as unknown as { report(): string }).report(), /newer version of Keyhost/);
});

test('migrations: realms of a store from before their summaries are listed as they are', async (t) => {
  const db = emptyDatabase(t);
  const migrations = readMigrations();
  createSchema(db, migrations.slice(0, 4), 0);
  for (const [name, text] of [
    ['a', '{"displayName":"A","enabled":true}'],
    ['b', '{"enabled":false}'],
    ['c', '{}'],
  ]) {
    db.run('INSERT INTO realms (name, id, version, representation) VALUES ($1, $1, 1, $2)', name ?? '', text ?? '');
  }
  migrate(db, migrations, 1);
  t.deepEqual(db.all('SELECT name, display_name, enabled FROM realms ORDER BY name'), [
    { name: 'a', display_name: 'A', enabled: 1 },
    { name: 'b', display_name: null, enabled: 0 },
    { name: 'c', display_name: null, enabled: 0 },
  ]);
  const plan = db.all('EXPLAIN QUERY PLAN SELECT name, id, display_name, enabled FROM realms ORDER BY name');
  t.regex(JSON.stringify(plan), /COVERING INDEX realms_summary/);
});

test('migrations: users of a store from before user searches are found by name, role and group', async (t) => {
  const db = emptyDatabase(t);
  const [first, ...later] = readMigrations();
  createSchema(db, first === undefined ? [] : [first], 0);
  const representation = { firstName: 'Anna', realmRoles: ['r'], clientRoles: { c: ['e', 'e'] }, groups: ['/g'] };
  for (const [id, text] of [
    ['1', JSON.stringify(representation)],
    ['2', '{}'],
  ]) {
    db.run(
      'INSERT INTO users (realm, id, username, email_order, version, representation) VALUES ($1, $2, $2, 1, 1, $3)',
      'x',
      id,
      text,
    );
  }
  t.true(later.length > 0);
  migrate(db, readMigrations(), 1);
  t.deepEqual(db.all('SELECT first_name FROM users ORDER BY id'), [{ first_name: 'anna' }, { first_name: null }]);
  t.deepEqual(db.all('SELECT kind, container, name, user_id FROM user_holdings ORDER BY kind, container'), [
    { kind: 'group', container: '', name: '/g', user_id: '1' },
    { kind: 'role', container: '', name: 'r', user_id: '1' },
    { kind: 'role', container: 'c', name: 'e', user_id: '1' },
  ]);
});

test('migrations: sessions of a store from before offline sessions keep their login’s ID', async (t) => {
  const db = emptyDatabase(t);
  const migrations = readMigrations();
  createSchema(db, migrations.slice(0, 7), 0);
  for (const [id, offline] of [
    ['browser', 0],
    ['away', 1],
  ] as const) {
    db.run(
      'INSERT INTO user_sessions (realm, id, user_id, started_at, last_refresh, expires_at, ip_address, remember_me, offline, ' +
        "auth_method, auth_time, notes) VALUES ('x', $1, 'u', 1, 2, 3, NULL, 1, $2, 'm', NULL, '{}')",
      id,
      offline,
    );
    db.run("INSERT INTO client_sessions VALUES ('x', $1, 'c', 4, 5, 'openid', '{}')", id);
    db.run("INSERT INTO families VALUES ('x', $1, $1, 'c', 'u', '[]', NULL, 0, 6)", id);
  }
  migrate(db, migrations, 1);
  t.deepEqual(db.all('SELECT id, offline, user_id, expires_at, remember_me FROM user_sessions ORDER BY id'), [
    { id: 'away', offline: 1, user_id: 'u', expires_at: 3, remember_me: 1 },
    { id: 'browser', offline: 0, user_id: 'u', expires_at: 3, remember_me: 1 },
  ]);
  t.deepEqual(db.all('SELECT session_id, offline, last_refresh FROM client_sessions ORDER BY session_id'), [
    { session_id: 'away', offline: 1, last_refresh: 5 },
    { session_id: 'browser', offline: 0, last_refresh: 5 },
  ]);
  t.deepEqual(db.all('SELECT id, offline FROM families ORDER BY id'), [
    { id: 'away', offline: 1 },
    { id: 'browser', offline: 0 },
  ]);
  const reading = 'SELECT 1 FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3';
  t.regex(JSON.stringify(db.all(`EXPLAIN QUERY PLAN ${reading}`, 'x', 'away', 1)), /USING COVERING INDEX/);
});
