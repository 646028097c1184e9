import {
  ADD_READABLE_BY,
  type AppliedMigration,
  insertApplied,
  MIGRATIONS_TABLE,
  type Migration,
  missingMigrations,
  READABLE_BY,
  selectApplied,
} from '../engine/migrations.js';
import type { Connection } from './connection.js';
import { rollBack } from './roll-back.js';

/**
 * Upgrades the schema in one transaction.
 * @param appliedAt milliseconds since the epoch
 * @param onStep called before each migration
 * @throws BootError `store_failed` if a newer Keyhost has removed something that this one needs, or an applied
 * migration was edited
 */
export function migrate(
  db: Connection,
  migrations: readonly Migration[],
  appliedAt: number,
  onStep: (migration: Migration) => void = () => {},
): void {
  const missing = readMissingMigrations(db, migrations);
  if (missing.length === 0) return;
  if (!hasReadableBy(db)) db.exec(ADD_READABLE_BY);
  applyMigrations(db, missing, appliedAt, onStep);
}

/** Creates the schema in an empty database. It prepares no statements, because of the problem at `Connection.close`. */
export function createSchema(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  db.exec(`CREATE TABLE ${MIGRATIONS_TABLE}`);
  applyMigrations(db, migrations, appliedAt);
}

/**
 * Returns the migrations that a store lacks.
 * @throws BootError `store_failed` as `migrate` does
 */
export function readMissingMigrations(db: Connection, migrations: readonly Migration[]): readonly Migration[] {
  return missingMigrations(db.all<AppliedMigration>(selectApplied(hasReadableBy(db))), migrations);
}

function hasReadableBy(db: Connection): boolean {
  return (
    db.get('SELECT 1 AS there FROM pragma_table_info($1) WHERE name = $2', 'schema_migrations', READABLE_BY) !==
    undefined
  );
}

function applyMigrations(
  db: Connection,
  migrations: readonly Migration[],
  appliedAt: number,
  onStep: (migration: Migration) => void = () => {},
): void {
  if (migrations.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations) {
      onStep(migration);
      db.exec(migration.sql);
      db.exec(insertApplied(migration, appliedAt));
    }
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
