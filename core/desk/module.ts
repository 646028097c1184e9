import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { BesideRealms } from '../http/module.js';
import { besideOnDemand } from '../http/mount.js';
import { PublicAddress } from '../realms/public-address.js';
import type { BuiltProgram } from './built-program.js';
import { isOfDesk } from './desk-paths.js';

/** Reads what the build left; undefined where it left nothing. */
export const ReadDesk = token<() => Promise<BuiltProgram | undefined>>('ReadDesk');

/** Served by the first request for it: most hosts are asked for tokens alone. */
export const desk = module('desk', [
  service(ReadDesk, () => async () => {
    const { readProgram } = await import('./built-program.js');
    return readProgram(join(HOST_DIR, 'dist', 'desk'));
  }),
  adds(BesideRealms, (use) => [
    besideOnDemand(isOfDesk, async () => {
      const { deskEndpoint } = await import('./desk-endpoint.js');
      return deskEndpoint({ address: use(PublicAddress), built: await use(ReadDesk)() });
    }),
  ]),
]);
