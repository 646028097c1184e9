import { join } from 'node:path';
import { realm } from '../bench-realm.js';
import { type Figure, times } from '../figure.js';
import { ROOT, trial, writeFolder } from '../keyhost.js';
import type { Measurement } from '../measurement.js';
import type { Server } from '../processes.js';
import { oidcOf } from '../rows/keyhost-targets.js';
import { p99, tokenTimes } from './token-times.js';

/** The faults of the plugin `unruly` in its worker. */
const DEEDS = ['throw', 'hang', 'spin', 'leak', 'leak-buffers', 'exit', 'crash', 'flood-session', 'flood-log'];
/** A plugin that fails more often is disabled for a minute. */
const MOST_RUNS = 5;
const LIMITS = { callTimeout: 1, memory: 64 };

/** On separate hosts, whose plugin has every fault of the test fixtures. */
export const faultsMeasurement: Measurement = {
  name: 'tokens beside faults of a plugin in a worker',
  lasts: ({ runs, seconds }) => DEEDS.length * (4 + Math.min(runs, MOST_RUNS) * (2 * seconds + 3)),
  async measure({ dir, processes, runs, seconds, say }) {
    const folder = join(dir, 'faulty');
    const providers = { 'realm-restapi-extension': { unruly: { enabled: true } } };
    const other = { ...realm('other', 'RS256', false), providers: {} };
    const plugins = [{ module: 'unruly', isolation: 'worker', limits: LIMITS }];
    await writeFolder(folder, [{ realm: 'faulty', enabled: true, providers } as { realm: string }, other], plugins);
    const fixtures = ['--providers-dir', join(ROOT, 'test/fixtures/plugins'), '--log-level', 'fatal'];
    const figures: Figure[] = [];
    for (const deed of DEEDS) {
      say(deed);
      const server = await processes.start(trial(folder, fixtures));
      const { beside, quiet } = await tokensBeside(server, deed, runs, Math.ceil(seconds));
      await processes.stop(server);
      figures.push({
        name: `tokens beside ${deed} in a worker, p99`,
        unit: 'ms',
        ours: beside,
        theirs: quiet,
        ratio: beside / quiet,
        peer: 'the same when quiet',
        goals: [times(1.2)],
      });
    }
    return figures;
  },
};

/**
 * The 99th percentiles of another realm's token requests, in milliseconds. Windows in which a plugin in a worker
 * commits the fault alternate with quiet ones.
 */
async function tokensBeside(
  server: Server,
  deed: string,
  runs: number,
  seconds: number,
): Promise<{ beside: number; quiet: number }> {
  const oidc = oidcOf(server, 'other');
  const plugin = `${server.url}/realms/faulty/unruly`;
  const [quiet, beside]: [number[], number[]] = [[], []];
  await tokenTimes(oidc, 1);
  for (let run = 0; run < Math.min(runs, MOST_RUNS); run += 1) {
    quiet.push(...(await tokenTimes(oidc, seconds)));
    const done = fetch(`${plugin}/${deed}`, { method: 'POST' }).then((response) => response.text());
    beside.push(...(await tokenTimes(oidc, seconds)));
    await done;
    await isBack(`${plugin}/well`);
  }
  return { beside: p99(beside), quiet: p99(quiet) };
}

async function isBack(url: string): Promise<void> {
  while (!(await fetch(url)).ok) await new Promise((resolve) => setTimeout(resolve, 100));
}
