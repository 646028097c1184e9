import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { type Command, EXIT_CODES } from '../command.js';
import { type CommandLine, usageError } from '../command-line.js';
import { wrapText } from '../help.js';
import { generalTemplate } from './general-template.js';
import { checkoutOf, readManifest, SPI_DIR } from './installation.js';
import { insertElement } from './json-edit.js';
import { type NewPlugin, standaloneFiles, workspaceFiles } from './new-package.js';
import { runNpm } from './npm.js';
import { placesOf } from './plugin-places.js';
import { type PluginTemplate, pluginTemplate, sortedSpis, templateName } from './spi-templates.js';

export const newPlugin: Command = {
  summary: 'Creates a plugin that builds and passes its tests',
  usage: 'SPI NAME [--dir DIR]',
  details: `NAME  name of the package, such as hello or @acme/hello
SPI   SPI of its provider, by its name or its ID:
${spiLines().join('\n')}
      or spi for a plugin that declares an SPI for other plugins

In providers/ of a checkout, the plugin is a workspace: npm test -w NAME. Elsewhere it is a package of
its own, with Keyhost and its SPI as tarballs in vendor/: npm install && npm test.`,
  examples: [
    'plugin new realm-resource hello',
    'plugin new event-listener @acme/audit',
    'plugin new authenticator office-hours --dir ../plugins',
  ],
  options: [{ flag: 'dir', value: 'DIR', help: 'parent folder of the package; default: the plugin folder' }],
  serverOptions: ['providers-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: createPlugin,
};

/** The names of the SPIs, with their IDs if these differ. */
function spiLines(): string[] {
  const names = sortedSpis().map((spi) => (templateName(spi) === spi.id ? spi.id : `${templateName(spi)} (${spi.id})`));
  return wrapText(names.join(', '), 94).map((line) => `      ${line}`);
}

const NAME = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]{0,99}$/;

/** @throws BootError `options_invalid`, `plugin_install_failed` */
async function createPlugin(line: CommandLine): Promise<void> {
  line.requireAtMostWords(2);
  const [spiWord, name] = line.words;
  if (spiWord === undefined || name === undefined) {
    return line.usageError(`${spiWord === undefined ? 'SPI' : 'NAME'} is required`);
  }
  const places = placesOf(line);
  if (!NAME.test(name)) return usageError(`invalid package name "${name}"`, 'use a name such as hello or @acme/hello');
  const plugin: NewPlugin = { template: pluginTemplate(spiWord), name, id: name.slice(name.indexOf('/') + 1) };
  const parent = resolve(line.value('dir') ?? places.providersDir);
  const createdFolder = await mkdir(parent, { recursive: true });
  const folder = join(await realpath(parent), folderOf(name));
  if (existsSync(folder)) {
    throw new BootError('options_invalid', `${folder} already exists`, {
      hint: 'choose another name, or move the folder away',
    });
  }
  const checkout = await checkoutOf(dirname(folder));
  const files = checkout === undefined ? await standaloneFiles(plugin) : await workspaceFiles(plugin);
  try {
    await writeFiles(folder, { ...(await templateFiles(plugin)), ...files });
    if (checkout === undefined) await packKeyhost(folder);
    else await addToCheckout(checkout, `providers/${folderOf(name)}`);
  } catch (error) {
    // The command could not be repeated if the folder existed.
    await rm(createdFolder ?? folder, { recursive: true, force: true });
    throw error;
  }
  process.stdout.write(nextSteps(plugin, relative(process.cwd(), folder) || '.', checkout !== undefined));
}

/** The name of a package's folder in the providers folder. */
export function folderOf(name: string): string {
  return name.replace('@', '').replace('/', '-');
}

async function templateFiles(plugin: NewPlugin): Promise<Record<string, string>> {
  const { name, id } = plugin;
  const fillIn = (text: string) =>
    text
      .replaceAll('__name__', name)
      .replaceAll('__id__', id)
      .replaceAll('__word__', id.replace(/[^a-z0-9]+/g, '_').replace(/^(?=\d)/, '_'));
  const files: Record<string, string> = {};
  for (const [path, text] of await readTemplate(plugin.template)) files[fillIn(path)] = fillIn(text);
  files['README.md'] = `# ${name}\n\n${files['README.md'] ?? ''}`;
  return files;
}

async function readTemplate({ folder, spi }: PluginTemplate): Promise<Iterable<readonly [path: string, text: string]>> {
  if (folder === undefined) return spi === undefined ? [] : Object.entries(generalTemplate(spi));
  const files: [string, string][] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = relative(folder, join(entry.parentPath, entry.name));
    files.push([path, await readFile(join(folder, path), 'utf8')]);
  }
  return files;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const BUILD_HINT = `Keyhost is packed from its sources in ${HOST_DIR}: run npm run build there, and try again`;

/**
 * Packs this Keyhost and its SPI into the new package, whose tests need this version. A checkout is built for that; an
 * installed package is packed as it is.
 */
async function packKeyhost(folder: string): Promise<void> {
  const destination = join(folder, 'vendor');
  await mkdir(destination);
  const isCheckout = existsSync(join(HOST_DIR, 'tsconfig.json'));
  const packOptions = ['--pack-destination', destination, ...(isCheckout ? [] : ['--ignore-scripts'])];
  for (const dir of [SPI_DIR, HOST_DIR]) {
    const { name, version } = await readManifest(dir);
    const doing = isCheckout ? `Building and packing ${name} ${version}` : `Packing ${name} ${version}`;
    process.stderr.write(`${doing}: its tests run with it …\n`);
    await runNpm(['pack', dir, ...packOptions], folder, isCheckout ? BUILD_HINT : undefined);
  }
}

/** Adds the plugin to the workspaces and the TypeScript references of the checkout. */
async function addToCheckout(checkout: string, path: string): Promise<void> {
  const insert = async (name: string, list: string, element: unknown) => {
    const file = join(checkout, name);
    await writeFile(file, insertElement(await readFile(file, 'utf8'), [list], element));
  };
  await insert('package.json', 'workspaces', path);
  await insert('tsconfig.json', 'references', { path });
}

function nextSteps({ template, name }: NewPlugin, folder: string, isWorkspace: boolean): string {
  const steps = isWorkspace
    ? [
        ['npm install', 'links it'],
        [`npm test -w ${name}`, 'builds and tests it'],
        [`npx keyhost plugin add ${name}`, 'adds it to plugins.json'],
      ]
    : [
        [`cd ${folder} && npm install`, ''],
        ['npm test', 'builds and tests it'],
        ['npm pack', 'creates the tarball for keyhost plugin add'],
      ];
  const lines = steps.map(([command = '', purpose = '']) => `  ${command.padEnd(36)}  ${purpose}`.trimEnd());
  return `Created ${/^[aeiou]/.test(template.name) ? 'an' : 'a'} ${template.name} plugin in ${folder}. Next:\n\n${lines.join('\n')}\n`;
}
