import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from './cluster.js';
import { ANSWER_MS } from './database-stop.js';
import type { Ledger } from './ledger.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';
import { Wire } from './wire.js';

const ABOUT = `The network between the nodes and PostgreSQL is slow, drops connections, swallows everything without ending a connection, refuses, or
is cut where a transaction is to be committed. Each node has a network of its own (wire.ts).`;

export const BREAKS: Readonly<Record<string, (wires: readonly Wire[]) => void>> = {
  'each message takes 50 ms': (wires) => each(wires, (wire) => (wire.delay = 50)),
  'each message takes 500 ms': (wires) => each(wires, (wire) => (wire.delay = 500)),
  'a connection in fifty messages is dropped': (wires) => each(wires, (wire) => (wire.drops = 0.02)),
  'one node hears nothing, no connection ends': ([first]) => first?.fallSilent(),
  'no node hears anything, no connection ends': (wires) => each(wires, (wire) => wire.fallSilent()),
  'a node is cut off': ([first]) => first?.refuse(),
  'cut at COMMIT, which is carried out': (wires) => each(wires, (wire) => wire.cutCommits(0.1)),
  'cut at COMMIT, which is not carried out': (wires) =>
    each(wires, (wire) => {
      wire.cutsAnswer = false;
      wire.cutCommits(0.1);
    }),
};

function each(wires: readonly Wire[], change: (wire: Wire) => unknown): void {
  for (const wire of wires) change(wire);
}

/** Nodes, each with its own simulated network to the database. */
export async function wiredCluster(nodes: number) {
  const wires: Wire[] = [];
  const cluster = await startCluster({
    nodes,
    reach: async (_node, server) => {
      const wire = await Wire.to(server);
      wires.push(wire);
      return `127.0.0.1:${wire.port}`;
    },
  });
  const close = async () => {
    await cluster.close();
    for (const wire of wires) wire.close();
  };
  return { cluster: { ...cluster, close }, wires };
}

export function breakNetwork(
  { cluster, wires }: { cluster: Cluster; wires: readonly Wire[] },
  name: string,
  { rounds, rate, seconds }: { rounds: number; rate: number; seconds: number },
): Promise<Ledger> {
  return underLoad({ url: cluster.url, rate, limit: ANSWER_MS }, async (applications, ledger) => {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1000);
      BREAKS[name]?.(wires);
      await sleep(seconds * 1000);
      for (const wire of wires) wire.mend();
      await applications.check();
      progress(`${name}, round ${round}: ${ledger.told()}; ${ledger.checked} looked after`);
    }
  });
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('network', ABOUT, {
    rounds: ['3', 'of each kind'],
    rate: ['30', 'requests in a second'],
    seconds: ['15', 'how long each lasts'],
  });
  const rounds = Number(options.rounds);
  const rate = Number(options.rate);
  const seconds = Number(options.seconds);
  const wired = await wiredCluster(2);
  try {
    const trials = [];
    for (const name of Object.keys(BREAKS)) {
      const before = wired.wires.reduce((sum, { cuts }) => sum + cuts, 0);
      const ledger = await breakNetwork(wired, name, { rounds, rate, seconds });
      const cuts = wired.wires.reduce((sum, wire) => sum + wire.cuts, 0) - before;
      trials.push({ fault: name, rounds, ledger, notes: cuts > 0 ? [`${cuts} connections cut`] : [] });
    }
    tellTrials(trials);
  } finally {
    await wired.cluster.close();
  }
  process.exit();
}
