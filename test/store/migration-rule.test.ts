import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { stepsOf } from '../../core/store/engine/migration-steps.js';
import { type Migration, missingMigrations, readMigrations } from '../../core/store/engine/migrations.js';
import { LAST_RELEASE, RELEASES } from './releases.js';
import { temporaryDirectory } from './temporary-directory.js';

const CONTRACTION = /^-- Contraction: readable by (\d+)\.$/m;

/** Returns the violations of the rule in core/store/migrations/README.md by a migration that follows a release. */
function ruleViolations(
  { name, sql, version }: Pick<Migration, 'name' | 'sql' | 'version'>,
  released: number,
): string[] {
  const readableBy = CONTRACTION.exec(sql)?.[1];
  if (readableBy === undefined) {
    return stepsOf(sql)
      .filter(({ incompatibility }) => incompatibility !== undefined)
      .map(({ summary, incompatibility }) => `${name}: ${summary}: ${incompatibility}`);
  }
  if (Number(readableBy) > released)
    return [`${name}: no release has schema ${readableBy}: expand in one version, contract in the next`];
  return Number(readableBy) >= version ? [`${name} is readable by itself alone`] : [];
}

const violationsOf = (sql: string, version = 12) => ruleViolations({ name: `0${version}_x.sql`, sql, version }, 11);

test('rule of migrations: every migration since the last release only adds, or declares that it removes something', (t) => {
  for (const engine of ['sqlite', 'postgresql'] as const) {
    for (const migration of readMigrations(undefined, engine).filter(({ version }) => version > LAST_RELEASE.schema)) {
      t.deepEqual(ruleViolations(migration, LAST_RELEASE.schema), []);
    }
  }
  t.deepEqual(
    RELEASES.map(({ schema }) => schema),
    RELEASES.map(({ schema }) => schema).sort((a, b) => a - b),
  );
});

test('rule of migrations: an addition is an expansion', (t) => {
  for (const sql of [
    'CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY, b TEXT); CREATE UNIQUE INDEX a_b ON a (b); INSERT INTO a SELECT 1, NULL',
    'CREATE INDEX users_x ON users (realm, x) WHERE x IS NOT NULL',
    'ALTER TABLE users ADD COLUMN x TEXT; UPDATE users SET x = lower(username)',
    "ALTER TABLE users ADD COLUMN x TEXT NOT NULL DEFAULT 'none; of; it'".replaceAll(';', ','),
    'ALTER TABLE users ADD COLUMN x BIGINT NOT NULL DEFAULT 0;',
    'ALTER TABLE marks SET (autovacuum_vacuum_scale_factor = 0.01)',
    '-- DROP TABLE users\nCREATE TABLE IF NOT EXISTS a (b TEXT NOT NULL PRIMARY KEY)',
  ]) {
    t.deepEqual(violationsOf(sql), [], sql);
  }
});

test('rule of migrations: a removal is refused outside of a contraction', (t) => {
  for (const [sql, why] of [
    ['ALTER TABLE users DROP COLUMN email', /only additions are allowed/],
    ['ALTER TABLE users RENAME TO people', /only additions are allowed/],
    ['ALTER TABLE users RENAME COLUMN email TO mail', /only additions are allowed/],
    ['DROP TABLE users', /only additions are allowed/],
    ['DROP INDEX users_email', /only additions are allowed/],
    ['ALTER TABLE users ALTER COLUMN email SET NOT NULL', /only additions are allowed/],
    ['ALTER TABLE users ADD COLUMN x TEXT NOT NULL', /NOT NULL without a default/],
    ['ALTER TABLE users ADD COLUMN x TEXT UNIQUE', /its condition refuses/],
    ['ALTER TABLE users ADD COLUMN x TEXT DEFAULT gen_random_uuid()', /not a constant/],
    ['ALTER TABLE users ADD COLUMN x TEXT, DROP COLUMN email', /more than to add a column/],
    ['CREATE UNIQUE INDEX users_x ON users (realm, email)', /a unique index refuses/],
    ['UPDATE users SET email = lower(email)', /it changes email/],
    [
      'ALTER TABLE users ADD COLUMN x TEXT; UPDATE users SET x = coalesce(email, a), username = x',
      /it changes username/,
    ],
    ["INSERT INTO realms (name) VALUES ('x')", /rows that nodes of the version before read/],
    ['DELETE FROM users', /only additions are allowed/],
  ] as const) {
    const [told, ...more] = violationsOf(sql);
    t.regex(told ?? '', why, sql);
    t.deepEqual(more, []);
  }
  t.deepEqual(violationsOf('-- Contraction: readable by 011.\nALTER TABLE users DROP COLUMN email'), []);
  t.regex(
    violationsOf('-- Contraction: readable by 012.\nALTER TABLE users DROP COLUMN email', 13)[0] ?? '',
    /no release has schema 012/,
  );
});

