import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from '@keyhost/spi';
import { parse } from 'jsonc-parser';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { readPluginsFile } from '../../config/plugins-file.js';
import { findPackages, type Package } from '../../registry/loading/find-packages.js';
import { importInProcess } from '../../registry/loading/import-package.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { checkPlugin } from '../../registry/loading/plugin-shape.js';
import { checkSpis, declaredSpis, withCheckedSpis } from '../../registry/loading/plugin-spis.js';
import { type Command, EXIT_CODES } from '../command.js';
import { type CommandLine, usageError } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { checkoutOf } from './installation.js';
import { removeElement } from './json-edit.js';
import { placesOf } from './plugin-places.js';
import { realmMentions } from './realm-mentions.js';

export const remove: Command = {
  summary: 'Removes a plugin from plugins.json',
  usage: 'NAME [--delete]',
  details: `Prints the places in realm files that still name its providers. Change them: the server refuses realm
files with unknown providers.`,
  examples: [
    'plugin remove hello',
    'plugin remove hello --delete',
    'plugin remove @acme/hello --plugins-file my-plugins.json',
  ],
  options: [{ flag: 'delete', help: 'deletion of its folder in the plugin folder' }],
  serverOptions: ['providers-dir', 'plugins-file', 'realms-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: removePlugin,
};

/** @throws BootError `options_invalid` */
async function removePlugin(line: CommandLine): Promise<void> {
  const name = line.word('NAME');
  const host = placesOf(line);
  const { plugins } = await readPluginsFile(host.pluginsFile);
  const index = plugins.findIndex(({ module }) => module === name);
  const installed = (await findPackages(host.providersDir)).valid.get(name);
  if (index < 0 && (installed === undefined || !line.has('delete'))) {
    const names = plugins.map(({ module }) => module).join(', ') || 'no plugins';
    return usageError(`${name} is not in plugins.json`, `plugins.json names ${names}`);
  }
  if (index >= 0) {
    const text = await readFile(host.pluginsFile, 'utf8');
    await writeFile(host.pluginsFile, removeElement(text, ['plugins'], index));
    process.stdout.write(`Removed ${name} from ${displayPath(host.pluginsFile)}\n`);
  }
  const plugin = installed && (await importPlugin(installed, host.providersDir));
  const provided = (plugin?.providers ?? []).map(({ spi, id }) => `${spi.id}/${id}`);
  if (installed !== undefined && line.has('delete')) {
    await rm(installed.dir, { recursive: true });
    await removeFromCheckout(installed.dir, host.providersDir);
    process.stdout.write(`Deleted ${displayPath(installed.dir)}\n`);
  } else if (installed !== undefined) process.stdout.write(`Kept ${displayPath(installed.dir)}\n`);
  const mentions = (await realmMentions(host.realmsDir, { configured: true })).filter(({ spi, id }) =>
    provided.includes(`${spi}/${id}`),
  );
  if (mentions.length > 0) process.stdout.write('Realm files still name its providers:\n');
  for (const { position, spi, id } of mentions) process.stdout.write(`  ${position} ${spi}/${id}\n`);
  if ((plugin?.spis ?? []).length > 0) await warnAboutUndeclaredSpis(host);
}

/**
 * Warns about plugins that implement an SPI of the removed plugin, since no server starts until they are removed, too.
 */
async function warnAboutUndeclaredSpis({ pluginsFile, providersDir }: HostOptions): Promise<void> {
  const { valid } = await findPackages(providersDir);
  const plugins: Plugin[] = [];
  for (const { module } of (await readPluginsFile(pluginsFile)).plugins) {
    const installed = valid.get(module);
    const plugin = installed && (await importPlugin(installed, providersDir));
    if (plugin !== undefined) plugins.push(plugin);
  }
  const declaredSpisById = declaredSpis(plugins);
  for (const plugin of plugins) {
    try {
      checkSpis(plugin, declaredSpisById);
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      process.stdout.write(`${error.message}: remove it, too, or no server starts\n`);
    }
  }
}

/** Imports the plugin; undefined if that fails, which may be the reason why it is removed. */
async function importPlugin(installed: Package, providersDir: string): Promise<Plugin | undefined> {
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  guard.setPlugin(installed.name);
  try {
    const plugin = await importInProcess(installed, providersDir);
    checkPlugin(plugin, installed.name);
    return withCheckedSpis(plugin, installed.name);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    process.stdout.write(`Cannot find what still uses ${installed.name}: ${error.message}\n`);
    return undefined;
  } finally {
    await guard.close();
  }
}

/** Removes a package that is a workspace of the checkout from its package.json and tsconfig.json. */
async function removeFromCheckout(dir: string, providersDir: string): Promise<void> {
  const checkout = await checkoutOf(await realpath(providersDir));
  if (checkout === undefined) return;
  const path = `providers/${basename(dir)}`;
  for (const [name, list] of [
    ['package.json', 'workspaces'],
    ['tsconfig.json', 'references'],
  ] as const) {
    const file = join(checkout, name);
    const text = await readFile(file, 'utf8');
    const elements = (parse(text) as Record<string, (string | { path: string })[] | undefined>)[list] ?? [];
    const index = elements.findIndex((element) => (typeof element === 'string' ? element : element.path) === path);
    if (index >= 0) await writeFile(file, removeElement(text, [list], index));
  }
}
