import { setTimeout as delay } from 'node:timers/promises';
import { ORIGIN } from '../copy/copy-database.js';
import { unfinished } from '../copy/origin.js';
import { statementsOf } from '../engine/migration-steps.js';
import {
  type AppliedMigration,
  type Migration,
  missingMigrations,
  READABLE_BY,
  readMigrations,
  remembering,
  selectingApplied,
} from '../engine/migrations.js';
import { copyProgressIn } from './copy-progress.js';
import {
  ALLOW_LONG_STATEMENTS,
  BEGIN,
  COMMIT,
  columnsOf,
  MIGRATING,
  MIGRATION_LOCK,
  MIGRATION_TABLES,
} from './postgresql-dialect.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';
import { rollBack } from './transaction.js';

/** Two that make a table at once: the second one finds its name taken, in one of these ways. */
const MADE_MEANWHILE = ['23505', '42P07', '42710'];
const LOCK_NOT_AVAILABLE = '55P03';
/** Maximum number of attempts of a migration whose tables are locked, and the longest pause between two. */
const ATTEMPTS = 60;
const LONGEST_PAUSE_MS = 2_000;

/**
 * The migrations that a store lacks.
 * @returns undefined if there is no store
 * @throws BootError `store_failed` as `lacking` does, and if a store is being copied into the database
 */
export async function unapplied(session: Session, place: string): Promise<readonly Migration[] | undefined> {
  const applied = await appliedIn(session);
  if (applied.length > 0) return missingMigrations(applied, readMigrations(undefined, 'postgresql'));
  const kept = await copyProgressIn(session);
  if (kept !== undefined) throw unfinished(place, kept.get(ORIGIN), 'empty the database');
  return undefined;
}

async function appliedIn(session: Session): Promise<readonly AppliedMigration[]> {
  const [columns] = await session.send([columnsOf('schema_migrations')]);
  const names = (columns?.rows ?? []).map(({ name }) => name);
  if (names.length === 0) return [];
  const [answer] = await session.send([selectingApplied(names.includes(READABLE_BY))]);
  return (answer?.rows ?? []) as unknown as readonly AppliedMigration[];
}

/**
 * Upgrades the schema, each migration in a transaction of its own. If several hosts start at once, one migrates and the
 * others wait until its transactions end, even if they fail.
 * @param appliedAt milliseconds since the epoch
 * @param onStep called before each migration
 * @throws BootError `store_failed` as `unapplied` does
 */
export async function migrate(
  session: Session,
  place: string,
  appliedAt: number,
  onStep: (migration: Migration) => void = () => {},
): Promise<void> {
  if ((await unapplied(session, place))?.length === 0) return;
  await makeTables(session);
  for (let attempt = 1; ; ) {
    try {
      if (await isUpToDate(session, place, appliedAt, onStep)) return;
      attempt = 1;
    } catch (error) {
      await rollBack(session);
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      attempt += 1;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

/** Applies the next migration if one is missing. */
async function isUpToDate(
  session: Session,
  place: string,
  appliedAt: number,
  onStep: (migration: Migration) => void,
): Promise<boolean> {
  await session.send([BEGIN, ALLOW_LONG_STATEMENTS, 'SET LOCAL lock_timeout = 0', MIGRATION_LOCK]);
  const [migration] = (await unapplied(session, place)) ?? readMigrations(undefined, 'postgresql');
  if (migration === undefined) {
    await rollBack(session);
    return true;
  }
  onStep(migration);
  await session.send(MIGRATING);
  for (const statement of statementsOf(migration.sql)) await session.send([statement]);
  await session.send([remembering(migration, appliedAt), COMMIT]);
  return false;
}

/** Creates the tables about the store itself. */
export async function makeTables(session: Session): Promise<void> {
  for (const sql of MIGRATION_TABLES) {
    try {
      await session.send([sql]);
    } catch (error) {
      if (!MADE_MEANWHILE.includes(sqlState(error) ?? '')) throw error;
      await session.send([sql]);
    }
  }
}
