import { BootError } from '../../config/boot-error.js';
import { Checksum, type TableSum } from './checksum.js';
import type { CopyDatabase, CopySource, CopyState, CopyTarget } from './copy-database.js';
import { inserting, keyOf, pageOf, type Row, type Table, type Value } from './tables.js';

/** Most rows of a page. */
const MOST_ROWS = 1000;
/** Rows of the first page, while the length of rows is unknown. */
const FIRST_ROWS = 20;
/** About as many characters has a page: realms are long, marks are short. */
const PAGE_CHARACTERS = 2_000_000;

/** The progress of a table, as the target stores it. */
interface Progress {
  readonly rows: number;
  /** The key of the last row that is there; undefined before the first. */
  readonly after?: readonly Value[];
  readonly isDone: boolean;
}

/**
 * Copies the missing rows of a table, page by page.
 * @param onRows called after each page with the number of copied rows
 */
export async function copyTable(
  { source, target, table }: { source: CopySource; target: CopyTarget; table: Table },
  kept: CopyState,
  onRows: (rows: number) => void,
): Promise<void> {
  const said = kept.get(table.name);
  const begun: Progress = said === undefined ? { rows: 0, isDone: false } : (JSON.parse(said) as Progress);
  let { rows } = begun;
  onRows(rows);
  if (begun.isDone) return;
  const pages = pagesOf(source, table, begun.after);
  for (let page = await pages.next(); page.done !== true; ) {
    const { value } = page;
    for (const row of value) check(table, row);
    rows += value.length;
    const progress: Progress = { rows, after: keyOf(table, value.at(-1) as Row), isDone: false };
    const writing = target.write([...inserting(table, value)], { name: table.name, said: JSON.stringify(progress) });
    // The next page is read at the same time. If both fail, the first failure is thrown.
    [page] = await Promise.all([pages.next(), writing]);
    onRows(rows);
  }
  await target.write([], { name: table.name, said: JSON.stringify({ rows, isDone: true } satisfies Progress) });
}

/** Reads a whole table. */
export async function sumOf(database: CopyDatabase, table: Table, onRows: (rows: number) => void): Promise<TableSum> {
  const checksum = new Checksum();
  let rows = 0;
  for await (const page of pagesOf(database, table)) {
    checksum.add(table, page);
    rows += page.length;
    onRows(rows);
  }
  return checksum.sum;
}

async function* pagesOf(
  database: CopyDatabase,
  table: Table,
  after?: readonly Value[],
): AsyncGenerator<readonly Row[], undefined> {
  let last = after;
  let limit = FIRST_ROWS;
  for (;;) {
    const page = await database.rows(pageOf(table, last, limit));
    const end = page.at(-1);
    if (end === undefined) return;
    yield page;
    if (page.length < limit) return;
    last = keyOf(table, end);
    // Long rows may follow short ones, so a page is at most twice as large as the one before.
    const fitting = Math.floor((PAGE_CHARACTERS * page.length) / lengthOf(page));
    limit = Math.max(1, Math.min(MOST_ROWS, limit * 2, fitting));
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
 * SQLite stores any type of value in any column. @throws BootError `copy_failed` for a value that other engines refuse
 */
function check(table: Table, row: Row): void {
  for (const { name, kind } of table.columns) {
    const value = row[name] ?? null;
    if (value === null || (kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value))) continue;
    const what = kind === 'text' ? 'string' : 'whole number';
    const key = keyOf(table, row).join(' ');
    throw new BootError('copy_failed', `the row ${key} of ${table.name} has a value in ${name} that is not a ${what}`, {
      hint: 'change that row in the source, then run the same command again to continue',
    });
  }
}
