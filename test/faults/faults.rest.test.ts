import { existsSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { postgresqlPrograms } from '../helpers/postgresql-server.js';
import { shiftClock, shiftedCluster } from './clocks.js';
import { startSingle } from './cluster.js';
import { stopDatabase } from './database-stop.js';
import { killNodes } from './kill-nine.js';
import type { Ledger } from './ledger.js';
import { breakNetwork, wiredCluster } from './network.js';
import { missingForPatroni } from './patroni.js';
import { breakPatroni, startPatroniCluster } from './patroni-faults.js';

/*
 * Short runs of the fault trials, to verify that they work. Each trial is a command with many more rounds. README.md
 * has the results.
 */

const isHere = postgresqlPrograms() !== undefined && existsSync('/usr/sbin/haproxy');
/** Requires the programs for several nodes. */
const testCluster = isHere
  ? test
  : (title: string, _run: unknown) => test.skip(`${title} (PostgreSQL or HAProxy is not installed)`, () => {});

const lostNothing = (t: ExecutionContext, { lost, checked }: Ledger) => {
  t.deepEqual(lost, []);
  t.true(checked > 0, 'something was looked after');
};

test('faults: a node on SQLite that is killed under load loses nothing', async (t) => {
  t.timeout(240_000);
  const cluster = await startSingle();
  t.teardown(() => cluster.close());
  const { ledger, rounds } = await killNodes(cluster, { rounds: 2, rate: 40 });
  t.is(rounds, 2);
  lostNothing(t, ledger);
});

testCluster('faults: a database that stops, and a network that breaks, lose nothing', async (t: ExecutionContext) => {
  t.timeout(240_000);
  const wired = await wiredCluster(2);
  t.teardown(() => wired.cluster.close());
  lostNothing(t, await stopDatabase(wired.cluster, 'immediate', { rounds: 1, rate: 40, seconds: 1 }));
  for (const name of ['one node hears nothing, no connection ends', 'cut at COMMIT, which is carried out'])
    lostNothing(t, await breakNetwork(wired, name, { rounds: 1, rate: 40, seconds: 2 }));
  t.true(wired.wires.some(({ cuts }) => cuts > 0));
});

testCluster(
  'faults: nodes whose clocks differ by five seconds and by an hour take each other’s tokens',
  async (t: ExecutionContext) => {
    t.timeout(240_000);
    const shifted = await shiftedCluster();
    t.teardown(() => shifted.cluster.close());
    for (const ms of [5_000, 3_600_000])
      lostNothing(t, await shiftClock(shifted, ms, { rounds: 1, rate: 40, seconds: 2 }));
  },
);

const missing = missingForPatroni();
const testPatroni =
  missing.length === 0
    ? test
    : (title: string, _run: unknown) => test.skip(`${title} (not installed: ${missing.join(', ')})`, () => {});

testPatroni('faults: Patroni’s leader that is killed loses nothing', async (t: ExecutionContext) => {
  t.timeout(480_000);
  const started = await startPatroniCluster('hosts');
  t.teardown(() => started.close());
  lostNothing(t, await breakPatroni(started, 'leader killed', { rounds: 1, rate: 20 }));
});
