import { isDeepStrictEqual } from 'node:util';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry, PluginsFile } from '../../config/plugins-file.js';
import type { Package, Packages } from '../loading/find-packages.js';
import { checkInside } from '../loading/import-package.js';
import { type LoadedPlugin, type LoadOptions, loadPackage, packageOf, withEntry } from '../loading/load-plugins.js';
import { mayHaveChangedSince, type PackageState, packageState } from '../loading/package-files.js';
import { checkIntegrity } from '../loading/package-integrity.js';
import type { PackageCopies } from './package-copies.js';
import { checkSharedDependencies } from './shared-dependencies.js';

/** Determines which version of a plugin runs next. */
export class NextVersion {
  readonly #parts: {
    copies: PackageCopies;
    options: Omit<LoadOptions, 'pluginsFile'>;
    onImporting: (plugin: string | undefined) => void;
    onImported: () => void;
  };
  /**
   * By module, the stamp of package files that must not be loaded, because they were rolled back or equal the running
   * version.
   */
  readonly #skippedStamps = new Map<string, string>();

  /**
   * @param parts.onImporting called with the plugin whose code runs, and with undefined afterwards
   * @param parts.onImported called when a version was loaded into this process to replace another
   */
  constructor(parts: {
    copies: PackageCopies;
    options: Omit<LoadOptions, 'pluginsFile'>;
    onImporting: (plugin: string | undefined) => void;
    onImported: () => void;
  }) {
    this.#parts = parts;
  }

  /**
   * Returns the running version if neither its files nor its entry in plugins.json have changed. Otherwise it returns
   * the same code with the changed entry, or the current files, loaded from a copy.
   * @param mayHaveNewFiles false to compare only the entry
   * @throws BootError with the plugin's name and advice
   */
  async resolve(
    entry: PluginEntry,
    index: number,
    pluginsFile: PluginsFile,
    packages: Packages,
    runningVersions: ReadonlyMap<string, LoadedPlugin>,
    mayHaveNewFiles: boolean,
  ): Promise<LoadedPlugin> {
    const runningVersion = runningVersions.get(entry.module);
    if (
      runningVersion !== undefined &&
      !(mayHaveNewFiles && (await this.#hasChanged(entry, packages, runningVersion)))
    ) {
      if (isDeepStrictEqual(entry, runningVersion.entry)) return runningVersion;
      if (runningVersion.close === undefined && entry.isolation === runningVersion.entry.isolation) {
        if (entry.integrity !== undefined) await checkIntegrity(loadedPackageOf(runningVersion), entry.integrity);
        return withEntry(runningVersion, entry, index, pluginsFile);
      }
      // Load the running copy again: the files in the providers folder may be a version that was rolled back.
      if (runningVersion.source.copied !== undefined) {
        return this.#load(loadedPackageOf(runningVersion), runningVersion.source, entry, index, pluginsFile);
      }
    }
    const listedPackage = packageOf(entry.module, packages, this.#parts.options.providersDir);
    await checkInside(listedPackage.dir, this.#parts.options.providersDir, listedPackage.name);
    if (runningVersion !== undefined && entry.isolation === 'none') {
      const runningPackages = [...runningVersions.values()].map(({ source }) => source.package);
      await checkSharedDependencies(listedPackage, runningPackages, runningVersion.source.loadedAt);
    }
    const { package: copy, source } = await this.#parts.copies.copy(listedPackage);
    if (source.copied !== undefined && source.copied.integrity === runningVersion?.source.copied?.integrity) {
      this.#skippedStamps.set(entry.module, source.copied.stamp);
      if (isDeepStrictEqual(entry, runningVersion.entry)) return runningVersion;
    }
    if (runningVersion !== undefined && entry.isolation === 'none') this.#parts.onImported();
    return this.#load(copy, source, entry, index, pluginsFile);
  }

  /**
   * Returns a version that ran before, ready to be opened again.
   * @throws BootError
   */
  async makeReopenable(version: LoadedPlugin): Promise<LoadedPlugin> {
    if (version.close === undefined) return version;
    const versionPackage = loadedPackageOf(version);
    if (version.source.copied === undefined && differsFrom(await packageState(versionPackage), version)) {
      throw new BootError('plugin_rollback', `the files of the previous version of ${version.module} are missing`, {
        plugin: version.module,
        hint: 'restore them in the plugin folder, and reload',
      });
    }
    const emptyPluginsFile = { path: '', plugins: [], locate: () => ({ line: 0, column: 0 }) };
    return this.#load(versionPackage, version.source, version.entry, 0, emptyPluginsFile);
  }

  /** Returns the number of the version in the providers folder, if its files differ from the running ones. */
  async versionInFolder(runningPlugin: LoadedPlugin, packages: Packages): Promise<string | undefined> {
    const listedPackage = packages.valid.get(runningPlugin.module);
    return listedPackage !== undefined && differsFrom(await packageState(listedPackage), runningPlugin)
      ? listedPackage.version
      : undefined;
  }

  /** Prevents the current files of a plugin from being loaded. */
  async skipCurrentFiles(module: string, packages: Packages): Promise<void> {
    const listedPackage = packages.valid.get(module);
    if (listedPackage !== undefined) this.#skippedStamps.set(module, (await packageState(listedPackage)).stamp);
  }

  /** Allows the current files of a plugin, or of all plugins, to be loaded again. */
  allowCurrentFiles(module?: string): void {
    if (module === undefined) this.#skippedStamps.clear();
    else this.#skippedStamps.delete(module);
  }

  /** Deletes all copies of packages except those in these folders. */
  keepOnly(directories: ReadonlySet<string>): Promise<void> {
    return this.#parts.copies.removeAllExcept(directories);
  }

  async #hasChanged({ module }: PluginEntry, packages: Packages, runningVersion: LoadedPlugin): Promise<boolean> {
    const state = await packageState(packageOf(module, packages, this.#parts.options.providersDir));
    return this.#skippedStamps.get(module) !== state.stamp && differsFrom(state, runningVersion);
  }

  async #load(
    versionPackage: Package,
    source: LoadedPlugin['source'],
    entry: PluginEntry,
    index: number,
    pluginsFile: PluginsFile,
  ): Promise<LoadedPlugin> {
    if (entry.isolation === 'none') this.#parts.onImporting(entry.module);
    try {
      return await loadPackage(versionPackage, source, entry, index, { ...this.#parts.options, pluginsFile });
    } finally {
      this.#parts.onImporting(undefined);
    }
  }
}

/** True if the files of a package are not those of the loaded version. */
function differsFrom({ stamp, inode, changedAt }: PackageState, { source }: LoadedPlugin): boolean {
  if (source.copied !== undefined) return source.copied.stamp !== stamp;
  return inode !== source.inode || mayHaveChangedSince(changedAt, source.loadedAt);
}

/** Returns the package in the folder from which a version was loaded. */
function loadedPackageOf({ directory, source }: LoadedPlugin): Package {
  return { ...source.package, dir: directory };
}
