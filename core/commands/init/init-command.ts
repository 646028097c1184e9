import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { DEMO_REALM, NO_PLUGINS } from '../../host/scaffold-dev-folder.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { type Manifest, readManifest } from '../plugin/installation.js';

export const init: Command = {
  summary: 'Creates a folder to start with: package.json, plugins.json and a demo realm',
  usage: '[DIR]',
  details: `Writes package.json, plugins.json, realms/demo.json with the user alice (password alice), .gitignore
and README.md into DIR; default: the current folder. Overwrites nothing: if one of these files exists,
none is written. An existing package.json that depends on keyhost is kept.`,
  examples: ['init', 'init my-identity', 'init ../services/identity'],
  notes: EXIT_CODES,
  run: writeFolder,
};

/** @throws BootError `options_invalid` if a file would be overwritten */
async function writeFolder(line: CommandLine): Promise<void> {
  line.requireAtMostWords(1);
  const [folderArgument = '.'] = line.words;
  const folder = resolve(folderArgument);
  const hasPackage = await dependsOnKeyhost(folder);
  const files = await initialFiles(folder, hasPackage);
  const existingFiles = Object.keys(files).filter((path) => existsSync(join(folder, path)));
  if (existingFiles.length > 0) {
    throw new BootError('options_invalid', `${existingFiles.join(', ')} already in ${folder}; nothing was written`, {
      hint: 'choose another folder',
    });
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  const path = relative(process.cwd(), folder);
  process.stdout.write(nextSteps(path.startsWith('..') ? folder : path, hasPackage));
}

/** True if the folder has a package.json with the dependency Keyhost, as after `npm install keyhost`. */
async function dependsOnKeyhost(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, 'package.json'))) return false;
  const { dependencies, devDependencies }: Partial<Manifest> = await readManifest(folder);
  return { ...devDependencies, ...dependencies }.keyhost !== undefined;
}

async function initialFiles(folder: string, isInstalled: boolean): Promise<Readonly<Record<string, string>>> {
  const { version, engines } = await readManifest(HOST_DIR);
  const manifest = {
    name: packageName(folder),
    private: true,
    type: 'module',
    engines,
    scripts: { start: 'keyhost start-dev', check: 'keyhost realm check realms' },
    dependencies: { keyhost: `^${version}` },
  };
  return {
    ...(isInstalled ? {} : { 'package.json': json(manifest) }),
    'plugins.json': json(NO_PLUGINS),
    'realms/demo.json': json(DEMO_REALM),
    '.gitignore': 'node_modules/\n.data/\n.generations/\n',
    'README.md': README,
  };
}

const README = `# My identity server

\`\`\`sh
npm install
npx keyhost start-dev             # http://127.0.0.1:8080, with the realm demo and its user alice (password alice)
npx keyhost realm check realms    # prints mistakes in the realm files, with file and line
npx keyhost plugin new realm-resource hello    # creates a plugin in providers/
npx keyhost start --help          # options for production
\`\`\`

\`realms/\` contains the realm files in Keycloak's format. \`plugins.json\` lists the plugins. \`.data\` contains the store: back it up, and
do not commit it. \`realms/demo.json\` has a user with a known password: delete it before production.
`;

function nextSteps(folder: string, isInstalled: boolean): string {
  const install = [...(folder === '' ? [] : [`cd ${folder}`]), ...(isInstalled ? [] : ['npm install'])].join(' && ');
  const steps = [install, 'npx keyhost start-dev', 'npx keyhost realm check realms'].filter((step) => step !== '');
  return `Created a folder with a demo realm${folder && ` in ${folder}`}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

/** The folder's name without characters that npm does not allow. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  // npm rejects a package that depends on a package with the same name.
  return name === '' || name === 'keyhost' ? 'identity' : name;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
