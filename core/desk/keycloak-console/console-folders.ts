import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import type { HostOptions } from '../../config/options/options.js';

const PACKAGE = '@keyhost/keycloak-console';

/**
 * Where the program of Keycloak's console may be; the first that has it counts. These folders alone, and not every
 * node_modules above them as Node would: the program has the origin of the host.
 */
export function consoleFolders({
  providersDir,
  pluginsFile,
}: Pick<HostOptions, 'providersDir' | 'pluginsFile'>): readonly string[] {
  const modules = dirname(HOST_DIR);
  return [
    join(providersDir, 'keycloak-console', 'dist'),
    join(dirname(pluginsFile), 'node_modules', PACKAGE),
    // Beside an installed host, such as a global one.
    ...(basename(modules) === 'node_modules' ? [join(modules, PACKAGE)] : []),
  ];
}

/** The command that brings the program to this host: a clone builds it, any other host installs the package. */
export const INSTALL_COMMAND = existsSync(join(HOST_DIR, 'providers', 'keycloak-console', 'app'))
  ? 'npm run console'
  : `npm install ${PACKAGE}`;
