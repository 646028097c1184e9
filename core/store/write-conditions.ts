import { AsyncLocalStorage } from 'node:async_hooks';
import type { RealmRecord } from './store.js';

/** A check before the first change of the caller. */
interface WriteCondition {
  /**
   * @param realm the state of the realm that is about to be replaced, if the record is a realm
   * @throws the error that rejects the change
   */
  readonly check: (realm?: RealmRecord) => Promise<void>;
  isMet: boolean;
}

/**
 * A condition for the caller's first change of realms or users, such as `If-Match` (RFC 9110 §13.1.1). Writers read a
 * record, check the condition, and write only if the record still has the version that they read. So the checked
 * version is the one that is replaced, even with concurrent writers.
 *
 * As with `TransactionalEventScope`, the async storage is in use only while a condition exists.
 */
export class WriteConditions {
  readonly #storage = new AsyncLocalStorage<WriteCondition>();
  #activeCount = 0;

  /**
   * Runs work under a condition.
   * @throws any error of `check` before the first change, and any error of `work`
   */
  async run<T>(check: WriteCondition['check'], work: () => Promise<T>): Promise<T> {
    const condition: WriteCondition = { check, isMet: false };
    this.#activeCount += 1;
    try {
      return await this.#storage.run(condition, work);
    } finally {
      condition.isMet = true;
      this.#activeCount -= 1;
      if (this.#activeCount === 0) this.#storage.disable();
    }
  }

  /** Runs work that does not depend on the current condition. */
  runOutside<T>(work: () => Promise<T>): Promise<T> {
    return this.apply ? this.#storage.run({ check: async () => {}, isMet: true }, work) : work();
  }

  /** True if the caller's next change depends on a condition. */
  get apply(): boolean {
    return this.#activeCount > 0 && this.#storage.getStore()?.isMet === false;
  }

  /**
   * Checks the condition between reading a record and writing it.
   * @throws the error that rejects the change
   */
  async check(realm?: RealmRecord): Promise<void> {
    if (this.apply) await this.#storage.getStore()?.check(realm);
  }

  /** Called when the first change was written. Later changes build on it, so the condition no longer applies. */
  markMet(): void {
    const condition = this.#activeCount === 0 ? undefined : this.#storage.getStore();
    if (condition !== undefined) condition.isMet = true;
  }
}
