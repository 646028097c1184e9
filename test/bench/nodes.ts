import { parseArgs } from 'node:util';
import { type Cluster, startCluster, startSingle } from '../faults/cluster.js';
import { CC, realm, WEB } from './bench-realm.js';
import { cpuBetween, cpuMark, processTree } from './cpu.js';
import type { LoadPlan, LoadResult } from './load.js';
import { median } from './median.js';
import { post } from './rows/keyhost-targets.js';
import { runLoad } from './run-load.js';
import type { Work } from './work.js';

const HELP = `node dist/test/bench/nodes.js [options]: one host on SQLite, and one, two and three on a PostgreSQL of their own

  --nodes A,B      numbers of nodes on PostgreSQL (default 1,2,3); several are asked through HAProxy, one by itself
  --connections N  requests at once (default 16)
  --runs N         runs of each, in turn (default 3)
  --seconds N      length of a run (default 3)
  --markdown       prints a table of Markdown
  --help

Everything runs on this machine: hosts, database, HAProxy and the load share its cores. CPU of one request is what compares.
`;
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,3' },
    connections: { type: 'string', default: '16' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const WARMUP_SECONDS = 4;
const CONNECTIONS = Number(values.connections);

/** A store with its hosts, and their common address. */
interface Side {
  readonly name: string;
  readonly cluster: Cluster;
  readonly url: string;
  /** The database's first process. */
  readonly database: number | undefined;
}

interface Figures extends Pick<LoadResult, 'perSecond' | 'p50' | 'p99'> {
  /** CPU time of the hosts, in microseconds per request. */
  readonly host: number;
  /** CPU time of the database server, in microseconds per request. */
  readonly database: number;
}

const FLOWS: readonly [name: string, workOf: (oidc: string) => Promise<Work>][] = [
  ['client_credentials', async (oidc) => ({ url: `${oidc}/token`, form: CC })],
  [
    'introspection',
    async (oidc) => {
      const { access_token: token = '' } = await post(`${oidc}/token`, CC);
      const { client_id, client_secret } = CC;
      return { url: `${oidc}/token/introspect`, form: { client_id, client_secret, token } };
    },
  ],
  [
    'refresh',
    async (oidc) => {
      const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
      const chain = async () => (await post(`${oidc}/token`, login)).refresh_token ?? '';
      const chains = await Promise.all(Array.from({ length: CONNECTIONS }, chain));
      return { url: `${oidc}/token`, form: { ...WEB, grant_type: 'refresh_token' }, chains };
    },
  ],
];

/** Signed with ES256, so that the store's share of a request is visible. */
function benchRealm() {
  const { providers: _, ...rest } = realm('demo', 'ES256', false) as Record<string, unknown>;
  return { roles: {}, groups: [], ...rest, providers: {} };
}

async function start(nodes: number): Promise<Side> {
  const options = { realm: benchRealm(), plugins: [] };
  if (nodes === 0) {
    const cluster = await startSingle(options);
    return { name: 'SQLite', cluster, url: cluster.url, database: undefined };
  }
  const cluster = await startCluster({ ...options, nodes });
  const url = nodes === 1 ? `http://127.0.0.1:${cluster.nodes[0]?.ports.http}` : cluster.url;
  return { name: `PostgreSQL, ${nodes}`, cluster, url, database: cluster.database.pid };
}

async function load(
  { url, cluster, database }: Side,
  workOf: (typeof FLOWS)[number][1],
  seconds: number,
): Promise<Figures> {
  const work = await workOf(`${url}/realms/demo/protocol/openid-connect`);
  const pids = cluster.nodes.map(({ pid }) => pid);
  const plan: LoadPlan = { ...work, connections: CONNECTIONS, seconds, warmup: 0, pids };
  const mark = () => cpuMark(database === undefined ? [] : processTree(database));
  const before = mark();
  const { requests, cpuPerRequest, ...seen } = await runLoad(plan);
  return { ...seen, host: cpuPerRequest ?? Number.NaN, database: (cpuBetween(before, mark()) * 1000) / requests };
}

function print(rows: readonly (readonly string[])[]): void {
  if (values.markdown) {
    const [head = [], ...rest] = rows;
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
    process.stdout.write(
      line(head) + line(head.map((_, index) => (index < 2 ? '---' : '---:'))) + rest.map(line).join(''),
    );
    return;
  }
  for (const [first = '', second = '', ...rest] of rows)
    process.stdout.write(`${first.padEnd(20)}${second.padEnd(16)}${rest.map((cell) => cell.padStart(12)).join('')}\n`);
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const counts = values.nodes.split(',').map(Number);
  if (counts.some((count) => !Number.isInteger(count) || count < 1 || count > 20))
    throw new Error('--nodes: 1 to 20 each');
  const sides: Side[] = [];
  const rows = [['flow', 'store, nodes', 'a second', 'p50 ms', 'p99 ms', 'host µs', 'database µs']];
  try {
    for (const nodes of [0, ...counts]) sides.push(await start(nodes));
    for (const [flow, workOf] of FLOWS) {
      const seen = sides.map((): Figures[] => []);
      // Each node must compile its own code.
      for (const side of sides) await load(side, workOf, WARMUP_SECONDS * side.cluster.nodes.length);
      for (let run = 1; run <= Number(values.runs); run += 1) {
        process.stderr.write(`${flow}: run ${run} of ${values.runs}\n`);
        for (const [index, side] of sides.entries())
          seen[index]?.push(await load(side, workOf, Number(values.seconds)));
      }
      for (const [index, { name, database }] of sides.entries()) {
        const middle = (member: keyof Figures) => median((seen[index] ?? []).map((figures) => figures[member]));
        const ofDatabase = database === undefined ? '–' : middle('database').toFixed(0);
        const times = [middle('p50').toFixed(1), middle('p99').toFixed(1)];
        rows.push([flow, name, middle('perSecond').toFixed(0), ...times, middle('host').toFixed(0), ofDatabase]);
      }
    }
    print(rows);
  } finally {
    for (const { cluster } of sides) await cluster.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
