import type { Plugin } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import type { PluginEntry, PluginsFile } from '../config/plugins-file.js';
import { compileSchema, schemaProblems } from '../config/schema-check.js';
import { findPackages, type Packages } from './find-packages.js';
import { checkInside, importPackage } from './import-package.js';
import { checkIntegrity } from './package-integrity.js';
import { checkDefinition, checkPlugin, hostConfigSchema } from './plugin-shape.js';
import { checkVersion, deprecations } from './spi-versions.js';

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
  const plugin = await importPackage(found, options.providersDir, options.importTimeoutMs);
  return checkedPlugin(plugin, { version: found.version, directory: found.dir }, entry, index, options.pluginsFile);
}

/**
 * What a package exports, as a plugin that this host can open with its entry in plugins.json.
 * @throws BootError `plugin_shape`, `plugin_reserved_id`, `plugin_api`, `plugin_config`
 */
export function checkedPlugin(
  plugin: unknown,
  { version, directory }: Pick<LoadedPlugin, 'version' | 'directory'>,
  entry: PluginEntry,
  index: number,
  pluginsFile: PluginsFile,
): LoadedPlugin {
  const { module, required, replaces } = entry;
  checkPlugin(plugin, module);
  for (const definition of plugin.providers) {
    checkVersion(definition, module);
    checkDefinition(definition, { name: plugin.name, builtin: false });
  }
  const config = checkConfig(plugin, entry, index, pluginsFile);
  return { module, version, directory, required, replaces, plugin, config };
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
