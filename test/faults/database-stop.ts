import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresqlServer } from '../helpers/postgresql-server.js';
import { type PostgresqlCluster, startCluster } from './cluster.js';
import type { Ledger } from './ledger.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `PostgreSQL is stopped under load and started again: "fast" ends its connections, "immediate" is a crash that it recovers from, and
"hang" stops its processes by SIGSTOP for ten seconds, so that it takes connections and says nothing.`;
/**
 * Ten seconds after a server stops responding, its connections are closed (core/store/postgresql/README.md); the rest
 * is for busy machines.
 */
export const ANSWER_MS = 30_000;

export const STOPS = ['fast', 'immediate', 'hang'] as const;
export type Stop = (typeof STOPS)[number];

export function stopDatabase(
  { url, database }: PostgresqlCluster,
  stop: Stop,
  { rounds, rate, seconds }: { rounds: number; rate: number; seconds: number },
): Promise<Ledger> {
  return underLoad({ url, rate, limit: ANSWER_MS }, async (applications, ledger) => {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1000);
      if (stop === 'hang') {
        const pids = processesOf(database);
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        await sleep(seconds * 1000);
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      } else {
        await (stop === 'fast' ? database.stop() : database.kill());
        await sleep(seconds * 1000);
        await database.start();
      }
      await applications.check();
      progress(`${stop}, round ${round}: ${ledger.told()}; ${ledger.checked} looked after`);
    }
  });
}

/** The server and its children (Linux). */
function processesOf({ pid }: PostgresqlServer): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...all.map(Number).filter((one) => parentOf(one) === pid)];
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('database-stop', ABOUT, {
    rounds: ['10', 'of each kind of stop'],
    rate: ['40', 'requests in a second'],
  });
  const rounds = Number(options.rounds);
  const rate = Number(options.rate);
  const cluster = await startCluster({ nodes: 2 });
  try {
    const trials = [];
    for (const stop of STOPS) {
      const ledger = await stopDatabase(cluster, stop, { rounds, rate, seconds: stop === 'hang' ? 10 : 2 });
      trials.push({ fault: `PostgreSQL stopped, ${stop}`, rounds, ledger });
    }
    tellTrials(trials);
  } finally {
    await cluster.close();
  }
  process.exit();
}
