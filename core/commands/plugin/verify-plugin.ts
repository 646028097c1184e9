import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Logger, ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import type { HostOptions } from '../../config/options/options.js';
import { type PluginEntry, type PluginsFile, readPluginsFile } from '../../config/plugins-file.js';
import { ProtoFiles } from '../../grpc/proto-files.js';
import { systemClock } from '../../model/clock.js';
import { ProviderRegistry } from '../../registry/generations/registry.js';
import { type Package, packageAt } from '../../registry/loading/find-packages.js';
import { spiOf } from '../../registry/loading/host-spis.js';
import { checkInside, importInProcess } from '../../registry/loading/import-package.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { type LoadedPlugin, toLoadedPlugin } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { withMissingRights } from '../../registry/loading/plugin-rights.js';
import { checkPlugin, hostConfigSchema } from '../../registry/loading/plugin-shape.js';
import { checkSchedule } from '../../registry/loading/schedule-check.js';
import { versionOf } from '../../registry/loading/spi-versions.js';
import { type Command, PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { readManifest, SPI_DIR } from './installation.js';
import { checkAgainstBuiltIns } from './other-plugins.js';
import { placesOf } from './plugin-places.js';
import { tryCreate } from './try-create.js';

export const verify: Command = {
  summary: 'Checks whether this version of Keyhost can load a plugin',
  usage: 'PATH',
  details: `PATH is the folder of a built package. Runs the stages of a start with it, and prints each: package,
import, shape, rights and versions of its SPIs, schemas, configuration, open and create. The configuration is
the one in plugins.json, or else the defaults of each schema. A plugin that requires more is not
opened. Conflicts with other plugins are not checked.`,
  examples: [
    'plugin verify providers/hello',
    'plugin verify .',
    'plugin verify ../hello --plugins-file my-plugins.json',
  ],
  serverOptions: PLUGIN_OPTIONS,
  notes: 'Exit code: 0 Keyhost can load it, 1 it cannot',
  needsArguments: true,
  run: verifyPlugin,
};

/** Sets the exit code. @throws BootError `options_invalid` */
async function verifyPlugin(line: CommandLine): Promise<void> {
  const path = line.word('PATH');
  const host = placesOf(line);
  const pluginsFile = existsSync(host.pluginsFile) ? await readPluginsFile(host.pluginsFile) : undefined;
  const printStage = (stage: string, detail: string) => void process.stdout.write(`✔ ${stage.padEnd(9)} ${detail}\n`);
  try {
    const { loaded } = await verifyPackage(resolve(path), { host, pluginsFile, printStage, errorPrefix: '✘ ' });
    const { version } = await readManifest(HOST_DIR);
    process.stdout.write(`Keyhost ${version} can load ${loaded.module}\n`);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    process.stdout.write(`✘ ${error.report()}\n`);
    process.exitCode = 1;
  }
}

export type PrintStage = (stage: string, detail: string) => void;

export interface VerifyOptions {
  readonly host: HostOptions;
  /** The file that may contain the plugin's configuration; undefined if it does not exist. */
  readonly pluginsFile: PluginsFile | undefined;
  /** Called after each stage that succeeded. */
  readonly printStage: PrintStage;
  /** The text before the error message if the plugin ends this process; empty by default. */
  readonly errorPrefix?: string;
  /** True to treat all rights that the plugin needs as granted, even if plugins.json does not grant them. */
  readonly assumesGranted?: boolean;
}

export interface VerifiedPlugin {
  readonly loaded: LoadedPlugin;
  /**
   * The providers that lack required configuration. A plugin with one is not opened. Empty if plugins.json contains the
   * plugin.
   */
  readonly missing: readonly MissingConfig[];
}

interface MissingConfig {
  readonly definition: ProviderDefinition;
  readonly problems: readonly string[];
}

/** Loads and opens the package in a folder as a start does. @throws BootError as a start does */
export async function verifyPackage(dir: string, verification: VerifyOptions): Promise<VerifiedPlugin> {
  const { host, printStage, errorPrefix = '' } = verification;
  const guard = new LoadGuard(OPEN_LIMIT_MS, errorPrefix);
  try {
    const installed = await packageAt(dir);
    await checkInside(dir, dirname(dir), installed.name);
    printStage('package', `${installed.name} ${installed.version}${await describeOtherSpi(installed)}`);
    guard.setPlugin(installed.name);
    const startedAt = performance.now();
    const imported = await importInProcess(installed, dirname(dir));
    guard.setPlugin(undefined);
    printStage('import', `${Math.round(performance.now() - startedAt)} ms`);
    const verified = loadWithConfig(imported, installed, verification);
    const { loaded, missing } = verified;
    printShape(loaded, printStage);
    for (const definition of loaded.plugin.providers) await checkSchedule(definition, loaded.plugin.name);
    await checkAgainstBuiltIns(loaded, host);
    if (missing.length > 0) {
      const problems = missing.flatMap((one) => one.problems);
      printStage('open', `skipped: requires configuration in plugins.json: ${problems.join('; ')}`);
      return verified;
    }
    guard.setPlugin(installed.name);
    await openProviders(loaded, host, printStage);
    guard.setPlugin(undefined);
    return verified;
  } finally {
    await guard.close();
  }
}

/** Describes the package's own copy of the SPI, which a host replaces with the host's copy; empty if there is none. */
async function describeOtherSpi({ dir }: Package): Promise<string> {
  let folder: string;
  try {
    folder = await realpath(createRequire(join(dir, 'package.json')).resolve('@keyhost/spi'));
  } catch {
    return '';
  }
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  if (folder === (await realpath(SPI_DIR))) return '';
  const manifest = await readManifest(folder);
  const spiManifest = await readManifest(SPI_DIR);
  return `, with @keyhost/spi ${manifest.version} in ${displayPath(folder)}; Keyhost replaces it with ${spiManifest.version}`;
}

/**
 * Checks the plugin and its configuration in plugins.json. For a plugin that is not listed there, finds the
 * configuration that it requires.
 */
function loadWithConfig(
  imported: unknown,
  installed: Package,
  { pluginsFile, assumesGranted = false }: VerifyOptions,
): VerifiedPlugin {
  const { name } = installed;
  const source = { package: installed, inode: 0, loadedAt: 0 };
  const index = pluginsFile?.plugins.findIndex(({ module }) => module === name) ?? -1;
  const listed = pluginsFile?.plugins[index];
  checkPlugin(imported, name);
  if (pluginsFile !== undefined && listed !== undefined) {
    const grants = assumesGranted ? withMissingRights(imported.needs ?? {}, listed.grants) : listed.grants;
    return {
      loaded: toLoadedPlugin(imported, installed, source, { ...listed, grants }, index, pluginsFile),
      missing: [],
    };
  }
  const missing = imported.providers.flatMap((definition) => {
    const check = compileSchema(hostConfigSchema(definition), { useDefaults: true });
    if (check({})) return [];
    const qualifiedId = `${definition.spi.id}/${definition.id}`;
    const problems = schemaProblems(check).map(({ path, message }) => [qualifiedId, ...path, message].join(' '));
    return [{ definition, problems }];
  });
  const emptyPluginsFile: PluginsFile = { path: 'plugins.json', plugins: [], locate: () => ({ line: 0, column: 0 }) };
  const entry = {
    module: name,
    required: true,
    isolation: 'none',
    replaces: [],
    config: {},
    // Treat its rights as granted: they are printed, and the operator decides about them.
    grants: withMissingRights(imported.needs ?? {}, {}),
  } as Partial<PluginEntry>;
  const withoutProviders = missing.length === 0 ? imported : { ...imported, providers: [] };
  const loaded = toLoadedPlugin(withoutProviders, installed, source, entry as PluginEntry, 0, emptyPluginsFile);
  return { loaded: missing.length === 0 ? loaded : { ...loaded, plugin: imported }, missing };
}

function printShape({ plugin }: LoadedPlugin, printStage: PrintStage): void {
  printStage('shape', `plugin ${plugin.name}, api ${plugin.api}`);
  for (const [right, reason] of Object.entries(plugin.needs ?? {})) printStage('needs', `${right}: ${reason}`);
  for (const { id, version } of plugin.spis ?? []) printStage('spi', `declares ${id}, version ${version}`);
  for (const definition of plugin.providers) {
    const { spi, id, config, realmConfig } = definition;
    const schemas = [config && 'config', realmConfig && 'realmConfig'].filter(Boolean).join(' and ');
    const offered = spiOf(definition).version;
    printStage(
      'provider',
      `${spi.id}/${id}, version ${versionOf(definition)} of ${offered}${schemas && `; schemas of ${schemas}`}`,
    );
  }
}

async function openProviders(loaded: LoadedPlugin, host: HostOptions, printStage: PrintStage): Promise<void> {
  const registry = new ProviderRegistry(messageLogger);
  const protos = new ProtoFiles(host.protoDir);
  const { version } = await readManifest(HOST_DIR);
  const context = Object.freeze({ logger: messageLogger, clock: systemClock, version });
  const { inspections } = protos;
  // Another plugin may declare an SPI that this one implements, so here this plugin declares all of them.
  const spis = [...(loaded.plugin.spis ?? []), ...loaded.plugin.providers.map(({ spi }) => spi)];
  const withOwnSpis = { ...loaded, replaces: [], plugin: { ...loaded.plugin, spis } };
  await registry.openAll([], [withOwnSpis], context, { inspections });
  const openTimes = registry.list().map(({ openMs }) => openMs);
  const skippedReasons: string[] = [];
  try {
    for (const provider of registry.list()) {
      const reason = await tryCreate(provider, messageLogger);
      if (reason !== undefined) skippedReasons.push(reason);
    }
  } finally {
    await registry.close();
  }
  const total = openTimes.reduce((sum, ms) => sum + ms, 0).toFixed(1);
  printStage('open', `${openTimes.length} of ${openTimes.length}, ${total} ms; closed again`);
  const createdText = `${openTimes.length - skippedReasons.length} of ${openTimes.length} have the required methods`;
  printStage(
    'create',
    skippedReasons.length === 0 ? createdText : `${createdText}; skipped: ${skippedReasons.join('; ')}`,
  );
}

/** The logger of the opened plugin. It prints warnings and errors without their fields, which may contain secrets. */
const messageLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message) => void process.stderr.write(`${message}\n`),
  error: (message) => void process.stderr.write(`${message}\n`),
};
