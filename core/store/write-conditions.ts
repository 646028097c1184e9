import { AsyncLocalStorage } from 'node:async_hooks';
import type { RealmRecord } from './store.js';

/** A check before the first change. */
interface Condition {
  /**
   * @param realm the state of the realm that is about to be replaced, if the record is a realm
   * @throws an error that refuses the change
   */
  readonly check: (realm?: RealmRecord) => Promise<void>;
  isMet: boolean;
}

/**
 * A condition of the caller's first change of realms or users, such as `If-Match` (RFC 9110 §13.1.1). Writers read a
 * record, check the condition, and write only if the record still has the version that they read. So the checked
 * version is the one that is replaced, even with concurrent writers.
 *
 * As with `Recordings`, the async storage is in use only while a condition exists.
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

  /** Checks the condition between reading a record and writing it. @throws the error that refuses the change */
  async check(realm?: RealmRecord): Promise<void> {
    if (this.apply) await this.#storage.getStore()?.check(realm);
  }

  /** The first change was written, so later ones are based on it. */
  met(): void {
    const condition = this.#running === 0 ? undefined : this.#storage.getStore();
    if (condition !== undefined) condition.isMet = true;
  }
}
