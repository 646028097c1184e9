import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { EventRecord, Store } from '../../store/store.js';
import type { OutboxCapacity } from './outbox-capacity.js';

/** Events are written in batches, after this time or when there are this many. */
const BATCH_MS = 50;
const BATCH_SIZE = 200;
/**
 * Maximum number of unwritten events. Further ones are dropped and counted, because responses never wait for the store.
 */
const MAX_PENDING = 20_000;

export interface EventWriterParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly room: OutboxCapacity;
  /** Called with a realm in which an event waits for another store. */
  readonly onWaiting: (realm: string) => void;
}

/** Writes events, at once or in batches. Each gets a position in the outbox if it waits for another store. */
export class EventWriter {
  readonly #parts: EventWriterParts;
  readonly #pending: EventRecord[] = [];
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #lastPosition = 0;

  constructor(parts: EventWriterParts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#pending.length === 0;
  }

  /** Writes an event with the next batch. */
  save(record: EventRecord): void {
    if (this.#pending.length >= MAX_PENDING) {
      this.#dropped += 1;
      return;
    }
    this.#pending.push(this.withPosition(record));
    if (this.#pending.length >= BATCH_SIZE) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), BATCH_MS);
  }

  /** @throws HostError of the store */
  async append(record: EventRecord): Promise<void> {
    await this.#parts.store.events.append([this.withPosition(record)]);
    this.reportWaiting(record);
  }

  /** Returns the record with its position in the outbox: after all that this node has written. */
  withPosition(record: EventRecord): EventRecord {
    if (record.position === undefined) return record;
    this.#lastPosition = Math.max(this.#lastPosition + 1, this.#parts.clock.now() * 1000);
    return { ...record, position: this.#lastPosition };
  }

  /** Reports a written event that waits for another store. */
  reportWaiting(record: EventRecord | undefined): void {
    if (record?.position !== undefined) this.#parts.onWaiting(record.realm);
  }

  /** Resolves when all current events are stored. */
  async written(): Promise<void> {
    await Promise.all([this.#write(), ...this.#writing]);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { store, logger } = this.#parts;
    const batch = this.#pending.splice(0);
    if (this.#dropped > 0) {
      logger.error('dropped events: the store is too slow', { dropped: this.#dropped });
      this.#dropped = 0;
    }
    if (batch.length === 0) return;
    const written = store
      .unfenced(() => this.#append(batch))
      .catch((error: unknown) => {
        logger.error('cannot store events', { count: batch.length, reason: String(error) });
      });
    this.#writing.add(written);
    await written.finally(() => this.#writing.delete(written));
  }

  /** Writes events that belong to no change: if the outbox of their realm is full, they are left out of it. */
  async #append(batch: readonly EventRecord[]): Promise<void> {
    const { store, onWaiting } = this.#parts;
    const room = await this.#outboxSpaceFor(batch);
    const records = batch.flatMap((record) => {
      if (record.position === undefined) return [record];
      const left = room.get(record.realm) ?? 0;
      room.set(record.realm, left - 1);
      if (left > 0) return [record];
      const { position: _, ...rest } = record;
      return rest.isKept === false ? [] : [rest];
    });
    if (records.length > 0) await store.events.append(records);
    for (const realm of room.keys()) onWaiting(realm);
  }

  async #outboxSpaceFor(batch: readonly EventRecord[]): Promise<Map<string, number>> {
    const { room, logger } = this.#parts;
    const waiting = new Map<string, number>();
    for (const { realm, position } of batch)
      if (position !== undefined) waiting.set(realm, (waiting.get(realm) ?? 0) + 1);
    for (const [realm, count] of waiting) {
      const { granted, isNews } = await room.take(realm, count);
      waiting.set(realm, granted);
      const fields = { realm, waiting: room.limit };
      if (isNews) logger.error('events are left out: too many wait for the event store of the realm', fields);
    }
    return waiting;
  }
}
