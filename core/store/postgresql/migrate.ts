import { ORIGIN } from '../copy/copy-database.js';
import { unfinished } from '../copy/origin.js';
import {
  APPLIED_MIGRATIONS,
  type AppliedMigration,
  lacking,
  type Migration,
  readMigrations,
  remembering,
} from '../engine/migrations.js';
import { keptIn } from './kept-copy.js';
import {
  ALLOW_LONG_STATEMENTS,
  BEGIN,
  COMMIT,
  MIGRATION_LOCK,
  MIGRATION_TABLES,
  tableThere,
} from './postgresql-dialect.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';
import { giveUp } from './transaction.js';

/** Two that make a table at once: the second one finds its name taken, in one of these ways. */
const MADE_MEANWHILE = ['23505', '42P07', '42710'];

/**
 * The migrations that a store still lacks.
 * @returns undefined when there is no store
 * @throws BootError `store_failed` as `lacking` does, and where a store is being copied into the database
 */
export async function unapplied(session: Session, place: string): Promise<readonly Migration[] | undefined> {
  const applied = await appliedIn(session);
  if (applied.length > 0) return lacking(applied, readMigrations(undefined, 'postgresql'));
  const kept = await keptIn(session);
  if (kept !== undefined) throw unfinished(place, kept.get(ORIGIN), 'empty the database');
  return undefined;
}

async function appliedIn(session: Session): Promise<readonly AppliedMigration[]> {
  const [there] = await session.send([tableThere('schema_migrations')]);
  if (there?.rows.length !== 1) return [];
  const [answer] = await session.send([APPLIED_MIGRATIONS]);
  return (answer?.rows ?? []) as unknown as readonly AppliedMigration[];
}

/**
 * Brings the schema up to date, all in one transaction. Of several hosts that start at once one does it: the others wait for
 * its transaction to end, however it ends.
 * @param appliedAt milliseconds since the epoch
 * @throws BootError `store_failed` as `lacking` does
 */
export async function migrate(session: Session, place: string, appliedAt: number): Promise<void> {
  if ((await unapplied(session, place))?.length === 0) return;
  await makeTables(session);
  await session.send([BEGIN, ALLOW_LONG_STATEMENTS, 'SET LOCAL lock_timeout = 0', MIGRATION_LOCK]);
  try {
    for (const migration of (await unapplied(session, place)) ?? readMigrations(undefined, 'postgresql')) {
      for (const statement of statementsOf(migration.sql)) await session.send([statement]);
      await session.send([remembering(migration, appliedAt)]);
    }
    await session.send([COMMIT]);
  } catch (error) {
    await giveUp(session);
    throw error;
  }
}

/** Makes those that say something about the store. */
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

/** The extended protocol takes one at a time. Migrations have no semicolon but at the end of statements. */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
