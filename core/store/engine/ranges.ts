import type { Reader } from '../engine/engine.js';

/** Rows looked at before other requests have their turn: a millisecond or two. */
const STEP = 1000;
/** Behind every key: no text begins with a greater character. */
const END = '\u{10ffff}';

/** Keys beyond `after`, up to and including `upTo`. */
export interface KeyRange {
  readonly after: string;
  readonly upTo: string;
}

/**
 * A long table of a realm in pieces, along a key that has an index there; few rows have one in common. Readers work on the main thread:
 * what may have to look at every row looks at one piece after the other, and lets others in between.
 */
export async function* keyRanges(
  reader: Reader,
  realm: string,
  { table, key }: { readonly table: string; readonly key: string },
): AsyncGenerator<KeyRange> {
  const sql = `SELECT ${key} AS last FROM ${table} WHERE realm = $1 AND ${key} > $2 ORDER BY ${key} LIMIT 1 OFFSET ${STEP - 1}`;
  for (let after = ''; ; ) {
    const last = (await reader.get<{ last: string }>(sql, realm, after))?.last;
    yield { after, upTo: last ?? END };
    if (last === undefined) return;
    after = last;
    await new Promise(setImmediate);
  }
}
