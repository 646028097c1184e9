import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { type PluginEntry, type PluginsFile, readPluginsFile } from '../../config/plugins-file.js';
import { findPackages, type Package } from '../../registry/loading/find-packages.js';
import { packageIntegrity } from '../../registry/loading/package-integrity.js';
import { type Command, EXIT_CODES, PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { NO_PROMPT } from '../prompts/questions.js';
import { fetchPackage } from './fetch-package.js';
import { decideGrants, type GrantDecision, noGrants } from './granting.js';
import { SPI_DIR } from './installation.js';
import { type InstalledPlugin, printInstalled } from './installed-plugin.js';
import { insertElement, setMember } from './json-edit.js';
import { folderOf } from './new-plugin.js';
import { checkAgainstOtherPlugins } from './other-plugins.js';
import { placesOf } from './plugin-places.js';
import { type VerifiedPlugin, verifyPackage } from './verify-plugin.js';

export const add: Command = {
  summary: 'Installs a plugin into the plugin folder and plugins.json',
  usage: 'PATH|TARBALL|NAME [--force] [--scripts]',
  details: `PATH     folder of a package; npm pack builds it by its prepack script, and what it packs is copied
TARBALL  file that npm pack wrote
NAME     package in the plugin folder, or else in the npm registry, such as hello@1

npm installs its dependencies into the package's own node_modules. Nothing is changed if Keyhost
cannot load the plugin together with the others. Prints the rights that the plugin asks for, and asks at a
terminal whether to grant them. A plugin without these rights, or that requires configuration, is
installed but not added to plugins.json: the command prints its entry for you to complete. Prints the
line of a realm file that enables the plugin.`,
  examples: ['plugin add ../hello-0.1.0.tgz', 'plugin add hello@1 --grant', 'plugin add ../hello --force'],
  options: [
    { flag: 'force', help: 'replacement of an installed package; its integrity in plugins.json is updated' },
    { flag: 'grant', help: 'grant of all rights that it asks for, in every realm except master' },
    { flag: 'scripts', help: 'install scripts of the package and its dependencies; default: npm runs none of them' },
    NO_PROMPT,
  ],
  serverOptions: [...PLUGIN_OPTIONS, 'realms-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: addPlugin,
};

/** @throws BootError as a start does; in that case nothing was changed */
async function addPlugin(line: CommandLine): Promise<void> {
  const source = line.word('PATH, TARBALL or NAME');
  const host = placesOf(line);
  const pluginsFile = await readPluginsFile(host.pluginsFile);
  const installedPackage = await findInProviders(source, host.providersDir);
  if (installedPackage !== undefined) {
    const checked = await checkPackage(line, installedPackage.dir, host, pluginsFile);
    const installed = await addToPluginsFile(checked, pluginsFile);
    return await printInstalled(installed, host);
  }
  const fetched = await fetchPackage(source, host.providersDir, line.has('scripts'));
  try {
    const { loaded, ...checked } = await checkPackage(line, fetched.dir, host, pluginsFile);
    const { dir, replaced } = await findTargetFolder(fetched, host.providersDir, line.has('force'));
    // The old package is deleted once the new one is in place.
    if (existsSync(dir)) await rename(dir, `${fetched.dir}-before`);
    await mkdir(dirname(dir), { recursive: true });
    await rename(fetched.dir, dir);
    await linkSpi(dir);
    const installed = await addToPluginsFile({ ...checked, loaded: { ...loaded, directory: dir } }, pluginsFile);
    await printInstalled({ ...installed, replaced }, host);
  } finally {
    await fetched.discard();
  }
}

/** A package that this host can load, and the operator's decision about its rights. */
interface CheckedPlugin extends VerifiedPlugin {
  /** The package's entry in plugins.json, if it has one. */
  readonly entry: PluginEntry | undefined;
  readonly decision: GrantDecision;
}

/** @throws BootError as a start with the package does */
async function checkPackage(
  line: CommandLine,
  dir: string,
  host: HostOptions,
  pluginsFile: PluginsFile,
): Promise<CheckedPlugin> {
  const verified = await verifyPackage(dir, { host, pluginsFile, printStage: () => {}, assumesGranted: true });
  const { loaded } = verified;
  await checkAgainstOtherPlugins(loaded, pluginsFile, host.providersDir);
  const entry = pluginsFile.plugins.find(({ module }) => module === loaded.module);
  const decision = verified.missing.length > 0 ? noGrants(loaded) : await decideGrants(line, loaded, entry);
  return { ...verified, entry, decision };
}

/** Finds the package in the providers folder that has this name, or is in this folder. */
async function findInProviders(source: string, providersDir: string): Promise<Package | undefined> {
  const packages = (await findPackages(providersDir)).valid;
  const byName = packages.get(source);
  if (byName !== undefined || !existsSync(source)) return byName;
  const realSource = await realpath(source);
  for (const candidate of packages.values()) if ((await realpath(candidate.dir)) === realSource) return candidate;
  return undefined;
}

/** Finds the folder for the package: that of the installed package with the same name, or a new one. */
async function findTargetFolder(
  { name }: Package,
  providersDir: string,
  force: boolean,
): Promise<{ dir: string; replaced: Package | undefined }> {
  const replaced = (await findPackages(providersDir)).valid.get(name);
  const dir = replaced?.dir ?? join(providersDir, folderOf(name));
  if (!force && existsSync(dir)) {
    throw new BootError('options_invalid', `${displayPath(dir)} already exists`, {
      hint: `--force replaces ${replaced === undefined ? 'it' : `${replaced.name} ${replaced.version}`}`,
    });
  }
  return { dir, replaced };
}

/**
 * Links the host's SPI into a package that cannot resolve it, since only a checkout has the SPI in a folder above the
 * providers folder.
 */
async function linkSpi(dir: string): Promise<void> {
  try {
    createRequire(join(dir, 'package.json')).resolve('@keyhost/spi');
  } catch {
    const link = join(dir, 'node_modules', '@keyhost', 'spi');
    await mkdir(dirname(link), { recursive: true });
    await symlink(SPI_DIR, link, 'junction');
  }
}

/**
 * Adds the plugin to plugins.json with the granted rights, or updates its entry there. A plugin that still lacks
 * configuration or rights is not added, since no host could start with it.
 */
async function addToPluginsFile(checked: CheckedPlugin, { plugins, path }: PluginsFile): Promise<InstalledPlugin> {
  const { loaded, missing, entry, decision } = checked;
  const { module, directory } = loaded;
  const { granted, denied, grants } = decision;
  const installed = { ...checked, isListed: entry !== undefined };
  if (missing.length > 0 || denied.length > 0) return installed;
  let text = await readFile(path, 'utf8');
  if (entry === undefined) {
    text = insertElement(text, ['plugins'], granted.length === 0 ? { module } : { module, grants });
  } else {
    const index = plugins.indexOf(entry);
    if (granted.length > 0) text = setMember(text, ['plugins'], index, 'grants', grants);
    if (entry.integrity !== undefined) {
      const integrity = await packageIntegrity({ name: module, dir: directory });
      text = setMember(text, ['plugins'], index, 'integrity', integrity);
    }
  }
  await writeFile(path, text);
  return { ...installed, isListed: true };
}
