import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { type PluginsFile, readPluginsFile } from '../../config/plugins-file.js';
import { findPackages, type Package } from '../../registry/loading/find-packages.js';
import { spiOf } from '../../registry/loading/kinds.js';
import type { LoadedPlugin } from '../../registry/loading/load-plugins.js';
import { packageIntegrity } from '../../registry/loading/package-integrity.js';
import { type CommandWords, type Environment, misused, readWords } from './command-words.js';
import { enablingLines } from './enabling.js';
import { fetchPackage } from './fetch-package.js';
import { SPI_DIR } from './installation.js';
import { insertElement, setMember } from './json-edit.js';
import { folderOf } from './new-plugin.js';
import { checkBesideOthers } from './other-plugins.js';
import { realmMentions } from './realm-mentions.js';
import { shown, verifyPackage } from './verify-plugin.js';

export const ADD_HELP = `keyhost plugin add PATH|TARBALL|NAME [--force] [--scripts]

  Puts a plugin into the providers folder and into plugins.json, and prints the line of a realm file that switches it on.

  PATH       the folder of a built package: what npm would publish of it is copied
  TARBALL    what npm pack made of one
  NAME       a package that lies in the providers folder already; else one of the npm registry, such as hello@1
  --force    takes the place of a package that is there already; its integrity in plugins.json is written anew
  --scripts  lets npm run install scripts of the package and its dependencies; without it none is run

  npm installs its dependencies into the package's own node_modules. Nothing is changed unless this host can load it, as
  keyhost plugin verify tells, beside the others that plugins.json names.
  Exit code: 0 it is added, 1 nothing was changed.
`;

/** `keyhost plugin add`. @throws BootError as a start does; nothing is changed then */
export async function addCommand(argv: readonly string[], env: Environment): Promise<void> {
  const { words, flags, host } = readWords(argv, ['force', 'scripts'], env);
  const [source, another] = words;
  if (source === undefined || another !== undefined) {
    return misused('add takes a folder, a tarball or a name', 'keyhost plugin add ../hello-0.1.0.tgz');
  }
  const pluginsFile = await readPluginsFile(host.pluginsFile);
  const here = await inProviders(source, host.providersDir);
  if (here !== undefined) {
    const loaded = await verifyPackage(here.dir, host, pluginsFile, () => {});
    await checkBesideOthers(loaded, pluginsFile, host.providersDir);
    await list(loaded, pluginsFile, host.pluginsFile);
    return await tell(loaded, here.dir, host);
  }
  const fetched = await fetchPackage(source, host.providersDir, flags.has('scripts'));
  try {
    const loaded = await verifyPackage(fetched.dir, host, pluginsFile, () => {});
    await checkBesideOthers(loaded, pluginsFile, host.providersDir);
    const { dir, old } = await placeOf(fetched, host.providersDir, flags.has('force'));
    // Kept until the new one is in its place.
    if (existsSync(dir)) await rename(dir, `${fetched.dir}-before`);
    await mkdir(dirname(dir), { recursive: true });
    await rename(fetched.dir, dir);
    await linkSpi(dir);
    await list({ ...loaded, directory: dir }, pluginsFile, host.pluginsFile);
    await tell(loaded, dir, host, old);
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
    throw new BootError('options_invalid', `${shown(dir)} is there already`, {
      hint: `--force puts the new package in its place${old === undefined ? '' : `; it is ${old.name} ${old.version}`}`,
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

/** Names it in plugins.json, and renews the integrity that is there. */
async function list({ module, directory }: LoadedPlugin, { plugins }: PluginsFile, path: string): Promise<void> {
  const index = plugins.findIndex((entry) => entry.module === module);
  const text = await readFile(path, 'utf8');
  if (index < 0) return writeFile(path, insertElement(text, ['plugins'], { module }));
  if (plugins[index]?.integrity === undefined) return;
  const integrity = await packageIntegrity({ name: module, dir: directory });
  await writeFile(path, setMember(text, ['plugins'], index, 'integrity', integrity));
}

async function tell(
  { module, version, plugin }: LoadedPlugin,
  dir: string,
  host: CommandWords['host'],
  old?: Package,
): Promise<void> {
  const change = old === undefined ? version : `${old.version} → ${version}`;
  const lines = [`${module} ${change} is in ${shown(dir)} and in ${shown(resolve(host.pluginsFile))}.`];
  const needs = plugin.providers.flatMap(({ spi, id, config }) =>
    (config?.required ?? []).map((name) => `"config": { "${spi.id}/${id}": { "${name}": … } }`),
  );
  if (needs.length > 0) lines.push('Its entry in plugins.json needs:', ...needs.map((line) => `  ${line}`));
  const enabled = (await realmMentions(host.realmsDir)).filter((one) => one.enabled);
  const off = plugin.providers.filter(({ spi, id }) => !enabled.some((one) => one.spi === spi.id && one.id === id));
  for (const { spi, id } of plugin.providers) {
    const realms = new Set(enabled.filter((one) => one.spi === spi.id && one.id === id).map(({ realm }) => realm));
    if (realms.size > 0) lines.push(`${spi.id}/${id} is switched on in ${[...realms].join(', ')}.`);
  }
  if (off.length > 0)
    lines.push('In a realm file this switches it on:', ...enablingLines(off).map((one) => `  ${one}`));
  for (const definition of off) {
    const kind = spiOf(definition);
    if (kind.realm !== undefined && kind.realm.list === undefined) continue;
    const isAlone = plugin.providers.filter(({ id }) => id === definition.id).length === 1;
    const name = isAlone ? definition.id : `${kind.id}/${definition.id}`;
    lines.push(`keyhost plugin enable ${name} --realm NAME writes it there.`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
