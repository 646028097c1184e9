import type { ClientSessionRecord, SessionKey, UserSessionRecord } from '../../store.js';
import type { Touch } from './session-operations.js';

/** How often the uses of sessions are written, in milliseconds. */
const WRITE_INTERVAL_MS = 1000;

/**
 * Collects uses of sessions and writes them together, only the latest of each session. Pending uses are merged into
 * what is read, so that the host itself never sees an older use.
 */
export class Touches {
  readonly #write: (touches: readonly Touch[]) => Promise<void>;
  #pending = new Map<string, Touch>();
  readonly #batches = new Set<ReadonlyMap<string, Touch>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (touches: readonly Touch[]) => Promise<void>) {
    this.#write = write;
  }

  add(key: SessionKey, clientUuid: string, at: number, expiresAt: number): void {
    merge(this.#pending, { ...key, lastRefresh: at, expiresAt, clients: new Map([[clientUuid, at]]) });
    // After a failure, the uses are written the next time. Callers of all other methods get the failure.
    this.#timer ??= setTimeout(() => this.flush().catch(() => undefined), WRITE_INTERVAL_MS);
  }

  /** Resolves when all earlier uses are on disk. After a failure, they are written with the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#pending;
    if (batch.size === 0) return;
    this.#pending = new Map();
    this.#batches.add(batch);
    try {
      await this.#write([...batch.values()]);
    } catch (error) {
      for (const touch of batch.values()) merge(this.#pending, touch);
      throw error;
    } finally {
      this.#batches.delete(batch);
    }
  }

  withTouches(record: UserSessionRecord): UserSessionRecord {
    if (this.#hasNone()) return record;
    let { lastRefresh, expiresAt } = record;
    for (const touch of this.#touchesOf(record)) {
      lastRefresh = Math.max(lastRefresh, touch.lastRefresh);
      expiresAt = Math.max(expiresAt, touch.expiresAt);
    }
    return { ...record, lastRefresh, expiresAt };
  }

  clientWithTouches(record: ClientSessionRecord): ClientSessionRecord {
    if (this.#hasNone()) return record;
    let { lastRefresh } = record;
    for (const touch of this.#touchesOf({ ...record, id: record.sessionId })) {
      lastRefresh = Math.max(lastRefresh, touch.clients.get(record.clientUuid) ?? 0);
    }
    return { ...record, lastRefresh };
  }

  #hasNone(): boolean {
    return this.#pending.size === 0 && this.#batches.size === 0;
  }

  #touchesOf(session: SessionKey): Touch[] {
    const key = keyOf(session);
    return [this.#pending, ...this.#batches].map((batch) => batch.get(key)).filter((touch) => touch !== undefined);
  }
}

function merge(target: Map<string, Touch>, touch: Touch): void {
  const key = keyOf(touch);
  const existing = target.get(key);
  if (existing === undefined) {
    target.set(key, { ...touch, clients: new Map(touch.clients) });
    return;
  }
  existing.lastRefresh = Math.max(existing.lastRefresh, touch.lastRefresh);
  existing.expiresAt = Math.max(existing.expiresAt, touch.expiresAt);
  for (const [client, at] of touch.clients)
    existing.clients.set(client, Math.max(existing.clients.get(client) ?? 0, at));
}

function keyOf({ realm, id, offline }: SessionKey): string {
  return `${realm}\n${id}\n${offline}`;
}
