import type { HostContext } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { isContained, type LoadedPlugin } from '../loading/load-plugins.js';
import type { OpenOptions } from '../loading/open-provider.js';
import { type Openable, OpenedPlugin } from '../loading/opened-plugin.js';
import { checkDefinition } from '../loading/plugin-shape.js';
import { checkSpis, type DeclaredSpi, declaredSpis, withDeclaredSpi } from '../loading/plugin-spis.js';
import { checkVersion } from '../loading/spi-versions.js';

/** A plugin of the next generation: one that is already open, or one to open. */
export type WantedPlugin = OpenedPlugin | PluginToOpen;

interface PluginToOpen {
  readonly loaded: LoadedPlugin;
  /** The version that keeps serving if an optional plugin cannot be opened. */
  readonly before?: OpenedPlugin | undefined;
}

/** An optional plugin that failed: the host runs without it, or with its previous version. */
export interface LeftOutPlugin {
  readonly module: string;
  readonly error: BootError;
  /** The `spi/id` of its providers, as far as they are known. */
  readonly provides: readonly string[];
}

/** Opens the plugins of a generation in addition to the built-ins: all required ones, or none. */
export class PluginOpening {
  /** Built-ins, and the plugins that will serve, in order. */
  readonly plugins: OpenedPlugin[];
  readonly failed: LeftOutPlugin[] = [];
  /** `spi/id` of built-ins that a plugin replaces, as the operator configured. */
  readonly replaced = new Set<string>();
  readonly #builtins: readonly OpenedPlugin[];
  readonly #wanted: readonly WantedPlugin[];
  readonly #newlyOpened: OpenedPlugin[] = [];
  readonly #unopened: Set<LoadedPlugin>;

  /**
   * @param wanted the plugins of the generation; those that are loaded but not open belong to this object from now on
   */
  constructor(builtins: readonly OpenedPlugin[], wanted: readonly WantedPlugin[]) {
    this.#builtins = builtins;
    this.#wanted = wanted;
    this.plugins = [...builtins];
    this.#unopened = new Set(wanted.flatMap((one) => (one instanceof OpenedPlugin ? [] : [one.loaded])));
  }

  /** Opens the plugins. Called once. @throws BootError with the plugin's name; opened plugins are closed again */
  async run(host: HostContext, options: OpenOptions): Promise<void> {
    try {
      this.#findReplaced();
      const spis = declaredSpis(this.#wanted.flatMap(({ loaded }) => loaded?.plugin ?? []));
      for (const one of this.#wanted) {
        if (one instanceof OpenedPlugin) this.#reuse(one, spis);
        else await this.#open(one, spis, host, options);
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
   * @throws BootError `plugin_config` if a plugin must replace a provider that does not exist, or that it does not
   * provide
   */
  #findReplaced(): void {
    const own = new Set(this.#builtins.flatMap(({ providers }) => providers.map(({ spi, id }) => `${spi.id}/${id}`)));
    for (const { loaded } of this.#wanted) {
      if (loaded === undefined) continue;
      const { replaces, plugin } = loaded;
      const provides = new Set(providedNames(loaded));
      for (const what of replaces) {
        if (!own.has(what) || !provides.has(what)) {
          const reason = own.has(what) ? `${plugin.name} does not provide it` : 'Keyhost has no such provider';
          throw new BootError('plugin_config', `${plugin.name}: "replaces" names ${what}, but ${reason}`, {
            plugin: plugin.name,
          });
        }
        this.replaced.add(what);
      }
    }
  }

  /** Reuses an open plugin, unless the SPIs that it was opened for have changed. */
  #reuse(plugin: OpenedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): void {
    const { loaded } = plugin;
    try {
      if (loaded !== undefined) checkAgreement(loaded, spis);
      this.plugins.push(plugin);
    } catch (error) {
      if (loaded === undefined || loaded.required || !isContained(error)) throw error;
      this.#leaveOut(loaded, error);
    }
  }

  async #open(
    { loaded, before }: PluginToOpen,
    spis: ReadonlyMap<string, DeclaredSpi>,
    host: HostContext,
    options: OpenOptions,
  ): Promise<void> {
    const others = this.#others();
    // A worker needs no guard: the host can terminate it.
    if (loaded.entry.isolation === 'none') options.onOpening?.(loaded.plugin.name);
    try {
      checkAgreement(loaded, spis);
      // From now on the plugin closes itself.
      this.#unopened.delete(loaded);
      const opened = await OpenedPlugin.open(openable(loaded, spis), others, host, options);
      try {
        await options.onOpened?.(loaded);
      } catch (error) {
        await opened.discard();
        throw error;
      }
      this.#newlyOpened.push(opened);
      this.plugins.push(opened);
    } catch (error) {
      if (loaded.required || !isContained(error)) throw error;
      if (this.#unopened.delete(loaded)) await loaded.close?.().catch(() => {});
      this.#leaveOut(loaded, error);
      if (before === undefined) return;
      before.checkBeside(others);
      this.plugins.push(before);
    }
  }

  /** The providers next to which a plugin is opened. Open plugins count, even if they are later in the list. */
  #others() {
    const kept = this.#wanted.filter((one) => one instanceof OpenedPlugin);
    return [...new Set([...this.plugins, ...kept])]
      .flatMap(({ providers }) => providers)
      .filter(({ plugin, spi, id }) => !plugin.builtin || !this.replaced.has(`${spi.id}/${id}`));
  }

  #leaveOut(loaded: LoadedPlugin, error: BootError): void {
    this.failed.push({ module: loaded.module, error, provides: providedNames(loaded) });
  }
}

function providedNames({ plugin }: LoadedPlugin): readonly string[] {
  return plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
}

/**
 * Checks that a plugin fits the SPIs that the plugins of the next generation declare.
 * @throws BootError `plugin_spi`, `plugin_api`, `plugin_shape`
 */
function checkAgreement({ plugin, module }: LoadedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): void {
  checkSpis(plugin, spis);
  for (const definition of plugin.providers) {
    const declared = withDeclaredSpi(definition, spis);
    if (declared === definition) continue;
    checkVersion(declared, module);
    checkDefinition(declared, { name: plugin.name, builtin: false });
  }
}

function openable(loaded: LoadedPlugin, spis: ReadonlyMap<string, DeclaredSpi>): Openable {
  const { plugin, version, directory, config, rights, resources, entry } = loaded;
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
    loaded,
  };
}
