import { join } from 'node:path';
import { BENCH_REALMS, realm } from '../bench-realm.js';
import { CountedHost } from '../counts/counted-host.js';
import { unitCosts } from '../counts/unit-costs.js';
import type { Figure } from '../figure.js';
import { ROOT, writeFolder } from '../keyhost.js';
import type { Bench, Measurement } from '../measurement.js';
import { loginRows } from '../rows/login-rows.js';
import { tokenRows } from '../rows/token-rows.js';

const UNITS = 300;
const SECONDS = 40;
const ROWS = [
  'client_credentials ES256',
  'client_credentials ES256, events on',
  'refresh ES256',
  'introspection',
  'code flow: in a kept session',
];

/** A count that noise does not change: kilobytes that a unit of work allocates, or code that a start loads. */
interface Counted {
  readonly name: string;
  readonly value: number;
}

/** Compares both commits by counts. */
export function againstCounts(root: string, figure: (name: string, pair: [number, number]) => Figure): Measurement {
  return {
    name: 'counted: allocations and loaded code',
    lasts: () => SECONDS,
    async measure(bench) {
      const ours = await count(bench, 'ours', ROOT);
      const theirs = await count(bench, 'theirs', root);
      return ours.map(({ name, value }, index) => figure(name, [value, theirs[index]?.value ?? Number.NaN]));
    },
  };
}

async function count({ dir, processes, say }: Bench, side: string, root: string): Promise<Counted[]> {
  say(`counts of ${side}`);
  const folder = join(dir, `counted-${side}`);
  const realms = BENCH_REALMS.map((args) => {
    const { providers: _, ...withoutPlugins } = realm(...args);
    return withoutPlugins;
  });
  await writeFolder(folder, realms);
  // The first start loads more, since it creates the store.
  await processes.stop((await CountedHost.start(processes, folder, root)).server);
  const host = await CountedHost.start(processes, folder, root);
  const { codeBytes } = await host.counts();
  const counted: Counted[] = [{ name: 'code loaded until ready', value: codeBytes / 1024 }];
  const rows = [...tokenRows(), ...loginRows()];
  for (const name of ROWS) {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) continue;
    counted.push({ name: `${name}: allocated`, value: (await unitCosts(host, row.ours, UNITS)).kilobytes });
  }
  await processes.stop(host.server);
  return counted;
}
