import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { type PluginEntry, type PluginsFile, readPluginsFile } from '../../config/plugins-file.js';
import { findPackages, type Package } from '../../registry/loading/find-packages.js';
import { spiOf } from '../../registry/loading/kinds.js';
import { packageIntegrity } from '../../registry/loading/package-integrity.js';
import { grantsLine, ungranted } from '../../registry/loading/plugin-rights.js';
import { type Command, EXIT_CODES, PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { shown } from '../shown.js';
import { enablingLines } from './enabling.js';
import { fetchPackage } from './fetch-package.js';
import { SPI_DIR } from './installation.js';
import { insertElement, setMember } from './json-edit.js';
import { folderOf } from './new-plugin.js';
import { checkBesideOthers } from './other-plugins.js';
import { placeholders } from './placeholders.js';
import { placesOf } from './plugin-places.js';
import { realmMentions } from './realm-mentions.js';
import { type VerifiedPlugin, verifyPackage } from './verify-plugin.js';

export const add: Command = {
  summary: 'Installs a plugin into the plugin folder and plugins.json',
  usage: 'PATH|TARBALL|NAME [--force] [--scripts]',
  details: `PATH     folder of a package; npm pack builds it by its prepack script, and what it packs is copied
TARBALL  file that npm pack wrote
NAME     package in the plugin folder, or else in the npm registry, such as hello@1

npm installs its dependencies into the package's own node_modules. Nothing is changed if Keyhost
cannot load the plugin beside the others. A plugin that requires configuration is not added to
plugins.json: the command prints the entry for you to complete. Prints the line of a realm file that
enables the plugin.`,
  examples: ['plugin add ../hello-0.1.0.tgz', 'plugin add hello@1', 'plugin add ../hello --force'],
  options: [
    { flag: 'force', help: 'replacement of an installed package; its integrity in plugins.json is updated' },
    { flag: 'scripts', help: 'install scripts of the package and its dependencies; default: npm runs none of them' },
  ],
  serverOptions: [...PLUGIN_OPTIONS, 'realms-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: addPlugin,
};

/** @throws BootError as a start does; nothing is changed then */
async function addPlugin(line: CommandLine): Promise<void> {
  const source = line.word('PATH, TARBALL or NAME');
  const host = placesOf(line);
  const pluginsFile = await readPluginsFile(host.pluginsFile);
  const here = await inProviders(source, host.providersDir);
  if (here !== undefined) {
    const verified = await verifyPackage(here.dir, host, pluginsFile, () => {});
    await checkBesideOthers(verified.loaded, pluginsFile, host.providersDir);
    const entry = await list(verified, pluginsFile, host.pluginsFile);
    return await tell(verified, here.dir, host, { entry });
  }
  const fetched = await fetchPackage(source, host.providersDir, line.has('scripts'));
  try {
    const { loaded, missing } = await verifyPackage(fetched.dir, host, pluginsFile, () => {});
    await checkBesideOthers(loaded, pluginsFile, host.providersDir);
    const { dir, old } = await placeOf(fetched, host.providersDir, line.has('force'));
    // Kept until the new one is in its place.
    if (existsSync(dir)) await rename(dir, `${fetched.dir}-before`);
    await mkdir(dirname(dir), { recursive: true });
    await rename(fetched.dir, dir);
    await linkSpi(dir);
    const moved = { loaded: { ...loaded, directory: dir }, missing };
    const entry = await list(moved, pluginsFile, host.pluginsFile);
    await tell(moved, dir, host, { old, entry });
  } finally {
    await fetched.discard();
  }
}

/** The package of this name or in this folder, where it lies in the providers folder already. */
async function inProviders(source: string, providersDir: string): Promise<Package | undefined> {
  const packages = (await findPackages(providersDir)).good;
  const byName = packages.get(source);
  if (byName !== undefined || !existsSync(source)) return byName;
  const real = await realpath(source);
  for (const found of packages.values()) if ((await realpath(found.dir)) === real) return found;
  return undefined;
}

/** Where it will lie: in the place of the package of its name, else in a folder named for it. */
async function placeOf(
  { name }: Package,
  providersDir: string,
  force: boolean,
): Promise<{ dir: string; old: Package | undefined }> {
  const old = (await findPackages(providersDir)).good.get(name);
  const dir = old?.dir ?? join(providersDir, folderOf(name));
  if (!force && existsSync(dir)) {
    throw new BootError('options_invalid', `${shown(dir)} already exists`, {
      hint: `--force replaces ${old === undefined ? 'it' : `${old.name} ${old.version}`}`,
    });
  }
  return { dir, old };
}

/** Outside a checkout nothing above the providers folder has the SPI: the package gets a link to the host's. */
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
 * Names it in plugins.json, and renews the integrity that is there. No host could start with what still has to be configured: that
 * is not named.
 * @returns the entry that was there before
 */
async function list(
  { loaded: { module, directory }, missing }: VerifiedPlugin,
  { plugins }: PluginsFile,
  path: string,
): Promise<PluginEntry | undefined> {
  const index = plugins.findIndex((entry) => entry.module === module);
  const entry = plugins[index];
  const text = await readFile(path, 'utf8');
  if (missing.length > 0) return undefined;
  if (entry === undefined) await writeFile(path, insertElement(text, ['plugins'], { module }));
  if (entry?.integrity === undefined) return entry;
  const integrity = await packageIntegrity({ name: module, dir: directory });
  await writeFile(path, setMember(text, ['plugins'], index, 'integrity', integrity));
  return entry;
}

async function tell(
  { loaded: { module, version, plugin }, missing }: VerifiedPlugin,
  dir: string,
  host: HostOptions,
  { old, entry }: { readonly old?: Package | undefined; readonly entry: PluginEntry | undefined },
): Promise<void> {
  const change = old === undefined ? version : `${old.version} → ${version}`;
  const file = shown(resolve(host.pluginsFile));
  const { needs: rights = {} } = plugin;
  const listed =
    missing.length > 0 ? '.' : entry === undefined ? `, and added it to ${file}.` : `. ${file} already lists it.`;
  const lines = [`Installed ${module} ${change} in ${shown(dir)}${listed}`];
  const asked = Object.entries(rights).map(([right, reason]) => `  ${right}: ${reason}`);
  if (asked.length > 0) lines.push('It asks for these rights:', ...asked);
  const grants = entry?.grants ?? {};
  const granted = ungranted(rights, grants).length > 0 ? [grantsLine(rights, grants)] : [];
  if (missing.length > 0) {
    const needs = missing.map(({ definition: { spi, id, config } }) => [`${spi.id}/${id}`, placeholders(config)]);
    lines.push(`It requires configuration. Replace each … in this entry, and add it to the plugins of ${file}:`);
    const members = [
      `"module": ${JSON.stringify(module)}`,
      ...granted,
      `"config": ${JSON.stringify(Object.fromEntries(needs))}`,
    ];
    lines.push(`  { ${members.join(', ')} }`);
  } else if (granted.length > 0) {
    lines.push('Keyhost loads it once you grant them. Add this to its entry in plugins.json:', `  ${granted[0]}`);
  }
  const enabled = (await realmMentions(host.realmsDir)).filter((one) => one.enabled);
  const off = plugin.providers.filter(({ spi, id }) => !enabled.some((one) => one.spi === spi.id && one.id === id));
  for (const { spi, id } of plugin.providers) {
    const realms = new Set(enabled.filter((one) => one.spi === spi.id && one.id === id).map(({ realm }) => realm));
    if (realms.size > 0) lines.push(`${spi.id}/${id} is enabled in ${[...realms].join(', ')}.`);
  }
  if (off.length > 0)
    lines.push('To enable it, add this to a realm file:', ...enablingLines(off).map((one) => `  ${one}`));
  for (const definition of off) {
    const kind = spiOf(definition);
    if (kind.realm !== undefined && kind.realm.list === undefined) continue;
    const isAlone = plugin.providers.filter(({ id }) => id === definition.id).length === 1;
    const name = isAlone ? definition.id : `${kind.id}/${definition.id}`;
    lines.push(`Or run: keyhost plugin enable ${name} --realm NAME`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
