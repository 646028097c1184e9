import { realmTurn } from '../../model/loop-turns.js';
import type { Reader } from './engine.js';

/** Rows looked at before other requests have their turn: a millisecond or two. */
const STEP = 1000;
/** As many of an index, where the rows themselves are not looked at. */
export const INDEX_STEP = 10_000;
/** So many times as many, where another process does the looking and each step is a round trip: some ten milliseconds there. */
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
  /** Rows of one range, where the reader is in this process. */
  readonly step?: number;
  /** Rows of the first range, wherever the reader is; each further one has twice as many, up to what it has without this. */
  readonly begin?: number | undefined;
  /** Only keys beyond this one. */
  readonly after?: string;
}

/**
 * A long table of a realm in pieces, along a key that has an index there; few rows have one in common. Readers work on the main thread:
 * what may have to look at every row looks at one piece after the other, and lets others in between.
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