test('rule of migrations: statements name their columns: prepared ones continue when a column is added', async (t) => {
  const folder = new URL('../../../core/store/', import.meta.url);
  const found: string[] = [];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const text = await readFile(new URL(file, folder), 'utf8');
    if (/\b(SELECT|RETURNING) (\w+\.)?\*/.test(text)) found.push(file);
  }
  t.deepEqual(found, []);
});

/** Rows of `schema_migrations`: those of the known migrations, and one for each of `versions`. */
function appliedMigrations(t: ExecutionContext, ...versions: readonly [version: number, readableBy: number | null][]) {
  const known = readMigrations();
  t.true(known.every(({ version, readableBy }) => readableBy === Math.min(version, readableBy)));
  const rows = known.map(({ version, checksum, readableBy }) => ({ version, checksum, readable_by: readableBy }));
  return [...rows, ...versions.map(([version, readable_by]) => ({ version, checksum: 'x', readable_by }))];
}

test('rule of migrations: an older Keyhost takes a newer schema that was only added to, and refuses one that was taken from', (t) => {
  const known = readMigrations();
  const newest = known.at(-1)?.version ?? 0;
  const oldest = known.at(-1)?.readableBy ?? 0;
  t.deepEqual(missingMigrations(appliedMigrations(t, [newest + 1, oldest]), known), []);
  t.deepEqual(missingMigrations(appliedMigrations(t, [newest + 1, oldest], [newest + 2, newest]), known), []);
  const contracted = t.throws(
    () => missingMigrations(appliedMigrations(t, [newest + 1, oldest], [newest + 2, newest + 1]), known),
    {
      code: 'store_failed',
      message: `the store has schema ${newest + 2}; this version of Keyhost supports schemas up to ${newest}`,
    },
  );
  t.regex(
    (contracted as unknown as { hint: string }).hint,
    new RegExp(`a version of Keyhost with schema ${newest + 1} or later`),
  );
  // A migration from before the rule has no `readable_by`, so it may have removed something.
  t.throws(() => missingMigrations(appliedMigrations(t, [newest + 1, null]), known), { code: 'store_failed' });
});

test('rule of migrations: an expansion keeps the lowest reader, and a contraction raises it', async (t) => {
  const folder = join(await temporaryDirectory(t), 'migrations');
  await mkdir(folder);
  for (let version = 1; version <= 14; version += 1) {
    const sql =
      version === 13 ? '-- Contraction: readable by 011.\nDROP TABLE t1;' : `CREATE TABLE t${version} (x TEXT);`;
    await writeFile(join(folder, `${String(version).padStart(3, '0')}_x.sql`), sql);
  }
  const readableBy = readMigrations(folder).map((migration) => [migration.version, migration.readableBy]);
  t.deepEqual(readableBy.slice(8), [
    [9, 9],
    [10, 10],
    [11, 10],
    [12, 10],
    [13, 11],
    [14, 11],
  ]);
});
