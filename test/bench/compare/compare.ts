import type { Bench, Measurement } from '../measurement.js';
import { median } from '../median.js';
import { CONNECTIONS } from '../rows/row.js';
import { runLoad } from '../run-load.js';
import { COMPARED_REALM } from './compared-realm.js';
import { COMPARED_ROWS, type ComparedRow, Refusal } from './compared-rows.js';
import type { Compared, Comparison, Refused } from './comparison.js';
import { discover, type OidcServer } from './oidc-server.js';

/**
 * The warm-up before the first run of a row, in seconds: virtual machines compile frequently run code, and are much
 * slower before that.
 */
const FIRST_WARMUP = 15;

/** Compares Keyhost with running servers: the same load on each, in turn, in the same run. */
export function compareMeasurements(others: readonly OidcServer[]): Measurement[] {
  if (others.length === 0) return [];
  return COMPARED_ROWS.map((row) => ({
    name: `compare: ${row.name}`,
    lasts: ({ quick, runs, seconds, warmup }) =>
      (1 + others.length) * (runs * (seconds + warmup + 0.5) + (quick ? 0 : FIRST_WARMUP)),
    measure: async (bench) => [await compared(bench, row, [await keyhost(bench), ...others])],
  }));
}

interface Seen {
  readonly cpu: number | null;
  readonly perSecond: number;
  readonly p99: number;
}

async function compared(bench: Bench, row: ComparedRow, servers: readonly OidcServer[]): Promise<Comparison> {
  const seen = new Map<OidcServer, Seen[]>(servers.map((server) => [server, []]));
  const refused = new Map<OidcServer, string>();
  for (let run = 1; run <= bench.runs; run += 1) {
    bench.say(`run ${run} of ${bench.runs}`);
    for (const server of servers.filter((one) => !refused.has(one))) {
      try {
        seen.get(server)?.push(await load(bench, row, server, run === 1));
      } catch (error) {
        // A failure of Keyhost is a mistake of the bench.
        if (server === servers[0]) throw error;
        refused.set(server, (error as Error).message);
      }
    }
  }
  const [ours = []] = seen.values();
  return {
    name: row.name,
    servers: servers.map((server) => {
      const reason = refused.get(server);
      const theirs = seen.get(server) ?? [];
      if (reason !== undefined) return { server: server.name, refused: reason } satisfies Refused;
      return medians(server.name, theirs, server === servers[0] ? undefined : ours);
    }),
  };
}

async function load(bench: Bench, row: ComparedRow, server: OidcServer, isFirst: boolean): Promise<Seen> {
  const { seconds, quick } = bench;
  const warmup = isFirst && !quick ? FIRST_WARMUP : bench.warmup;
  try {
    const work = await row.work(server);
    const result = await runLoad({ ...work, connections: CONNECTIONS, seconds, warmup, pids: server.pids });
    return { cpu: result.cpuPerRequest, perSecond: result.perSecond, p99: result.p99 };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal((error as Error).message, { cause: error });
  }
}

function medians(server: string, seen: readonly Seen[], ours: readonly Seen[] | undefined): Compared {
  const cpus = seen.flatMap(({ cpu }) => (cpu === null ? [] : [cpu]));
  const values = {
    server,
    cpu: cpus.length === 0 ? null : median(cpus),
    perSecond: median(seen.map(({ perSecond }) => perSecond)),
    p99: median(seen.map(({ p99 }) => p99)),
  };
  if (ours === undefined) return values;
  const speedRatio = median(seen.map(({ perSecond }, run) => (ours[run]?.perSecond ?? Number.NaN) / perSecond));
  if (cpus.length === 0) return { ...values, speedRatio };
  return { ...values, speedRatio, cpuRatio: median(cpus.map((cpu, run) => cpu / (ours[run]?.cpu ?? Number.NaN))) };
}

async function keyhost({ servers }: Bench): Promise<OidcServer> {
  const { url, pid } = await servers.keyhost();
  const { realm, clients, users } = COMPARED_REALM;
  const [{ clientId, secret }] = clients;
  const [{ username, credentials }] = users;
  return discover({
    name: 'Keyhost',
    url: `${url}/realms/${realm}`,
    client: { name: clientId, password: secret },
    user: { name: username, password: credentials[0].value },
    pids: [pid],
  });
}
