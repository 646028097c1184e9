import { BootError } from '../../config/boot-error.js';
import { readMigrations } from '../engine/migrations.js';
import type { TableSum } from './checksum.js';
import { type CopySource, type CopyState, type CopyTarget, ORIGIN } from './copy-database.js';
import { copyTable, sumOf } from './copy-table.js';
import { type Origin, originOf } from './origin.js';
import { countOf, recordTables, type Table } from './tables.js';

/** Progress of a copy, reported while it runs. */
export interface CopyProgress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Done, of how many. */
  readonly rows: number;
  readonly all: number;
}

/** The content of the target, which equals that of the source. */
export interface CopyReport {
  /** Whether an earlier run had begun it. */
  readonly isResumed: boolean;
  readonly tables: readonly ({ readonly name: string } & TableSum)[];
}

/**
 * Copies the source to the target, table by table and page by page, and then compares both. Continues an interrupted
 * run.
 * @throws BootError `copy_failed` if the target contains something else, or differs at the end; `store_failed`
 */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyReport> {
  await checkSchema(source);
  const tables = recordTables();
  const origin = await originOf(source);
  const earlier = await target.kept();
  if (earlier === undefined) await target.begin(tables, JSON.stringify(origin));
  else checkOrigin(earlier, origin, target);
  const kept: CopyState = earlier ?? new Map();
  const sizes = new Map<Table, number>();
  for (const table of tables) sizes.set(table, await sizeOf(source, table));
  for (const [table, all] of sizes) {
    await copyTable({ source, target, table }, kept, (rows) =>
      onProgress({ phase: 'copied', table: table.name, rows, all }),
    );
  }
  const sums: CopyReport['tables'][number][] = [];
  for (const [table, all] of sizes) {
    const onRows = (rows: number) => onProgress({ phase: 'compared', table: table.name, rows, all });
    sums.push({ name: table.name, ...(await compare(source, target, table, onRows)) });
  }
  await target.finish(tables);
  return { isResumed: earlier !== undefined, tables: sums };
}

/** @throws BootError `store_failed`: this Keyhost makes tables that are not those of the source */
async function checkSchema(source: CopySource): Promise<void> {
  const known = readMigrations(undefined, source.engine);
  const applied = await source.applied();
  const newest = applied.at(-1)?.version ?? 0;
  const own = known.at(-1)?.version ?? 0;
  if (newest === own) return;
  const told = `the store in ${source.place} has schema ${newest}; this version of Keyhost copies schema ${own}`;
  throw new BootError('store_failed', told, {
    hint:
      newest < own
        ? 'update its tables first: keyhost store migrate'
        : 'copy it with the version of Keyhost that uses it',
  });
}

/** @throws BootError `copy_failed` */
function checkOrigin(kept: CopyState, origin: Origin, { place }: CopyTarget): void {
  const other = JSON.parse(kept.get(ORIGIN) ?? '{}') as Partial<Origin>;
  if (other.fingerprint === origin.fingerprint) return;
  throw new BootError('copy_failed', `${place} is an unfinished copy of ${other.place}, not of ${origin.place}`, {
    hint: 'use its source, or another target; if the realms of its source have changed, delete the target and start again',
  });
}

async function sizeOf(source: CopySource, table: Table): Promise<number> {
  const [found] = await source.rows(countOf(table));
  return Number(found?.rows);
}

/** @throws BootError `copy_failed`: names the table that differs */
async function compare(
  source: CopySource,
  target: CopyTarget,
  table: Table,
  onRows: (rows: number) => void,
): Promise<TableSum> {
  const [ours, theirs] = await Promise.all([sumOf(source, table, onRows), sumOf(target, table, () => {})]);
  if (ours.rows === theirs.rows && ours.checksum === theirs.checksum) return ours;
  const told = ({ rows, checksum }: TableSum) => `${rows} rows (${checksum})`;
  throw new BootError(
    'copy_failed',
    `the table ${table.name} differs: ${told(ours)} in ${source.place}, ${told(theirs)} in ${target.place}`,
    {
      hint: 'one of them was changed during the copy: empty the target, and copy again while no server uses either',
    },
  );
}
