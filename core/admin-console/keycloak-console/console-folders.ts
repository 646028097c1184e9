import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import type { HostOptions } from '../../config/options/options.js';

const PACKAGE = '@keyhost/keycloak-console';

/**
 * The folders that may contain the program of Keycloak's console; the first one with it is used. No other node_modules
 * folders above them are searched, as Node would, since the program gets the host's origin.
 */
export function consoleFolders({
  providersDir,
  pluginsFile,
}: Pick<HostOptions, 'providersDir' | 'pluginsFile'>): readonly string[] {
  const modules = dirname(HOST_DIR);
  return [
    join(providersDir, 'keycloak-console', 'dist'),
    join(dirname(pluginsFile), 'node_modules', PACKAGE),
    // Next to an installed host, such as a global one.
    ...(basename(modules) === 'node_modules' ? [join(modules, PACKAGE)] : []),
  ];
}

/** The command that installs the program on this host: a clone builds it, any other host installs the package. */
export const INSTALL_COMMAND = existsSync(join(HOST_DIR, 'providers', 'keycloak-console', 'app'))
  ? 'npm run console'
  : `npm install ${PACKAGE}`;
