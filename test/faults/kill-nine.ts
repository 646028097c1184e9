import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster, startSingle } from './cluster.js';
import type { Ledger } from './ledger.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `A node is killed by SIGKILL under load and started again, round after round. SQLite: the only one. PostgreSQL: one of two behind
HAProxy, at random. After every five rounds everything that was acknowledged before is looked after. SIGINT ends it after the round.`;
/** Milliseconds: longer than any delay on a busy machine, because a real hang never ends. */
const ANSWER_MS = 120_000;

/** Number of rounds between two checks. */
const CHECK_EVERY = 5;

/**
 * Kills one node of the cluster per round, until all rounds are over or `isEnding` returns true.
 * @returns the number of rounds
 */
export async function killNodes(
  { url, nodes }: Cluster,
  { rounds, rate, isEnding = () => false }: { rounds: number; rate: number; isEnding?: () => boolean },
): Promise<{ ledger: Ledger; rounds: number }> {
  let round = 0;
  const ledger = await underLoad({ url, rate, limit: ANSWER_MS }, async (applications, seen) => {
    while (round < rounds && !isEnding()) {
      if (round > 0) await applications.acknowledges();
      await sleep(100 + Math.random() * 500);
      const node = nodes[Math.floor(Math.random() * nodes.length)];
      await node?.stop('SIGKILL');
      try {
        await node?.start();
      } catch (error) {
        seen.lose('a node did not come back', String(error));
        break;
      }
      round += 1;
      if (round % CHECK_EVERY === 0) await applications.check();
      if (round % 10 === 0) progress(`round ${round}: ${seen.told()}; ${seen.checked} looked after`);
    }
  });
  return { ledger, rounds: round };
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('kill-nine', ABOUT, {
    rounds: ['300', 'how often a node is killed'],
    rate: ['40', 'requests in a second'],
    store: ['postgresql', 'or sqlite'],
  });
  const cluster = options.store === 'sqlite' ? await startSingle() : await startCluster({ nodes: 2 });
  let isEnding = false;
  process.on('SIGINT', () => {
    isEnding = true;
  });
  const rounds = Number(options.rounds);
  const rate = Number(options.rate);
  try {
    const killed = await killNodes(cluster, { rounds, rate, isEnding: () => isEnding });
    tellTrials([{ fault: `kill -9 of a node, ${options.store}`, ...killed }]);
  } finally {
    await cluster.close();
  }
  process.exit();
}
