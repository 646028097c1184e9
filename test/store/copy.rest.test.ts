import { join } from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { Checksum } from '../../core/store/copy/checksum.js';
import { recordTables, type Table } from '../../core/store/copy/tables.js';
import { copyStore, openStore, type StoreLocation } from '../../core/store/open-store.js';
import { sqliteDriver } from '../../core/store/sqlite/driver.js';
import { testPostgresql as anyPostgresql } from '../helpers/postgresql.js';
import { postgresqlPrograms, sharedPostgresql } from '../helpers/postgresql-server.js';
import { REALM } from './records.js';
import { temporaryDirectory } from './temporary-directory.js';

// SQLite blocks the test thread, so concurrent tests would read the answers of the PostgreSQL server too late.
const test = anyTest.serial;
const testPostgresql = postgresqlPrograms() === undefined ? anyPostgresql : anyTest.serial;

type Rows = Readonly<Record<string, readonly object[]>>;

const sqlitePlace = async (t: ExecutionContext): Promise<StoreLocation> => ({
  dataDir: await temporaryDirectory(t),
  postgresql: undefined,
});
const postgresqlPlace = async (): Promise<StoreLocation & { postgresql: PostgresqlSettings }> => ({
  dataDir: 'unused',
  postgresql: await (await sharedPostgresql()).database(),
});

/** Runs statements directly on the tables of a store. */
async function runStatements(place: StoreLocation, statements: readonly string[]): Promise<void> {
  if (place.postgresql === undefined) {
    const db = new (sqliteDriver().DatabaseSync)(join(place.dataDir, 'keyhost.db'));
    db.exec(`BEGIN; ${statements.join('; ')}; COMMIT`);
    db.close();
    return;
  }
  const client = await (await sharedPostgresql()).client(place.postgresql.database);
  await client.query(statements.join('; '));
  await client.end();
}

/** Returns the rows of every table, with numbers as numbers. */
async function rowsOf(place: StoreLocation, tables: readonly Table[]): Promise<Rows> {
  const all: Record<string, readonly object[]> = {};
  for (const { name, columns, key } of tables) {
    const names = columns.map((column) => column.name);
    const query = `SELECT ${names.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`;
    if (place.postgresql === undefined) {
      const db = new (sqliteDriver().DatabaseSync)(join(place.dataDir, 'keyhost.db'), { readOnly: true });
      all[name] = db
        .prepare(query)
        .all()
        .map((row) => ({ ...(row as object) }));
      db.close();
    } else {
      const { rows } = await (await sharedPostgresql()).run(query, place.postgresql.database);
      const integers = columns.filter(({ kind }) => kind === 'integer').map((column) => column.name);
      all[name] = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            value !== null && integers.includes(column) ? Number(value) : value,
          ]),
        ),
      );
    }
  }
  return all;
}

/**
 * Returns statements that fill every table of the migrations. They are derived from the columns, so that future tables
 * are filled as well.
 */
function fillStatements(tables: readonly Table[], rows: number): string[] {
  return tables.flatMap(({ name, columns }) => [
    `DELETE FROM ${name}`,
    ...Array.from({ length: rows }, (_, index) => {
      const values = columns.map(({ kind, name: column }) =>
        kind === 'integer' ? 1_700_000_000_000 + index : `'${column} É 😀 ''${index}'`,
      );
      return `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')}) VALUES (${values.join(', ')})`;
    }),
  ]);
}

async function createStore(place: StoreLocation): Promise<StoreLocation> {
  await (await openStore(place)).close();
  return place;
}

test('copy of a store: every table that migrations make is one that is copied', (t) => {
  const names = recordTables().map(({ name }) => name);
  t.true(names.length >= 15);
  for (const name of ['users', 'realm_keys', 'families', 'revisions', 'user_holdings']) t.true(names.includes(name));
  for (const { name, key, columns } of recordTables()) {
    t.true(key.length > 0, `${name} is paged by its primary key`);
    for (const column of key) t.true(columns.some((one) => one.name === column));
  }
});

