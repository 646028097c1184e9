import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from '@keyhost/spi';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import type { PluginEntry, PluginsFile } from '../config/plugins-file.js';
import { findPackages, type Package, type Packages } from './find-packages.js';
import { OPEN_LIMIT_MS } from './opened-plugin.js';
import { checkIntegrity } from './package-files.js';
import { checkConfig } from './plugin-config.js';
import { checkPlugin } from './plugin-shape.js';
import type { LeftOutPlugin } from './registry.js';
import { within } from './time-limit.js';
import type { PackageCopies } from './updates/package-copies.js';

/** A plugin package that was imported and has the right shape; nothing of it was opened yet. */
export interface LoadedPlugin {
  readonly module: string;
  readonly version: string;
  readonly directory: string;
  readonly required: boolean;
  readonly replaces: readonly string[];
  readonly plugin: Plugin;
  /** Checked host-wide configuration by `spi/id`, defaults filled in. */
  readonly config: ReadonlyMap<string, unknown>;
  /** What plugins.json said of it. */
  readonly entry: PluginEntry;
  readonly source: PluginSource;
  /** Ends what loading it began; called once, after its factories were closed. */
  close?(): Promise<void>;
}

/** Which files were loaded. */
export interface PluginSource {
  /** The package as it lies in the providers folder. */
  readonly package: Package;
  /** The folder's inode. */
  readonly inode: number;
  /** Milliseconds since the epoch: what was changed since is not what was loaded. */
  readonly loadedAt: number;
  /** Of a version that was copied before it was loaded: the stamp of what was copied, and its integrity. */
  readonly copied?: { readonly stamp: string; readonly integrity: string };
}

export interface LoadResult {
  readonly loaded: readonly LoadedPlugin[];
  /** Plugins with `"required": false` that could not be loaded. */
  readonly failed: readonly LeftOutPlugin[];
  /** Packages that lie in the providers folder but are not in plugins.json. */
  readonly unlisted: readonly string[];
  /** Why a package was loaded from where it lies although it was to be copied. */
  readonly uncopied?: BootError;
}

/**
 * Imports the plugins that plugins.json lists, in its order. Nothing is loaded because it merely lies there.
 * @param options.copies where packages are copied to before they are loaded; without it they run where they lie
 * @throws BootError naming the plugin and what to do
 */
export async function loadPlugins(
  options: LoadOptions & {
    readonly copies?: PackageCopies | undefined;
    readonly onImporting?: (plugin: string | undefined) => void;
  },
): Promise<LoadResult> {
  const { pluginsFile, providersDir, copies } = options;
  let uncopied: BootError | undefined;
  const loadedAt = Date.now();
  const packages = await findPackages(providersDir);
  const loaded: LoadedPlugin[] = [];
  const failed: LeftOutPlugin[] = [];
  for (const [index, entry] of pluginsFile.plugins.entries()) {
    options.onImporting?.(entry.module);
    try {
      const found = packageOf(entry.module, packages, providersDir);
      const { inode } = await checkInside(found.dir, providersDir, found.name);
      const copy = await copies?.copy(found).catch((error: unknown) => {
        uncopied = error as BootError;
      });
      const { package: from, source } = copy ?? { package: found, source: { package: found, inode, loadedAt } };
      const plugin = await loadPackage(from, source, entry, index, options);
      checkName(plugin, loaded);
      loaded.push(plugin);
    } catch (error) {
      if (entry.required || !(error instanceof BootError)) throw error;
      failed.push({ module: entry.module, error, provides: [] });
    } finally {
      options.onImporting?.(undefined);
    }
  }
  const listed = new Set(pluginsFile.plugins.map(({ module }) => module));
  const unlisted = [...packages.good.keys()].filter((name) => !listed.has(name));
  return { loaded, failed, unlisted, ...(uncopied === undefined ? {} : { uncopied }) };
}

/** What the log says of a package that lies there but is not in plugins.json. */
export function unlistedText(name: string, providersDir: string, pluginsFile: string): string {
  return `${name} lies in ${providersDir} but is not loaded: add {"module": "${name}"} to ${pluginsFile}`;
}

/** The name is the plugin's part of the store: nobody else may have it. */
export function checkName({ module, plugin }: LoadedPlugin, loaded: readonly LoadedPlugin[]): void {
  const other = loaded.find((earlier) => earlier.plugin.name === plugin.name);
  if (other === undefined) return;
  throw new BootError('plugin_duplicate_id', `${module} and ${other.module} both call themselves ${plugin.name}`, {
    plugin: module,
    hint: 'take one of them out of plugins.json',
  });
}

