import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../config/boot-error.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
  /** The oldest schema whose Keyhosts serve from a store that has this one: see README.md of the migrations. */
  readonly readableBy: number;
}

/** The last schema before migrations declared their readers. A Keyhost of that time supports only its own schema. */
const BEFORE_THE_RULE = 10;
/** The line by which a migration declares that it removes something. */
const CONTRACTION = /^-- Contraction: readable by (\d+)\.$/m;

/**
 * Reads `NNN_name.sql`, numbered without a gap. If `NNN_name.pg.sql` exists, PostgreSQL uses that one. Its first one
 * creates everything that the migrations up to its number create together.
 * @param folder by default `core/store/migrations` of this package: the compiler does not copy `.sql` files
 */
export function readMigrations(
  folder: string = migrationsFolder(),
  engine: 'sqlite' | 'postgresql' = 'sqlite',
): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const own = files.filter((file) => file.endsWith('.pg.sql')).sort();
  const plain = files.filter((file) => !own.includes(file));
  const taken = engine === 'sqlite' ? plain : [...own, ...plain.filter((file) => isAfter(file, own))];
  const start = engine === 'sqlite' ? 1 : numberOf(own[0]);
  let readableBy = start;
  return taken.sort().map((name, index) => {
    const version = numberOf(name);
    if (version !== start + index)
      throw new BootError('store_failed', `${join(folder, name)} is not migration ${start + index}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    const contracted = CONTRACTION.exec(sql)?.[1];
    if (version <= BEFORE_THE_RULE) readableBy = version;
    else if (contracted !== undefined) readableBy = Math.max(readableBy, Number(contracted));
    return { version, name, sql, readableBy, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

function migrationsFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, 'core', 'store', 'migrations');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) {
      throw new BootError('store_failed', `no core/store/migrations above ${start}`, {
        hint: 'the installation is incomplete: install Keyhost again',
      });
    }
  }
}

/** True for a file that PostgreSQL uses, too: later than its first own one, and not replaced by an own one. */
function isAfter(file: string, own: readonly string[]): boolean {
  return numberOf(file) > numberOf(own[0]) && !own.some((other) => numberOf(other) === numberOf(file));
}

function numberOf(file = ''): number {
  return Number(/^(\d{3})_[a-z0-9_]+(\.pg)?\.sql$/.exec(file)?.[1]);
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
  /** As declared by the Keyhost that applied it; null for a Keyhost that did not declare it yet. */
  readonly readable_by: number | null;
}

/** The table of applied migrations, for Keyhosts of all versions. Early ones do not have the last column. */
export const MIGRATIONS_TABLE =
  'schema_migrations (version BIGINT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL, readable_by BIGINT)';
export const READABLE_BY = 'readable_by';
export const ADD_READABLE_BY = `ALTER TABLE schema_migrations ADD COLUMN ${READABLE_BY} BIGINT`;

/** @param isRuled whether the table has the column `READABLE_BY` */
export function selectingApplied(isRuled: boolean): string {
  const readableBy = isRuled ? READABLE_BY : `NULL AS ${READABLE_BY}`;
  return `SELECT version, checksum, ${readableBy} FROM schema_migrations ORDER BY version`;
}

/** The statement that remembers one. */
export function remembering({ version, checksum, readableBy }: Migration, appliedAt: number): string {
  return (
    'INSERT INTO schema_migrations (version, checksum, applied_at, readable_by) ' +
    `VALUES (${version}, '${checksum}', ${Math.trunc(appliedAt)}, ${readableBy})`
  );
}

/**
 * The migrations that a store lacks. A newer store lacks none if its newer migrations only added something.
 * @throws BootError `store_failed` if a newer Keyhost removed something that this one needs, or an applied migration
 * was edited
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const newest = applied.at(-1);
  const known = migrations.at(-1)?.version ?? 0;
  if (newest !== undefined && newest.version > known && (newest.readable_by ?? newest.version) > known) {
    const told = `the store has schema ${newest.version}; this version of Keyhost supports schemas up to ${known}`;
    const who =
      newest.readable_by === null
        ? 'the newer version of Keyhost that wrote it'
        : `a version of Keyhost with schema ${newest.readable_by} or later`;
    throw new BootError('store_failed', told, {
      hint: `start ${who}, or restore a backup from before the upgrade`,
    });
  }
  for (const [index, { version, checksum }] of applied.filter((one) => one.version <= known).entries()) {
    const migration = migrations[index];
    if (migration?.version === version && migration.checksum === checksum) continue;
    throw new BootError(
      'store_failed',
      `migration ${migration?.name} differs from the one that was applied to this store`,
      {
        hint: 'restore the file, or install Keyhost again',
      },
    );
  }
  return migrations.slice(applied.length);
}
