import type { MarkStore, TicketKey } from '../store.js';
import type { Connection } from './connection.js';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

type Mark = Parameters<MarkStore['claim']>[0];

export const markOperations = {
  'marks.claim'(db: Connection, { realm, kind, keyHash, expiresAt, now }: Mark): boolean {
    if (expiresAt <= now) return false;
    const changed = db.run(
      'INSERT INTO marks (realm, kind, key_hash, expires_at) VALUES ($1, $2, $3, $4) ' +
        'ON CONFLICT (realm, kind, key_hash) DO UPDATE SET expires_at = excluded.expires_at ' +
        'WHERE marks.expires_at <= $5',
      realm,
      kind,
      keyHash,
      expiresAt,
      now,
    );
    return changed === 1;
  },
};

export class SqliteMarks implements MarkStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  claim(mark: Mark): Promise<boolean> {
    return this.#writer.call('marks.claim', mark);
  }

  async has({ realm, kind, keyHash, now }: TicketKey & { now: number }): Promise<boolean> {
    const row = this.#reader.get(
      'SELECT 1 FROM marks WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    );
    return row !== undefined;
  }
}
