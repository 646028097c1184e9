import type { HostContext, Logger, Plugin } from '@keyhost/spi';
import type { HostOptions } from '../config/options/options.js';
import { readPluginsFile } from '../config/plugins-file.js';
import { configPlace } from '../config/realm-file/config-place.js';
import { defined } from '../model/defined.js';
import type { LeftOutPlugin } from './generations/plugin-opening.js';
import type { ProviderRegistry } from './generations/registry.js';
import { type KnownProvider, openedProviders } from './loading/known-providers.js';
import { LoadGuard } from './loading/load-guard.js';
import { type ImportedPlugin, type LoadResult, loadPlugins, unlistedText } from './loading/load-plugins.js';
import type { SpiInspections } from './loading/open-provider.js';
import type { RegisteredProvider } from './loading/registered-provider.js';
import type { NodePlugin } from './nodes/node-list.js';
import { NextVersion } from './updates/next-version.js';
import { PackageCopies } from './updates/package-copies.js';
import type { PluginStates } from './updates/plugin-states.js';
import { PluginSwap, type Preparation } from './updates/plugin-swap.js';
import { PluginUpdates } from './updates/plugin-updates.js';
import { PluginsWatch } from './updates/plugins-watch.js';
import { UpdateReport } from './updates/update-report.js';
import type { Workers } from './worker/workers.js';

export interface HostPluginsParts {
  readonly options: HostOptions;
  readonly logger: Logger;
  readonly workers: Workers;
  /** Plugins that are already imported, by their names in plugins.json. */
  readonly imported?: ReadonlyMap<string, ImportedPlugin> | undefined;
  /** Time limit of a plugin's import, and of each `open` of its providers, in milliseconds. */
  readonly timeoutMs: number;
  readonly registry: ProviderRegistry;
}

/** The plugins of a host, from its start to its end: loaded, opened with the built-ins, replaced, closed. */
export class HostPlugins {
  readonly registry: ProviderRegistry;
  readonly #parts: HostPluginsParts;
  readonly #timeoutMs: number;
  readonly #copies: PackageCopies;
  #guard: LoadGuard | undefined;
  #loadResult: LoadResult = { loaded: [], failed: [], unlisted: [] };
  #updates: PluginUpdates | undefined;
  #watch: PluginsWatch | undefined;

  constructor(parts: HostPluginsParts) {
    this.#parts = parts;
    this.#timeoutMs = parts.timeoutMs;
    this.#copies = new PackageCopies(parts.options);
    this.registry = parts.registry;
  }

