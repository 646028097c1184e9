import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.js';
import { synchronousStandby } from '../helpers/postgresql-standby.js';
import { startCluster } from './cluster.js';
import { ANSWER_MS } from './database-stop.js';
import { progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `The primary is ended under load, at odd rounds as by a crash; its synchronous standby is promoted, and the old primary comes back as
the standby of the new one. The address of the nodes names both.`;

const options = trialOptions('failover', ABOUT, {
  rounds: ['10', 'how often the primary changes'],
  rate: ['30', 'requests in a second'],
});
const rounds = Number(options.rounds);
const standbyPort = await freePort();
const cluster = await startCluster({
  nodes: 2,
  reach: async (_node, { host, port }) => `${host}:${port},127.0.0.1:${standbyPort}`,
});
let primary = cluster.database;
let standby = await synchronousStandby(primary, standbyPort);
try {
  const ledger = await underLoad(
    { url: cluster.url, rate: Number(options.rate), limit: ANSWER_MS },
    async (applications, seen) => {
      for (let round = 1; round <= rounds; round += 1) {
        await sleep(2000);
        const old = primary;
        await (round % 2 === 1 ? old.kill() : old.stop());
        await standby.run('SELECT pg_promote()');
        primary = standby;
        // With a new disk: writes that were only on the old primary were not acknowledged, so they may be lost.
        standby = await synchronousStandby(primary, old.port);
        await applications.check();
        progress(`round ${round}: ${seen.told()}; ${seen.checked} looked after`);
      }
    },
  );
  tellTrials([{ fault: 'failover to a synchronous standby', rounds, ledger }]);
} finally {
  await cluster.close();
  await primary.stop();
  await standby.stop();
}
process.exit();
