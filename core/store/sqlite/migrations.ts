import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../config/boot-error.js';
import type { Connection } from './connection.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
}

/**
 * Reads `NNN_name.sql`, numbered from 1 without a gap.
 * @param folder by default `core/store/migrations` of this package: the compiler leaves `.sql` where it is
 */
export function readMigrations(folder: string = migrationsFolder()): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((name, index) => {
    const version = Number(/^(\d{3})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (version !== index + 1)
      throw new BootError('store_failed', `${join(folder, name)} is not migration ${index + 1}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
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
 * Brings the schema up to date, all in one transaction.
 * @param appliedAt milliseconds since the epoch
 * @throws BootError `store_failed` when the store was written by a newer Keyhost or an applied migration was edited
 */
export function migrate(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  apply(db, unapplied(db, migrations), appliedAt);
}

/** Makes the schema in an empty database. Prepares no statement: see `Connection.close`. */
export function createSchema(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  db.exec(
    'CREATE TABLE schema_migrations ' +
      '(version BIGINT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)',
  );
  apply(db, migrations, appliedAt);
}

/**
 * The migrations that a store still lacks.
 * @throws BootError `store_failed` as `migrate` does
 */
export function unapplied(db: Connection, migrations: readonly Migration[]): readonly Migration[] {
  const applied = db.all<{ version: number; checksum: string }>(
    'SELECT version, checksum FROM schema_migrations ORDER BY version',
  );
  if (applied.length > migrations.length) {
    throw new BootError(
      'store_failed',
      `the store has schema ${applied.length}, this Keyhost knows schemas up to ${migrations.length}`,
      { hint: 'start the newer Keyhost that wrote it, or restore a backup from before the upgrade' },
    );
  }
  for (const [index, { version, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (migration?.version === version && migration.checksum === checksum) continue;
    throw new BootError('store_failed', `migration ${migration?.name} is not the one that was applied to this store`, {
      hint: 'migrations never change once released: restore the file, or install Keyhost again',
    });
  }
  return migrations.slice(applied.length);
}

function apply(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  if (migrations.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const { version, sql, checksum } of migrations) {
      db.exec(sql);
      db.exec(
        'INSERT INTO schema_migrations (version, checksum, applied_at) ' +
          `VALUES (${version}, '${checksum}', ${Math.trunc(appliedAt)})`,
      );
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
