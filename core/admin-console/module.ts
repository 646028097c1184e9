import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { RootMiddleware } from '../http/module.js';
import { lazyMiddleware } from '../http/mount.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import { isAdminConsolePath } from './admin-console-paths.js';
import { consoleFolders } from './keycloak-console/console-folders.js';
import { isKeycloakConsolePath } from './keycloak-console/console-paths.js';
import type { WebBundle } from './web-bundle.js';

/** Reads the built files of Keyhost's admin console; undefined if it was not built. */
export const ReadConsole = token<() => Promise<WebBundle | undefined>>('ReadConsole');

/** The folders that may contain the files of Keycloak's admin console, in order of priority. */
export const KeycloakConsoleFolders = token<readonly string[]>('KeycloakConsoleFolders');

/** Loaded with the first request for it: most hosts only serve tokens. */
export const adminConsole = module('admin-console', [
  service(ReadConsole, () => async () => {
    const { readWebBundle: readProgram } = await import('./web-bundle.js');
    return readProgram(join(HOST_DIR, 'dist', 'admin-console'));
  }),
  service(KeycloakConsoleFolders, (use) => consoleFolders(use(Options))),
  adds(RootMiddleware, (use) => [
    lazyMiddleware(isKeycloakConsolePath, async () => {
      const { consoleEndpoint } = await import('./keycloak-console/console-endpoint.js');
      const realms = use(Realms);
      const address = use(PublicAddress);
      const folders = use(KeycloakConsoleFolders);
      return consoleEndpoint({ realms, address, folders, logger: use(Log) });
    }),
    lazyMiddleware(isAdminConsolePath, async () => {
      const { adminConsoleEndpoint } = await import('./admin-console-endpoint.js');
      return adminConsoleEndpoint({ address: use(PublicAddress), built: await use(ReadConsole)() });
    }),
  ]),
]);
