import { AsyncLocalStorage } from 'node:async_hooks';
import type { RealmRecord } from './store.js';

/** What has to hold when something is changed. */
interface Condition {
  /**
   * @param realm the state of the realm that is about to be replaced, where it is a realm
   * @throws whatever refuses the change
   */
  readonly check: (realm?: RealmRecord) => Promise<void>;
  isMet: boolean;
}

/**
 * What has to hold when the caller's first change of realms or users is made, such as an `If-Match` (RFC 9110 §13.1.1). Whoever
 * changes them reads a record, checks, and writes only if the record still has the version that it read: what was checked is
 * what is replaced, however many change it at the same time.
 *
 * As with `Recordings`, the storage is in use only while somebody has a condition.
 */
export class WriteConditions {
  readonly #storage = new AsyncLocalStorage<Condition>();
  #running = 0;

  /** @throws what `check` throws before the first change, and what `work` throws */
  async run<T>(check: Condition['check'], work: () => Promise<T>): Promise<T> {
    const condition: Condition = { check, isMet: false };
    this.#running += 1;
    try {
      return await this.#storage.run(condition, work);
    } finally {
      condition.isMet = true;
      this.#running -= 1;
      if (this.#running === 0) this.#storage.disable();
    }
  }

  /** Runs work that does not depend on the condition around it. */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.apply ? this.#storage.run({ check: async () => {}, isMet: true }, work) : work();
  }

  /** True for a caller whose next change depends on something. */
  get apply(): boolean {
    return this.#running > 0 && this.#storage.getStore()?.isMet === false;
  }

  /** Between reading a record and writing it. @throws whatever refuses the change */
  async check(realm?: RealmRecord): Promise<void> {
    if (this.apply) await this.#storage.getStore()?.check(realm);
  }

  /** A change was written: those that come after it stand on it. */
  met(): void {
    const condition = this.#running === 0 ? undefined : this.#storage.getStore();
    if (condition !== undefined) condition.isMet = true;
  }
}
