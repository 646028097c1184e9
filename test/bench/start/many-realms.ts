import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost } from '../figure.js';
import { production, writeFolder } from '../keyhost.js';
import type { Measurement } from '../measurement.js';
import { median } from '../median.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import { START_SECONDS, type Start, startOnce } from './starts.js';

export const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };

const REALMS = 10_000;
const QUICK_REALMS = 200;
/** The estimated time of the first start per realm, in seconds. */
const FIRST_START = 0.004;

/** The file of one of many realms. */
export function smallRealm(index: number, accessTokenLifespan: number): { readonly realm: string } {
  const clients = [{ clientId: 'machine', secret: MACHINE.client_secret, serviceAccountsEnabled: true }];
  return Object.assign({ realm: `r${index}` }, { enabled: true, accessTokenLifespan, clients });
}

export async function writeManyRealms(dir: string, count: number): Promise<void> {
  await writeFolder(dir, []);
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(dir, 'realms', `r${index}.json`), JSON.stringify(smallRealm(index, 100)));
  }
}

/** A start with nothing changed. */
export const manyRealmsMeasurement: Measurement = {
  name: 'second start with 10,000 realms',
  lasts: ({ runs, quick }) => (quick ? QUICK_REALMS : REALMS) * FIRST_START + (runs + 1) * START_SECONDS,
  async measure({ dir, processes, runs, quick, say }) {
    const count = quick ? QUICK_REALMS : REALMS;
    const folder = join(dir, 'many-realms');
    await writeManyRealms(folder, count);
    const name = `second start with ${count.toLocaleString('en')} realms`;
    const argv = await production(folder);
    const starting = {
      name,
      argv,
      token: (server: Parameters<typeof oidcOf>[0]) => post(`${oidcOf(server, 'r7')}/token`, MACHINE),
    };
    say('first start');
    await startOnce(processes, starting);
    const starts: Start[] = [];
    for (let run = 1; run <= runs; run += 1) {
      say(`run ${run} of ${runs}`);
      starts.push(await startOnce(processes, starting));
    }
    const of = (value: (start: Start) => number) => median(starts.map(value));
    return [
      { name: `${name}: until ready`, unit: 'ms', ours: of(({ readyMs }) => readyMs), goals: [atMost(1000)] },
      { name: `${name}: CPU until ready`, unit: 'ms', ours: of(({ readyCpu }) => readyCpu), goals: [] },
      { name: `${name}: memory at rest`, unit: 'MB', ours: of(({ memory }) => memory), goals: [atMost(150)] },
    ];
  },
};
