import { setTimeout as delay } from 'node:timers/promises';
import { ORIGIN } from '../copy/copy-database.js';
import { unfinishedError } from '../copy/origin.js';
import { statementsOf } from '../engine/migration-steps.js';
import {
  type AppliedMigration,
  insertApplied,
  type Migration,
  missingMigrations,
  READABLE_BY,
  readMigrations,
  selectApplied,
} from '../engine/migrations.js';
import { readCopyProgress } from './copy-progress.js';
import {
  ALLOW_LONG_STATEMENTS,
  BEGIN,
  COMMIT,
  MIGRATION_LOCK,
  MIGRATION_SETTINGS,
  MIGRATION_TABLES,
  selectColumns,
} from './postgresql-dialect.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';
import { rollBack } from './transaction.js';

/**
 * Errors if two processes create a table at the same time: the second one finds that the name exists, in one of these
 * ways.
 */
const ALREADY_EXISTS = ['23505', '42P07', '42710'];
const LOCK_NOT_AVAILABLE = '55P03';
/** Maximum number of attempts of a migration whose tables are locked, and the longest pause between two attempts. */
const MAX_ATTEMPTS = 60;
const MAX_PAUSE_MS = 2_000;

/**
 * Returns the migrations that a store lacks.
 * @returns undefined if there is no store
 * @throws BootError `store_failed` as `missingMigrations` does, and if a store is being copied into the database
 */
export async function readMissingMigrations(
  session: Session,
  location: string,
): Promise<readonly Migration[] | undefined> {
  const applied = await readApplied(session);
  if (applied.length > 0) return missingMigrations(applied, readMigrations(undefined, 'postgresql'));
  const progress = await readCopyProgress(session);
  if (progress !== undefined) throw unfinishedError(location, progress.get(ORIGIN), 'empty the database');
  return undefined;
}

async function readApplied(session: Session): Promise<readonly AppliedMigration[]> {
  const [columns] = await session.send([selectColumns('schema_migrations')]);
  const names = (columns?.rows ?? []).map(({ name }) => name);
  if (names.length === 0) return [];
  const [answer] = await session.send([selectApplied(names.includes(READABLE_BY))]);
  return (answer?.rows ?? []) as unknown as readonly AppliedMigration[];
}

/**
 * Upgrades the schema, each migration in a separate transaction. If several hosts start at the same time, one migrates,
 * and the others wait until its transactions end, even if they fail.
 * @param appliedAt milliseconds since the epoch
 * @param onStep called before each migration
 * @throws BootError `store_failed` as `readMissingMigrations` does
 */
export async function migrate(
  session: Session,
  place: string,
  appliedAt: number,
  onStep: (migration: Migration) => void = () => {},
): Promise<void> {
  if ((await readMissingMigrations(session, place))?.length === 0) return;
  await createMigrationTables(session);
  for (let attempt = 1; ; ) {
    try {
      if (await applyNext(session, place, appliedAt, onStep)) return;
      attempt = 1;
    } catch (error) {
      await rollBack(session);
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error;
      attempt += 1;
      await delay(Math.random() * MAX_PAUSE_MS);
    }
  }
}

/**
 * Applies the next missing migration.
 * @returns true if none was missing
 */
async function applyNext(
  session: Session,
  place: string,
  appliedAt: number,
  onStep: (migration: Migration) => void,
): Promise<boolean> {
  await session.send([BEGIN, ALLOW_LONG_STATEMENTS, 'SET LOCAL lock_timeout = 0', MIGRATION_LOCK]);
  const [migration] = (await readMissingMigrations(session, place)) ?? readMigrations(undefined, 'postgresql');
  if (migration === undefined) {
    await rollBack(session);
    return true;
  }
  onStep(migration);
  await session.send(MIGRATION_SETTINGS);
  for (const statement of statementsOf(migration.sql)) await session.send([statement]);
  await session.send([insertApplied(migration, appliedAt), COMMIT]);
  return false;
}

/** Creates the tables about the store itself. */
export async function createMigrationTables(session: Session): Promise<void> {
  for (const sql of MIGRATION_TABLES) {
    try {
      await session.send([sql]);
    } catch (error) {
      if (!ALREADY_EXISTS.includes(sqlState(error) ?? '')) throw error;
      await session.send([sql]);
    }
  }
}
