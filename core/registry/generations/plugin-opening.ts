import type { HostContext } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { isContained, type LoadedPlugin } from '../loading/load-plugins.js';
import type { OpenOptions } from '../loading/open-provider.js';
import { type Openable, OpenedPlugin } from '../loading/opened-plugin.js';
import { checkDefinition } from '../loading/plugin-shape.js';
import { checkSpis, type DeclaredSpi, declaredSpis, withDeclaredSpi } from '../loading/plugin-spis.js';
import { checkVersion } from '../loading/spi-versions.js';

/** A plugin of the next generation, either open or still to be opened. */
export type NextPlugin = OpenedPlugin | PluginToOpen;

interface PluginToOpen {
  readonly loaded: LoadedPlugin;
  /** The version that stays in use if this plugin is optional and cannot be opened. */
  readonly previous?: OpenedPlugin | undefined;
}

/** An optional plugin that failed. The host runs without it, or with its previous version. */
export interface LeftOutPlugin {
  readonly module: string;
  readonly error: BootError;
  /** The `spi/id` of its providers; empty if they are not known. */
  readonly provides: readonly string[];
}

/** Opens the plugins of a generation in addition to the built-ins. If a required one fails, none is opened. */
export class PluginOpening {
  /** The built-ins and the plugins that were opened or reused, in order. */
  readonly plugins: OpenedPlugin[];
  readonly failed: LeftOutPlugin[] = [];
  /** `spi/id` of the built-in providers that a plugin replaces, as configured in plugins.json. */
  readonly replacedBuiltIns = new Set<string>();
  readonly #builtins: readonly OpenedPlugin[];
  readonly #nextPlugins: readonly NextPlugin[];
  readonly #newlyOpened: OpenedPlugin[] = [];
  readonly #unopened: Set<LoadedPlugin>;

  /** @param nextPlugins the plugins of the generation; this object closes those that were loaded, but not opened */
  constructor(builtins: readonly OpenedPlugin[], nextPlugins: readonly NextPlugin[]) {
    this.#builtins = builtins;
    this.#nextPlugins = nextPlugins;
    this.plugins = [...builtins];
    this.#unopened = new Set(nextPlugins.flatMap((plugin) => (plugin instanceof OpenedPlugin ? [] : [plugin.loaded])));
  }

