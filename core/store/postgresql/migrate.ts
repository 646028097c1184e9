import {
  APPLIED_MIGRATIONS,
  type AppliedMigration,
  lacking,
  type Migration,
  readMigrations,
  remembering,
} from '../engine/migrations.js';
import { ALLOW_LONG_STATEMENTS, BEGIN, COMMIT, MIGRATION_LOCK, MIGRATION_TABLES } from './postgresql-dialect.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';
import { giveUp } from './transaction.js';

const UNDEFINED_TABLE = '42P01';
/** Two that make a table at once: the second one finds its name taken, in one of these ways. */
const MADE_MEANWHILE = ['23505', '42P07', '42710'];

/**
 * The migrations that a store still lacks.
 * @returns undefined when there is no store
 * @throws BootError `store_failed` as `lacking` does
 */
export async function unapplied(session: Session): Promise<readonly Migration[] | undefined> {
  const migrations = readMigrations(undefined, 'postgresql');
  try {
    const [answer] = await session.send([APPLIED_MIGRATIONS]);
    const applied = (answer?.rows ?? []) as unknown as readonly AppliedMigration[];
    return applied.length === 0 ? undefined : lacking(applied, migrations);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

/**
 * Brings the schema up to date, all in one transaction. Of several hosts that start at once one does it: the others wait for
 * its transaction to end, however it ends.
 * @param appliedAt milliseconds since the epoch
 * @throws BootError `store_failed` as `lacking` does
 */
export async function migrate(session: Session, appliedAt: number): Promise<void> {
  if ((await unapplied(session))?.length === 0) return;
  await makeTables(session);
  await session.send([BEGIN, ALLOW_LONG_STATEMENTS, 'SET LOCAL lock_timeout = 0', MIGRATION_LOCK]);
  try {
    for (const migration of (await unapplied(session)) ?? readMigrations(undefined, 'postgresql')) {
      for (const statement of statementsOf(migration.sql)) await session.send([statement]);
      await session.send([remembering(migration, appliedAt)]);
    }
    await session.send([COMMIT]);
  } catch (error) {
    await giveUp(session);
    throw error;
  }
}

async function makeTables(session: Session): Promise<void> {
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
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
