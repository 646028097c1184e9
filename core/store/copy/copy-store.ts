import { BootError } from '../../config/boot-error.js';
import { readMigrations } from '../engine/migrations.js';
import type { TableSum } from './checksum.js';
import { type CopySource, type CopyState, type CopyTarget, ORIGIN } from './copy-database.js';
import { copyTable, sumOf } from './copy-table.js';
import { type Origin, readOrigin } from './origin.js';
import { recordTables, selectCount, type Table } from './tables.js';

/** The progress of a copy, which is reported while it runs. */
export interface CopyProgress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** The number of rows that are done, and of all rows of the table. */
  readonly rows: number;
  readonly all: number;
}

/** The content of the target, which is equal to that of the source. */
export interface CopyReport {
  /** True if the copy has continued an interrupted one. */
  readonly isResumed: boolean;
  readonly tables: readonly ({ readonly name: string } & TableSum)[];
}

/**
 * Copies the source to the target, table by table and page by page, and then compares both. An interrupted copy is
 * continued.
 * @throws BootError `copy_failed` if the target contains something else, or differs at the end; `store_failed`
 */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyReport> {
  await checkSchema(source);
  const tables = recordTables();
  const origin = await readOrigin(source);
  const earlierProgress = await target.kept();
  if (earlierProgress === undefined) await target.begin(tables, JSON.stringify(origin));
  else checkOrigin(earlierProgress, origin, target);
  const progress: CopyState = earlierProgress ?? new Map();
  const sizes = new Map<Table, number>();
  for (const table of tables) sizes.set(table, await countRows(source, table));
  for (const [table, all] of sizes) {
    await copyTable({ source, target, table }, progress, (rows) =>
      onProgress({ phase: 'copied', table: table.name, rows, all }),
    );
  }
  const sums: CopyReport['tables'][number][] = [];
  for (const [table, all] of sizes) {
    const onRows = (rows: number) => onProgress({ phase: 'compared', table: table.name, rows, all });
    sums.push({ name: table.name, ...(await compareTables(source, target, table, onRows)) });
  }
  await target.finish(tables);
  return { isResumed: earlierProgress !== undefined, tables: sums };
}

/**
 * Checks that the source has the schema of this Keyhost.
 * @throws BootError `store_failed`
 */
async function checkSchema(source: CopySource): Promise<void> {
  const knownMigrations = readMigrations(undefined, source.engine);
  const applied = await source.appliedMigrations();
  const newest = applied.at(-1)?.version ?? 0;
  const knownVersion = knownMigrations.at(-1)?.version ?? 0;
  if (newest === knownVersion) return;
  const message = `the store in ${source.location} has schema ${newest}; this version of Keyhost copies schema ${knownVersion}`;
  throw new BootError('store_failed', message, {
    hint:
      newest < knownVersion
        ? 'update its tables first: keyhost store migrate'
        : 'copy it with the version of Keyhost that uses it',
  });
}

/**
 * Checks that the unfinished copy in the target has the same source.
 * @throws BootError `copy_failed`
 */
function checkOrigin(progress: CopyState, origin: Origin, { location: place }: CopyTarget): void {
  const storedOrigin = JSON.parse(progress.get(ORIGIN) ?? '{}') as Partial<Origin>;
  if (storedOrigin.fingerprint === origin.fingerprint) return;
  throw new BootError(
    'copy_failed',
    `${place} is an unfinished copy of ${storedOrigin.place}, not of ${origin.place}`,
    {
      hint: 'use its source, or another target; if the realms of its source have changed, delete the target and start again',
    },
  );
}

async function countRows(source: CopySource, table: Table): Promise<number> {
  const [row] = await source.rows(selectCount(table));
  return Number(row?.rows);
}

/**
 * Compares a table of both stores.
 * @throws BootError `copy_failed` with the name of the table if it differs
 */
async function compareTables(
  source: CopySource,
  target: CopyTarget,
  table: Table,
  onRows: (rows: number) => void,
): Promise<TableSum> {
  const [sourceSum, targetSum] = await Promise.all([sumOf(source, table, onRows), sumOf(target, table, () => {})]);
  if (sourceSum.rows === targetSum.rows && sourceSum.checksum === targetSum.checksum) return sourceSum;
  const describeSum = ({ rows, checksum }: TableSum) => `${rows} rows (${checksum})`;
  throw new BootError(
    'copy_failed',
    `the table ${table.name} differs: ${describeSum(sourceSum)} in ${source.location}, ${describeSum(targetSum)} in ${target.location}`,
    {
      hint: 'one of them was changed during the copy: empty the target, and copy again while no server uses either',
    },
  );
}
