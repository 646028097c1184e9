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
  'client_credentials ES256': { kilobytes: 64, queries: 0, storeMessages: 0 },
  'client_credentials ES256, events on': { kilobytes: 69, queries: 0, storeMessages: 0 },
  introspection: { kilobytes: 41, queries: 0, storeMessages: 0 },
  'refresh ES256': { kilobytes: 118, queries: 1.1, storeMessages: 1 },
  'code flow: in a kept session': { kilobytes: 285, queries: 3.1, storeMessages: 2.3 },
};
const LATER_NODES = 1.3;
/** Messages to the store at intervals: events each 50 ms, uses of sessions each second, counts each five. */
const TIMED_MESSAGES_PER_SECOND = 25;
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
    const kilobytes = bounds.kilobytes * (IS_NODE_20 ? 1 : LATER_NODES);
    t.true(costs.kilobytes <= kilobytes, `${name}: ${costs.kilobytes.toFixed(1)} KB, at most ${kilobytes}`);
    t.true(costs.queries <= bounds.queries, `${name}: ${costs.queries} queries, at most ${bounds.queries}`);
    const storeMessages = bounds.storeMessages + (TIMED_MESSAGES_PER_SECOND * costs.seconds) / UNITS;
    t.true(
      costs.storeMessages <= storeMessages,
      `${name}: ${costs.storeMessages} messages to the store, at most ${storeMessages}`,
    );
  }
  t.deepEqual((await host.counts()).lazyFiles, [], 'tokens and logins load no package that is loaded on first use');
});
