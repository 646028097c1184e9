import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { BENCH_REALMS, realm } from '../bench-realm.js';
import { ROOT, runsBundle, writeFolder } from '../keyhost.js';
import { Processes } from '../processes.js';
import { loginRows } from '../rows/login-rows.js';
import { tokenRows } from '../rows/token-rows.js';
import { CountedHost } from './counted-host.js';
import { type UnitCosts, unitCosts } from './unit-costs.js';

const UNITS = 200;

/**
 * The most that a unit of work may cost. The figures are those of a count plus a tenth, in kilobytes on Node 20; later
 * versions allocate more. Raise a bound only if the work is worth it, and give the reason in the commit.
 */
const BOUNDS: Readonly<Record<string, Omit<UnitCosts, 'seconds'>>> = {
  'client_credentials ES256': { kilobytes: 71, queries: 0, storeMessages: 0 },
  'client_credentials ES256, events on': { kilobytes: 79, queries: 0, storeMessages: 0 },
  introspection: { kilobytes: 48, queries: 0, storeMessages: 0 },
  'refresh ES256': { kilobytes: 121, queries: 1.1, storeMessages: 1 },
  'code flow: in a kept session': { kilobytes: 285, queries: 3.1, storeMessages: 2.3 },
};
const LATER_NODES = 1.3;
/**
 * Work at intervals, per second. A request does not cause it: events are stored each 50 ms, uses of sessions each
 * second and counts each five. Files are checked for changes.
 */
const PER_SECOND: Omit<UnitCosts, 'seconds'> = { kilobytes: 60, queries: 1, storeMessages: 25 };
const COSTS = ['kilobytes', 'queries', 'storeMessages'] as const;
/** Files of the bundle that a start without plugins loads until it is ready, and their size. */
const START_BOUNDS = { files: 175, codeBytes: 2_550_000 };
const IS_NODE_20 = process.versions.node.startsWith('20.');

test('counted costs: requests and the start stay within their bounds', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-counts-'));
  const processes = new Processes(process.execPath, join(dir, 'code-cache'));
  t.teardown(async () => {
    processes.killAll();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  await writeFolder(
    dir,
    BENCH_REALMS.map((args) => {
      const { providers: _, ...withoutPlugins } = realm(...args);
      return withoutPlugins;
    }),
  );
  // The first start loads more, since it creates the store.
  await processes.stop((await CountedHost.start(processes, dir, ROOT)).server);
  const host = await CountedHost.start(processes, dir, ROOT);
  const { files, codeBytes } = await host.counts();
  if (await runsBundle()) {
    t.true(files <= START_BOUNDS.files, `${files} files, at most ${START_BOUNDS.files}`);
    t.true(codeBytes <= START_BOUNDS.codeBytes, `${codeBytes} bytes of code, at most ${START_BOUNDS.codeBytes}`);
  }
  const rows = [...tokenRows(), ...loginRows()];
  for (const [name, bounds] of Object.entries(BOUNDS)) {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`no row is called ${name}`);
    const costs = await unitCosts(host, row.ours, UNITS);
    for (const cost of COSTS) {
      const laterNode = cost === 'kilobytes' && !IS_NODE_20 ? LATER_NODES : 1;
      const atMost = bounds[cost] * laterNode + (PER_SECOND[cost] * costs.seconds) / UNITS;
      t.true(costs[cost] <= atMost, `${name}: ${costs[cost].toFixed(2)} ${cost}, at most ${atMost.toFixed(2)}`);
    }
  }
  t.deepEqual((await host.counts()).lazyFiles, [], 'tokens and logins load no package that is loaded on first use');
});
