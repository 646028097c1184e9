import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from '@keyhost/spi';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import type { PluginEntry, PluginsFile } from '../config/plugins-file.js';
import { compileSchema, schemaProblems } from '../config/schema-check.js';
import { findPackages, type Package, type Packages } from './find-packages.js';
import { checkIntegrity } from './package-integrity.js';
import { checkPlugin, hostConfigSchema } from './plugin-shape.js';
import { OPEN_LIMIT_MS } from './registry.js';
import { checkVersion, deprecations } from './spi-versions.js';
import { within } from './time-limit.js';

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
}

/** A plugin that is at hand, as in a test of its own: it is not looked for in the providers folder. */
export interface ImportedPlugin {
  readonly plugin: unknown;
  readonly directory: string;
}

export interface LoadResult {
  readonly loaded: readonly LoadedPlugin[];
  /** Plugins with `"required": false` that could not be loaded. */
  readonly failed: readonly { module: string; error: BootError }[];
  /** Packages that lie in the providers folder but are not in plugins.json. */
  readonly unlisted: readonly string[];
  /** What the loaded plugins use that will go. */
  readonly deprecations: readonly string[];
}

/**
 * Imports the plugins that plugins.json lists, in its order. Nothing is loaded because it merely lies there.
 * @throws BootError naming the plugin and what to do
 */
export async function loadPlugins(options: {
  pluginsFile: PluginsFile;
  providersDir: string;
  /** By the name in plugins.json. */
  imported?: ReadonlyMap<string, ImportedPlugin> | undefined;
  importTimeoutMs?: number;
  onImporting?: (plugin: string | undefined) => void;
}): Promise<LoadResult> {
  const { pluginsFile, providersDir } = options;
  const packages = await findPackages(providersDir);
  const loaded: LoadedPlugin[] = [];
  const failed: { module: string; error: BootError }[] = [];
  for (const [index, entry] of pluginsFile.plugins.entries()) {
    options.onImporting?.(entry.module);
    try {
      const imported = options.imported?.get(entry.module);
      const plugin =
        imported === undefined
          ? await loadPlugin(entry, index, packages, options)
          : checkedPlugin(imported.plugin, { ...imported, version: '0.0.0' }, entry, index, pluginsFile);
      checkName(plugin, loaded);
      loaded.push(plugin);
    } catch (error) {
      if (entry.required || !(error instanceof BootError)) throw error;
      failed.push({ module: entry.module, error });
    } finally {
      options.onImporting?.(undefined);
    }
  }
  const listed = new Set(pluginsFile.plugins.map(({ module }) => module));
  return {
    loaded,
    failed,
    unlisted: [...packages.good.keys()].filter((name) => !listed.has(name)),
    deprecations: loaded.flatMap(({ plugin, module }) => deprecations(plugin, module)),
  };
}

/** The name is the plugin's part of the store: nobody else may have it. */
function checkName({ module, plugin }: LoadedPlugin, loaded: readonly LoadedPlugin[]): void {
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
  options: { pluginsFile: PluginsFile; providersDir: string; importTimeoutMs?: number },
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
  if (entry.integrity !== undefined) await checkIntegrity(found, entry.integrity);
  const file = await entryFile(found, options.providersDir);
  const plugin = await importPlugin(file, module, options.importTimeoutMs ?? OPEN_LIMIT_MS);
  return checkedPlugin(plugin, { version: found.version, directory: found.dir }, entry, index, options.pluginsFile);
}

function checkedPlugin(
  plugin: unknown,
  { version, directory }: Pick<LoadedPlugin, 'version' | 'directory'>,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const { module, required, replaces } = entry;
  checkPlugin(plugin, module);
  for (const definition of plugin.providers) checkVersion(definition, module);
  const config = checkConfig(plugin, entry, index, pluginsFile);
  return { module, version, directory, required, replaces, plugin, config };
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
