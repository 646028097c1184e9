import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { SupervisedWorker } from './supervised-worker.js';

/** All workers of a host: starts one at a time, and counts the stuck threads. */
export class Workers {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #all = new Set<SupervisedWorker>();
  readonly #onStuck: (threads: number) => void;
  #starting: Promise<unknown> = Promise.resolve();
  #stuck = 0;

  /** @param parts.onStuck called with the number of threads that hang in native code, whenever it changes */
  constructor(parts: {
    logger: Logger;
    clock: Clock;
    env: Readonly<Record<string, string | undefined>>;
    onStuck: (threads: number) => void;
  }) {
    this.logger = parts.logger;
    this.clock = parts.clock;
    this.#env = parts.env;
    this.#onStuck = parts.onStuck;
  }

  /** The number of threads that hang in native code. */
  get stuck(): number {
    return this.#stuck;
  }

  all(): Iterable<SupervisedWorker> {
    return this.#all;
  }

  /** Returns the latest worker of a plugin; undefined if it has none. */
  of(module: string): SupervisedWorker | undefined {
    return [...this.#all].findLast((worker) => worker.module === module);
  }

  /** Returns why a plugin's latest worker is down; undefined if it is up, or there is none. */
  downReason(module: string): string | undefined {
    return this.of(module)?.downReason;
  }

  add(worker: SupervisedWorker): void {
    this.#all.add(worker);
  }

  remove(worker: SupervisedWorker): void {
    this.#all.delete(worker);
  }

  /** Starts one worker at a time, because a start uses much processor time. */
  serialize<T>(start: () => Promise<T>): Promise<T> {
    const result = this.#starting.then(start);
    this.#starting = result.catch(() => {});
    return result;
  }

  /** Returns the environment variables that plugins.json passes to a plugin. */
  env(names: readonly string[]): Record<string, string> {
    const given: Record<string, string> = {};
    for (const name of names) {
      const value = this.#env[name];
      if (value !== undefined) given[name] = value;
    }
    return given;
  }

  countStuck(isStuck: boolean): void {
    this.#stuck += isStuck ? 1 : -1;
    this.logger.error('threads of plugins hang in native code', { threads: this.#stuck });
    this.#onStuck(this.#stuck);
  }
}