testPostgresql(
  'copy of a store: PostgreSQL has the tables, columns and keys that SQLite has',
  async (t: ExecutionContext) => {
    const { postgresql } = (await createStore(await postgresqlPlace())) as { postgresql: PostgresqlSettings };
    const server = await sharedPostgresql();
    const { rows: columns } = await server.run(
      'SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c ' +
        'JOIN pg_class t ON t.relname = c.table_name AND NOT t.relispartition ' +
        "WHERE c.table_schema = 'public' AND c.table_name NOT IN ('schema_migrations', 'schema_lock') ORDER BY 1, 2",
      postgresql.database,
    );
    const there = columns.map((row) => [
      row.table_name,
      row.column_name,
      row.data_type === 'text' ? 'text' : 'integer',
    ]);
    t.deepEqual(
      there,
      recordTables().flatMap(({ name, columns: own }) => own.map((column) => [name, column.name, column.kind])),
      'a table or column of one engine alone is not copied: see core/store/copy/tables.ts',
    );
  },
);

for (const [from, to, placesOf] of [
  ['SQLite', 'PostgreSQL', async (t: ExecutionContext) => [await sqlitePlace(t), await postgresqlPlace()]],
  ['PostgreSQL', 'SQLite', async (t: ExecutionContext) => [await postgresqlPlace(), await sqlitePlace(t)]],
  ['PostgreSQL', 'PostgreSQL', async () => [await postgresqlPlace(), await postgresqlPlace()]],
  ['SQLite', 'SQLite', async (t: ExecutionContext) => [await sqlitePlace(t), await sqlitePlace(t)]],
] as const) {
  const register = `${from}${to}`.includes('PostgreSQL') ? testPostgresql : test;
  register(`copy of a store: every row of every table arrives from ${from} in ${to}`, async (t: ExecutionContext) => {
    const [source, target] = (await placesOf(t)) as [StoreLocation, StoreLocation];
    const tables = recordTables();
    await createStore(source);
    await runStatements(source, fillStatements(tables, 45));
    const before = await rowsOf(source, tables);
    const report = await copyStore(source, target);
    t.deepEqual(
      report.tables.map(({ name, rows, withNul }) => [name, rows, withNul]),
      tables.map(({ name }) => [name, 45, 0]),
    );
    t.false(report.isResumed);
    t.deepEqual(await rowsOf(target, tables), before);
    t.deepEqual(await rowsOf(source, tables), before, 'the source is not changed');
    // The copy opens like any other store.
    const store = await openStore(target);
    t.is(
      await store.users.count(before.users?.[0] === undefined ? '' : (before.users[0] as { realm: string }).realm),
      1,
    );
    await store.close();
  });
}

testPostgresql('copy of a store: a target that has a store is left as it is', async (t: ExecutionContext) => {
  const source = await createStore(await sqlitePlace(t));
  const pg = await createStore(await postgresqlPlace());
  const other = await createStore(await sqlitePlace(t));
  for (const target of [pg, other]) {
    const error = await t.throwsAsync(copyStore(source, target), {
      code: 'copy_failed',
      message: /already contains a store/,
    });
    t.regex((error as unknown as { hint: string }).hint, /nothing was overwritten/);
  }
  await t.throwsAsync(copyStore(await sqlitePlace(t), other), { code: 'store_failed', message: /no store found in/ });
});

test('copy of a store: a source that a host has, or of another schema, is not copied', async (t) => {
  const source = await sqlitePlace(t);
  const target = await sqlitePlace(t);
  const store = await openStore(source);
  await t.throwsAsync(copyStore(source, target), { code: 'store_locked' });
  await store.close();
  await runStatements(source, ['DELETE FROM schema_migrations WHERE version > 9']);
  const older = await t.throwsAsync(copyStore(source, target), { code: 'store_failed', message: /has schema 9/ });
  t.regex((older as unknown as { hint: string }).hint, /keyhost store migrate/);
  await runStatements(source, ["INSERT INTO schema_migrations (version, checksum, applied_at) VALUES (999, 'x', 0)"]);
  const newer = await t.throwsAsync(copyStore(source, target), { code: 'store_failed', message: /has schema 999/ });
  t.regex((newer as unknown as { hint: string }).hint, /the version of Keyhost that uses it/);
});

