import type { HostContext, Logger, ProviderDefinition } from '@keyhost/spi';
import { loggerWith } from '../log/logger-with.js';
import { within } from '../sessions/time-limit.js';
import { beginLoading, requireIntactBuiltIns } from './builtin-tampering.js';
import type { LoadedPlugin } from './load-plugins.js';
import { checkNotRegistered, type OpenOptions, openProvider } from './open-provider.js';
import { surplusGrants } from './plugin-rights.js';
import type { PluginOrigin, RegisteredProvider } from './registered-provider.js';
import { deprecations } from './spi-versions.js';

/** Time limit for closing a factory, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;

/** A plugin to open: its origin, its definitions, and the host-wide configuration of each. */
export interface Openable {
  readonly origin: PluginOrigin;
  readonly definitions: readonly ProviderDefinition[];
  config(name: string): unknown;
  /** Undefined for Keyhost's own. */
  readonly loaded?: LoadedPlugin;
}

/** A plugin whose factories are open. Generations share it; it is closed when the last of them releases it. */
export class OpenedPlugin {
  readonly origin: PluginOrigin;
  readonly loaded: LoadedPlugin | undefined;
  readonly #providers: RegisteredProvider[] = [];
  #generationCount = 0;

  private constructor({ origin, loaded }: Openable) {
    this.origin = origin;
    this.loaded = loaded;
  }

  /**
   * Opens all providers of a plugin. If one fails, the opened ones are closed again.
   * @param others the other providers of the generation
   * @throws BootError with the plugin's name
   */
  static async open(
    plugin: Openable,
    others: readonly RegisteredProvider[],
    host: HostContext,
    options: OpenOptions,
  ): Promise<OpenedPlugin> {
    const openedPlugin = new OpenedPlugin(plugin);
    const { definitions, loaded, origin } = plugin;
    const pluginHost = origin.builtin
      ? host
      : Object.freeze({ ...host, logger: loggerWith(host.logger, { plugin: origin.name }) });
    const endLoading = loaded?.entry.isolation === 'none' ? beginLoading() : undefined;
    try {
      for (const definition of definitions) {
        const { spi, id } = definition;
        const existingProviders = [...others, ...openedPlugin.#providers];
        const config = plugin.config(`${spi.id}/${id}`);
        openedPlugin.#providers.push(
          await openProvider(definition, origin, config, existingProviders, pluginHost, options),
        );
      }
      if (loaded?.entry.isolation === 'none') requireIntactBuiltIns(loaded.module);
    } catch (error) {
      await openedPlugin.discard();
      if (loaded?.entry.isolation === 'none') requireIntactBuiltIns(loaded.module);
      throw error;
    } finally {
      endLoading?.();
    }
    if (loaded !== undefined) warnOfUnusedGrants(loaded, pluginHost.logger);
    for (const sentence of deprecations(definitions, loaded?.module ?? origin.name)) pluginHost.logger.warn(sentence);
    return openedPlugin;
  }

  /**
   * Checks that no other provider has the SPI and ID of one of its providers.
   * @throws BootError `plugin_duplicate_id`
   */
  checkNotRegistered(otherProviders: readonly RegisteredProvider[]): void {
    for (const { spi, id } of this.#providers) checkNotRegistered(spi.id, id, this.origin, otherProviders);
  }

  /** The providers in the order of their definitions. */
  get providers(): readonly RegisteredProvider[] {
    return this.#providers;
  }

  /** Called by each generation that contains the plugin. */
  retain(): void {
    this.#generationCount += 1;
  }

  /** Closes a plugin that belongs to no generation. Ignores failures. */
  discard(): Promise<void> {
    return this.#close().catch(() => {});
  }

  /**
   * Called when a generation no longer needs the plugin. The last call closes everything in reverse order.
   * @throws AggregateError of the failures
   */
  async release(): Promise<void> {
    this.#generationCount -= 1;
    if (this.#generationCount === 0) await this.#close();
  }

  async #close(): Promise<void> {
    const failures: unknown[] = [];
    for (const { spi, id, factory } of this.#providers.splice(0).reverse()) {
      try {
        await within(CLOSE_LIMIT_MS, async () => factory.close?.());
      } catch (cause) {
        failures.push(new Error(`closing ${spi.id}/${id} failed`, { cause }));
      }
    }
    try {
      await this.loaded?.close?.();
    } catch (cause) {
      failures.push(new Error(`closing ${this.origin.name} failed`, { cause }));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }
}

function warnOfUnusedGrants({ plugin, entry }: LoadedPlugin, logger: Logger): void {
  const unusedGrants = surplusGrants(plugin, entry);
  if (unusedGrants.length === 0) return;
  logger.warn(`plugins.json grants ${entry.module} rights that it does not ask for: ${unusedGrants.join(', ')}`);
}
