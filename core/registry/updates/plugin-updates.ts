import { isDeepStrictEqual } from 'node:util';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { type PluginEntry, readPluginsFile } from '../../config/plugins-file.js';
import type { LeftOutPlugin, NextPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { findPackages } from '../loading/find-packages.js';
import { checkUniqueName, isContained, type LoadedPlugin, unlistedText } from '../loading/load-plugins.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import type { Workers } from '../worker/workers.js';
import type { NextVersion } from './next-version.js';
import type { PluginSwap } from './plugin-swap.js';
import { startBrokenWorkers } from './start-broken-workers.js';
import { type ReplacedVersions, UpdateHistory } from './update-history.js';
import {
  changesBetween,
  type PluginsStatus,
  type Trigger,
  type UpdateReport,
  type UpdateResult,
} from './update-report.js';

export interface PluginUpdatesParts {
  readonly registry: ProviderRegistry;
  /** The paths of plugins.json and of the providers folder. */
  readonly paths: { readonly pluginsFile: string; readonly providersDir: string };
  readonly workers: Workers;
  readonly versions: NextVersion;
  readonly swap: PluginSwap;
  readonly report: UpdateReport;
}

type RunningPlugins = ReadonlyMap<string, OpenedPlugin>;

/** Chooses the version of a plugin that an update uses: the running one or another. */
type ChooseVersion = (entry: PluginEntry, runningVersions: ReadonlyMap<string, LoadedPlugin>) => Promise<LoadedPlugin>;

/** The result of an update. */
interface UpdateOutcome {
  readonly replaced: ReplacedVersions;
  readonly changes: readonly string[];
  readonly failed: readonly LeftOutPlugin[];
  /** The plugins whose earlier failures this update has resolved; undefined for all. */
  readonly settled?: readonly string[];
}

/**
 * Replaces plugins while the host runs. It reads plugins.json and the providers folder again, and opens the changed
 * plugins next to the running ones. When all modules have accepted them, it swaps at once. Updates run one at a time. A
 * failed update changes nothing, and the older versions stay in use.
 */
export class PluginUpdates {
  readonly #parts: PluginUpdatesParts;
  readonly #history = new UpdateHistory();
  /** The entries of plugins.json at the time of a rollback. They are not applied again until they change. */
  #skippedEntries: readonly PluginEntry[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(parts: PluginUpdatesParts) {
    this.#parts = parts;
  }

  /**
   * Applies the current plugins.json and providers folder.
   * @param module the only package whose files are compared; undefined for all
   * @throws BootError with the plugin's name and advice if the update failed; nothing was changed then
   */
  reload(module?: string): Promise<UpdateResult> {
    return this.#enqueue('reload', async () => {
      this.#skippedEntries = undefined;
      this.#parts.versions.allowCurrentFiles(module);
      const outcome = await this.#update(module);
      const { started, failed } = await startBrokenWorkers(
        [...loadedVersions(this.#running()).values()],
        this.#parts.workers,
        module,
      );
      return { ...outcome, changes: [...outcome.changes, ...started], failed: [...outcome.failed, ...failed] };
    });
  }

  /**
   * Called after a change of files was noticed. Unlike with `reload`, a version that was rolled back is not loaded
   * again until its files change.
   */
  applyChangedFiles(): Promise<UpdateResult> {
    return this.#enqueue('changed files', () => this.#update());
  }

  /**
   * Undoes the last update, or the last change of one plugin. The files in the providers folder stay as they are. They
   * are not loaded again until they change, `reload` is called or the host restarts.
   * @throws BootError `plugin_rollback` if there is no previous version; another code if the older version fails
   */
  rollback(module?: string): Promise<UpdateResult> {
    return this.#enqueue('rollback', () => this.#rollback(module));
  }

  /**
   * Replaces a plugin's worker by a new one of the same version.
   * @throws BootError `plugin_missing` for an unknown plugin; `plugin_restart` if it has no worker, or the new one did
   * not start
   */
  restart(module: string): Promise<UpdateResult> {
    return this.#enqueue('restart', async () => {
      const runningVersions = loadedVersions(this.#running());
      const plugin = runningVersions.get(module);
      if (plugin === undefined) {
        const suggestion = didYouMean(module, [...runningVersions.keys()]);
        const hint = suggestion === undefined ? undefined : `did you mean ${suggestion}?`;
        throw new BootError('plugin_missing', `${module} is not running`, { plugin: module, hint });
      }
      const worker = this.#parts.workers.latestOf(module);
      if (worker === undefined) {
        const hint = 'to load changed files, use reload; for a worker, set "isolation": "worker" in plugins.json';
        throw new BootError('plugin_restart', `${module} has no worker`, { plugin: module, hint });
      }
      const failureReason = await worker.restart();
      if (failureReason !== undefined)
        throw new BootError('plugin_restart', `${module}: ${failureReason}`, { plugin: module });
      const changes = [`${module} ${plugin.version}, worker restarted`];
      return { replaced: new Map(), changes, failed: [], settled: [module] };
    });
  }

  status(): PluginsStatus {
    return this.#parts.report.status();
  }

  /** Like `status`, but also returns versions in the providers folder that differ from the running ones. */
  async look(): Promise<PluginsStatus> {
    const { valid, invalid } = await findPackages(this.#parts.paths.providersDir).catch(() => ({
      valid: new Map(),
      invalid: new Map(),
    }));
    const runningVersions = loadedVersions(this.#running());
    const status = this.#parts.report.status();
    const plugins = status.plugins.map(async (plugin) => {
      const loadedVersion = runningVersions.get(plugin.module);
      const inFolder =
        loadedVersion &&
        (await this.#parts.versions.versionInFolder(loadedVersion, { valid, invalid }).catch(() => undefined));
      return inFolder === undefined ? plugin : { ...plugin, inFolder };
    });
    return { ...status, plugins: await Promise.all(plugins) };
  }

  /** Returns the plugins of plugins.json that do not run. */
  leftOut(): readonly LeftOutPlugin[] {
    return this.#parts.report.leftOut();
  }

  /** Prevents further updates. */
  stop(): void {
    this.#isClosed = true;
  }

  /** Stops updates, and resolves when the active one has ended. */
  async close(): Promise<void> {
    this.stop();
    await this.#queue;
    await this.#parts.swap.close();
  }

  async #update(module?: string): Promise<UpdateOutcome> {
    const { pluginsFile: path, providersDir } = this.#parts.paths;
    const pluginsFile = await readPluginsFile(path);
    const names = pluginsFile.plugins.map((entry) => entry.module);
    if (module !== undefined && !names.includes(module)) {
      const suggestion = didYouMean(module, names);
      const hint = suggestion === undefined ? undefined : `did you mean ${suggestion}?`;
      throw new BootError('plugin_missing', `${module} is not in ${path}`, { plugin: module, hint });
    }
    const packages = await findPackages(providersDir);
    const unlistedNames = [...packages.valid.keys()].filter((name) => !names.includes(name));
    this.#parts.report.logUnlisted(unlistedNames, (newNames) => unlistedText(newNames, providersDir, path));
    const areSkipped = isDeepStrictEqual(pluginsFile.plugins, this.#skippedEntries);
    if (!areSkipped) this.#skippedEntries = undefined;
    const entries = areSkipped
      ? [...loadedVersions(this.#running()).values()].map(({ entry }) => entry)
      : pluginsFile.plugins;
    const outcome = await this.#replace(entries, (entry, running) => {
      const mayHaveNewFiles = module === undefined || module === entry.module;
      return this.#parts.versions.resolve(
        entry,
        names.indexOf(entry.module),
        pluginsFile,
        packages,
        running,
        mayHaveNewFiles,
      );
    });
    if (outcome.replaced.size > 0) this.#history.add(outcome.replaced);
    return module === undefined ? outcome : { ...outcome, settled: [module] };
  }

  async #rollback(module?: string): Promise<UpdateOutcome> {
    const previousVersions = this.#history.lastReplaced(module);
    const versions = loadedVersions(this.#running());
    for (const [name, version] of previousVersions) {
      if (version === undefined) versions.delete(name);
      else versions.set(name, version);
    }
    const entries = [...versions.values()].map(({ entry }) => entry);
    const outcome = await this.#replace(entries, async ({ module: name }, running) => {
      const version = versions.get(name);
      if (version === undefined) throw new Error(`${name} is not known`);
      return version === running.get(name) ? version : this.#parts.versions.makeReopenable(version);
    });
    this.#history.removeUndone(previousVersions);
    const packages = await findPackages(this.#parts.paths.providersDir);
    for (const name of previousVersions.keys()) await this.#parts.versions.skipCurrentFiles(name, packages);
    this.#skippedEntries = (await readPluginsFile(this.#parts.paths.pluginsFile).catch(() => undefined))?.plugins;
    return { ...outcome, settled: [...previousVersions.keys()] };
  }

  /**
   * Chooses the next version of each plugin, and swaps to these. An optional plugin that fails retains its current
   * version.
   */
  async #replace(entries: readonly PluginEntry[], choose: ChooseVersion): Promise<UpdateOutcome> {
    const runningPlugins = this.#running();
    const versions = loadedVersions(runningPlugins);
    const nextPlugins: NextPlugin[] = [];
    const chosenVersions: LoadedPlugin[] = [];
    const failed: LeftOutPlugin[] = [];
    for (const entry of entries) {
      const runningPlugin = runningPlugins.get(entry.module);
      let next: LoadedPlugin | undefined;
      try {
        next = await choose(entry, versions);
        checkUniqueName(next, chosenVersions);
        nextPlugins.push(runningPlugin?.loaded === next ? runningPlugin : { loaded: next, previous: runningPlugin });
        chosenVersions.push(next);
      } catch (error) {
        if (next !== undefined && next !== runningPlugin?.loaded) await next.close?.().catch(() => {});
        if (entry.required || !isContained(error)) {
          for (const plugin of nextPlugins) if ('previous' in plugin) await plugin.loaded.close?.().catch(() => {});
          throw error;
        }
        failed.push({ module: entry.module, error, provides: [] });
        if (runningPlugin?.loaded === undefined) continue;
        nextPlugins.push(runningPlugin);
        chosenVersions.push(runningPlugin.loaded);
      }
    }
    failed.push(...(await this.#parts.swap.swapTo(nextPlugins)));
    return { ...changesBetween(versions, loadedVersions(this.#running())), failed };
  }

  /** Returns the running plugins by module, without built-ins. */
  #running(): RunningPlugins {
    const { plugins } = this.#parts.registry.current;
    return new Map(plugins.flatMap((plugin) => (plugin.loaded === undefined ? [] : [[plugin.loaded.module, plugin]])));
  }

  async #enqueue(trigger: Trigger, update: () => Promise<UpdateOutcome>): Promise<UpdateResult> {
    const previous = this.#queue;
    const result = (async () => {
      await previous;
      if (this.#isClosed) throw new BootError('plugin_open_failed', 'the host stops');
      const startedAt = performance.now();
      try {
        const outcome = await update();
        return this.#parts.report.recordUpdate(trigger, outcome, performance.now() - startedAt);
      } catch (error) {
        this.#parts.report.recordFailure(trigger, error);
        throw error;
      } finally {
        this.#parts.swap.scheduleGuardClose();
        await this.#removeCopies();
      }
    })();
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Deletes the files of versions that are neither in use nor in the rollback history. */
  async #removeCopies(): Promise<void> {
    const { current, draining } = this.#parts.registry;
    const openVersions = [current, ...draining].flatMap(({ plugins }) => plugins.map(({ loaded }) => loaded));
    const neededFiles = [...openVersions, ...this.#history.versions()].flatMap((version) =>
      version === undefined ? [] : [version.directory],
    );
    await this.#parts.versions
      .keepOnly(new Set(neededFiles))
      .catch((error: unknown) => this.#parts.report.logRemovalFailure(error));
  }
}

function loadedVersions(runningPlugins: RunningPlugins): Map<string, LoadedPlugin> {
  const versions = new Map<string, LoadedPlugin>();
  for (const [name, { loaded }] of runningPlugins) if (loaded !== undefined) versions.set(name, loaded);
  return versions;
}
