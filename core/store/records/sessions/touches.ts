import type { ClientSessionRecord, SessionKey, UserSessionRecord } from '../../store.js';
import type { Touch } from './session-operations.js';

/** A session is written at most this often, in milliseconds. */
const WRITE_EVERY_MS = 1000;

/**
 * Collects uses of sessions and writes them together, only the newest of each session. Unwritten uses are merged into
 * what is read, so the host itself never sees an older use.
 */
export class Touches {
  readonly #write: (touches: readonly Touch[]) => Promise<void>;
  #waiting = new Map<string, Touch>();
  readonly #writing = new Set<ReadonlyMap<string, Touch>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (touches: readonly Touch[]) => Promise<void>) {
    this.#write = write;
  }

  add(key: SessionKey, clientUuid: string, at: number, expiresAt: number): void {
    merge(this.#waiting, { ...key, lastRefresh: at, expiresAt, clients: new Map([[clientUuid, at]]) });
    // A failed write is repeated with the next one. Callers of every other method get the failure.
    this.#timer ??= setTimeout(() => this.flush().catch(() => undefined), WRITE_EVERY_MS);
  }

  /** Resolves when every use added before is durable. After a failure they are written with the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    if (batch.size === 0) return;
    this.#waiting = new Map();
    this.#writing.add(batch);
    try {
      await this.#write([...batch.values()]);
    } catch (error) {
      for (const touch of batch.values()) merge(this.#waiting, touch);
      throw error;
    } finally {
      this.#writing.delete(batch);
    }
  }

  session(record: UserSessionRecord): UserSessionRecord {
    if (this.#idle()) return record;
    let { lastRefresh, expiresAt } = record;
    for (const touch of this.#of(record)) {
      lastRefresh = Math.max(lastRefresh, touch.lastRefresh);
      expiresAt = Math.max(expiresAt, touch.expiresAt);
    }
    return { ...record, lastRefresh, expiresAt };
  }

  clientSession(record: ClientSessionRecord): ClientSessionRecord {
    if (this.#idle()) return record;
    let { lastRefresh } = record;
    for (const touch of this.#of({ ...record, id: record.sessionId })) {
      lastRefresh = Math.max(lastRefresh, touch.clients.get(record.clientUuid) ?? 0);
    }
    return { ...record, lastRefresh };
  }

  #idle(): boolean {
    return this.#waiting.size === 0 && this.#writing.size === 0;
  }

  #of(session: SessionKey): Touch[] {
    const key = keyOf(session);
    return [this.#waiting, ...this.#writing].map((batch) => batch.get(key)).filter((touch) => touch !== undefined);
  }
}

function merge(into: Map<string, Touch>, touch: Touch): void {
  const key = keyOf(touch);
  const known = into.get(key);
  if (known === undefined) {
    into.set(key, { ...touch, clients: new Map(touch.clients) });
    return;
  }
  known.lastRefresh = Math.max(known.lastRefresh, touch.lastRefresh);
  known.expiresAt = Math.max(known.expiresAt, touch.expiresAt);
  for (const [client, at] of touch.clients) known.clients.set(client, Math.max(known.clients.get(client) ?? 0, at));
}

function keyOf({ realm, id, offline }: SessionKey): string {
  return `${realm}\n${id}\n${offline}`;
}
