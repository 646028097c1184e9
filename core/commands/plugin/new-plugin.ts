import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { type Environment, misused, readWords } from './command-words.js';
import { generalTemplate } from './general-template.js';
import { checkoutOf, SPI_DIR } from './installation.js';
import { insertElement } from './json-edit.js';
import { type Beginning, beginningOf, kindName, newKinds } from './kinds.js';
import { type NewPlugin, ownRepositoryFiles, workspaceFiles } from './new-package.js';
import { npm } from './npm.js';

export const NEW_HELP = () => `keyhost plugin new KIND NAME [--dir DIR]

  Writes a plugin that builds, passes its tests, and does a little of what its kind can do.

  KIND   ${newKinds().map(kindName).join(', ')};
         or the SPI's id: ${newKinds()
           .map(({ id }) => id)
           .join(', ')};
         or spi: a plugin that declares an SPI of its own, for others to implement
  NAME   the package's name, such as hello or @acme/hello
  --dir  the folder that the package's own folder is made in (default: the providers folder)

  In providers/ of a checkout it is a workspace: npm test -w NAME. Elsewhere it stands alone, with this Keyhost and its SPI
  as tarballs in vendor/: npm install && npm test.
  Exit code: 0 it is written, 1 it is not.
`;

const NAME = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]{0,99}$/;

/** `keyhost plugin new`. @throws BootError `options_invalid`, `plugin_install_failed` */
export async function newPluginCommand(argv: readonly string[], env: Environment): Promise<void> {
  const { words, values, host } = readWords(argv, ['dir='], env);
  const [kindWord, name, another] = words;
  if (kindWord === undefined || name === undefined || another !== undefined) {
    return misused('new takes a kind and a name', 'keyhost plugin new realm-resource hello');
  }
  if (!NAME.test(name)) return misused(`"${name}" is no name for a package`, 'it is like hello or @acme/hello');
  const plugin: NewPlugin = { beginning: beginningOf(kindWord), name, id: name.slice(name.indexOf('/') + 1) };
  const parent = resolve(values.get('dir') ?? host.providersDir);
  await mkdir(parent, { recursive: true });
  const folder = join(await realpath(parent), folderOf(name));
  if (existsSync(folder)) {
    throw new BootError('options_invalid', `${folder} is there already`, {
      hint: 'choose another name, or move it away',
    });
  }
  const checkout = await checkoutOf(dirname(folder));
  const files = checkout === undefined ? await ownRepositoryFiles(plugin) : await workspaceFiles(plugin);
  await write(folder, { ...(await templateFiles(plugin)), ...files });
  if (checkout === undefined) await vendor(folder);
  else await enlist(checkout, `providers/${folderOf(name)}`);
  process.stdout.write(nextSteps(plugin, relative(process.cwd(), folder) || '.', checkout !== undefined));
}

/** Where a package of this name lies below the providers folder. */
export function folderOf(name: string): string {
  return name.replace('@', '').replace('/', '-');
}

async function templateFiles(plugin: NewPlugin): Promise<Record<string, string>> {
  const { name, id } = plugin;
  const filled = (text: string) =>
    text
      .replaceAll('__name__', name)
      .replaceAll('__id__', id)
      .replaceAll('__word__', id.replace(/[^a-z0-9]+/g, '_').replace(/^(?=\d)/, '_'));
  const files: Record<string, string> = {};
  for (const [path, text] of await unfilledFiles(plugin.beginning)) files[filled(path)] = filled(text);
  files['README.md'] = `# ${name}\n\n${files['README.md'] ?? ''}`;
  return files;
}

async function unfilledFiles({ folder, kind }: Beginning): Promise<Iterable<readonly [path: string, text: string]>> {
  if (folder === undefined) return kind === undefined ? [] : Object.entries(generalTemplate(kind));
  const files: [string, string][] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = relative(folder, join(entry.parentPath, entry.name));
    files.push([path, await readFile(join(folder, path), 'utf8')]);
  }
  return files;
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/**
 * The package's repository carries what its tests run with: it is this Keyhost, whatever the npm registry has. A checkout
 * builds what it packs; what is installed is packed as it is.
 */
async function vendor(folder: string): Promise<void> {
  const destination = join(folder, 'vendor');
  await mkdir(destination);
  const isCheckout = existsSync(join(HOST_DIR, 'tsconfig.json'));
  const how = ['--pack-destination', destination, ...(isCheckout ? [] : ['--ignore-scripts'])];
  for (const dir of [SPI_DIR, HOST_DIR]) await npm(['pack', dir, ...how], folder);
}

/** npm links it as a workspace of the checkout, and `tsc -b` builds it too. */
async function enlist(checkout: string, path: string): Promise<void> {
  const insert = async (name: string, list: string, element: unknown) => {
    const file = join(checkout, name);
    await writeFile(file, insertElement(await readFile(file, 'utf8'), [list], element));
  };
  await insert('package.json', 'workspaces', path);
  await insert('tsconfig.json', 'references', { path });
}

function nextSteps({ beginning, name }: NewPlugin, folder: string, isWorkspace: boolean): string {
  const steps = isWorkspace
    ? [
        ['npm install', 'links it, and records it in package-lock.json'],
        [`npm test -w ${name}`, 'builds and tests it'],
        [`npx keyhost plugin add ${name}`, 'names it in plugins.json'],
      ]
    : [
        [`cd ${folder} && npm install`, ''],
        ['npm test', 'builds and tests it'],
        ['npm pack', 'makes the tarball that an operator gives to keyhost plugin add'],
      ];
  const lines = steps.map(([command = '', what = '']) => `  ${command.padEnd(36)} ${what}`.trimEnd());
  return `${folder} holds a plugin of the kind ${beginning.word}. Next:\n\n${lines.join('\n')}\n`;
}
