import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { RootMiddleware } from '../http/module.js';
import { lazyMiddleware } from '../http/mount.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import type { BuiltProgram } from './built-program.js';
import { isAdminConsolePath } from './desk-paths.js';
import { consoleFolders } from './keycloak-console/console-folders.js';
import { isOfConsole } from './keycloak-console/console-paths.js';

/** Reads the built program; undefined if it is not built. */
export const ReadDesk = token<() => Promise<BuiltProgram | undefined>>('ReadDesk');

/** The folders that may contain the program of Keycloak's console, in order of priority. */
export const KeycloakConsoleFolders = token<readonly string[]>('KeycloakConsoleFolders');

/** Loaded with the first request for it: most hosts only serve tokens. */
export const desk = module('desk', [
  service(ReadDesk, () => async () => {
    const { readProgram } = await import('./built-program.js');
    return readProgram(join(HOST_DIR, 'dist', 'desk'));
  }),
  service(KeycloakConsoleFolders, (use) => consoleFolders(use(Options))),
  adds(RootMiddleware, (use) => [
    lazyMiddleware(isOfConsole, async () => {
      const { consoleEndpoint } = await import('./keycloak-console/console-endpoint.js');
      const realms = use(Realms);
      const address = use(PublicAddress);
      const folders = use(KeycloakConsoleFolders);
      return consoleEndpoint({ realms, address, folders, logger: use(Log) });
    }),
    lazyMiddleware(isAdminConsolePath, async () => {
      const { adminConsoleEndpoint: deskEndpoint } = await import('./desk-endpoint.js');
      return deskEndpoint({ address: use(PublicAddress), built: await use(ReadDesk)() });
    }),
  ]),
]);
