import { join } from 'node:path';
import { atMost } from '../figure.js';
import { production, writeFolder } from '../keyhost.js';
import type { Measurement } from '../measurement.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { adminHeaders } from './admin-token.js';
import { roomFor, writeLargeRealm } from './large-realm.js';

const USERS = 100_000;
const QUICK_USERS = 2_000;
const PAGE = 100;
const REALM = 'large';
/** The estimated start-up time per new user, in seconds. */
const FIRST_START = 0.0005;

/** One admin who turns the pages, without any other load. */
export const pageMeasurement: Measurement = {
  name: 'Admin API: a page of 100 of 100,000 users',
  lasts: ({ runs, quick, seconds, warmup }) =>
    (quick ? QUICK_USERS : USERS) * FIRST_START + 2 * runs * (seconds + warmup + 0.5),
  async measure({ dir, processes, runs, quick, seconds, warmup, say }) {
    const count = quick ? QUICK_USERS : USERS;
    const folder = join(dir, 'many-users');
    await writeFolder(folder, []);
    await writeLargeRealm(join(folder, 'realms'), roomFor(REALM), count);
    say('the start with new users');
    const server = await processes.start(await production(folder));
    const pages: [string, number][] = [
      ['the first page', 0],
      ['the last page', count - PAGE],
    ];
    const figures = [];
    for (const [name, first] of pages) {
      const [msOf, cpuOf]: [number[], number[]] = [[], []];
      for (let run = 1; run <= runs; run += 1) {
        say(`${name}, run ${run} of ${runs}`);
        const url = `${server.url}/admin/realms/${REALM}/users?first=${first}&max=${PAGE}`;
        const headers = await adminHeaders(server);
        const load = { connections: 1, seconds, warmup, pids: [server.pid] };
        const { p50, cpuPerRequest } = await runLoad({ url, headers, ...load });
        msOf.push(p50);
        cpuOf.push((cpuPerRequest ?? Number.NaN) / 1000);
      }
      const title = `Admin API: ${name} of ${PAGE} of ${count.toLocaleString('en')} users`;
      const goals = [atMost(5)];
      figures.push({ name: `${title}, time`, unit: 'ms' as const, ours: median(msOf), goals });
      figures.push({ name: `${title}, CPU`, unit: 'ms' as const, ours: median(cpuOf), goals });
    }
    await processes.stop(server);
    return figures;
  },
};
