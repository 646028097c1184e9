import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { buildProgram } from './browser-program.js';

const HELP = `npm run console

Installs and builds Keycloak's admin console, in the version that its package names: some 320 MB of packages, which are needed for
the build alone, make some 15 MB of files. A host serves it at /admin/{realm}/console/ from then on, without a start of its own.
`;
const FOLDER = join(HOST_DIR, 'providers', 'keycloak-console');
const APP = join(FOLDER, 'app');
const CONSOLE = { name: 'Keycloak’s console', app: APP, dir: join(FOLDER, 'dist'), quality: 9 };
/** What npm writes when it has installed everything. */
const INSTALLED = join(APP, 'node_modules', '.package-lock.json');

if (process.argv.includes('--help')) process.stdout.write(HELP);
else {
  if (isStale()) install();
  console.log('building Keycloak’s console …');
  await buildProgram(CONSOLE);
  console.log('done: start Keyhost and open /admin/master/console/');
}

function isStale(): boolean {
  if (!existsSync(INSTALLED)) return true;
  return statSync(join(APP, 'package-lock.json')).mtimeMs > statSync(INSTALLED).mtimeMs;
}

/** Its packages lie in a folder of their own, so that who needs no console does not install them. @throws Error when npm fails */
function install(): void {
  console.log('installing the packages of Keycloak’s console (about 320 MB) …');
  const command = { stdio: 'inherit', cwd: APP, shell: process.platform === 'win32' } as const;
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], command);
  if (status !== 0) throw new Error(`cannot install the packages of Keycloak’s console in ${APP}`, { cause: error });
}
