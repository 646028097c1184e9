import { isDeepStrictEqual } from 'node:util';
import type { Reader, Writer } from '../engine/engine.js';
import { endWith, lock, type Operation, run } from '../engine/operation.js';
import type { EntryStore } from '../store.js';

type Entry = Parameters<EntryStore['put']>[0];
type Claim = Parameters<EntryStore['claim']>[0];
type Replacement = Parameters<EntryStore['replace']>[0];
type EntryRange = Parameters<EntryStore['list']>[0];
type EntryKey = Parameters<EntryStore['delete']>[0];

const INSERT_ENTRY =
  'INSERT INTO entries (realm, namespace, entry_key, value, expires_at) VALUES ($1, $2, $3, $4, $5) ';
const OR_REPLACE =
  'ON CONFLICT (realm, namespace, entry_key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at';

const REPLACE_IF_EQUAL =
  'UPDATE entries SET value = $4, expires_at = $5 ' +
  'WHERE realm = $1 AND namespace = $2 AND entry_key = $3 AND value = $6 AND (expires_at IS NULL OR expires_at > $7)';
const IS_LIVE = '(expires_at IS NULL OR expires_at > $5)';
const SELECT_VALUE =
  'SELECT value FROM entries WHERE realm = $1 AND namespace = $2 AND entry_key = $3 ' +
  'AND (expires_at IS NULL OR expires_at > $4)';
/** Greater than every key, because no text begins with a greater character. */
const LAST_KEY = '\u{10ffff}';

export const entryOperations = {
  *'entries.put'({ realm, namespace, key, value, expiresAt }: Entry): Operation<void> {
    yield* endWith(INSERT_ENTRY + OR_REPLACE, realm, namespace, key, value, expiresAt);
  },

  *'entries.claim'({ realm, namespace, key, value, expiresAt, now }: Claim): Operation<boolean> {
    if (expiresAt <= now) return false;
    return yield* putUnlessLive({ realm, namespace, key, value, expiresAt }, now);
  },

  *'entries.replace'({ expected, now, ...entry }: Replacement): Operation<boolean> {
    const { realm, namespace, key, value, expiresAt } = entry;
    // The stored text is nearly always identical: then one statement checks and replaces it.
    if (expected !== undefined) {
      const replaced = yield* run(REPLACE_IF_EQUAL, realm, namespace, key, value, expiresAt, expected, now);
      if (replaced === 1) return true;
    }
    const storedValue = (yield* lock<{ value: string }>(SELECT_VALUE, realm, namespace, key, now))?.value;
    if (storedValue !== expected) {
      if (storedValue === undefined || expected === undefined) return false;
      if (!isDeepStrictEqual(JSON.parse(storedValue), JSON.parse(expected))) return false;
    }
    if (storedValue !== undefined) yield* entryOperations['entries.put'](entry);
    // Without a row nothing was locked, so another transaction may have inserted one.
    else return yield* putUnlessLive(entry, now);
    return true;
  },

  *'entries.delete'({ realm, namespace, key }: EntryKey): Operation<void> {
    yield* endWith('DELETE FROM entries WHERE realm = $1 AND namespace = $2 AND entry_key = $3', realm, namespace, key);
  },

  *'entries.clear'({ realm, namespace }: Parameters<EntryStore['clear']>[0]): Operation<void> {
    yield* endWith('DELETE FROM entries WHERE realm = $1 AND namespace = $2', realm, namespace);
  },
};

function* putUnlessLive({ realm, namespace, key, value, expiresAt }: Entry, now: number): Operation<boolean> {
  const sql = `${INSERT_ENTRY + OR_REPLACE} WHERE entries.expires_at <= $6`;
  return (yield* endWith(sql, realm, namespace, key, value, expiresAt, now)) === 1;
}

export class EntryRecords implements EntryStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async get({ realm, namespace, key, now }: EntryKey & { now: number }): Promise<string | undefined> {
    return (await this.#reader.get<{ value: string }>(SELECT_VALUE, realm, namespace, key, now))?.value;
  }

  list(range: EntryRange): Promise<readonly { key: string; value: string }[]> {
    return this.#list<{ key: string; value: string }>('entry_key AS key, value', range);
  }

  async listWhole(range: EntryRange): Promise<readonly { key: string; value: string; expiresAt?: number }[]> {
    const rows = await this.#list<{ key: string; value: string; expires_at: number | null }>(
      'entry_key AS key, value, expires_at',
      range,
    );
    return rows.map(({ key, value, expires_at: at }) => ({
      key,
      value,
      ...(at === null ? {} : { expiresAt: Number(at) }),
    }));
  }

  async #list<T>(
    columns: string,
    { realm, namespace, prefix, after, first, max, now }: EntryRange,
  ): Promise<readonly T[]> {
    return this.#reader.all<T>(
      `SELECT ${columns} FROM entries WHERE realm = $1 AND namespace = $2 ` +
        `AND entry_key ${after === undefined ? '>=' : '>'} $3 AND entry_key < $4 AND ${IS_LIVE} ORDER BY entry_key LIMIT $6 OFFSET $7`,
      realm,
      namespace,
      after ?? prefix,
      `${prefix}${LAST_KEY}`,
      now,
      max,
      first,
    );
  }

  put(entry: Entry): Promise<void> {
    return this.#writer.call('entries.put', entry);
  }

  claim(entry: Claim): Promise<boolean> {
    return this.#writer.call('entries.claim', entry);
  }

  replace(entry: Replacement): Promise<boolean> {
    return this.#writer.call('entries.replace', entry);
  }

  delete(key: EntryKey): Promise<void> {
    return this.#writer.call('entries.delete', key);
  }

  clear(namespace: Parameters<EntryStore['clear']>[0]): Promise<void> {
    return this.#writer.call('entries.clear', namespace);
  }
}
