import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../config/boot-error.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** The SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
  /** The oldest schema whose versions of Keyhost can use a store with this one: see README.md of the migrations. */
  readonly readableBy: number;
}

/** The last schema before migrations declared `readableBy`. A Keyhost of that time supports only its own schema. */
const LAST_UNDECLARED_SCHEMA = 10;
/** The line by which a migration declares that it removes something. */
const CONTRACTION_LINE = /^-- Contraction: readable by (\d+)\.$/m;

/**
 * Reads `NNN_name.sql`, numbered without gaps. If `NNN_name.pg.sql` exists, PostgreSQL uses that file instead. The
 * first such file creates everything that the migrations up to its number create.
 * @param folder by default `core/store/migrations` of this package: the compiler does not copy `.sql` files
 */
export function readMigrations(
  folder: string = migrationsFolder(),
  engine: 'sqlite' | 'postgresql' = 'sqlite',
): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const postgresqlFiles = files.filter((file) => file.endsWith('.pg.sql')).sort();
  const commonFiles = files.filter((file) => !postgresqlFiles.includes(file));
  const usedFiles =
    engine === 'sqlite'
      ? commonFiles
      : [...postgresqlFiles, ...commonFiles.filter((file) => isUsedByPostgresql(file, postgresqlFiles))];
  const start = engine === 'sqlite' ? 1 : numberOf(postgresqlFiles[0]);
  let readableBy = start;
  return usedFiles.sort().map((name, index) => {
    const version = numberOf(name);
    if (version !== start + index)
      throw new BootError('store_failed', `${join(folder, name)} is not migration ${start + index}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    const declaredReader = CONTRACTION_LINE.exec(sql)?.[1];
    if (version <= LAST_UNDECLARED_SCHEMA) readableBy = version;
    else if (declaredReader !== undefined) readableBy = Math.max(readableBy, Number(declaredReader));
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

/**
 * True for a common file that PostgreSQL uses too: it is later than the first `.pg.sql` file, and has none of its own.
 */
function isUsedByPostgresql(file: string, postgresqlFiles: readonly string[]): boolean {
  return (
    numberOf(file) > numberOf(postgresqlFiles[0]) &&
    !postgresqlFiles.some((other) => numberOf(other) === numberOf(file))
  );
}

function numberOf(file = ''): number {
  return Number(/^(\d{3})_[a-z0-9_]+(\.pg)?\.sql$/.exec(file)?.[1]);
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
  /** As declared by the Keyhost that applied it; null if that version did not declare it yet. */
  readonly readable_by: number | null;
}

/** The table of applied migrations, for all versions of Keyhost. Early versions do not know the last column. */
export const MIGRATIONS_TABLE =
  'schema_migrations (version BIGINT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL, readable_by BIGINT)';
export const READABLE_BY = 'readable_by';
export const ADD_READABLE_BY = `ALTER TABLE schema_migrations ADD COLUMN ${READABLE_BY} BIGINT`;

/** @param hasReadableBy true if the table has the column `READABLE_BY` */
export function selectApplied(hasReadableBy: boolean): string {
  const readableBy = hasReadableBy ? READABLE_BY : `NULL AS ${READABLE_BY}`;
  return `SELECT version, checksum, ${readableBy} FROM schema_migrations ORDER BY version`;
}

/** Returns the statement that records an applied migration. */
export function insertApplied({ version, checksum, readableBy }: Migration, appliedAt: number): string {
  return (
    'INSERT INTO schema_migrations (version, checksum, applied_at, readable_by) ' +
    `VALUES (${version}, '${checksum}', ${Math.trunc(appliedAt)}, ${readableBy})`
  );
}

/**
 * Returns the migrations that a store lacks. A newer store lacks none if its newer migrations only added something.
 * @throws BootError `store_failed` if a newer Keyhost has removed something that this one needs, or an applied
 * migration was edited
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const newest = applied.at(-1);
  const knownVersion = migrations.at(-1)?.version ?? 0;
  if (newest !== undefined && newest.version > knownVersion && (newest.readable_by ?? newest.version) > knownVersion) {
    const message = `the store has schema ${newest.version}; this version of Keyhost supports schemas up to ${knownVersion}`;
    const requiredVersion =
      newest.readable_by === null
        ? 'the newer version of Keyhost that wrote it'
        : `a version of Keyhost with schema ${newest.readable_by} or later`;
    throw new BootError('store_failed', message, {
      hint: `start ${requiredVersion}, or restore a backup from before the upgrade`,
    });
  }
  for (const [index, { version, checksum }] of applied
    .filter((migration) => migration.version <= knownVersion)
    .entries()) {
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
