import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { EventRecord, Store } from '../../store/store.js';
import type { OutboxCapacity } from './outbox-capacity.js';

/** Events are written after this time in milliseconds, or as soon as a batch is full. */
const BATCH_MS = 50;
const BATCH_SIZE = 200;
/**
 * Maximum number of unwritten events. Beyond it, events are dropped and counted, because responses never wait for the
 * store.
 */
const MAX_PENDING = 20_000;

export interface EventWriterParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly capacity: OutboxCapacity;
  /** Called with the realm of an event that waits for a plugin's store. */
  readonly onWaiting: (realm: string) => void;
}

/** Writes events, at once or in batches. An event that waits for a plugin's store gets a position in the outbox. */
export class EventWriter {
  readonly #parts: EventWriterParts;
  readonly #pending: EventRecord[] = [];
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #droppedCount = 0;
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
      this.#droppedCount += 1;
      return;
    }
    this.#pending.push(this.withPosition(record));
    if (this.#pending.length >= BATCH_SIZE) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), BATCH_MS);
  }

  /**
   * Writes an event at once.
   * @throws HostError of the store
   */
  async append(record: EventRecord): Promise<void> {
    await this.#parts.store.events.append([this.withPosition(record)]);
    this.reportWaiting(record);
  }

  /**
   * Returns a record that waits for a plugin's store with a position in the outbox, greater than all positions of this
   * node. Other records are returned unchanged.
   */
  withPosition(record: EventRecord): EventRecord {
    if (record.position === undefined) return record;
    this.#lastPosition = Math.max(this.#lastPosition + 1, this.#parts.clock.now() * 1000);
    return { ...record, position: this.#lastPosition };
  }

  /** Calls `onWaiting` if the written event waits for a plugin's store. */
  reportWaiting(record: EventRecord | undefined): void {
    if (record?.position !== undefined) this.#parts.onWaiting(record.realm);
  }

  /** Resolves when all current events are stored, or when storing them has failed. */
  async flush(): Promise<void> {
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
    if (this.#droppedCount > 0) {
      logger.error('dropped events: the store is too slow', { dropped: this.#droppedCount });
      this.#droppedCount = 0;
    }
    if (batch.length === 0) return;
    const write = store
      .unfenced(() => this.#append(batch))
      .catch((error: unknown) => {
        logger.error('cannot store events', { count: batch.length, reason: String(error) });
      });
    this.#writing.add(write);
    await write.finally(() => this.#writing.delete(write));
  }

  /**
   * Writes events that belong to no change. If the outbox of their realm is full, they are only written to the host's
   * own store. They are dropped if the realm does not use that.
   */
  async #append(batch: readonly EventRecord[]): Promise<void> {
    const { store, onWaiting } = this.#parts;
    const freeSpace = await this.#outboxSpaceFor(batch);
    const records = batch.flatMap((record) => {
      if (record.position === undefined) return [record];
      const free = freeSpace.get(record.realm) ?? 0;
      freeSpace.set(record.realm, free - 1);
      if (free > 0) return [record];
      const { position: _, ...storedOnly } = record;
      return storedOnly.isKept === false ? [] : [storedOnly];
    });
    if (records.length > 0) await store.events.append(records);
    for (const realm of freeSpace.keys()) onWaiting(realm);
  }

  async #outboxSpaceFor(batch: readonly EventRecord[]): Promise<Map<string, number>> {
    const { capacity, logger } = this.#parts;
    const waitingCounts = new Map<string, number>();
    for (const { realm, position } of batch)
      if (position !== undefined) waitingCounts.set(realm, (waitingCounts.get(realm) ?? 0) + 1);
    for (const [realm, count] of waitingCounts) {
      const { granted, isNewlyFull } = await capacity.reserve(realm, count);
      waitingCounts.set(realm, granted);
      const fields = { realm, waiting: capacity.limit };
      if (isNewlyFull) logger.error('events are left out: too many wait for the event store of the realm', fields);
    }
    return waitingCounts;
  }
}
