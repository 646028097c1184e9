import { type LockLevel, stepsOf } from './migration-steps.js';
import type { Migration } from './migrations.js';

/** A store whose schema may be behind. Rejections are BootErrors. */
export interface Upgradable {
  /** Whether others have it open meanwhile. */
  readonly isShared: boolean;
  /** The missing migrations; undefined if there is no store yet, which lacks all. */
  missing(): Promise<readonly Migration[] | undefined>;
  /** About how many rows a table has. */
  rows(table: string): Promise<number>;
  /** Applies them. @param onStep called before each */
  migrate(onStep: (migration: Migration) => void): Promise<void>;
  close(): Promise<void>;
}

export interface PlannedStep {
  readonly told: string;
  readonly table: string | undefined;
  /** The access of other nodes that is blocked until its migration ends. */
  readonly holds: LockLevel;
  /** Estimated number of the table's rows; 0 if no row is read. */
  readonly rows: number;
  /** How long it takes, about. */
  readonly seconds: number;
}

export interface PlannedMigration {
  readonly name: string;
  readonly version: number;
  /** Set if it removes something: the lowest schema that a Keyhost must support to use the store then. */
  readonly contracts: number | undefined;
  readonly steps: readonly PlannedStep[];
}

/** Seconds per row: an estimate for two cores and rows of users, with synchronous commits of PostgreSQL. */
const SECONDS_PER_ROW = { nothing: 0, reads: 1 / 400_000, writes: 1 / 40_000 } as const;

/** Plans the upgrade of a store. */
export async function planOf(store: Upgradable, all: readonly Migration[]): Promise<readonly PlannedMigration[]> {
  const missing = await store.missing();
  const isNew = missing === undefined;
  const made = new Set<string>();
  const planned: PlannedMigration[] = [];
  for (const { name, version, sql, readableBy } of missing ?? all) {
    const steps: PlannedStep[] = [];
    for (const { summary, table, locks, perRow } of stepsOf(sql)) {
      if (/^CREATE TABLE /i.test(summary) && table !== undefined) made.add(table);
      const isThere = table !== undefined && !isNew && !made.has(table);
      const rows = isThere && perRow !== 'nothing' ? await store.rows(table) : 0;
      const held = isThere && store.isShared ? locks : 'nothing';
      steps.push({ told: summary, table, holds: held, rows, seconds: rows * SECONDS_PER_ROW[perRow] });
    }
    const before = all.find((one) => one.version === version - 1)?.readableBy ?? readableBy;
    planned.push({ name, version, contracts: isNew || readableBy === before ? undefined : readableBy, steps });
  }
  return planned;
}
