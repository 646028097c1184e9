import { join } from 'node:path';
import { CC, realm } from '../bench-realm.js';
import { atMost, type Figure, type Goal, times } from '../figure.js';
import { production, ROOT, trial, writeFolder } from '../keyhost.js';
import type { Bench, Measurement } from '../measurement.js';
import { median } from '../median.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import { peer } from '../servers.js';
import { START_SECONDS, type Start, type Starting, startOnce } from './starts.js';

const PEER = 'oidc-provider';
const DEMO = {
  grant_type: 'client_credentials',
  client_id: 'newsletter-backend',
  client_secret: 'newsletter-backend-secret',
};
/** The goals for memory at rest on Node 20; on later versions, it is the peer's plus ten MB. */
const MEMORY_ON_NODE_20 = { bare: 85, demo: 110 };
const MORE_MEMORY = 10;

/** The cost of a start that is not the first: the code cache is warm, and the data exist. */
export const startMeasurement: Measurement = {
  name: 'start and memory at rest',
  lasts: ({ runs }) => 3 * (runs + 1) * START_SECONDS,
  async measure(bench) {
    const [bare, demo, provider] = await startings(bench);
    const all = [bare, demo, provider];
    const starts = new Map<Starting, Start[]>(all.map((starting) => [starting, []]));
    // The first start creates the data of later ones.
    for (const one of [bare, demo]) await startOnce(bench.processes, one);
    for (let run = 1; run <= bench.runs; run += 1) {
      bench.say(`run ${run} of ${bench.runs}`);
      for (const one of all) starts.get(one)?.push(await startOnce(bench.processes, one));
    }
    const of = (one: Starting) => starts.get(one) ?? [];
    return [
      ...figures(bench, bare, of(bare), of(provider), { cpu: 0.8, memory: MEMORY_ON_NODE_20.bare }),
      ...figures(bench, demo, of(demo), of(provider), { cpu: 1.5, memory: MEMORY_ON_NODE_20.demo }),
    ];
  },
};

/** Keyhost with one realm and no plugins, and with the realms and plugins of the repository. @param root its folder */
export async function keyhostStartings(dir: string, root: string): Promise<[Starting, Starting]> {
  const bareDir = join(dir, 'start-bare');
  const { providers: _, ...bareRealm } = realm('bare', 'RS256', false);
  await writeFolder(bareDir, [bareRealm]);
  const ofRepository = ['--realms-dir', join(root, 'realms'), '--plugins-file', join(root, 'plugins.json')];
  return [
    {
      name: 'start without plugins',
      argv: await production(bareDir, [], root),
      root,
      token: (server) => post(`${oidcOf(server, 'bare')}/token`, CC),
    },
    {
      name: 'start of the demo',
      argv: trial(join(dir, 'start-demo'), ofRepository, root),
      root,
      token: (server) => post(`${oidcOf(server, 'demo')}/token`, DEMO),
    },
  ];
}

async function startings({ dir, servers }: Bench): Promise<[Starting, Starting, Starting]> {
  return [
    ...(await keyhostStartings(dir, ROOT)),
    {
      name: PEER,
      argv: peer('oidc-provider', 'RS256', await servers.peerKey('RS256')),
      token: (server) => post(`${server.url}/token`, CC),
    },
  ];
}

function figures(
  { nodeMajor }: Bench,
  { name }: Starting,
  ours: readonly Start[],
  theirs: readonly Start[],
  most: { readonly cpu: number; readonly memory: number },
): Figure[] {
  const figure = (what: string, unit: Figure['unit'], value: (start: Start) => number, goals: readonly Goal[]) => ({
    name: `${name}: ${what}`,
    unit,
    ours: median(ours.map(value)),
    theirs: median(theirs.map(value)),
    ratio: median(ours.map((start, run) => value(start) / value(theirs[run] ?? start))),
    peer: PEER,
    goals,
  });
  const theirMemory = median(theirs.map(({ memory }) => memory));
  const memory = nodeMajor === 20 ? most.memory : Math.round(theirMemory) + MORE_MEMORY;
  return [
    figure('CPU until ready', 'ms', ({ readyCpu }) => readyCpu, []),
    figure('CPU until the first token', 'ms', ({ tokenCpu }) => tokenCpu, [times(most.cpu)]),
    figure('memory at rest', 'MB', (start) => start.memory, [atMost(memory)]),
  ];
}
