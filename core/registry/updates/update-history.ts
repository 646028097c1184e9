import { BootError } from '../../config/boot-error.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';

/** The versions that an update replaced, by module; undefined if the plugin is new. */
export type Replaced = ReadonlyMap<string, LoadedPlugin | undefined>;

/** Maximum number of updates that can be undone. */
const DEPTH = 10;

/** The previous versions, for rollbacks: the last update first, each once. */
export class UpdateHistory {
  #updates: Map<string, LoadedPlugin | undefined>[] = [];

  add(replaced: Replaced): void {
    this.#updates.push(new Map(replaced));
    if (this.#updates.length > DEPTH) this.#updates.shift();
  }

  /**
   * Returns the versions that the last update replaced, or the last replaced version of one plugin.
   * @throws BootError `plugin_rollback` if there is no previous version
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

  /** Removes an update that was undone: the next rollback goes further back. */
  forget(taken: Replaced): void {
    for (const module of taken.keys()) this.#updates.findLast((one) => one.has(module))?.delete(module);
    this.#updates = this.#updates.filter(({ size }) => size > 0);
  }

  /** Every version that a rollback can still restore. */
  versions(): LoadedPlugin[] {
    return this.#updates.flatMap((one) => [...one.values()]).filter((version) => version !== undefined);
  }
}
