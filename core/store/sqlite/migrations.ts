import {
  APPLIED_MIGRATIONS,
  type AppliedMigration,
  lacking,
  type Migration,
  remembering,
} from '../engine/migrations.js';
import type { Connection } from './connection.js';

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

/** The migrations that a store still lacks. @throws BootError `store_failed` as `migrate` does */
export function unapplied(db: Connection, migrations: readonly Migration[]): readonly Migration[] {
  return lacking(db.all<AppliedMigration>(APPLIED_MIGRATIONS), migrations);
}

function apply(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  if (migrations.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations) {
      db.exec(migration.sql);
      db.exec(remembering(migration, appliedAt));
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
