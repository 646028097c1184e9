import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpClient } from '../bench/http-client.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { guardedRealm } from '../helpers/realms.js';
import { startCluster } from './cluster.js';
import type { Ledger } from './ledger.js';
import type { NodeProcess } from './node-process.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `On one of two nodes a plugin hangs: it never answers, or it never gives the loop back; in the process, and in a worker. The other node and
other requests go on. A node whose loop is gone is out of the balance within a second, and whatever supervises it has to end it: the trial
does, when its liveness has not answered three times.`;
const ANSWER_MS = 30_000;
/** Timeout of a call in seconds. */
const CALL_TIMEOUT = 5;

export const ISOLATIONS = ['none', 'worker'] as const;
export const HANGS = {
  'never-answers': 'return new Promise(() => {});',
  spins: 'for (;;);',
} as const;
export type Hang = keyof typeof HANGS;

export interface Hanging {
  readonly ledger: Ledger;
  readonly notes: readonly string[];
}

export async function hang(
  what: Hang,
  isolation: (typeof ISOLATIONS)[number],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Hanging> {
  const cleanUp: (() => unknown)[] = [];
  const providersDir = await providersFolder(
    { teardown: (done: () => unknown) => void cleanUp.push(done) },
    {
      hanging: resourcePlugin('hanging', HANGS[what]),
    },
  );
  // All plugins must be in one folder.
  for (const name of ['newsletter', 'external-app-notification']) {
    const source = fileURLToPath(new URL(`../../../providers/${name}`, import.meta.url));
    cpSync(source, join(providersDir, name), { recursive: true });
  }
  const removed = () => rmSync(providersDir, { recursive: true, force: true });
  process.once('exit', removed);
  const built = guardedRealm('demo', { singleUse: true }).providers;
  const resources = {
    ...built?.['realm-restapi-extension'],
    ...enabledResources(['hanging'])['realm-restapi-extension'],
  };
  const cluster = await startCluster({
    nodes: 2,
    argv: ['--providers-dir', providersDir],
    plugins: [
      { module: '@keyhost/newsletter' },
      { module: '@keyhost/external-app-notification' },
      { module: 'hanging', isolation, limits: { callTimeout: CALL_TIMEOUT } },
    ],
    realm: { providers: { ...built, 'realm-restapi-extension': resources } },
  });
  const notes: string[] = [];
  const [node] = cluster.nodes as [NodeProcess];
  try {
    const ledger = await underLoad({ url: cluster.url, rate, limit: ANSWER_MS }, async (applications, seen) => {
      await sleep(1000);
      const callers = Array.from({ length: 20 }, () =>
        statusOf(node.ports.http, '/realms/demo/hanging', seconds * 1000),
      );
      let restarts = 0;
      for (let second = 0, silences = 0; second < seconds; second += 1) {
        await sleep(1000);
        silences = (await statusOf(node.ports.management, '/health/live', 1000)) === 200 ? 0 : silences + 1;
        if (silences < 3) continue;
        restarts += 1;
        await node.stop('SIGKILL');
        await node.start();
        silences = 0;
      }
      notes.push(`its callers got ${counted(await Promise.all(callers))}`);
      if (restarts > 0) notes.push(`liveness had no answer, ${restarts} restart by the supervisor`);
      notes.push(...(await metricsOf(node)));
      if ((await statusOf(node.ports.management, '/health/ready', 5_000)) !== 200)
        seen.lose('the node is not ready again');
      await applications.check();
      progress(`${what}, ${isolation}: ${seen.told()}; ${notes.join('; ')}`);
    });
    return { ledger, notes };
  } finally {
    await cluster.close();
    for (const done of cleanUp) await done();
    process.off('exit', removed);
    removed();
  }
}

/** @returns the status, or the error of the connection */
async function statusOf(port: number, path: string, limit: number): Promise<number | string> {
  const client = new HttpClient({ limit });
  try {
    return (await client.send(`http://127.0.0.1:${port}${path}`)).status;
  } catch (error) {
    return (error as { code?: string }).code ?? 'no answer';
  } finally {
    client.close();
  }
}

function counted(all: readonly (number | string)[]): string {
  return [...new Set(all)].map((one) => `${all.filter((other) => other === one).length} × ${one}`).join(', ');
}

/** The metrics of the plugin's failed calls, and of its worker. */
async function metricsOf({ ports }: NodeProcess): Promise<readonly string[]> {
  const client = new HttpClient({ limit: 10_000 });
  const text = await client.ok(`http://127.0.0.1:${ports.management}/metrics`);
  client.close();
  return text
    .split('\n')
    .filter((line) => /^keyhost_(provider_calls_total|worker_downs_total)/.test(line) && /hanging/.test(line))
    .filter((line) => !/end="ok"| 0$/.test(line))
    .map((line) => line.replace(/^keyhost_(\w+)\{.*(?:end|reason)="(\w+)".* (\d+)$/, 'metrics: $1 $2 $3'));
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('hanging-plugin', ABOUT, {
    rate: ['30', 'requests of others in a second'],
    seconds: ['20', 'how long each is looked at'],
  });
  const rate = Number(options.rate);
  const seconds = Number(options.seconds);
  const trials = [];
  for (const isolation of ISOLATIONS) {
    for (const what of Object.keys(HANGS) as Hang[]) {
      const { ledger, notes } = await hang(what, isolation, { rate, seconds });
      trials.push({ fault: `a plugin ${what}, isolation ${isolation}`, rounds: 1, ledger, notes });
    }
  }
  tellTrials(trials);
  process.exit();
}
