import { BootError } from '../../config/boot-error.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';

/** The versions that an update replaced, by module; undefined if the plugin is new. */
export type ReplacedVersions = ReadonlyMap<string, LoadedPlugin | undefined>;

/** Maximum number of updates that can be undone. */
const MAX_UPDATES = 10;

/** The previous versions of plugins, for rollbacks. The last update is undone first, and each only once. */
export class UpdateHistory {
  #updates: Map<string, LoadedPlugin | undefined>[] = [];

  add(replaced: ReplacedVersions): void {
    this.#updates.push(new Map(replaced));
    if (this.#updates.length > MAX_UPDATES) this.#updates.shift();
  }

  /**
   * Returns the versions that the last update replaced, or the last replaced version of one plugin.
   * @throws BootError `plugin_rollback` if there is no previous version
   */
  lastReplaced(module?: string): ReplacedVersions {
    const update = this.#updates.findLast((replaced) => module === undefined || replaced.has(module));
    if (update === undefined) {
      const reason = module === undefined ? 'no plugin was replaced' : `${module} was not replaced`;
      throw new BootError('plugin_rollback', `${reason} since the start, or that was already undone`, {
        plugin: module,
      });
    }
    return module === undefined ? new Map(update) : new Map([[module, update.get(module)]]);
  }

  /** Removes versions that were restored, so that the next rollback undoes the update before. */
  removeUndone(undone: ReplacedVersions): void {
    for (const module of undone.keys()) this.#updates.findLast((replaced) => replaced.has(module))?.delete(module);
    this.#updates = this.#updates.filter(({ size }) => size > 0);
  }

  /** Returns every version that a rollback can still restore. */
  versions(): LoadedPlugin[] {
    return this.#updates.flatMap((replaced) => [...replaced.values()]).filter((version) => version !== undefined);
  }
}
