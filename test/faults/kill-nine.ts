import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster, startSingle } from './cluster.js';
import type { Ledger } from './ledger.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `A node is killed by SIGKILL under load and started again, round after round. SQLite: the only one. PostgreSQL: one of two behind
HAProxy, at random. After each round everything that was acknowledged before is looked after.`;
/** Milliseconds: longer than a busy machine keeps anybody waiting, as what hangs here would hang for ever. */
const ANSWER_MS = 120_000;

/** Kills nodes of the cluster, one in each round. */
export function killNodes(
  { url, nodes }: Cluster,
  { rounds, rate }: { rounds: number; rate: number },
): Promise<Ledger> {
  return underLoad({ url, rate, limit: ANSWER_MS }, async (applications, ledger) => {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(200 + Math.random() * 600);
      const node = nodes[Math.floor(Math.random() * nodes.length)];
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
  });
}

if (isCommand(import.meta.url)) {
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
