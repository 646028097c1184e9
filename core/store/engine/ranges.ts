import { realmTurn } from '../../model/loop-turns.js';
import type { Reader } from './engine.js';

/** Rows looked at before other requests have their turn: a millisecond or two. */
const STEP = 1000;
/** Entries of a range if only the index is read. */
export const INDEX_STEP = 10_000;
/** Factor for a database behind a network, where each step is a round trip: about 10 ms of its work. */
const FARTHER = 20;
/** Behind every key: no text begins with a greater character. */
const END = '\u{10ffff}';

/** Keys beyond `after`, up to and including `upTo`. */
export interface KeyRange {
  readonly after: string;
  readonly upTo: string;
  /** How many rows have them, which is not known of the last. */
  readonly rows: number | undefined;
}

/** Rows of a realm along a key. */
export interface Keyed {
  readonly table: string;
  readonly key: string;
  /** Which of them, with the realm as `$1`; without it all of the realm. */
  readonly where?: string;
  /** Rows of a range if the reader is in this process. */
  readonly step?: number;
  /** Rows of the first range; each further one has twice as many, up to the size without this. */
  readonly begin?: number | undefined;
  /** Only keys beyond this one. */
  readonly after?: string;
}

/**
 * Iterates over a large table of a realm in ranges of a key that has an index; few rows share a key. Readers run on the
 * main thread, so a query that may read every row reads one range after the other, and lets other requests run in
 * between.
 */
export async function* keyRanges(
  reader: Reader,
  realm: string,
  { table, key, where = 'realm = $1', step: near = STEP, begin, after: first = '' }: Keyed,
): AsyncGenerator<KeyRange> {
  const most = reader.isShared ? near * FARTHER : near;
  const sql = `SELECT ${key} AS last FROM ${table} WHERE ${where} AND ${key} > $2 ORDER BY ${key} LIMIT 1 OFFSET $3`;
  let step = Math.min(begin ?? most, most);
  for (let after = first; ; ) {
    const last = (await reader.get<{ last: string }>(sql, realm, after, step - 1))?.last;
    yield { after, upTo: last ?? END, rows: last === undefined ? undefined : step };
    if (last === undefined) return;
    after = last;
    step = Math.min(2 * step, most);
    await new Promise(setImmediate);
    await realmTurn(realm);
  }
}
