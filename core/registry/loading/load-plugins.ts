import type { Plugin } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import type { PluginEntry, PluginsFile } from '../../config/plugins-file.js';
import { defined } from '../../model/defined.js';
import type { LeftOutPlugin } from '../generations/plugin-opening.js';
import type { PackageCopies } from '../updates/package-copies.js';
import type { Workers } from '../worker/workers.js';
import { findPackages, type Package, type Packages } from './find-packages.js';
import { describeImportFailure } from './import-failure.js';
import { checkInside, entryFile, importInProcess } from './import-package.js';
import { OPEN_LIMIT_MS } from './open-provider.js';
import { checkIntegrity } from './package-integrity.js';
import { checkHostConfig } from './plugin-config.js';
import { type PluginResources, readResources } from './plugin-resources.js';
import { grantedRights, type PluginRights } from './plugin-rights.js';
import { checkDefinition, checkPlugin } from './plugin-shape.js';
import { withCheckedSpis } from './plugin-spis.js';
import { checkVersion } from './spi-versions.js';

/** A plugin package that was imported and validated, but is not opened yet. */
export interface LoadedPlugin {
  readonly module: string;
  readonly version: string;
  readonly directory: string;
  readonly required: boolean;
  readonly replaces: readonly string[];
  readonly plugin: Plugin;
  /** The checked host-wide configuration by `spi/id`, with defaults filled in. */
  readonly config: ReadonlyMap<string, unknown>;
  /** Its rights in each realm. */
  readonly rights: PluginRights;
  /** Its files for browsers; undefined if it has none. */
  readonly resources?: PluginResources | undefined;
  /** Its entry in plugins.json. */
  readonly entry: PluginEntry;
  readonly source: PluginSource;
  /**
   * Releases what was created to load it, such as a worker. It is called after its factories were closed, possibly
   * several times.
   */
  close?(): Promise<void>;
}

/** The package that was loaded, and when. */
export interface PluginSource {
  /** The package in the providers folder. */
  readonly package: Package;
  /** The folder's inode. */
  readonly inode: number;
  /** Milliseconds since the epoch. Files that were changed later are not the loaded ones. */
  readonly loadedAt: number;
  /**
   * Set if the package was copied before it was loaded: the stamp (see `PackageState`) and the integrity of the copied
   * files.
   */
  readonly copied?: { readonly stamp: string; readonly integrity: string };
}

/** A plugin that is already imported, as in a plugin's own test. It is not looked up in the providers folder. */
export interface ImportedPlugin {
  readonly plugin: unknown;
  readonly directory: string;
}

export interface LoadResult {
  readonly loaded: readonly LoadedPlugin[];
  /** Plugins with `"required": false` that could not be loaded. */
  readonly failed: readonly LeftOutPlugin[];
  /** Packages in the providers folder that are not in plugins.json. */
  readonly unlisted: readonly string[];
  /** The reason why a package was loaded from its own folder although it should have been copied. */
  readonly uncopied?: BootError;
}

/**
 * Imports the plugins that plugins.json lists, in their order. A package that is not listed is never loaded.
 * @param options.copies copies packages before they are loaded; if absent, packages run in their own folder
 * @param options.copyAll false to copy only the packages of workers, which are loaded again after a failure
 * @throws BootError with the plugin's name and advice
 */
