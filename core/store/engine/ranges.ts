import { waitForRealmTurn } from '../../model/loop-turns.js';
import type { Reader } from './engine.js';

/** Number of rows that one step reads before other requests get their turn. It takes a millisecond or two. */
const ROWS_PER_STEP = 1000;
/** Number of rows that one step reads if it reads only the index. */
export const INDEX_ROWS_PER_STEP = 10_000;
/** Factor for a database behind a network, where each step is a round trip: about 10 ms of the database's work. */
const NETWORK_FACTOR = 20;
/** Greater than every key, because no text begins with a greater character. */
const LAST_KEY = '\u{10ffff}';

/** The keys after `after`, up to and including `upTo`. */
export interface KeyRange {
  readonly after: string;
  readonly upTo: string;
  /** The number of rows with these keys; undefined for the last range. */
  readonly rows: number | undefined;
}

/** Describes the rows of a realm that are read in the order of a key. */
export interface KeyedRows {
  readonly table: string;
  readonly key: string;
  /** A condition for the rows, with the realm as `$1`. Default: all rows of the realm. */
  readonly where?: string;
  /** Number of rows in a range if the reader is in this process. */
  readonly step?: number;
  /** Number of rows in the first range. Each further range has twice as many, up to the default. */
  readonly begin?: number | undefined;
  /** Only keys after this one. */
  readonly after?: string;
}

/**
 * Iterates over a large table of a realm in ranges of an indexed key that few rows share. Readers run on the main
 * thread. So a query that may read every row reads one range after another, and other requests run in between.
 */
export async function* keyRanges(
  reader: Reader,
  realm: string,
  { table, key, where = 'realm = $1', step: localStep = ROWS_PER_STEP, begin, after: firstKey = '' }: KeyedRows,
): AsyncGenerator<KeyRange> {
  const maxStep = reader.isShared ? localStep * NETWORK_FACTOR : localStep;
  const sql = `SELECT ${key} AS last FROM ${table} WHERE ${where} AND ${key} > $2 ORDER BY ${key} LIMIT 1 OFFSET $3`;
  let step = Math.min(begin ?? maxStep, maxStep);
  for (let after = firstKey; ; ) {
    const last = (await reader.get<{ last: string }>(sql, realm, after, step - 1))?.last;
    yield { after, upTo: last ?? LAST_KEY, rows: last === undefined ? undefined : step };
    if (last === undefined) return;
    after = last;
    step = Math.min(2 * step, maxStep);
    await new Promise(setImmediate);
    await waitForRealmTurn(realm);
  }
}
