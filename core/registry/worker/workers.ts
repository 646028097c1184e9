import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { SupervisedWorker } from './supervised-worker.js';

/** All workers of a host. Starts them one at a time, and counts the stuck threads. */
export class Workers {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly #parts: {
    logger: Logger;
    clock: Clock;
    env: Readonly<Record<string, string | undefined>>;
    onStuck: (threads: number) => void;
  };
  readonly #workers = new Set<SupervisedWorker>();
  #starting: Promise<unknown> = Promise.resolve();
  #stuckThreads = 0;

  /** @param parts.onStuck called with the number of threads that hang in native code, whenever it changes */
  constructor(parts: {
    logger: Logger;
    clock: Clock;
    env: Readonly<Record<string, string | undefined>>;
    onStuck: (threads: number) => void;
  }) {
    this.#parts = parts;
    this.logger = parts.logger;
    this.clock = parts.clock;
  }

  get stuckCount(): number {
    return this.#stuckThreads;
  }

  all(): Iterable<SupervisedWorker> {
    return this.#workers;
  }

  /** Returns the latest worker of a plugin; undefined if it has none. */
  latestOf(module: string): SupervisedWorker | undefined {
    return [...this.#workers].findLast((worker) => worker.module === module);
  }

  /** Returns why the latest worker of a plugin is down; undefined if it is up, or there is none. */
  downReason(module: string): string | undefined {
    return this.latestOf(module)?.downReason;
  }

  add(worker: SupervisedWorker): void {
    this.#workers.add(worker);
  }

  remove(worker: SupervisedWorker): void {
    this.#workers.delete(worker);
  }

  /** Runs the starts of workers one at a time, because each uses much processor time. */
  runInTurn<T>(start: () => Promise<T>): Promise<T> {
    const result = this.#starting.then(start);
    this.#starting = result.catch(() => {});
    return result;
  }

  /** Returns the environment variables that plugins.json passes to a plugin. */
  environmentOf(names: readonly string[]): Record<string, string> {
    const variables: Record<string, string> = {};
    for (const name of names) {
      const value = this.#parts.env[name];
      if (value !== undefined) variables[name] = value;
    }
    return variables;
  }

  countStuck(isStuck: boolean): void {
    this.#stuckThreads += isStuck ? 1 : -1;
    this.logger.error('threads of plugins hang in native code', { threads: this.#stuckThreads });
    this.#parts.onStuck(this.#stuckThreads);
  }
}
