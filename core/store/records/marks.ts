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
  /**
   * When the last mark of each realm and kind expires: of those read from the database, and of those claimed since
   * then.
   */
  readonly #storedExpiry = new Map<string, number>();
  readonly #claimedExpiry = new Map<string, number>();

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  claim(mark: Mark): Promise<boolean> {
    this.expect(mark);
    return this.#writer.call('marks.claim', mark);
  }

  /** Must be called before a mark is claimed by another operation than `claim`. */
  expect({ realm, kind, expiresAt }: Mark): void {
    const group = `${realm} ${kind}`;
    this.#claimedExpiry.set(group, Math.max(this.#claimedExpiry.get(group) ?? 0, expiresAt));
  }

  async has(key: OneTimeTokenKey & { now: number }): Promise<boolean> {
    return (await this.expiry(key)) !== undefined;
  }

  async expiry({ realm, kind, keyHash, now }: OneTimeTokenKey & { now: number }): Promise<number | undefined> {
    // Usually no mark of a kind is live. If one process owns the database, nothing must be read then.
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
    let storedExpiry = this.#storedExpiry.get(group);
    if (storedExpiry === undefined) {
      const sql = 'SELECT max(expires_at) AS last FROM marks WHERE realm = $1 AND kind = $2';
      storedExpiry = (await this.#reader.get<{ last: number | null }>(sql, realm, kind))?.last ?? 0;
      this.#storedExpiry.set(group, storedExpiry);
    }
    return Math.max(storedExpiry, this.#claimedExpiry.get(group) ?? 0);
  }
}
