import type { Logger } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import { isLoadingPlugins, onEarlierChanges, putBackChanges, toldChanges } from './built-ins.js';

/** How long a change may go unnoticed at most. */
const LOOKING_MS = 1000;

/**
 * Looks at the built-ins while the host serves: a plugin may change them in a handler or by a timer, long after it was loaded.
 * A look takes a fraction of a millisecond, and no request waits for one.
 */
export class TamperingWatch {
  readonly #current: () => Generation;
  readonly #called: Set<string>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;

  /** @param parts.called names of plugins that were called since they were last looked at here */
  constructor(parts: { current: () => Generation; called: Set<string>; logger: Logger }) {
    this.#current = parts.current;
    this.#called = parts.called;
    this.#logger = parts.logger;
  }

  open(): void {
    onEarlierChanges((found) => this.#tell(found));
    this.#timer = setInterval(() => this.look(), LOOKING_MS);
    this.#timer.unref();
  }

  close(): void {
    onEarlierChanges(undefined);
    clearInterval(this.#timer);
  }

  /** Puts back what was changed, and tells of it. What a plugin changes while it is loaded, its loading tells. */
  look(): void {
    if (!isLoadingPlugins()) this.#tell(putBackChanges());
  }

  #tell(found: readonly string[]): void {
    const here = found.length === 0 ? [] : this.#inThisThread();
    const called = here.filter((name) => this.#called.has(name));
    this.#called.clear();
    if (found.length === 0) return;
    const suspects = called.length > 0 ? called : here;
    const changes = toldChanges(found);
    // Which of several did it, nobody sees: those that ran meanwhile are named.
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
