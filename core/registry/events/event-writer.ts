import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { EventRecord, Store } from '../../store/store.js';
import type { OutboxRoom } from './outbox-room.js';

/** Events wait this long, or until there are this many, before they are written together. */
const BATCH_MS = 50;
const BATCH_SIZE = 200;
/** Beyond this many unwritten events new ones are dropped and counted: answers never wait for the store. */
const BACKLOG = 20_000;

export interface EventWriterParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly room: OutboxRoom;
  /** Told of a realm where an event waits for another store. */
  readonly onWaiting: (realm: string) => void;
}

/** Writes events: at once, or together with others a moment later. Each has its place among those that wait for another store. */
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

  /** A moment later. */
  save(record: EventRecord): void {
    if (this.#pending.length >= BACKLOG) {
      this.#dropped += 1;
      return;
    }
    this.#pending.push(this.placed(record));
    if (this.#pending.length >= BATCH_SIZE) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), BATCH_MS);
  }

  /** @throws HostError of the store */
  async append(record: EventRecord): Promise<void> {
    await this.#parts.store.events.append([this.placed(record)]);
    this.waits(record);
  }

  /** With its place among those that wait: behind everything that this node has written. */
  placed(record: EventRecord): EventRecord {
    if (record.position === undefined) return record;
    this.#lastPosition = Math.max(this.#lastPosition + 1, this.#parts.clock.now() * 1000);
    return { ...record, position: this.#lastPosition };
  }

  /** It was written, by whomever. */
  waits(record: EventRecord | undefined): void {
    if (record?.position !== undefined) this.#parts.onWaiting(record.realm);
  }

  /** Resolves when everything so far has been stored. */
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

  /** Events of no change: where the outbox of their realm is full, they do not wait there. */
  async #append(batch: readonly EventRecord[]): Promise<void> {
    const { store, onWaiting } = this.#parts;
    const room = await this.#roomFor(batch);
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

  async #roomFor(batch: readonly EventRecord[]): Promise<Map<string, number>> {
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
