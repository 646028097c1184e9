import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { buildProgram } from './browser-program.js';

const HELP = `npm run console

Installs and builds Keycloak's admin console, in the version that app/package.json names: some 320 MB of packages, which only the
build requires, become some 15 MB of files in dist. A running server has it at /admin/{realm}/console/ at once. The folder dist is
the npm package @keyhost/keycloak-console.
`;
const README = `# @keyhost/keycloak-console

Keycloak's admin console, for [Keyhost](https://github.com/keyhost/keyhost). Install it in the folder of your \`plugins.json\`:

\`\`\`sh
npm install @keyhost/keycloak-console
\`\`\`

A running server has it at once, at \`/admin/master/console/\`. Use the version of your Keyhost.
\`LICENCES.txt\` has the licences of the packages that it is built of.
`;
const FOLDER = join(HOST_DIR, 'providers', 'keycloak-console');
const APP = join(FOLDER, 'app');
/** The file that npm writes when all packages are installed. */
const INSTALLED = join(APP, 'node_modules', '.package-lock.json');

if (process.argv.includes('--help')) process.stdout.write(HELP);
else {
  if (isStale()) install();
  console.log('building Keycloak’s console …');
  const extraFiles = { 'package.json': await manifest(), 'README.md': README };
  await buildProgram({
    name: 'Keycloak’s console',
    app: APP,
    outputDir: join(FOLDER, 'dist'),
    quality: 9,
    extraFiles,
  });
  console.log('done: start Keyhost and open /admin/master/console/');
}

/**
 * Returns the manifest of the package. Its version is the host's, because the host's answers to the console's private
 * requests change together with the console.
 */
async function manifest(): Promise<string> {
  const { version, homepage, bugs, repository, license } = JSON.parse(
    await readFile(join(HOST_DIR, 'package.json'), 'utf8'),
  ) as Record<string, object | string>;
  const description = "Keycloak's admin console for Keyhost: its built files";
  const directory = 'providers/keycloak-console';
  const packageJson = {
    name: '@keyhost/keycloak-console',
    version,
    description,
    homepage,
    bugs,
    repository: { ...(repository as object), directory },
    license,
  };
  return `${JSON.stringify(packageJson, null, 2)}\n`;
}

function isStale(): boolean {
  if (!existsSync(INSTALLED)) return true;
  return statSync(join(APP, 'package-lock.json')).mtimeMs > statSync(INSTALLED).mtimeMs;
}

/**
 * Installs the console's packages in a folder of its own, so that a build without the console does not need them.
 * @throws Error if npm fails
 */
function install(): void {
  console.log('installing the packages of Keycloak’s console (about 320 MB) …');
  const command = { stdio: 'inherit', cwd: APP, shell: process.platform === 'win32' } as const;
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], command);
  if (status !== 0) throw new Error(`cannot install the packages of Keycloak’s console in ${APP}`, { cause: error });
}