  /**
   * Opens the plugins. Called once.
   * @throws BootError with the plugin's name; the plugins that were opened are closed again
   */
  async run(host: HostContext, options: OpenOptions): Promise<void> {
    try {
      this.#collectReplaced();
      const spis = declaredSpis(this.#nextPlugins.flatMap(({ loaded }) => loaded?.plugin ?? []));
      for (const plugin of this.#nextPlugins) {
        if (plugin instanceof OpenedPlugin) this.#reuse(plugin, spis);
        else await this.#open(plugin, spis, host, options);
      }
    } catch (error) {
      for (const plugin of this.#newlyOpened.reverse()) await plugin.discard();
      for (const plugin of this.#unopened) await plugin.close?.().catch(() => {});
      throw error;
    } finally {
      options.onOpening?.(undefined);
    }
  }

  /**
   * Collects the built-in providers that plugins replace.
   * @throws BootError `plugin_config` if plugins.json lets a plugin replace a provider that is not built in, or that
   * the plugin does not provide
   */
  #collectReplaced(): void {
    const builtInNames = new Set(
      this.#builtins.flatMap(({ providers }) => providers.map(({ spi, id }) => `${spi.id}/${id}`)),
    );
    for (const { loaded } of this.#nextPlugins) {
      if (loaded === undefined) continue;
      const { replaces, plugin } = loaded;
      const provides = new Set(providedNames(loaded));
      for (const name of replaces) {
        if (!builtInNames.has(name) || !provides.has(name)) {
          const reason = builtInNames.has(name) ? `${plugin.name} does not provide it` : 'Keyhost has no such provider';
          throw new BootError('plugin_config', `${plugin.name}: "replaces" names ${name}, but ${reason}`, {
            plugin: plugin.name,
          });
        }
        this.replacedBuiltIns.add(name);
      }
    }
  }

  /** Reuses an open plugin, unless it does not fit the SPIs that plugins declare now. */
  #reuse(plugin: OpenedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): void {
    const { loaded } = plugin;
    try {
      if (loaded !== undefined) checkFitsSpis(loaded, spis);
      this.plugins.push(plugin);
    } catch (error) {
      if (loaded === undefined || loaded.required || !isContained(error)) throw error;
      this.#leaveOut(loaded, error);
    }
  }

  async #open(
    { loaded, previous }: PluginToOpen,
    spis: ReadonlyMap<string, DeclaredSpi>,
    host: HostContext,
    options: OpenOptions,
  ): Promise<void> {
    const otherProviders = this.#otherProviders();
    // A worker needs no guard: the host can terminate it.
    if (loaded.entry.isolation === 'none') options.onOpening?.(loaded.plugin.name);
    try {
      checkFitsSpis(loaded, spis);
      // From here on, the plugin closes itself if it fails.
      this.#unopened.delete(loaded);
      const openedPlugin = await OpenedPlugin.open(toOpenable(loaded, spis), otherProviders, host, options);
      try {
        await options.onOpened?.(loaded);
      } catch (error) {
        await openedPlugin.discard();
        throw error;
      }
      this.#newlyOpened.push(openedPlugin);
      this.plugins.push(openedPlugin);
    } catch (error) {
      if (loaded.required || !isContained(error)) throw error;
      if (this.#unopened.delete(loaded)) await loaded.close?.().catch(() => {});
      this.#leaveOut(loaded, error);
      if (previous === undefined) return;
      previous.checkNotRegistered(otherProviders);
      this.plugins.push(previous);
    }
  }

  /**
   * Returns the providers whose SPI and ID a plugin to open must not have. They include those of open plugins that come
   * later in the list.
   */
  #otherProviders() {
    const reused = this.#nextPlugins.filter((plugin) => plugin instanceof OpenedPlugin);
    return [...new Set([...this.plugins, ...reused])]
      .flatMap(({ providers }) => providers)
      .filter(({ plugin, spi, id }) => !plugin.builtin || !this.replacedBuiltIns.has(`${spi.id}/${id}`));
  }

  #leaveOut(loadedPlugin: LoadedPlugin, error: BootError): void {
    this.failed.push({ module: loadedPlugin.module, error, provides: providedNames(loadedPlugin) });
  }
}

function providedNames({ plugin }: LoadedPlugin): readonly string[] {
  return plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
}

/**
 * Checks that a plugin fits the SPIs that the plugins of the next generation declare.
 * @throws BootError `plugin_spi`, `plugin_api`, `plugin_shape`
 */
function checkFitsSpis({ plugin, module }: LoadedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): void {
  checkSpis(plugin, spis);
  for (const definition of plugin.providers) {
    const updatedDefinition = withDeclaredSpi(definition, spis);
    if (updatedDefinition === definition) continue;
    checkVersion(updatedDefinition, module);
    checkDefinition(updatedDefinition, { name: plugin.name, builtin: false });
  }
}

function toOpenable(loadedPlugin: LoadedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): Openable {
  const { plugin, version, directory, config, rights, resources, entry } = loadedPlugin;
  const { module, isolation, limits } = entry;
  return {
    origin: {
      name: plugin.name,
      version,
      builtin: false,
      directory,
      module,
      isolation,
      rights,
      resources,
      limits,
      ...(plugin.metrics && { metrics: plugin.metrics }),
      ...(plugin.state && { stateVersion: plugin.state.version }),
      ...(plugin.messages && { messages: plugin.messages }),
    },
    definitions: plugin.providers.map((definition) => withDeclaredSpi(definition, spis)),
    config: (name) => config.get(name) ?? {},
    loaded: loadedPlugin,
  };
}
