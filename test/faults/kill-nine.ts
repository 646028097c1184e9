import { setTimeout as sleep } from 'node:timers/promises';
import { Applications } from './applications.js';
import { type Cluster, startCluster, startSingle } from './cluster.js';
import { Ledger } from './ledger.js';
import { progress, tellTrials, trialOptions } from './trial.js';

const ABOUT = `A node is killed by SIGKILL under load and started again, round after round. SQLite: the only one. PostgreSQL: one of two behind
HAProxy, at random. After each round everything that was acknowledged before is looked after.`;
/** Milliseconds: longer than a busy machine keeps anybody waiting, as what hangs here would hang for ever. */
const ANSWER_MS = 120_000;

/** Kills nodes of the cluster, one in each round. */
export async function killNodes(cluster: Cluster, { rounds, rate }: { rounds: number; rate: number }): Promise<Ledger> {
  const ledger = new Ledger();
  const applications = new Applications(cluster.url, ledger, ANSWER_MS);
  await applications.begin();
  let isOver = false;
  const load = applications.run(rate, () => isOver);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(200 + Math.random() * 600);
      const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)];
      await node?.stop('SIGKILL');
      try {
        await node?.start();
      } catch (error) {
        ledger.lose('a node did not come back', String(error));
        break;
      }
      await applications.check();
      if (round % 10 === 0) progress(`round ${round}: ${ledger.told()}; ${ledger.checked} looked after`);
    }
  } finally {
    isOver = true;
    await load;
    applications.close();
  }
  return ledger;
}

if (process.argv[1]?.endsWith('kill-nine.js')) {
  const options = trialOptions('kill-nine', ABOUT, {
    rounds: ['300', 'how often a node is killed'],
    rate: ['60', 'requests in a second'],
    store: ['postgresql', 'or sqlite'],
  });
  const cluster = options.store === 'sqlite' ? await startSingle() : await startCluster({ nodes: 2 });
  const rounds = Number(options.rounds);
  try {
    const ledger = await killNodes(cluster, { rounds, rate: Number(options.rate) });
    tellTrials([{ fault: `kill -9 of a node, ${options.store}`, rounds, ledger }]);
  } finally {
    await cluster.close();
  }
  process.exit();
}
