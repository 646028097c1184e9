import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventRecord } from './store.js';

/** Events to be written with the next change, until a change has carried them. */
export class TransactionalEvents {
  readonly #events: () => readonly EventRecord[];
  readonly #of: 'users' | undefined;
  /** The one in whose work this one began: a change is of both. */
  readonly #outer: TransactionalEvents | undefined;
  #isWritten = false;
  #isOver = false;

  /** @param of whose changes alone count */
  constructor(events: () => readonly EventRecord[], of: 'users' | undefined, outer: TransactionalEvents | undefined) {
    this.#events = events;
    this.#of = of;
    this.#outer = outer;
  }

  /**
   * The events that a write must carry, by recording. Computed again for each write, since the content of events may
   * become more precise.
   * @param operation the write, such as `users.put`
   */
  waiting(operation: string): ReadonlyMap<TransactionalEvents, readonly EventRecord[]> {
    const all = new Map(this.#outer?.waiting(operation));
    const counts = this.#of === undefined || operation.startsWith(`${this.#of}.`);
    const own = counts && !this.#isWritten && !this.#isOver ? this.#events() : [];
    return own.length === 0 ? all : all.set(this, own);
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** A change has carried what waited. */
  written(): void {
    this.#isWritten = true;
  }

  /** Later background work does not belong to this recording. */
  end(): void {
    this.#isOver = true;
  }
}

/**
 * Tracks which recording the caller of a write belongs to. A hundred operations of the Admin REST API write through
 * realms, users, sessions and keys. None of them passes its event down, and none can forget to.
 *
 * Up to Node 22, an async storage in use costs every promise of the process a little. So it is in use only while
 * something is recorded, and the token endpoint does not pay for it.
 */
export class TransactionalEventScope {
  readonly #storage = new AsyncLocalStorage<TransactionalEvents | undefined>();
  #running = 0;

  /** The one that the caller runs in. */
  get current(): TransactionalEvents | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  /** Runs work outside the recordings around it. */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.current === undefined ? work() : this.#storage.run(undefined, work);
  }

  async run<T>(recording: TransactionalEvents, work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await this.#storage.run(recording, work);
    } finally {
      recording.end();
      this.#running -= 1;
      if (this.#running === 0) this.#storage.disable();
    }
  }
}
