import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryOf } from '../bench/memory.js';
import { startCluster } from './cluster.js';
import { underLoad } from './under-load.js';

const HELP = `npm run faults:soak -- [--minutes 60] [--rate 100] [--every 30]

  Two nodes on one PostgreSQL behind HAProxy serve logins, refreshes, code flows, links, introspections and new users at a
  fixed rate, and every two minutes one of them reloads its plugins. Each --every seconds it prints the memory of the nodes and
  the size of the folders; at the end the slope of memory without the first quarter, in MB per hour. Exit code: 0 nothing was
  lost, no answer was a 5xx, and memory does not grow by more than five MB per hour; 1 otherwise.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '100' },
    every: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const ANSWER_MS = 30_000;
const RELOAD_MS = 120_000;
const MAX_SLOPE = 5;
/** Memory settles while code is compiled and caches fill. */
const SETTLING_SHARE = 0.25;

interface Sample {
  /** Hours since the start. */
  readonly hours: number;
  /** The memory of each node, in MB. */
  readonly memory: readonly number[];
}

const cluster = await startCluster({ nodes: 2 });
const samples: Sample[] = [];
const ledger = await underLoad({ url: cluster.url, rate: Number(values.rate), limit: ANSWER_MS }, async (_, seen) => {
  const startedAt = Date.now();
  const end = startedAt + Number(values.minutes) * 60_000;
  let reloadedAt = startedAt;
  while (Date.now() < end) {
    await sleep(Number(values.every) * 1000);
    if (Date.now() - reloadedAt >= RELOAD_MS) {
      reloadedAt = Date.now();
      await reloadPlugins(samples.length % cluster.nodes.length);
    }
    const memory = cluster.nodes.map(({ pid }) => memoryOf(pid));
    const minutes = (Date.now() - startedAt) / 60_000;
    samples.push({ hours: minutes / 60, memory });
    const megabytes = memory.map((size) => size.toFixed(0)).join(' and ');
    const answers = `${seen.requests} answers, ${serverErrors(seen.answers)} of them 5xx`;
    process.stdout.write(
      `${minutes.toFixed(1)} min: ${megabytes} MB, ${folderSize(cluster.dir)} MB on disk, ${answers}\n`,
    );
  }
});
const settled = samples.slice(Math.floor(samples.length * SETTLING_SHARE));
const slopes = cluster.nodes.map((_, node) => slope(settled.map(({ hours, memory }) => [hours, memory[node] ?? 0])));
const errors = serverErrors(ledger.answers);
process.stdout.write(`answers: ${ledger.told()}\np99: ${ledger.p99} ms\n`);
process.stdout.write(`memory: ${slopes.map((one) => one.toFixed(1)).join(' and ')} MB per hour\n`);
for (const loss of ledger.lost) process.stdout.write(`${loss}\n`);
await cluster.close();
process.exit(ledger.lost.length === 0 && errors === 0 && slopes.every((one) => one <= MAX_SLOPE) ? 0 : 1);

/** Reloads the plugins of a node, as `keyhost plugin reload` does. */
async function reloadPlugins(node: number): Promise<void> {
  const access = readFileSync(join(cluster.dir, `node-${node}`, 'data', 'management.json'), 'utf8');
  const { url, secret } = JSON.parse(access) as { url: string; secret: string };
  const response = await fetch(`${url}/plugins/reload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  });
  if (!response.ok) throw new Error(`the plugins were not reloaded: ${response.status} ${await response.text()}`);
}

function serverErrors(answers: ReadonlyMap<string, number>): number {
  return [...answers].reduce((sum, [status, count]) => (status.startsWith('5') ? sum + count : sum), 0);
}

/** Size of all files of the nodes, in MB: logs and data. */
function folderSize(dir: string): string {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file));
  const bytes = files.reduce((sum, file) => {
    const state = statSync(file, { throwIfNoEntry: false });
    return sum + (state?.isFile() === true ? state.size : 0);
  }, 0);
  return (bytes / 1024 / 1024).toFixed(1);
}

/** The slope of the line of least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
