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

/** Determines the version of a plugin that should run next. */
export class NextVersion {
  readonly #copies: PackageCopies;
  /** Stamps of packages whose current files must not be loaded: they were rolled back, or are unchanged. */
  readonly #skippedStamps = new Map<string, string>();
  readonly #options: Omit<LoadOptions, 'pluginsFile'>;
  readonly #onImporting: (plugin: string | undefined) => void;
  readonly #onImported: () => void;

  /**
   * @param parts.onImporting called with the plugin whose code runs, and with undefined afterwards
   * @param parts.onImported called when a version was loaded into this process in place of another
   */
  constructor(parts: {
    copies: PackageCopies;
    options: Omit<LoadOptions, 'pluginsFile'>;
    onImporting: (plugin: string | undefined) => void;
    onImported: () => void;
  }) {
    this.#copies = parts.copies;
    this.#options = parts.options;
    this.#onImporting = parts.onImporting;
    this.#onImported = parts.onImported;
  }

  /**
   * Returns the running version if neither its files nor its entry changed. Otherwise it returns the same code with
   * another entry, or the current files, loaded from a copy.
   * @param lookAtFiles false if only the entry matters
   * @throws BootError with the plugin's name and advice
   */
  async of(
    entry: PluginEntry,
    index: number,
    pluginsFile: PluginsFile,
    packages: Packages,
    running: ReadonlyMap<string, LoadedPlugin>,
    lookAtFiles: boolean,
  ): Promise<LoadedPlugin> {
    const before = running.get(entry.module);
    if (before !== undefined && !(lookAtFiles && (await this.#hasChanged(entry, packages, before)))) {
      if (isDeepStrictEqual(entry, before.entry)) return before;
      if (before.close === undefined && entry.isolation === before.entry.isolation) {
        if (entry.integrity !== undefined) await checkIntegrity(directoryOf(before), entry.integrity);
        return withEntry(before, entry, index, pluginsFile);
      }
      // The files in the providers folder may be a version that was rolled back.
      if (before.source.copied !== undefined) {
        return this.#load(directoryOf(before), before.source, entry, index, pluginsFile);
      }
    }
    const found = packageOf(entry.module, packages, this.#options.providersDir);
    await checkInside(found.dir, this.#options.providersDir, found.name);
    if (before !== undefined && entry.isolation === 'none') {
      const all = [...running.values()].map(({ source }) => source.package);
      await checkSharedDependencies(found, all, before.source.loadedAt);
    }
    const { package: copy, source } = await this.#copies.copy(found);
    if (source.copied !== undefined && source.copied.integrity === before?.source.copied?.integrity) {
      this.#skippedStamps.set(entry.module, source.copied.stamp);
      if (isDeepStrictEqual(entry, before.entry)) return before;
    }
    if (before !== undefined && entry.isolation === 'none') this.#onImported();
    return this.#load(copy, source, entry, index, pluginsFile);
  }

  /** Returns a version that ran before, ready to be opened again. @throws BootError */
  async reopenable(version: LoadedPlugin): Promise<LoadedPlugin> {
    if (version.close === undefined) return version;
    const found = directoryOf(version);
    if (version.source.copied === undefined && differsFrom(await packageState(found), version)) {
      throw new BootError('plugin_rollback', `the files of the previous version of ${version.module} are missing`, {
        plugin: version.module,
        hint: 'restore them in the plugin folder, and reload',
      });
    }
    const nowhere = { path: '', plugins: [], locate: () => ({ line: 0, column: 0 }) };
    return this.#load(found, version.source, version.entry, 0, nowhere);
  }

  /** Returns the version in the providers folder, if it differs from the running one. */
  async inFolder(running: LoadedPlugin, packages: Packages): Promise<string | undefined> {
    const found = packages.good.get(running.module);
    return found !== undefined && differsFrom(await packageState(found), running) ? found.version : undefined;
  }

  /** Marks the current files of a plugin as not to be loaded. */
  async skipCurrentFiles(module: string, packages: Packages): Promise<void> {
    const found = packages.good.get(module);
    if (found !== undefined) this.#skippedStamps.set(module, (await packageState(found)).stamp);
  }

  /** Allows the files of a plugin to be loaded again; without a name, those of all. */
  allowCurrentFiles(module?: string): void {
    if (module === undefined) this.#skippedStamps.clear();
    else this.#skippedStamps.delete(module);
  }

  /** Removes all copies of packages except those in these folders. */
  keepOnly(directories: ReadonlySet<string>): Promise<void> {
    return this.#copies.keepOnly(directories);
  }

  async #hasChanged({ module }: PluginEntry, packages: Packages, before: LoadedPlugin): Promise<boolean> {
    const state = await packageState(packageOf(module, packages, this.#options.providersDir));
    return this.#skippedStamps.get(module) !== state.stamp && differsFrom(state, before);
  }

  async #load(
    found: Package,
    source: LoadedPlugin['source'],
    entry: PluginEntry,
    index: number,
    pluginsFile: PluginsFile,
  ): Promise<LoadedPlugin> {
    if (entry.isolation === 'none') this.#onImporting(entry.module);
    try {
      return await loadPackage(found, source, entry, index, { ...this.#options, pluginsFile });
    } finally {
      this.#onImporting(undefined);
    }
  }
}

/** True if the files of a package are not those of a version. */
function differsFrom({ stamp, inode, changedAt }: PackageState, { source }: LoadedPlugin): boolean {
  if (source.copied !== undefined) return source.copied.stamp !== stamp;
  return inode !== source.inode || mayHaveChangedSince(changedAt, source.loadedAt);
}

/** The package in the folder from which a version was loaded. */
function directoryOf({ directory, source }: LoadedPlugin): Package {
  return { ...source.package, dir: directory };
}