export async function loadPlugins(
  options: LoadOptions & {
    readonly copies?: PackageCopies | undefined;
    readonly copyAll?: boolean;
    /** By the plugin's name in plugins.json. */
    readonly imported?: ReadonlyMap<string, ImportedPlugin> | undefined;
    readonly onImporting?: (plugin: string | undefined) => void;
  },
): Promise<LoadResult> {
  const { pluginsFile, providersDir, copies, copyAll = false } = options;
  let uncopied: BootError | undefined;
  const loadedAt = Date.now();
  const packages = await findPackages(providersDir);
  const loadedPlugins: LoadedPlugin[] = [];
  const failed: LeftOutPlugin[] = [];
  for (const [index, entry] of pluginsFile.plugins.entries()) {
    // A worker needs no guard: the host can terminate it.
    if (entry.isolation === 'none') options.onImporting?.(entry.module);
    try {
      const imported = options.imported?.get(entry.module);
      if (imported !== undefined) {
        const plugin = await withResources(toLoadedImport(imported, entry, index, pluginsFile));
        checkUniqueName(plugin, loadedPlugins);
        loadedPlugins.push(plugin);
        continue;
      }
      const listedPackage = packageOf(entry.module, packages, providersDir);
      const { inode } = await checkInside(listedPackage.dir, providersDir, listedPackage.name);
      const copying = copyAll || entry.isolation === 'worker' ? copies?.copy(listedPackage) : undefined;
      const copy = await copying?.catch((error: unknown) => {
        if (!(error instanceof BootError)) throw error;
        uncopied = error;
      });
      const { package: loadedPackage, source } = copy ?? {
        package: listedPackage,
        source: { package: listedPackage, inode, loadedAt },
      };
      loadedPlugins.push(
        await loadPackage(loadedPackage, source, entry, index, options, (plugin) =>
          checkUniqueName(plugin, loadedPlugins),
        ),
      );
    } catch (error) {
      if (entry.required || !isContained(error)) {
        for (const plugin of loadedPlugins.reverse()) await plugin.close?.();
        throw error;
      }
      failed.push({ module: entry.module, error, provides: [] });
    } finally {
      options.onImporting?.(undefined);
    }
  }
  const listedNames = new Set(pluginsFile.plugins.map(({ module }) => module));
  const unlistedNames = [...packages.valid.keys()].filter((name) => !listedNames.has(name));
  return defined({ loaded: loadedPlugins, failed, unlisted: unlistedNames, uncopied });
}

/** True for a failure that only affects the plugin itself, so that the host can run without it. */
export function isContained(error: unknown): error is BootError {
  return error instanceof BootError && error.code !== 'plugin_tampering';
}

/** Returns the log message about packages that plugins.json does not list. */
export function unlistedText(names: readonly string[], providersDir: string, pluginsFile: string): string {
  const [name = '', ...otherNames] = names;
  if (otherNames.length === 0)
    return `${name} in ${providersDir} is not loaded: to load it, add {"module": "${name}"} to ${pluginsFile}`;
  return `not loaded from ${providersDir}: ${names.join(', ')}. To load one, add {"module": "NAME"} to ${pluginsFile}`;
}

/**
 * Checks that the plugin's name is unique, because it is the plugin's namespace in the store.
 * @throws BootError `plugin_duplicate_id`
 */
export function checkUniqueName({ module, plugin }: LoadedPlugin, loadedPlugins: readonly LoadedPlugin[]): void {
  const duplicate = loadedPlugins.find((earlier) => earlier.plugin.name === plugin.name);
  if (duplicate === undefined) return;
  throw new BootError('plugin_duplicate_id', `${module} and ${duplicate.module} both have the name ${plugin.name}`, {
    plugin: module,
    hint: 'give one of them another name, or remove it from plugins.json',
  });
}

export interface LoadOptions {
  readonly pluginsFile: PluginsFile;
  readonly providersDir: string;
  /** The folder for copies of packages, if not the providers folder. */
  readonly pluginCopiesDir?: string | undefined;
  /** For plugins whose isolation is `worker`. */
  readonly workers: Workers;
  readonly importTimeoutMs?: number;
}

/**
 * Returns the package that plugins.json names.
 * @throws BootError `plugin_missing`
 */
export function packageOf(module: string, packages: Packages, providersDir: string): Package {
  const knownPackage = packages.valid.get(module);
  if (knownPackage !== undefined) return knownPackage;
  const loadError = packages.invalid.get(module);
  if (loadError !== undefined) throw loadError;
  const names = [...packages.valid.keys()];
  const suggestion = didYouMean(module, names);
  const contents = names.length === 0 ? 'the folder contains no packages' : `it holds ${names.join(', ')}`;
  throw new BootError('plugin_missing', `${module} is not in ${providersDir}`, {
    plugin: module,
    hint: `${suggestion === undefined ? '' : `did you mean ${suggestion}? `}${contents}`,
  });
}

