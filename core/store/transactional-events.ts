import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventRecord } from './store.js';

/** Events that are written with the next change, until one change has carried them. */
export class TransactionalEvents {
  readonly #events: () => readonly EventRecord[];
  readonly #changesOf: 'users' | undefined;
  /** The recording in whose work this one began. A change carries the events of both. */
  readonly #outerRecording: TransactionalEvents | undefined;
  #isWritten = false;
  #hasEnded = false;

  /** @param changesOf `users` if only changes of users carry the events */
  constructor(events: () => readonly EventRecord[], of: 'users' | undefined, outer: TransactionalEvents | undefined) {
    this.#events = events;
    this.#changesOf = of;
    this.#outerRecording = outer;
  }

  /**
   * Returns the events that a write must carry, by recording. They are computed for each write, because the content of
   * events may become more precise.
   * @param operation the name of the write, such as `users.put`
   */
  pendingFor(operation: string): ReadonlyMap<TransactionalEvents, readonly EventRecord[]> {
    const pending = new Map(this.#outerRecording?.pendingFor(operation));
    const isRelevant = this.#changesOf === undefined || operation.startsWith(`${this.#changesOf}.`);
    const ownEvents = isRelevant && !this.#isWritten && !this.#hasEnded ? this.#events() : [];
    return ownEvents.length === 0 ? pending : pending.set(this, ownEvents);
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Called when a change has carried the events. */
  markWritten(): void {
    this.#isWritten = true;
  }

  /** Called when the work has ended. Background work that continues does not belong to this recording. */
  end(): void {
    this.#hasEnded = true;
  }
}

/**
 * Tracks the recording of each caller that writes. A hundred operations of the Admin REST API write realms, users,
 * sessions and keys. So none of them has to pass its event down, and none can omit it.
 *
 * Up to Node 22, an async storage in use slows down every promise of the process a little. So it is only in use while
 * something is recorded, and the token endpoint is not affected.
 */
export class TransactionalEventScope {
  readonly #storage = new AsyncLocalStorage<TransactionalEvents | undefined>();
  #activeCount = 0;

  /** The caller's recording. */
  get current(): TransactionalEvents | undefined {
    return this.#activeCount === 0 ? undefined : this.#storage.getStore();
  }

  /** Runs work outside the current recording. */
  runOutside<T>(work: () => Promise<T>): Promise<T> {
    return this.current === undefined ? work() : this.#storage.run(undefined, work);
  }

  async run<T>(recording: TransactionalEvents, work: () => Promise<T>): Promise<T> {
    this.#activeCount += 1;
    try {
      return await this.#storage.run(recording, work);
    } finally {
      recording.end();
      this.#activeCount -= 1;
      if (this.#activeCount === 0) this.#storage.disable();
    }
  }
}
