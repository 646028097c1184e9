import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../bench/memory.js';
import { type Cluster, startSingle } from './cluster.js';
import type { Ledger } from './ledger.js';
import { SLOWNESS, SlowClient } from './slow-client.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `A thousand clients send their headers or their body byte by byte, and a thousand take nothing of the answers that they asked for. Others
are served meanwhile; the connections end in bounded time, and the memory comes back.`;
const ANSWER_MS = 30_000;
/**
 * Maximum duration of a connection of each kind in milliseconds: the limits of core/host/listen.ts, their check
 * interval, and a margin.
 */
const MOST_MS = { headers: 40_000, body: 55_000, unread: 140_000 } as const;
/** When clients that read nothing start to read, in milliseconds: by then their connections must have been closed. */
const READ_MS = 125_000;
/** Maximum growth of a node's memory after all clients have ended, in megabytes. */
const MOST_GROWN_MB = 200;

export interface Slow {
  readonly ledger: Ledger;
  readonly notes: readonly string[];
}

export async function serveSlowClients(
  { url, nodes }: Cluster,
  { clients, rate, seconds }: { clients: number; rate: number; seconds: number },
): Promise<Slow> {
  const notes: string[] = [];
  const pid = nodes[0]?.pid ?? 0;
  const ledger = await underLoad({ url, rate, limit: ANSWER_MS }, async (_applications, seen) => {
    await sleep(1000);
    notes.push(`p99 before ${seen.p99} ms`);
    seen.took.length = 0;
    const before = memoryOf(pid);
    const slow: SlowClient[] = [];
    const port = Number(new URL(url).port);
    const end = performance.now() + seconds * 1000;
    const isOver = () => performance.now() > end;
    const running: Promise<void>[] = [];
    for (let count = 0; count < clients * 2; count += 1) {
      const slowness = count % 2 === 0 ? 'unread' : count % 4 === 1 ? 'headers' : 'body';
      const client = new SlowClient(port, slowness, count % 50 === 0);
      slow.push(client);
      running.push(client.run(500, isOver));
      if (count % 100 === 99) await sleep(50);
    }
    const readAt = performance.now() + READ_MS;
    let most = before;
    while (!isOver() && slow.some(({ lasted }) => lasted === undefined)) {
      if (performance.now() > readAt) for (const client of slow) client.read();
      most = Math.max(most, memoryOf(pid));
      await sleep(1000);
      progress(`${slow.filter(({ lasted }) => lasted === undefined).length} connections, ${seen.told()}`);
    }
    await Promise.all(running);
    notes.push(`p99 with ${clients * 2} slow clients ${seen.p99} ms`);
    for (const slowness of SLOWNESS) {
      const of = slow.filter((one) => one.slowness === slowness);
      const longest = Math.max(...of.map(({ lasted }) => lasted ?? Number.POSITIVE_INFINITY));
      notes.push(`${slowness}: ended within ${Math.ceil(longest / 1000)} s`);
      if (longest > MOST_MS[slowness]) seen.lose(`connections of slow clients were not ended (${slowness})`);
    }
    for (const client of slow) client.close();
    await sleep(3000);
    const after = memoryOf(pid);
    notes.push(`memory ${[before, most, after].map(Math.round).join(', ')} MB before, at most, after`);
    if (after - before > MOST_GROWN_MB) seen.lose('the memory of slow clients did not come back');
  });
  return { ledger, notes };
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('slow-clients', ABOUT, {
    clients: ['1000', 'of each half'],
    rate: ['40', 'requests of others in a second'],
    seconds: ['150', 'longest'],
  });
  const clients = Number(options.clients);
  const rate = Number(options.rate);
  const seconds = Number(options.seconds);
  const cluster = await startSingle();
  try {
    const { ledger, notes } = await serveSlowClients(cluster, { clients, rate, seconds });
    tellTrials([{ fault: `${clients * 2} slow clients`, rounds: 1, ledger, notes }]);
  } finally {
    await cluster.close();
  }
  process.exit();
}