  /** Imports the plugins of plugins.json. @throws BootError */
  async load(): Promise<void> {
    const { options, logger, imported } = this.#parts;
    const pluginsFile = await readPluginsFile(options.pluginsFile);
    // An embedder that passes imported plugins is responsible for their import.
    const isGuarded = pluginsFile.plugins.length > 0 && imported === undefined;
    const guard = isGuarded ? new LoadGuard(this.#timeoutMs) : undefined;
    this.#guard = guard;
    this.#loadResult = await loadPlugins({
      pluginsFile,
      providersDir: options.providersDir,
      pluginCopiesDir: options.pluginCopiesDir,
      workers: this.#parts.workers,
      imported,
      // In production, a change of a running plugin's files must have no effect. In development, a plugin is easier to
      // debug in its own folder.
      copies: this.#copies,
      copyAll: options.mode === 'start',
      importTimeoutMs: this.#timeoutMs,
      onImporting: guard?.setPlugin,
    });
    const { unlisted, uncopied } = this.#loadResult;
    if (uncopied !== undefined) logger.warn(`plugins run without a copy: ${uncopied.message}`);
    if (unlisted.length > 0) logger.info(unlistedText(unlisted, options.providersDir, options.pluginsFile));
  }

  /**
   * Opens the built-ins and the plugins as the first generation (the providers that are used together).
   * @param preparations what modules do before a later generation becomes current
   * @param states migrates the stored state of each plugin to the version that its code requires
   * @param isShared true if other nodes may use the store: then a plugin that requires an older version of its state
   * fails, instead of restoring that version
   * @throws BootError
   */
  async open(
    builtIns: readonly Plugin[],
    host: HostContext,
    inspections: SpiInspections,
    preparations: readonly Preparation[],
    states: PluginStates,
    isShared: boolean,
  ): Promise<void> {
    const { options, logger, workers } = this.#parts;
    const { loaded, failed, unlisted } = this.#loadResult;
    const openFailures = await this.registry.openAll(builtIns, loaded, host, {
      openTimeoutMs: this.#timeoutMs,
      inspections,
      onOpening: this.#guard?.setPlugin,
      onOpened: async (loadedPlugin) => void (await states.prepare(loadedPlugin, !isShared)),
    });
    const leftOut = [...failed, ...openFailures];
    for (const { error } of leftOut) logger.error(`skipping an optional plugin: ${error.report()}`);
    await this.#guard?.close();
    if (options.mode === 'start')
      for (const sentence of undeclaredRouteWarnings(this.registry.list())) logger.warn(sentence);
    const swap = new PluginSwap({
      registry: this.registry,
      host,
      preparations,
      timeoutMs: this.#timeoutMs,
      inspections,
      states,
    });
    const report = new UpdateReport({
      registry: this.registry,
      logger: host.logger,
      clock: host.clock,
      leftOut,
      unlisted,
      downReason: (module) => workers.downReason(module),
    });
    this.#updates = this.#createUpdates(swap, report);
  }

  /** Replaces plugins at run time. @throws Error before `open` */
  get updates(): PluginUpdates {
    if (this.#updates === undefined) throw new Error('the plugins are not open');
    return this.#updates;
  }

  /** The plugins of plugins.json that currently do not run. */
  readonly leftOut = (): readonly LeftOutPlugin[] => this.updates.leftOut();

  /** The plugins of plugins.json, and whether each of them runs. */
  readonly availability = (): readonly { readonly module: string; readonly isUp: boolean }[] => {
    const { plugins } = this.updates.status();
    return plugins.map(({ module, state }) => ({ module, isUp: state === 'running' }));
  };

  /** The plugin versions on this node, which other nodes compare with theirs. */
  readonly versions = (): readonly NodePlugin[] => {
    const { plugins } = this.registry.current;
    const copies = new Map(plugins.map(({ loaded }) => [loaded?.module, loaded?.source.copied?.integrity]));
    return this.updates
      .status()
      .plugins.map(({ module, version, state }) => defined({ module, version, state, integrity: copies.get(module) }));
  };

  /** The providers that realms can currently enable. */
  get providers(): readonly KnownProvider[] {
    return openedProviders(this.registry);
  }

  get hasLeftOutPlugins(): boolean {
    return this.leftOut().length > 0;
  }

  /** Watches plugins.json and the providers folder, if the options enable it. */
  watch(): void {
    const { options, logger } = this.#parts;
    const { pluginsFile, providersDir } = options;
    if (!options.watchPlugins) return;
    this.#watch = new PluginsWatch({
      pluginsFile,
      providersDir,
      logger,
      onChange: () => this.updates.applyChangedFiles(),
    });
    this.#watch.open();
  }

  /** Retries the last update if it failed and files are watched, because its cause may be gone. */
  retryFailedUpdate(): void {
    if (this.#watch === undefined || this.updates.status().failure === undefined) return;
    // A failed update logs its error itself.
    void this.updates.applyChangedFiles().catch(() => {});
  }

  /** Prevents further updates, and stops watching files. An active update continues. */
  stop(): void {
    this.#watch?.stop();
    this.#updates?.stop();
  }

  /**
   * Waits for an active update, and closes all plugins in reverse order.
   * @throws AggregateError of the failures
   */
  async close(): Promise<void> {
    this.stop();
    await this.#watch?.close();
    await this.#updates?.close();
    await this.registry.close();
  }

  /**
   * Closes the plugins that were loaded at the start, and deletes the copies of packages. Called after `close`, or
   * after a failed start.
   */
  async unload(): Promise<void> {
    await this.#guard?.close();
    for (const plugin of this.#loadResult.loaded) await plugin.close?.();
    await this.#copies.close();
  }

  #createUpdates(swap: PluginSwap, report: UpdateReport): PluginUpdates {
    const { workers, options, registry } = this.#parts;
    const { pluginsFile, providersDir, pluginCopiesDir } = options;
    const versions = new NextVersion({
      copies: this.#copies,
      options: { providersDir, pluginCopiesDir, workers, importTimeoutMs: this.#timeoutMs },
      onImporting: swap.setGuardedPlugin,
      onImported: () => report.recordImport(),
    });
    return new PluginUpdates({ registry, paths: { pluginsFile, providersDir }, workers, versions, swap, report });
  }
}

/** Returns one warning for each plugin provider with operations that do not declare whether they are public. */
function undeclaredRouteWarnings(providers: readonly RegisteredProvider[]): string[] {
  return providers.flatMap((provider) => {
    const { spi, id, plugin, declaration } = provider;
    const { schema } = configPlace(provider);
    // The configuration of this provider decides whether its operations are public.
    if (plugin.builtin || Object.hasOwn((schema?.properties ?? {}) as object, 'authentication')) return [];
    const accesses = Object.entries(spi.access?.(declaration as Readonly<Record<string, unknown>>) ?? {});
    const undeclaredAccesses = accesses.filter(([, access]) => access === 'undeclared');
    if (undeclaredAccesses.length === 0) return [];
    const names = undeclaredAccesses.map(([operation]) => operation).join(', ');
    return [
      `${plugin.name}: ${spi.id}/${id}: routes without authentication are open unless their methods ask: ${names}`,
    ];
  });
}