export interface LoadOptions {
  readonly pluginsFile: PluginsFile;
  readonly providersDir: string;
  readonly importTimeoutMs?: number;
}

/** The package that plugins.json names. @throws BootError `plugin_missing` */
export function packageOf(module: string, packages: Packages, providersDir: string): Package {
  const found = packages.good.get(module);
  if (found !== undefined) return found;
  const bad = packages.bad.get(module);
  if (bad !== undefined) throw bad;
  const names = [...packages.good.keys()];
  const near = didYouMean(module, names);
  const there = names.length === 0 ? 'the folder holds no package' : `it holds ${names.join(', ')}`;
  throw new BootError('plugin_missing', `${module} is not in ${providersDir}`, {
    plugin: module,
    hint: `${near === undefined ? '' : `did you mean ${near}? `}${there}`,
  });
}

/**
 * Imports a package and checks what it exports and its configuration.
 * @param found where it is loaded from
 * @throws BootError naming the plugin and what to do
 */
export async function loadPackage(
  found: Package,
  source: PluginSource,
  entry: PluginEntry,
  index: number,
  options: LoadOptions,
): Promise<LoadedPlugin> {
  const { module } = entry;
  if (entry.integrity !== undefined) await checkIntegrity(found, entry.integrity);
  const file = await entryFile(found, options.providersDir);
  const plugin = await importPlugin(file, module, options.importTimeoutMs ?? OPEN_LIMIT_MS);
  checkPlugin(plugin, module);
  const { version, dir: directory } = found;
  const config = checkConfig(plugin, entry, index, options.pluginsFile);
  const { required, replaces } = entry;
  return { module, version, directory, required, replaces, plugin, config, entry, source };
}

/** The same code with another entry of plugins.json. @throws BootError `plugin_config` */
export function withEntry(
  { module, version, directory, plugin, source }: LoadedPlugin,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const config = checkConfig(plugin, entry, index, pluginsFile);
  const { required, replaces } = entry;
  return { module, version, directory, required, replaces, plugin, config, entry, source };
}

/** A symbolic link must not lead out of the providers folder, and nobody but the owner may write there. */
export async function checkInside(path: string, providersDir: string, module: string): Promise<{ inode: number }> {
  const root = await realpath(providersDir);
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) {
    throw new BootError('plugin_outside', `${module} leads out of ${providersDir}`, {
      plugin: module,
      hint: 'copy the package into the folder instead of linking it',
    });
  }
  const { mode, ino: inode } = await stat(real);
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) {
    throw new BootError('plugin_outside', `${module}: everybody may write to ${relative(root, real)}`, {
      plugin: module,
      hint: `chmod o-w ${path}`,
    });
  }
  return { inode };
}

async function entryFile({ name, dir }: Package, providersDir: string): Promise<string> {
  let file: string;
  try {
    file = fileURLToPath(resolveImport(name, pathToFileURL(join(dir, 'package.json')).href));
    if (!file.startsWith(dir + sep) && !file.startsWith((await realpath(dir)) + sep))
      throw new Error('resolved elsewhere');
  } catch {
    const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { main?: string };
    file = join(dir, manifest.main ?? 'index.js');
  }
  if (!existsSync(file)) {
    throw new BootError('plugin_import_failed', `${name}: its entry file ${relative(dir, file)} does not exist`, {
      plugin: name,
      hint: 'build the package: npm run build',
    });
  }
  await checkInside(file, providersDir, name);
  return file;
}

async function importPlugin(file: string, module: string, limit: number): Promise<unknown> {
  try {
    const imported = (await within(limit, () => import(pathToFileURL(file).href))) as { default?: unknown };
    return imported.default;
  } catch (cause) {
    const { code, message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
    if (code === 'time_limit') {
      throw new BootError('plugin_open_timeout', `${module}: importing it took longer than ${limit / 1000} s`, {
        plugin: module,
        hint: 'a module must not wait for anything while it is imported',
      });
    }
    const missing =
      code === 'ERR_MODULE_NOT_FOUND' ? /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] : undefined;
    if (missing !== undefined) {
      const bare = !missing.startsWith('/') && !missing.startsWith('file:');
      const what = bare ? missing : `the file ${missing.slice(missing.lastIndexOf('/') + 1)}`;
      throw new BootError('plugin_dependency_missing', `${module} needs ${what}, which is not installed`, {
        plugin: module,
        hint: bare
          ? `npm install ${missing}, or npm install in the plugin's folder`
          : 'build the package: npm run build',
        cause,
      });
    }
    throw new BootError('plugin_import_failed', `${module} could not be imported: ${message}`, {
      plugin: module,
      hint: 'the first line of its stack says where',
      cause,
    });
  }
}
