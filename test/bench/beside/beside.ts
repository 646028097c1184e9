import { setTimeout as wait } from 'node:timers/promises';
import { CC } from '../bench-realm.js';
import { times } from '../figure.js';
import type { Bench, Measurement } from '../measurement.js';
import { median } from '../median.js';
import type { Server } from '../processes.js';
import { oidcOf } from '../rows/keyhost-targets.js';
import { CONNECTIONS } from '../rows/row.js';
import { runLoad } from '../run-load.js';

/** Something that a host does while clients request tokens. */
export interface Deed {
  readonly name: string;
  /** The maximum number of runs that are worth their time. */
  readonly mostRuns: number;
  /** The estimated duration of a run without its two windows, in seconds. */
  readonly takes: number;
  /** The host that does it, with the realm `rs`. */
  server(bench: Bench): Promise<Server>;
  /** Called after the quiet window of each run; resolves when the other window may begin. */
  prepare?(bench: Bench, server: Server): Promise<unknown>;
  /** Does it within the window. */
  act(bench: Bench, server: Server): Promise<unknown>;
  /** Undoes it. */
  undo?(bench: Bench, server: Server): Promise<unknown>;
}

const SHARE = 0.7;
const LEAST_WINDOW = 3;
const WARMUP = 0.5;

/**
 * The 99th percentile of token requests at 70 % of the host's maximum rate, alternately during the deed and in quiet.
 */
export function besideMeasurement(deed: Deed): Measurement {
  const name = `tokens beside ${deed.name}`;
  const windowOf = ({ quick, seconds }: { quick: boolean; seconds: number }) =>
    quick ? seconds : Math.max(LEAST_WINDOW, seconds);
  return {
    name,
    lasts: (extent) =>
      windowOf(extent) + 2 + Math.min(extent.runs, deed.mostRuns) * (2 * (windowOf(extent) + 1) + deed.takes),
    async measure(bench) {
      const server = await deed.server(bench);
      const seconds = windowOf(bench);
      const work = { url: `${oidcOf(server, 'rs')}/token`, form: CC, pids: [server.pid], seconds };
      bench.say('how many it can do');
      const { perSecond } = await runLoad({ ...work, connections: CONNECTIONS, warmup: bench.warmup });
      const tokens = () => runLoad({ ...work, connections: CONNECTIONS, rate: perSecond * SHARE, warmup: WARMUP });
      const pairs: [number, number][] = [];
      for (let run = 1; run <= Math.min(bench.runs, deed.mostRuns); run += 1) {
        bench.say(`run ${run}, ${(perSecond * SHARE).toFixed(0)} tokens in a second`);
        const quiet = await tokens();
        await deed.prepare?.(bench, server);
        const [beside] = await Promise.all([tokens(), wait(WARMUP * 1000).then(() => deed.act(bench, server))]);
        await deed.undo?.(bench, server);
        pairs.push([beside.p99, quiet.p99]);
      }
      return [
        {
          name: `${name}, p99`,
          unit: 'ms',
          ours: median(pairs.map(([beside]) => beside)),
          theirs: median(pairs.map(([, quiet]) => quiet)),
          ratio: median(pairs.map(([beside, quiet]) => beside / quiet)),
          peer: 'the same when quiet',
          goals: [times(3)],
        },
      ];
    },
  };
}
