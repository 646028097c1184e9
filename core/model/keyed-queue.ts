import { FairQueue } from './fair-queue.js';

/**
 * Runs the tasks of one key one after the other, in their order of arrival. Tasks of different keys run concurrently.
 */
export class KeyedQueue {
  readonly #limit: number;
  readonly #queues = new Map<string, { readonly queue: FairQueue; tasks: number }>();

  /** @param limit the maximum number of waiting tasks of one key */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Runs the task after all earlier ones of its key.
   * @throws HostError `temporarily_unavailable` (503) if too many tasks of the key are waiting; the task is not run
   */
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