/** Copies until at least 20 users are copied, and then fails as if the target were lost. */
async function interruptCopy(t: ExecutionContext, source: StoreLocation, target: StoreLocation): Promise<void> {
  const stop = new Error('interrupted');
  await t.throwsAsync(
    copyStore(source, target, ({ table, rows }) => {
      if (table === 'users' && rows >= 20) throw stop;
    }),
    { is: stop },
  );
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  const register = engine === 'SQLite' ? test : testPostgresql;
  register(
    `copy of a store: a copy into ${engine} that was interrupted is not opened, and goes on where it stopped`,
    async (t: ExecutionContext) => {
      const source = await createStore(await sqlitePlace(t));
      const target = engine === 'SQLite' ? await sqlitePlace(t) : await postgresqlPlace();
      const tables = recordTables();
      await runStatements(source, fillStatements(tables, 100));
      await interruptCopy(t, source, target);
      const refused = await t.throwsAsync(openStore(target), {
        code: 'store_failed',
        message: /is an unfinished copy of/,
      });
      t.true(refused?.message.includes(source.dataDir));
      t.regex((refused as unknown as { hint: string }).hint, /the same keyhost store copy again/);
      const other = await createStore(await sqlitePlace(t));
      await t.throwsAsync(copyStore(other, target), {
        code: 'copy_failed',
        message: /is an unfinished copy of .*, not of/,
      });
      const told: [string, number][] = [];
      const report = await copyStore(source, target, ({ phase, table, rows }) => {
        if (phase === 'copied') told.push([table, rows]);
      });
      t.true(report.isResumed);
      t.true((told.find(([table]) => table === 'users')?.[1] ?? 0) >= 20, 'users were gone on with');
      t.is(told.filter(([table]) => table === 'action_tokens').length, 1, 'what was there was not copied again');
      t.deepEqual(await rowsOf(target, tables), await rowsOf(source, tables));
      await (await openStore(target)).close();
    },
  );
}

testPostgresql(
  'copy of a store: a row that changed in the source between two runs is told by its table',
  async (t: ExecutionContext) => {
    const source = await createStore(await sqlitePlace(t));
    const target = await postgresqlPlace();
    await runStatements(source, fillStatements(recordTables(), 100));
    await interruptCopy(t, source, target);
    await runStatements(source, ["UPDATE counters SET bumps = 7 WHERE subject LIKE '%''4'"]);
    await t.throwsAsync(copyStore(source, target), {
      code: 'copy_failed',
      message: /the table counters differs: 100 rows/,
    });
    await t.throwsAsync(openStore(target), { code: 'store_failed', message: /unfinished copy/ });
  },
);

test('copy of a store: a text with NUL has the checksum of what PostgreSQL stores, and is counted', (t) => {
  const [table] = recordTables().filter(({ name }) => name === 'entries') as [Table];
  const sumOf = (value: string) => {
    const checksum = new Checksum();
    checksum.add(table, [{ realm: REALM, namespace: 'n', entry_key: 'k', value, expires_at: 1 }]);
    return checksum.sum;
  };
  const nul = sumOf('before\0after');
  const unknown = sumOf('before\ufffdafter');
  t.is(nul.checksum, unknown.checksum);
  t.deepEqual([nul.withNul, unknown.withNul], [1, 0]);
  t.not(sumOf('before').checksum, nul.checksum);
});

testPostgresql(
  'copy of a store: a text with NUL becomes what a host would have written there',
  async (t: ExecutionContext) => {
    const source = await createStore(await sqlitePlace(t));
    const target = await postgresqlPlace();
    await runStatements(source, ["INSERT INTO entries VALUES ('r', 'n', 'k', '{' || char(0) || '}', NULL)"]);
    // The SQLite drivers of some versions of Node end a text at this character when they read it. So does the host's
    // reader.
    const [entry] = (await rowsOf(source, recordTables())).entries as [{ value: string }];
    await copyStore(source, target);
    const [copied] = (await rowsOf(target, recordTables())).entries as [{ value: string }];
    t.is(copied.value, entry.value.replaceAll('\0', '\ufffd'));
  },
);

testPostgresql(
  'copy of a store: a value that no column of the other engine takes is told with its row',
  async (t: ExecutionContext) => {
    const source = await createStore(await sqlitePlace(t));
    const target = await postgresqlPlace();
    await runStatements(source, [
      "INSERT INTO counters (realm, subject, bumps, first_at, expires_at) VALUES ('r', 's', 1, 1.5, 2)",
    ]);
    await t.throwsAsync(copyStore(source, target), {
      code: 'copy_failed',
      message: /the row r s of counters has a value in first_at that is not a whole number/,
    });
  },
);
