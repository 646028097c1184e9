import { isDeepStrictEqual } from 'node:util';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { type PluginEntry, readPluginsFile } from '../../config/plugins-file.js';
import type { LeftOutPlugin, NextPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { findPackages } from '../loading/find-packages.js';
import { checkName, isContained, type LoadedPlugin, unlistedText } from '../loading/load-plugins.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import type { Workers } from '../worker/workers.js';
import type { NextVersion } from './next-version.js';
import type { PluginSwap } from './plugin-swap.js';
import { startBrokenWorkers } from './start-broken-workers.js';
import { type Replaced, UpdateHistory } from './update-history.js';
import {
  changesBetween,
  type PluginsStatus,
  type Trigger,
  type UpdateReport,
  type UpdateResult,
} from './update-report.js';

export interface PluginUpdatesParts {
  readonly registry: ProviderRegistry;
  /** Paths of plugins.json and of the folder of packages. */
  readonly paths: { readonly pluginsFile: string; readonly providersDir: string };
  readonly workers: Workers;
  readonly versions: NextVersion;
  readonly swap: PluginSwap;
  readonly report: UpdateReport;
}

type Running = ReadonlyMap<string, OpenedPlugin>;

/** Chooses the version of a plugin for an update: a running one or another. */
type Choose = (entry: PluginEntry, running: ReadonlyMap<string, LoadedPlugin>) => Promise<LoadedPlugin>;

/** The result of an update. */
interface UpdateOutcome {
  readonly replaced: Replaced;
  readonly changes: readonly string[];
  readonly failed: readonly LeftOutPlugin[];
  /** The plugins whose earlier failures are resolved; undefined for all plugins. */
  readonly settled?: readonly string[];
}

/**
 * Replaces plugins while the host runs. It reads plugins.json and the providers folder again, and opens the changed
 * plugins in addition to the running ones. After the modules have checked them, it swaps at once. Updates run one at a
 * time. A failed update changes nothing, and the older versions continue to serve.
 */
export class PluginUpdates {
  readonly #registry: ProviderRegistry;
  readonly #paths: PluginUpdatesParts['paths'];
  readonly #workers: Workers;
  readonly #versions: NextVersion;
  readonly #swap: PluginSwap;
  readonly #history = new UpdateHistory();
  readonly #report: UpdateReport;
  /** The entries of plugins.json at the time of a rollback: they are not applied again until they change. */
  #settledEntries: readonly PluginEntry[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(parts: PluginUpdatesParts) {
    this.#registry = parts.registry;
    this.#paths = parts.paths;
    this.#workers = parts.workers;
    this.#versions = parts.versions;
    this.#swap = parts.swap;
    this.#report = parts.report;
  }

  /**
   * Applies the current plugins.json and providers folder.
   * @param module the only package whose files are checked; undefined for all
   * @throws BootError if nothing was changed, with the plugin's name and advice
   */
  reload(module?: string): Promise<UpdateResult> {
    return this.#enqueue('reload', async () => {
      this.#settledEntries = undefined;
      this.#versions.allowCurrentFiles(module);
      const done = await this.#update(module);
      const { started, failed } = await startBrokenWorkers(
        [...loadedOf(this.#running()).values()],
        this.#workers,
        module,
      );
      return { ...done, changes: [...done.changes, ...started], failed: [...done.failed, ...failed] };
    });
  }

  /** As `reload`, after a change was noticed: a rolled-back version stays in use until its files change again. */
  applyChangedFiles(): Promise<UpdateResult> {
    return this.#enqueue('changed files', () => this.#update());
  }

  /**
   * Undoes the last update, or the last change of one plugin. The files stay unchanged. They are not loaded again until
   * they change or `reload` is called; a restart of the host loads them.
   * @throws BootError `plugin_rollback` if there is no previous version; another one if the older version fails
   */
  rollback(module?: string): Promise<UpdateResult> {
    return this.#enqueue('rollback', () => this.#rollback(module));
  }

  /**
   * Replaces a plugin's worker by a new one of the same version.
   * @throws BootError `plugin_missing` for an unknown plugin; `plugin_restart` if it has no worker, or that did not
   * start
   */
  restart(module: string): Promise<UpdateResult> {
    return this.#enqueue('restart', async () => {
      const running = loadedOf(this.#running());
      const plugin = running.get(module);
      if (plugin === undefined) {
        const near = didYouMean(module, [...running.keys()]);
        const hint = near === undefined ? undefined : `did you mean ${near}?`;
        throw new BootError('plugin_missing', `${module} is not running`, { plugin: module, hint });
      }
      const worker = this.#workers.of(module);
      if (worker === undefined) {
        const hint = 'to load changed files, use reload; for a worker, set "isolation": "worker" in plugins.json';
        throw new BootError('plugin_restart', `${module} has no worker`, { plugin: module, hint });
      }
      const trouble = await worker.restart();
      if (trouble !== undefined) throw new BootError('plugin_restart', `${module}: ${trouble}`, { plugin: module });
      const changes = [`${module} ${plugin.version}, worker restarted`];
      return { replaced: new Map(), changes, failed: [], settled: [module] };
    });
  }

  status(): PluginsStatus {
    return this.#report.status();
  }

  /** As `status`, with other versions in the providers folder. */
  async look(): Promise<PluginsStatus> {
    const { good, invalid } = await findPackages(this.#paths.providersDir).catch(() => ({
      good: new Map(),
      invalid: new Map(),
    }));
    const running = loadedOf(this.#running());
    const status = this.#report.status();
    const plugins = status.plugins.map(async (plugin) => {
      const loaded = running.get(plugin.module);
      const inFolder = loaded && (await this.#versions.inFolder(loaded, { good, invalid }).catch(() => undefined));
      return inFolder === undefined ? plugin : { ...plugin, inFolder };
    });
    return { ...status, plugins: await Promise.all(plugins) };
  }

  /** Plugins of plugins.json that do not run. */
  leftOut(): readonly LeftOutPlugin[] {
    return this.#report.leftOut();
  }

  /** Prevents further updates. */
  stop(): void {
    this.#closed = true;
  }

  /** Resolves when the active update has ended; no further one starts. */
  async close(): Promise<void> {
    this.stop();
    await this.#queue;
    await this.#swap.close();
  }

  async #update(module?: string): Promise<UpdateOutcome> {
    const { pluginsFile: path, providersDir } = this.#paths;
    const pluginsFile = await readPluginsFile(path);
    const names = pluginsFile.plugins.map((entry) => entry.module);
    if (module !== undefined && !names.includes(module)) {
      const near = didYouMean(module, names);
      const hint = near === undefined ? undefined : `did you mean ${near}?`;
      throw new BootError('plugin_missing', `${module} is not in ${path}`, { plugin: module, hint });
    }
    const packages = await findPackages(providersDir);
    const unlisted = [...packages.good.keys()].filter((name) => !names.includes(name));
    this.#report.unlisted(unlisted, (fresh) => unlistedText(fresh, providersDir, path));
    const isSettled = isDeepStrictEqual(pluginsFile.plugins, this.#settledEntries);
    if (!isSettled) this.#settledEntries = undefined;
    const entries = isSettled ? [...loadedOf(this.#running()).values()].map(({ entry }) => entry) : pluginsFile.plugins;
    const done = await this.#replace(entries, (entry, running) => {
      const lookAtFiles = module === undefined || module === entry.module;
      return this.#versions.of(entry, names.indexOf(entry.module), pluginsFile, packages, running, lookAtFiles);
    });
    if (done.replaced.size > 0) this.#history.add(done.replaced);
    return module === undefined ? done : { ...done, settled: [module] };
  }

  async #rollback(module?: string): Promise<UpdateOutcome> {
    const back = this.#history.last(module);
    const versions = loadedOf(this.#running());
    for (const [name, version] of back) {
      if (version === undefined) versions.delete(name);
      else versions.set(name, version);
    }
    const entries = [...versions.values()].map(({ entry }) => entry);
    const done = await this.#replace(entries, async ({ module: name }, running) => {
      const version = versions.get(name);
      if (version === undefined) throw new Error(`${name} is not known`);
      return version === running.get(name) ? version : this.#versions.reopenable(version);
    });
    this.#history.forget(back);
    const packages = await findPackages(this.#paths.providersDir);
    for (const name of back.keys()) await this.#versions.skipCurrentFiles(name, packages);
    this.#settledEntries = (await readPluginsFile(this.#paths.pluginsFile).catch(() => undefined))?.plugins;
    return { ...done, settled: [...back.keys()] };
  }

  /** Chooses a version of each plugin and swaps to them. An optional plugin that fails keeps its current version. */
  async #replace(entries: readonly PluginEntry[], choose: Choose): Promise<UpdateOutcome> {
    const running = this.#running();
    const versions = loadedOf(running);
    const wanted: NextPlugin[] = [];
    const chosen: LoadedPlugin[] = [];
    const failed: LeftOutPlugin[] = [];
    for (const entry of entries) {
      const before = running.get(entry.module);
      let next: LoadedPlugin | undefined;
      try {
        next = await choose(entry, versions);
        checkName(next, chosen);
        wanted.push(before?.loaded === next ? before : { loaded: next, before });
        chosen.push(next);
      } catch (error) {
        if (next !== undefined && next !== before?.loaded) await next.close?.().catch(() => {});
        if (entry.required || !isContained(error)) {
          for (const one of wanted) if ('before' in one) await one.loaded.close?.().catch(() => {});
          throw error;
        }
        failed.push({ module: entry.module, error, provides: [] });
        if (before?.loaded === undefined) continue;
        wanted.push(before);
        chosen.push(before.loaded);
      }
    }
    failed.push(...(await this.#swap.swapTo(wanted)));
    return { ...changesBetween(versions, loadedOf(this.#running())), failed };
  }

  /** The running plugins by module, without built-ins. */
  #running(): Running {
    const { plugins } = this.#registry.current;
    return new Map(plugins.flatMap((plugin) => (plugin.loaded === undefined ? [] : [[plugin.loaded.module, plugin]])));
  }

  async #enqueue(trigger: Trigger, update: () => Promise<UpdateOutcome>): Promise<UpdateResult> {
    const last = this.#queue;
    const result = (async () => {
      await last;
      if (this.#closed) throw new BootError('plugin_open_failed', 'the host stops');
      const started = performance.now();
      try {
        const done = await update();
        return this.#report.done(trigger, done, performance.now() - started);
      } catch (error) {
        this.#report.refused(trigger, error);
        throw error;
      } finally {
        this.#swap.scheduleGuardClose();
        await this.#removeCopies();
      }
    })();
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Removes the files of versions that neither run nor are in the rollback history. */
  async #removeCopies(): Promise<void> {
    const { current, draining } = this.#registry;
    const open = [current, ...draining].flatMap(({ plugins }) => plugins.map(({ loaded }) => loaded));
    const needed = [...open, ...this.#history.versions()].flatMap((one) => (one === undefined ? [] : [one.directory]));
    await this.#versions.keepOnly(new Set(needed)).catch((error: unknown) => this.#report.notRemoved(error));
  }
}

function loadedOf(running: Running): Map<string, LoadedPlugin> {
  const versions = new Map<string, LoadedPlugin>();
  for (const [name, { loaded }] of running) if (loaded !== undefined) versions.set(name, loaded);
  return versions;
}
