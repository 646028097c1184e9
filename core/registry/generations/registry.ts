import type { HostContext, Logger, Plugin } from '@keyhost/spi';
import { Container } from '../../di/container.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';
import type { OpenOptions } from '../loading/open-provider.js';
import { type Openable, OpenedPlugin } from '../loading/opened-plugin.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { Generation, type Providers } from './generation.js';
import { type LeftOutPlugin, type NextPlugin, PluginOpening } from './plugin-opening.js';

/** How long requests and calls may continue to use a replaced generation, in milliseconds. */
export const DRAIN_LIMIT_MS = 10 * 60_000;
/** How long aborted calls may take to end, in milliseconds. */
const ABORT_LIMIT_MS = 5_000;

/**
 * All providers of the host. If one cannot be opened, none is, unless it belongs to an optional plugin. They are closed
 * in reverse order. A change of plugins creates a new generation, which replaces the current one at once; active
 * requests continue on the generation that they began with. Look-ups here use the current generation: code that serves
 * a request must use that request's own.
 */
export class ProviderRegistry implements Providers {
  readonly #logger: Logger;
  readonly #newContainer: () => Container;
  readonly #drainLimitMs: number;
  readonly #overdueListeners: ((generation: Generation) => void)[] = [];
  readonly #draining = new Map<Generation, Promise<void>>();
  #builtins: readonly OpenedPlugin[] = [];
  #current: Generation | undefined;

  /**
   * @param options.drainLimitMs the time after which calls on a replaced generation are aborted. Default: 10 minutes
   * @param options.newContainer creates a container for each generation
   */
  constructor(
    logger: Logger,
    {
      drainLimitMs = DRAIN_LIMIT_MS,
      newContainer = () => new Container(),
    }: { readonly drainLimitMs?: number; readonly newContainer?: () => Container } = {},
  ) {
    this.#newContainer = newContainer;
    this.#logger = logger;
    this.#drainLimitMs = drainLimitMs;
  }

  /**
   * Opens built-ins, then plugins in their order, as the first generation. An optional plugin that fails is left out.
   * @returns the plugins that were left out
   * @throws BootError with the plugin's name; the plugins that were opened are closed again
   */
  async openAll(
    builtins: readonly Plugin[],
    loadedPlugins: readonly LoadedPlugin[],
    host: HostContext,
    options: OpenOptions = {},
  ): Promise<readonly LeftOutPlugin[]> {
    const openedPlugins: OpenedPlugin[] = [];
    const plugins = loadedPlugins.map((plugin) => ({ loaded: plugin }));
    try {
      for (const plugin of builtins) {
        const others = openedPlugins.flatMap(({ providers }) => providers);
        openedPlugins.push(await OpenedPlugin.open(builtInPlugin(plugin, host), others, host, options));
      }
      this.#builtins = openedPlugins;
      const { generation, failed } = await this.openNext(plugins, host, options);
      this.publish(generation);
      return failed;
    } catch (error) {
      for (const plugin of openedPlugins.reverse()) await plugin.discard();
      throw error;
    }
  }

  /**
   * Opens the next generation: reuses the open plugins, and opens the others. The caller must publish or close the
   * generation, which also closes the plugins in `nextPlugins`.
   * @returns the generation, and the optional plugins that could not be opened
   * @throws BootError with the plugin's name; the plugins that were opened are closed again
   */
  async openNext(
    nextPlugins: readonly NextPlugin[],
    host: HostContext,
    options: OpenOptions = {},
  ): Promise<{ generation: Generation; failed: readonly LeftOutPlugin[] }> {
    const opening = new PluginOpening(this.#builtins, nextPlugins);
    await opening.run(host, options);
    const { plugins, replacedBuiltIns, failed } = opening;
    const number = (this.#current?.number ?? 0) + 1;
    return { generation: new Generation(this.#newContainer(), number, plugins, replacedBuiltIns), failed };
  }

  /** Makes the generation current: requests that begin from now on use it. */
  publish(nextGeneration: Generation): void {
    const previousGeneration = this.#current;
    this.#current = nextGeneration;
    if (previousGeneration === undefined) return;
    const drained = this.#drain(previousGeneration).finally(() => this.#draining.delete(previousGeneration));
    this.#draining.set(previousGeneration, drained);
  }

  get current(): Generation {
    if (this.#current === undefined) throw new Error('the providers are not open');
    return this.#current;
  }

  /** Replaced generations that still serve requests. */
  get draining(): readonly Generation[] {
    return [...this.#draining.keys()];
  }

  /**
   * Adds a listener that is called when calls still use a replaced generation after the drain limit. It must end these
   * calls.
   */
  onOverdue(listener: (generation: Generation) => void): void {
    this.#overdueListeners.push(listener);
  }

  get: Providers['get'] = (spi, id) => this.current.get(spi, id);

  find: Providers['find'] = (spi, id) => this.current.find(spi, id);

  all: Providers['all'] = (spi) => this.current.all(spi);

  list(): readonly RegisteredProvider[] {
    return this.current.list();
  }

  derive<T>(realm: Realm, key: symbol, compute: () => T): T {
    return this.current.derive(realm, key, compute);
  }

  /**
   * Closes every factory in reverse order, each within 5 seconds.
   * @throws AggregateError of the failures
   */
  async close(): Promise<void> {
    for (const generation of this.#draining.keys()) generation.forceEnd();
    await Promise.all(this.#draining.values());
    const last = this.#current;
    this.#current = undefined;
    await last?.close();
  }

  async #drain(generation: Generation): Promise<void> {
    const retired = generation.retire();
    if (!(await isDoneWithin(this.#drainLimitMs, retired))) {
      this.#logger.warn('ending calls that still use replaced plugins', {
        generation: generation.number,
        calls: generation.leases,
      });
      for (const listener of this.#overdueListeners) listener(generation);
      if (!(await isDoneWithin(ABORT_LIMIT_MS, retired))) generation.forceEnd();
    }
    await generation.close().catch((error: AggregateError) => {
      const reasons = error.errors.flatMap(({ errors }: AggregateError) => errors).map(reasonOf);
      this.#logger.error('closing replaced plugins failed', { generation: generation.number, reasons });
    });
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`;
}

async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
    timer.unref();
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function builtInPlugin(plugin: Plugin, { version }: HostContext): Openable {
  return {
    origin: { name: plugin.name, version, builtin: true, ...(plugin.messages && { messages: plugin.messages }) },
    definitions: plugin.providers,
    config: () => ({}),
  };
}
