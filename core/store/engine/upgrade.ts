import { type LockLevel, stepsOf } from './migration-steps.js';
import type { Migration } from './migrations.js';

/** A store whose schema may be outdated. It rejects with BootErrors. */
export interface UpgradableStore {
  /** True if other processes may have the store open. */
  readonly isShared: boolean;
  /** Returns the missing migrations; undefined if there is no store yet. */
  missingMigrations(): Promise<readonly Migration[] | undefined>;
  /** Returns the approximate number of rows of a table. */
  rows(table: string): Promise<number>;
  /**
   * Applies the missing migrations.
   * @param onStep called before each
   */
  migrate(onStep: (migration: Migration) => void): Promise<void>;
  close(): Promise<void>;
}

export interface PlannedStep {
  readonly told: string;
  readonly table: string | undefined;
  /** Which access of other nodes is blocked until the migration ends. */
  readonly holds: LockLevel;
  /** The estimated number of rows of the table; 0 if no row is read. */
  readonly rows: number;
  /** The estimated duration. */
  readonly seconds: number;
}

export interface PlannedMigration {
  readonly name: string;
  readonly version: number;
  /**
   * Set if the migration removes something: the lowest schema that a Keyhost must support to use the store afterwards.
   */
  readonly contracts: number | undefined;
  readonly steps: readonly PlannedStep[];
}

/** Estimated seconds for each row, for rows of users on two cores, with synchronous commits of PostgreSQL. */
const SECONDS_PER_ROW = { nothing: 0, reads: 1 / 400_000, writes: 1 / 40_000 } as const;

export async function planOf(
  store: UpgradableStore,
  allMigrations: readonly Migration[],
): Promise<readonly PlannedMigration[]> {
  const missing = await store.missingMigrations();
  const isNew = missing === undefined;
  const createdTables = new Set<string>();
  const planned: PlannedMigration[] = [];
  for (const { name, version, sql, readableBy } of missing ?? allMigrations) {
    const steps: PlannedStep[] = [];
    for (const { summary, table, locks, perRow } of stepsOf(sql)) {
      if (/^CREATE TABLE /i.test(summary) && table !== undefined) createdTables.add(table);
      const isExistingTable = table !== undefined && !isNew && !createdTables.has(table);
      const rows = isExistingTable && perRow !== 'nothing' ? await store.rows(table) : 0;
      const heldLocks = isExistingTable && store.isShared ? locks : 'nothing';
      steps.push({ told: summary, table, holds: heldLocks, rows, seconds: rows * SECONDS_PER_ROW[perRow] });
    }
    const previousReadableBy =
      allMigrations.find((migration) => migration.version === version - 1)?.readableBy ?? readableBy;
    planned.push({
      name,
      version,
      contracts: isNew || readableBy === previousReadableBy ? undefined : readableBy,
      steps,
    });
  }
  return planned;
}
