import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from '@keyhost/spi';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import type { PluginEntry, PluginsFile } from '../config/plugins-file.js';
import { compileSchema, schemaProblems } from '../config/schema-check.js';
import { findPackages, type Package, type Packages } from './find-packages.js';
import { importFailure } from './import-failure.js';
import { checkPlugin, hostConfigSchema } from './plugin-shape.js';
import { OPEN_LIMIT_MS } from './registry.js';
import { within } from './time-limit.js';
import type { Workers } from './worker/workers.js';

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
  /** Ends what loading it began; called after its factories were closed. */
  close?(): Promise<void>;
}

export interface LoadResult {
  readonly loaded: readonly LoadedPlugin[];
  /** Plugins with `"required": false` that could not be loaded. */
  readonly failed: readonly { module: string; error: BootError }[];
  /** Packages that lie in the providers folder but are not in plugins.json. */
  readonly unlisted: readonly string[];
}

interface LoadOptions {
  readonly pluginsFile: PluginsFile;
  readonly providersDir: string;
  /** Of the plugins whose isolation is `worker`. */
  readonly workers: Workers;
  readonly importTimeoutMs?: number;
  readonly onImporting?: (plugin: string | undefined) => void;
}

/**
 * Imports the plugins that plugins.json lists, in its order. Nothing is loaded because it merely lies there.
 * @throws BootError naming the plugin and what to do
 */
export async function loadPlugins(options: LoadOptions): Promise<LoadResult> {
  const { pluginsFile, providersDir } = options;
  const packages = await findPackages(providersDir);
  const loaded: LoadedPlugin[] = [];
  const failed: { module: string; error: BootError }[] = [];
  for (const [index, entry] of pluginsFile.plugins.entries()) {
    // The guard is for what a worker contains by itself.
    if (entry.isolation === 'none') options.onImporting?.(entry.module);
    try {
      loaded.push(await loadPlugin(entry, index, packages, loaded, options));
    } catch (error) {
      if (entry.required || !(error instanceof BootError)) {
        for (const plugin of loaded.reverse()) await plugin.close?.();
        throw error;
      }
      failed.push({ module: entry.module, error });
    } finally {
      options.onImporting?.(undefined);
    }
  }
  const listed = new Set(pluginsFile.plugins.map(({ module }) => module));
  return { loaded, failed, unlisted: [...packages.good.keys()].filter((name) => !listed.has(name)) };
}

/** The name is the plugin's part of the store: nobody else may have it. */
function checkName(module: string, plugin: Plugin, loaded: readonly LoadedPlugin[]): void {
  const other = loaded.find((earlier) => earlier.plugin.name === plugin.name);
  if (other === undefined) return;
  throw new BootError('plugin_duplicate_id', `${module} and ${other.module} both call themselves ${plugin.name}`, {
    plugin: module,
    hint: 'take one of them out of plugins.json',
  });
}

async function loadPlugin(
  entry: PluginEntry,
  index: number,
  packages: Packages,
  loaded: readonly LoadedPlugin[],
  options: LoadOptions,
): Promise<LoadedPlugin> {
  const { module } = entry;
  const found = packages.good.get(module);
  if (found === undefined) {
    const bad = packages.bad.get(module);
    if (bad !== undefined) throw bad;
    const names = [...packages.good.keys()];
    const near = didYouMean(module, names);
    const there = names.length === 0 ? 'the folder holds no package' : `it holds ${names.join(', ')}`;
    throw new BootError('plugin_missing', `${module} is not in ${options.providersDir}`, {
      plugin: module,
      hint: `${near === undefined ? '' : `did you mean ${near}? `}${there}`,
    });
  }
  await checkInside(found.dir, options.providersDir, module);
  const { version, dir: directory } = found;
  const { required, replaces } = entry;
  const { plugin, close } = await importPackage(found, entry, options);
  try {
    checkPlugin(plugin, module);
    checkName(module, plugin, loaded);
    const config = checkConfig(plugin, entry, index, options.pluginsFile);
    return { module, version, directory, required, replaces, plugin, config, entry, ...(close ? { close } : {}) };
  } catch (error) {
    await close?.();
    throw error;
  }
}

