import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { Log, Options } from '../di/given.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { BesideRealms } from '../http/module.js';
import { besideOnDemand } from '../http/mount.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import type { BuiltProgram } from './built-program.js';
import { isOfDesk } from './desk-paths.js';
import { isOfConsole } from './keycloak-console/console-paths.js';

/** Reads what the build left; undefined where it left nothing. */
export const ReadDesk = token<() => Promise<BuiltProgram | undefined>>('ReadDesk');

/** The folder that `npm run console` writes. */
export const KeycloakConsoleFolder = token<string>('KeycloakConsoleFolder');

/** Served by the first request for it: most hosts are asked for tokens alone. */
export const desk = module('desk', [
  service(ReadDesk, () => async () => {
    const { readProgram } = await import('./built-program.js');
    return readProgram(join(HOST_DIR, 'dist', 'desk'));
  }),
  service(KeycloakConsoleFolder, (use) => join(use(Options).providersDir, 'keycloak-console', 'dist')),
  adds(BesideRealms, (use) => [
    besideOnDemand(isOfConsole, async () => {
      const { consoleEndpoint } = await import('./keycloak-console/console-endpoint.js');
      const [realms, address, folder] = [use(Realms), use(PublicAddress), use(KeycloakConsoleFolder)];
      return consoleEndpoint({ realms, address, folder, logger: use(Log) });
    }),
    besideOnDemand(isOfDesk, async () => {
      const { deskEndpoint } = await import('./desk-endpoint.js');
      return deskEndpoint({ address: use(PublicAddress), built: await use(ReadDesk)() });
    }),
  ]),
]);