/**
 * Imports a package and validates its export and its configuration.
 * @param loadedPackage the package in the folder from which it is loaded
 * @param check throws if the loaded plugin does not fit the others
 * @throws BootError with the plugin's name and advice
 */
export async function loadPackage(
  loadedPackage: Package,
  source: PluginSource,
  entry: PluginEntry,
  index: number,
  options: LoadOptions,
  check: (plugin: LoadedPlugin) => void = () => {},
): Promise<LoadedPlugin> {
  const folder = (source.copied && options.pluginCopiesDir) ?? options.providersDir;
  const { plugin, close } = await importPackage(loadedPackage, folder, entry, options);
  try {
    const checkedPlugin = await withResources(
      toLoadedPlugin(plugin, loadedPackage, source, entry, index, options.pluginsFile),
    );
    const loaded = close === undefined ? checkedPlugin : { ...checkedPlugin, close };
    check(loaded);
    return loaded;
  } catch (error) {
    await close?.();
    throw error;
  }
}

/** Imports a package in this process or in a worker, and returns its default export. */
async function importPackage(
  loadedPackage: Package,
  folder: string,
  { module, integrity, isolation, limits, env }: PluginEntry,
  { workers, importTimeoutMs: limitMs = OPEN_LIMIT_MS }: LoadOptions,
): Promise<{ plugin: unknown; close?: () => Promise<void> }> {
  const checkFiles = async () => {
    if (integrity !== undefined) await checkIntegrity(loadedPackage, integrity);
  };
  await checkFiles();
  if (isolation === 'none') return { plugin: await importInProcess(loadedPackage, folder, limitMs) };
  const file = await entryFile(loadedPackage, folder);
  try {
    const { loadWorkerPlugin } = await import('../worker/load-worker-plugin.js');
    return await loadWorkerPlugin({ module, file, limits, env, limitMs, recheck: checkFiles }, workers);
  } catch (cause) {
    throw await describeImportFailure(cause, loadedPackage, limitMs);
  }
}

/**
 * Validates the export of a package: it must be a plugin that this host can open with its entry in plugins.json.
 * @throws BootError `plugin_shape`, `plugin_reserved_id`, `plugin_api`, `plugin_grants`, `plugin_config`
 */
export function toLoadedPlugin(
  exported: unknown,
  { version, dir: directory }: Package,
  source: PluginSource,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const { module, required, replaces } = entry;
  checkPlugin(exported, module);
  const plugin = withCheckedSpis(exported, module);
  for (const definition of plugin.providers) {
    checkVersion(definition, module);
    checkDefinition(definition, { name: plugin.name, builtin: false });
  }
  const rights = grantedRights(plugin, entry);
  const config = checkHostConfig(plugin, entry, index, pluginsFile);
  return { module, version, directory, required, replaces, plugin, config, rights, entry, source };
}

/**
 * Adds the plugin's files for browsers.
 * @throws BootError `plugin_outside`, `plugin_shape` if its `resources` folder is invalid
 */
async function withResources(plugin: LoadedPlugin): Promise<LoadedPlugin> {
  const resources = await readResources(plugin.directory, plugin.module);
  return resources === undefined ? plugin : { ...plugin, resources };
}

function toLoadedImport(
  { plugin, directory }: ImportedPlugin,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const testPackage = { name: entry.module, version: '0.0.0', dir: directory, manifest: {} };
  const source = { package: testPackage, inode: 0, loadedAt: Date.now() };
  return toLoadedPlugin(plugin, testPackage, source, entry, index, pluginsFile);
}

/**
 * Returns the loaded plugin with another entry of plugins.json.
 * @throws BootError `plugin_grants`, `plugin_config`
 */
export function withEntry(
  { module, version, directory, plugin, source, resources }: LoadedPlugin,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const rights = grantedRights(plugin, entry);
  const config = checkHostConfig(plugin, entry, index, pluginsFile);
  const { required, replaces } = entry;
  return { module, version, directory, required, replaces, plugin, config, rights, resources, entry, source };
}
