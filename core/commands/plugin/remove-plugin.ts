import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { BootError } from '../../config/boot-error.js';
import { readPluginsFile } from '../../config/plugins-file.js';
import { findPackages, type Package } from '../../registry/loading/find-packages.js';
import { importHere } from '../../registry/loading/import-package.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { checkPlugin } from '../../registry/loading/plugin-shape.js';
import { type Command, EXIT_CODES } from '../command.js';
import { type CommandLine, misused } from '../command-line.js';
import { shown } from '../shown.js';
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
  const found = (await findPackages(host.providersDir)).good.get(name);
  if (index < 0 && (found === undefined || !line.has('delete'))) {
    const names = plugins.map(({ module }) => module).join(', ') || 'no plugins';
    return misused(`${name} is not in plugins.json`, `plugins.json names ${names}`);
  }
  if (index >= 0) {
    const text = await readFile(host.pluginsFile, 'utf8');
    await writeFile(host.pluginsFile, removeElement(text, ['plugins'], index));
    process.stdout.write(`Removed ${name} from ${shown(host.pluginsFile)}\n`);
  }
  const provided = found === undefined ? [] : await providersOf(found, host.providersDir);
  if (found !== undefined && line.has('delete')) {
    await rm(found.dir, { recursive: true });
    await delist(found.dir, host.providersDir);
    process.stdout.write(`Deleted ${shown(found.dir)}\n`);
  } else if (found !== undefined) process.stdout.write(`Kept ${shown(found.dir)}\n`);
  const left = (await realmMentions(host.realmsDir, { configured: true })).filter(({ spi, id }) =>
    provided.includes(`${spi}/${id}`),
  );
  if (left.length > 0) process.stdout.write('Realm files still name its providers:\n');
  for (const { place, spi, id } of left) process.stdout.write(`  ${place} ${spi}/${id}\n`);
}

/** What it provides, as far as it can still be imported: a plugin is also removed because it cannot. */
async function providersOf(found: Package, providersDir: string): Promise<string[]> {
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  guard.enter(found.name);
  try {
    const plugin = await importHere(found, providersDir);
    checkPlugin(plugin, found.name);
    return plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    process.stdout.write(`Cannot find realm files that name its providers: ${error.message}\n`);
    return [];
  } finally {
    await guard.close();
  }
}

/** A package that was developed here is no workspace of the checkout any more. */
async function delist(dir: string, providersDir: string): Promise<void> {
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
