import type { Logger } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import { describeChanges, isLoadingPlugins, onEarlierChanges, undoChanges } from './builtin-tampering.js';

/** How long a change may go unnoticed, in milliseconds. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Checks the built-ins while the host serves: a plugin may change them in a handler or timer, long after it was loaded.
 * A check takes a fraction of a millisecond, and no request waits for it.
 */
export class TamperingWatch {
  readonly #current: () => Generation;
  readonly #called: Set<string>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;

  /** @param parts.called names of plugins that were called since the last check */
  constructor(parts: { current: () => Generation; called: Set<string>; logger: Logger }) {
    this.#current = parts.current;
    this.#called = parts.called;
    this.#logger = parts.logger;
  }

  open(): void {
    onEarlierChanges((found) => this.#report(found));
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    onEarlierChanges(undefined);
    clearInterval(this.#timer);
  }

  /** Undoes changes, and logs them. Changes by a plugin that is being loaded are reported by its loading. */
  check(): void {
    if (!isLoadingPlugins()) this.#report(undoChanges());
  }

  #report(found: readonly string[]): void {
    const here = found.length === 0 ? [] : this.#inThisThread();
    const called = here.filter((name) => this.#called.has(name));
    this.#called.clear();
    if (found.length === 0) return;
    const suspects = called.length > 0 ? called : here;
    const changes = describeChanges(found);
    // The culprit is unknown: name all plugins that ran since the last check.
    this.#logger.error(`a plugin changed built-ins of the process, and the change was undone: ${changes}`, {
      code: 'plugin_tampering',
      plugins: suspects,
      hint: 'set "isolation": "worker" to give the plugin separate built-ins',
    });
  }

  #inThisThread(): string[] {
    return this.#current()
      .plugins.filter(({ loaded }) => loaded?.entry.isolation === 'none')
      .map(({ origin }) => origin.name);
  }
}
