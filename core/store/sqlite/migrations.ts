import {
  ADD_READABLE_BY,
  type AppliedMigration,
  MIGRATIONS_TABLE,
  type Migration,
  missingMigrations,
  READABLE_BY,
  remembering,
  selectingApplied,
} from '../engine/migrations.js';
import type { Connection } from './connection.js';
import { rollBack } from './roll-back.js';

/**
 * Upgrades the schema in one transaction.
 * @param appliedAt milliseconds since the epoch
 * @param onStep called before each migration
 * @throws BootError `store_failed` if a newer Keyhost removed something that this one needs, or an applied migration
 * was edited
 */
export function migrate(
  db: Connection,
  migrations: readonly Migration[],
  appliedAt: number,
  onStep: (migration: Migration) => void = () => {},
): void {
  const missing = unapplied(db, migrations);
  if (missing.length === 0) return;
  if (!isRuled(db)) db.exec(ADD_READABLE_BY);
  apply(db, missing, appliedAt, onStep);
}

/** Makes the schema in an empty database. Prepares no statement: see `Connection.close`. */
export function createSchema(db: Connection, migrations: readonly Migration[], appliedAt: number): void {
  db.exec(`CREATE TABLE ${MIGRATIONS_TABLE}`);
  apply(db, migrations, appliedAt);
}

/** The migrations that a store still lacks. @throws BootError `store_failed` as `migrate` does */
export function unapplied(db: Connection, migrations: readonly Migration[]): readonly Migration[] {
  return missingMigrations(db.all<AppliedMigration>(selectingApplied(isRuled(db))), migrations);
}

function isRuled(db: Connection): boolean {
  return (
    db.get('SELECT 1 AS there FROM pragma_table_info($1) WHERE name = $2', 'schema_migrations', READABLE_BY) !==
    undefined
  );
}

function apply(
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
      db.exec(remembering(migration, appliedAt));
    }
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