/** A symbolic link must not lead out of the providers folder, and nobody but the owner may write there. */
async function checkInside(path: string, providersDir: string, module: string): Promise<void> {
  const root = await realpath(providersDir);
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) {
    throw new BootError('plugin_outside', `${module} leads out of ${providersDir}`, {
      plugin: module,
      hint: 'copy the package into the folder instead of linking it',
    });
  }
  if (process.platform !== 'win32' && ((await stat(real)).mode & 0o002) !== 0) {
    throw new BootError('plugin_outside', `${module}: everybody may write to ${relative(root, real)}`, {
      plugin: module,
      hint: `chmod o-w ${path}`,
    });
  }
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

/** What a package exports as its default: imported here, or in a worker. */
async function importPackage(
  found: Package,
  { module, integrity, isolation, limits, env }: PluginEntry,
  { providersDir, workers, importTimeoutMs: limitMs = OPEN_LIMIT_MS }: LoadOptions,
): Promise<{ plugin: unknown; close?: () => Promise<void> }> {
  const check = async () => {
    if (integrity !== undefined) await checkIntegrity(found, integrity);
  };
  await check();
  const file = await entryFile(found, providersDir);
  try {
    if (isolation === 'worker') {
      const { loadWorkerPlugin } = await import('./worker/load-worker-plugin.js');
      return await loadWorkerPlugin({ module, file, memory: limits.memory, env, limitMs, recheck: check }, workers);
    }
    const imported = (await within(limitMs, () => import(pathToFileURL(file).href))) as { default?: unknown };
    return { plugin: imported.default };
  } catch (cause) {
    throw importFailure(cause, module, limitMs);
  }
}

function checkConfig(plugin: Plugin, entry: PluginEntry, index: number, file: PluginsFile): Map<string, unknown> {
  const checked = new Map<string, unknown>();
  const known = plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
  const problems = [];
  const at = (path: (string | number)[]) => ({
    file: file.path,
    ...file.locate(['plugins', index, 'config', ...path]),
  });
  for (const name of Object.keys(entry.config)) {
    if (known.includes(name)) continue;
    const near = didYouMean(name, known, 6);
    const message = `${entry.module} has no provider ${name}: it has ${known.join(', ')}`;
    problems.push({
      ...at([name]),
      path: `plugins[${index}].config["${name}"]`,
      message,
      ...(near ? { suggestion: near } : {}),
    });
  }
  for (const definition of plugin.providers) {
    const name = `${definition.spi.id}/${definition.id}`;
    const value: unknown = structuredClone(entry.config[name] ?? {});
    const check = compileSchema(hostConfigSchema(definition), { useDefaults: true });
    if (check(value)) checked.set(name, Object.freeze(value));
    else {
      for (const { path, message, suggestion } of schemaProblems(check)) {
        const place = ['', ...path].join('.');
        const text = `plugins[${index}].config["${name}"]${place}`;
        problems.push({ ...at([name, ...path]), path: text, message, ...(suggestion ? { suggestion } : {}) });
      }
    }
  }
  if (problems.length > 0) {
    throw new BootError('plugin_config', `${entry.module} is not configured correctly`, {
      plugin: entry.module,
      problems,
    });
  }
  return checked;
}

/** `sha512-…` over the paths and contents of the package's files, node_modules left out. */
export async function packageIntegrity(dir: string): Promise<string> {
  const hash = createHash('sha512');
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(sep).includes('node_modules'))
    .sort();
  for (const file of files) {
    const content = await readFile(join(dir, file));
    hash.update(`${file.split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return `sha512-${hash.digest('base64')}`;
}

async function checkIntegrity({ name, dir }: Package, expected: string): Promise<void> {
  const actual = await packageIntegrity(dir);
  if (actual === expected) return;
  throw new BootError('plugin_integrity', `${name} is not the package that plugins.json names`, {
    plugin: name,
    hint: `if you changed it yourself, its integrity is now ${actual}`,
  });
}
