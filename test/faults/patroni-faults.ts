import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.js';
import { startDatabaseProxy } from './balancer.js';
import { type Cluster, startNodes } from './cluster.js';
import { ANSWER_MS } from './database-stop.js';
import type { Ledger } from './ledger.js';
import { missingForPatroni, PATRONI_TIMES, Patroni, type PatroniMember } from './patroni.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';
import { Wire } from './wire.js';

const ABOUT = `Two PostgreSQL servers that Patroni and etcd watch over, and two nodes. The leader is killed, hangs, and hands over; its replica
lags; a node is cut off from the database. "hosts": the address of the nodes names both servers; "haproxy": it names a HAProxy that asks Patroni.`;

/** Time for the leader's lease to expire, and for the replica to be promoted. */
const LEASE_MS = (PATRONI_TIMES.ttl + PATRONI_TIMES.loop_wait) * 1000;

/**
 * Not part of a run unless named. Both servers accept writes for a moment. Patroni 3.0.2 then takes the lease of the
 * new leader back, so that its writes are lost.
 */
const NO_WATCHDOG = 'leader hangs, and continues';

export interface PatroniCluster {
  readonly patroni: Patroni;
  readonly cluster: Cluster;
  /** The connections of each node to the database. */
  readonly wires: readonly (readonly Wire[])[];
  close(): Promise<void>;
}

/** How the nodes find the leader. */
export type Reach = 'hosts' | 'haproxy';

export async function startPatroniCluster(reach: Reach): Promise<PatroniCluster> {
  const patroni = await Patroni.start();
  const proxy = reach === 'haproxy' ? await startDatabaseProxy(await freePort(), patroni.members) : undefined;
  const targets = proxy === undefined ? patroni.members : [proxy];
  const wires: Wire[][] = [];
  const cluster = await startNodes(
    { nodes: 2 },
    {
      name: patroni.database,
      username: patroni.username,
      password: patroni.password,
      async reach(node) {
        const ofNode = await Promise.all(targets.map(({ port }) => Wire.to({ host: '127.0.0.1', port })));
        wires[node] = ofNode;
        return ofNode.map(({ port }) => `127.0.0.1:${port}`).join(',');
      },
    },
  );
  return {
    patroni,
    cluster,
    wires,
    async close() {
      await cluster.close();
      for (const wire of wires.flat()) wire.close();
      await proxy?.stop();
      await patroni.stop();
    },
  };
}

/** Each breaks something, and resolves when it is repaired. */
const BREAKS: Readonly<Record<string, (cluster: PatroniCluster) => Promise<void>>> = {
  async 'leader killed'({ patroni }) {
    const leader = await patroni.leader();
    leader.kill();
    await patroni.leader(leader);
    await sleep(3000);
    leader.start();
    await patroni.isWhole();
  },
  async switchover({ patroni }) {
    await patroni.switchOver();
    await patroni.isWhole();
  },
  async 'leader hangs, and its watchdog resets it'({ patroni }) {
    const leader = await patroni.leader();
    leader.suspend();
    await patroni.leader(leader);
    await sleep(ANSWER_MS / 2);
    leader.kill();
    leader.start();
    await patroni.isWhole();
  },
  async [NO_WATCHDOG]({ patroni }) {
    const leader = await patroni.leader();
    leader.suspend();
    await patroni.leader(leader);
    await sleep(ANSWER_MS / 2);
    leader.resume();
    await sleep(LEASE_MS);
    await patroni.leader();
  },
  async 'replica lags'({ patroni }) {
    const replica = await patroni.replica();
    await lag(replica, LEASE_MS);
    await patroni.isWhole();
  },
  async 'replica lags, then the leader is killed'({ patroni }) {
    const [leader, replica] = [await patroni.leader(), await patroni.replica()];
    replica.signalReceiver('SIGSTOP');
    await sleep(4000);
    leader.kill();
    replica.signalReceiver('SIGCONT');
    const next = patroni.leader(leader).then(() => true);
    // If the replica may not be promoted, the old leader must return.
    await Promise.race([next, sleep(LEASE_MS)]);
    leader.start();
    await patroni.leader();
    await patroni.isWhole();
  },
  async 'a node is cut off from the database'({ wires }) {
    for (const wire of wires[0] ?? []) wire.refuse();
    await sleep(10_000);
    for (const wire of wires[0] ?? []) wire.mend();
  },
  async 'a node hears nothing of the database'({ wires }) {
    for (const wire of wires[0] ?? []) wire.fallSilent();
    await sleep(20_000);
    for (const wire of wires[0] ?? []) wire.mend();
  },
};

async function lag(replica: PatroniMember, ms: number): Promise<void> {
  replica.signalReceiver('SIGSTOP');
  await sleep(ms);
  replica.signalReceiver('SIGCONT');
}

export const PATRONI_FAULTS: readonly string[] = Object.keys(BREAKS);

export function breakPatroni(
  started: PatroniCluster,
  name: string,
  { rounds, rate }: { rounds: number; rate: number },
): Promise<Ledger> {
  return underLoad({ url: started.cluster.url, rate, limit: ANSWER_MS }, async (applications, ledger) => {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1000);
      await BREAKS[name]?.(started);
      await applications.acknowledges();
      await applications.check();
      progress(
        `${name}, round ${round}: ${ledger.told()}; ${ledger.checked} looked after; longest pause ${pauseOf(ledger)}`,
      );
    }
  });
}

function isChosen(fault: string, only: string): boolean {
  return only === '' ? fault !== NO_WATCHDOG : new RegExp(only).test(fault);
}

function pauseOf({ longestPause }: Ledger): string {
  return `${(longestPause / 1000).toFixed(1)} s`;
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('patroni-faults', ABOUT, {
    rounds: ['2', 'of each kind'],
    rate: ['25', 'requests in a second'],
    reach: ['hosts', 'or haproxy'],
    synchronous: ['true', 'or false: then what was acknowledged last may be lost with the leader'],
    only: ['', 'a regular expression for the names of what is broken'],
  });
  const missing = missingForPatroni();
  if (missing.length > 0) {
    process.stdout.write(
      `skipped: not installed: ${missing.join(', ')} (apt-get install patroni etcd-server haproxy)\n`,
    );
    process.exit(2);
  }
  const rounds = Number(options.rounds);
  const rate = Number(options.rate);
  const started = await startPatroniCluster(options.reach as Reach);
  try {
    await started.patroni.setSynchronous(options.synchronous === 'true');
    const trials = [];
    for (const name of PATRONI_FAULTS.filter((fault) => isChosen(fault, options.only))) {
      const ledger = await breakPatroni(started, name, { rounds, rate });
      const fault = `Patroni (${options.synchronous === 'true' ? 'synchronous' : 'asynchronous'}, ${options.reach}): ${name}`;
      trials.push({ fault, rounds, ledger, notes: [`longest pause ${pauseOf(ledger)}`] });
    }
    tellTrials(trials);
  } finally {
    await started.close();
  }
  process.exit();
}
