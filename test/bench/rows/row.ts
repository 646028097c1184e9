import type { Figure, Goal } from '../figure.js';
import type { Bench, Measurement } from '../measurement.js';
import { median } from '../median.js';
import type { Server } from '../processes.js';
import { runLoad } from '../run-load.js';
import type { Servers } from '../servers.js';
import type { Work } from '../work.js';

export const CONNECTIONS = 16;

/** A server with its work. */
export interface Target {
  server(servers: Servers): Promise<Server>;
  /** Called before each run. */
  work(server: Server): Work | Promise<Work>;
}

/** The server's CPU time per unit of work, compared with a peer. */
export interface Row {
  readonly name: string;
  readonly goals: readonly Goal[];
  readonly peer: string;
  readonly ours: Target;
  readonly theirs: Target;
  /** The number of the peer's units that equal one of ours; 1 by default. */
  readonly theirUnits?: number;
}

/** Runs alternate, so that a disturbance of the machine affects both. */
export function rowMeasurement(row: Row): Measurement {
  return {
    name: row.name,
    lasts: ({ runs, seconds, warmup }) => 2 * runs * (seconds + warmup + 0.4),
    async measure(bench) {
      const pairs: [number, number][] = [];
      for (let run = 1; run <= bench.runs; run += 1) {
        bench.say(`run ${run} of ${bench.runs}`);
        pairs.push([await cpuOf(bench, row.ours), (row.theirUnits ?? 1) * (await cpuOf(bench, row.theirs))]);
      }
      const figure: Figure = {
        name: row.name,
        unit: 'µs',
        ours: median(pairs.map(([ours]) => ours)),
        theirs: median(pairs.map(([, theirs]) => theirs)),
        ratio: median(pairs.map(([ours, theirs]) => ours / theirs)),
        peer: row.peer,
        goals: row.goals,
      };
      return [figure];
    },
  };
}

/** The server's CPU time per unit of the target's work, in microseconds. */
export async function cpuOf({ servers, seconds, warmup }: Bench, target: Target): Promise<number> {
  const server = await target.server(servers);
  const work = await target.work(server);
  const { cpuPerRequest } = await runLoad({ ...work, connections: CONNECTIONS, seconds, warmup, pids: [server.pid] });
  return cpuPerRequest ?? Number.NaN;
}
