import { BootError } from '../../config/boot-error.js';
import { Checksum, type TableSum } from './checksum.js';
import type { CopyDatabase, CopySource, CopyState, CopyTarget } from './copy-database.js';
import { insertStatements, keyOf, type Row, selectPage, type Table, type Value } from './tables.js';

/** Maximum number of rows in a page. */
const MAX_PAGE_ROWS = 1000;
/** Number of rows in the first page, when the length of rows is not known yet. */
const FIRST_PAGE_ROWS = 20;
/** Target size of a page, in characters. Some rows, such as realms, are long; others are short. */
const PAGE_CHARACTERS = 2_000_000;

/** The progress of a table, as the target stores it. */
interface Progress {
  readonly rows: number;
  /** The key of the last row that was copied; undefined before the first. */
  readonly after?: readonly Value[];
  readonly isDone: boolean;
}

/**
 * Copies the missing rows of a table, page by page.
 * @param onRows called after each page with the number of rows that were copied
 */
export async function copyTable(
  { source, target, table }: { source: CopySource; target: CopyTarget; table: Table },
  progressByTable: CopyState,
  onRows: (rows: number) => void,
): Promise<void> {
  const storedProgress = progressByTable.get(table.name);
  const startProgress: Progress =
    storedProgress === undefined ? { rows: 0, isDone: false } : (JSON.parse(storedProgress) as Progress);
  let { rows } = startProgress;
  onRows(rows);
  if (startProgress.isDone) return;
  const pages = readPages(source, table, startProgress.after);
  for (let page = await pages.next(); page.done !== true; ) {
    const { value } = page;
    for (const row of value) checkRow(table, row);
    rows += value.length;
    const progress: Progress = { rows, after: keyOf(table, value.at(-1) as Row), isDone: false };
    const write = target.write([...insertStatements(table, value)], {
      name: table.name,
      said: JSON.stringify(progress),
    });
    // The next page is read at the same time. If both fail, the first failure is thrown.
    [page] = await Promise.all([pages.next(), write]);
    onRows(rows);
  }
  await target.write([], { name: table.name, said: JSON.stringify({ rows, isDone: true } satisfies Progress) });
}

/** Computes the checksum of a whole table. */
export async function sumOf(database: CopyDatabase, table: Table, onRows: (rows: number) => void): Promise<TableSum> {
  const checksum = new Checksum();
  let rows = 0;
  for await (const page of readPages(database, table)) {
    checksum.add(table, page);
    rows += page.length;
    onRows(rows);
  }
  return checksum.sum;
}

async function* readPages(
  database: CopyDatabase,
  table: Table,
  after?: readonly Value[],
): AsyncGenerator<readonly Row[], undefined> {
  let lastKey = after;
  let limit = FIRST_PAGE_ROWS;
  for (;;) {
    const page = await database.rows(selectPage(table, lastKey, limit));
    const lastRow = page.at(-1);
    if (lastRow === undefined) return;
    yield page;
    if (page.length < limit) return;
    lastKey = keyOf(table, lastRow);
    // Long rows may follow short ones, so a page is at most twice as large as the one before.
    const fittingRows = Math.floor((PAGE_CHARACTERS * page.length) / lengthOf(page));
    limit = Math.max(1, Math.min(MAX_PAGE_ROWS, limit * 2, fittingRows));
  }
}

function lengthOf(page: readonly Row[]): number {
  let length = 1;
  for (const row of page) {
    for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 8;
  }
  return length;
}

/**
 * Checks the types of a row's values, because SQLite stores values of any type in any column.
 * @throws BootError `copy_failed` for a value that other engines reject
 */
function checkRow(table: Table, row: Row): void {
  for (const { name, kind } of table.columns) {
    const value = row[name] ?? null;
    if (value === null || (kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value))) continue;
    const expectedType = kind === 'text' ? 'string' : 'whole number';
    const key = keyOf(table, row).join(' ');
    throw new BootError(
      'copy_failed',
      `the row ${key} of ${table.name} has a value in ${name} that is not a ${expectedType}`,
      {
        hint: 'change that row in the source, then run the same command again to continue',
      },
    );
  }
}
