import type { Logger } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import {
  describeChanges,
  hasLoadedPlugins,
  isLoadingPlugins,
  onEarlierChanges,
  undoChanges,
} from './builtin-tampering.js';

/** How often the built-ins are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Checks the built-ins while the host runs, because a plugin may change them in a handler or timer long after it was
 * loaded. A check takes a fraction of a millisecond, and no request waits for it.
 */
export class TamperingWatch {
  readonly #parts: { current: () => Generation; calledPlugins: Set<string>; logger: Logger };
  #timer: NodeJS.Timeout | undefined;

  /** @param parts.calledPlugins the names of the plugins that were called since the last check */
  constructor(parts: { current: () => Generation; calledPlugins: Set<string>; logger: Logger }) {
    this.#parts = parts;
  }

  open(): void {
    onEarlierChanges((found) => this.#reportChanges(found));
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    onEarlierChanges(undefined);
    clearInterval(this.#timer);
  }

  /**
   * Undoes and logs changes. While a plugin is being loaded it does nothing: the loader reports that plugin's changes.
   * Without plugins in this process nothing can have changed.
   */
  check(): void {
    if (hasLoadedPlugins() && !isLoadingPlugins()) this.#reportChanges(undoChanges());
  }

  #reportChanges(allChanges: readonly string[]): void {
    const inProcess = allChanges.length === 0 ? [] : this.#inProcessPlugins();
    const recentlyCalled = inProcess.filter((name) => this.#parts.calledPlugins.has(name));
    this.#parts.calledPlugins.clear();
    if (allChanges.length === 0) return;
    const suspects = recentlyCalled.length > 0 ? recentlyCalled : inProcess;
    const changes = describeChanges(allChanges);
    // We cannot know which plugin it was, so name all that were called since the last check; without any, all in this
    // process.
    this.#parts.logger.error(`a plugin changed built-ins of the process, and the change was undone: ${changes}`, {
      code: 'plugin_tampering',
      plugins: suspects,
      hint: 'set "isolation": "worker" to give the plugin separate built-ins',
    });
  }

  #inProcessPlugins(): string[] {
    return this.#parts
      .current()
      .plugins.filter(({ loaded }) => loaded?.entry.isolation === 'none')
      .map(({ origin }) => origin.name);
  }
}
