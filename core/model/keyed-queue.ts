import { FairQueue } from './fair-queue.js';

/**
 * Runs the tasks of one key one after the other, in their order of arrival. Tasks of other keys run at the same time.
 */
export class KeyedQueue {
  readonly #limit: number;
  readonly #queues = new Map<string, { readonly queue: FairQueue; tasks: number }>();

  /** @param limit how many of one key may wait */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws HostError `temporarily_unavailable` (503) when too many of that key wait: the task is not run. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? {
      queue: new FairQueue({ concurrency: 1, limit: this.#limit }),
      tasks: 0,
    };
    this.#queues.set(key, entry);
    entry.tasks += 1;
    try {
      return await entry.queue.run(key, task);
    } finally {
      entry.tasks -= 1;
      if (entry.tasks === 0) this.#queues.delete(key);
    }
  }
}
