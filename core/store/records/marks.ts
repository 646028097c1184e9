import type { Reader, Writer } from '../engine/engine.js';
import { endWith, type Operation } from '../engine/operation.js';
import type { OneTimeTokenKey, SingleUseStore } from '../store.js';

type Mark = Parameters<SingleUseStore['claim']>[0];

export const markOperations = {
  *'marks.claim'({ realm, kind, keyHash, expiresAt, now }: Mark): Operation<boolean> {
    if (expiresAt <= now) return false;
    const changed = yield* endWith(
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

  *'marks.release'({ realm, kind, keyHash }: OneTimeTokenKey): Operation<void> {
    yield* endWith('DELETE FROM marks WHERE realm = $1 AND kind = $2 AND key_hash = $3', realm, kind, keyHash);
  },

  *'marks.releaseAll'({ realm, kind }: { realm: string; kind: string }): Operation<void> {
    yield* endWith('DELETE FROM marks WHERE realm = $1 AND kind = $2', realm, kind);
  },
};

export class MarkRecords implements SingleUseStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  /** By realm and kind, when the last mark expires: of those found in the database, and of those claimed since. */
  readonly #found = new Map<string, number>();
  readonly #claimed = new Map<string, number>();

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  claim(mark: Mark): Promise<boolean> {
    this.expect(mark);
    return this.#writer.call('marks.claim', mark);
  }

  /** Announces that this mark is about to be claimed. */
  expect({ realm, kind, expiresAt }: Mark): void {
    const group = `${realm} ${kind}`;
    this.#claimed.set(group, Math.max(this.#claimed.get(group) ?? 0, expiresAt));
  }

  async has(key: OneTimeTokenKey & { now: number }): Promise<boolean> {
    return (await this.expiry(key)) !== undefined;
  }

  async expiry({ realm, kind, keyHash, now }: OneTimeTokenKey & { now: number }): Promise<number | undefined> {
    // Usually no mark of a kind is live. If one process owns the database, nothing is read then.
    if (!this.#reader.isShared && (await this.#lastExpiry(realm, kind)) <= now) return undefined;
    const row = await this.#reader.get<{ expires_at: number }>(
      'SELECT expires_at FROM marks WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    );
    return row?.expires_at;
  }

  async release(key: OneTimeTokenKey): Promise<void> {
    await this.#writer.call('marks.release', key);
  }

  async releaseAll(kind: { realm: string; kind: string }): Promise<void> {
    await this.#writer.call('marks.releaseAll', kind);
  }

  async #lastExpiry(realm: string, kind: string): Promise<number> {
    const group = `${realm} ${kind}`;
    let found = this.#found.get(group);
    if (found === undefined) {
      const sql = 'SELECT max(expires_at) AS last FROM marks WHERE realm = $1 AND kind = $2';
      found = (await this.#reader.get<{ last: number | null }>(sql, realm, kind))?.last ?? 0;
      this.#found.set(group, found);
    }
    return Math.max(found, this.#claimed.get(group) ?? 0);
  }
}
