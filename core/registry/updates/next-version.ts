import { isDeepStrictEqual } from 'node:util';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry, PluginsFile } from '../../config/plugins-file.js';
import type { Package, Packages } from '../loading/find-packages.js';
import { checkInside } from '../loading/import-package.js';
import { type LoadedPlugin, type LoadOptions, loadPackage, packageOf, withEntry } from '../loading/load-plugins.js';
import { changedSince, type PackageState, packageState } from '../loading/package-files.js';
import { checkIntegrity } from '../loading/package-integrity.js';
import type { PackageCopies } from './package-copies.js';
import { checkSharedDependencies } from './shared-dependencies.js';

/** Finds out what is to run of a plugin now, beside the version that runs. */
export class NextVersion {
  readonly #copies: PackageCopies;
  /** The state of a package's files that nothing is to be made of: what was rolled back, or only touched. */
  readonly #settled = new Map<string, string>();
  readonly #options: Omit<LoadOptions, 'pluginsFile'>;
  readonly #onImporting: (plugin: string | undefined) => void;
  readonly #onImported: () => void;

  /**
   * @param parts.onImporting told which plugin's code runs, and that none does
   * @param parts.onImported told when a version is loaded into this process in place of another one
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
   * The version that runs, when neither its files nor its entry changed; the same code with another entry; or the files
   * as they are now, loaded from a copy.
   * @param lookAtFiles false: only the entry matters
   * @throws BootError naming the plugin and what to do
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
      // What lies in the providers folder may be a version that was rolled back.
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
      this.#settled.set(entry.module, source.copied.stamp);
      if (isDeepStrictEqual(entry, before.entry)) return before;
    }
    if (before !== undefined && entry.isolation === 'none') this.#onImported();
    return this.#load(copy, source, entry, index, pluginsFile);
  }

  /** A version that ran before, ready to be opened again. @throws BootError */
  async again(version: LoadedPlugin): Promise<LoadedPlugin> {
    if (version.close === undefined) return version;
    const found = directoryOf(version);
    if (version.source.copied === undefined && isOther(await packageState(found), version)) {
      throw new BootError('plugin_rollback', `the files of the previous version of ${version.module} are missing`, {
        plugin: version.module,
        hint: 'restore them in the plugin folder, and reload',
      });
    }
    const nowhere = { path: '', plugins: [], locate: () => ({ line: 0, column: 0 }) };
    return this.#load(found, version.source, version.entry, 0, nowhere);
  }

  /** The version that lies in the providers folder, where that is not what runs. */
  async inFolder(running: LoadedPlugin, packages: Packages): Promise<string | undefined> {
    const found = packages.good.get(running.module);
    return found !== undefined && isOther(await packageState(found), running) ? found.version : undefined;
  }

  /** The files of a plugin as they are now are not to be loaded. */
  async settle(module: string, packages: Packages): Promise<void> {
    const found = packages.good.get(module);
    if (found !== undefined) this.#settled.set(module, (await packageState(found)).stamp);
  }

  /** The files of a plugin count again, whatever was settled; without a name those of all. */
  unsettle(module?: string): void {
    if (module === undefined) this.#settled.clear();
    else this.#settled.delete(module);
  }

  /** Removes the copies of all packages but those in these folders. */
  keepOnly(directories: ReadonlySet<string>): Promise<void> {
    return this.#copies.keepOnly(directories);
  }

  async #hasChanged({ module }: PluginEntry, packages: Packages, before: LoadedPlugin): Promise<boolean> {
    const state = await packageState(packageOf(module, packages, this.#options.providersDir));
    return this.#settled.get(module) !== state.stamp && isOther(state, before);
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

/** True when the files of a package are not those that a version was made of. */
function isOther({ stamp, inode, changedAt }: PackageState, { source }: LoadedPlugin): boolean {
  if (source.copied !== undefined) return source.copied.stamp !== stamp;
  return inode !== source.inode || changedSince(changedAt, source.loadedAt);
}

/** The package where a version was loaded from. */
function directoryOf({ directory, source }: LoadedPlugin): Package {
  return { ...source.package, dir: directory };
}
