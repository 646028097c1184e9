import { BootError } from '../../config/boot-error.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';

/** What one update replaced, by module; undefined: the plugin was not there before. */
export type Replaced = ReadonlyMap<string, LoadedPlugin | undefined>;

/** How many updates can be taken back. */
const DEPTH = 10;

/** The versions that ran before, for going back: the last update first, each once. */
export class UpdateHistory {
  #updates: Map<string, LoadedPlugin | undefined>[] = [];

  add(replaced: Replaced): void {
    this.#updates.push(new Map(replaced));
    if (this.#updates.length > DEPTH) this.#updates.shift();
  }

  /**
   * What the last update replaced, or what the last one that changed a plugin replaced of that.
   * @throws BootError `plugin_rollback` when there is nothing to go back to
   */
  last(module?: string): Replaced {
    const update = this.#updates.findLast((one) => module === undefined || one.has(module));
    if (update === undefined) {
      const what = module === undefined ? 'no plugin was replaced' : `${module} was not replaced`;
      throw new BootError('plugin_rollback', `${what} since the start, or that was already undone`, {
        plugin: module,
      });
    }
    return module === undefined ? new Map(update) : new Map([[module, update.get(module)]]);
  }

  /** It was taken back: the next time goes further back. */
  forget(taken: Replaced): void {
    for (const module of taken.keys()) this.#updates.findLast((one) => one.has(module))?.delete(module);
    this.#updates = this.#updates.filter(({ size }) => size > 0);
  }

  /** Every version that can still be gone back to. */
  versions(): LoadedPlugin[] {
    return this.#updates.flatMap((one) => [...one.values()]).filter((version) => version !== undefined);
  }
}
