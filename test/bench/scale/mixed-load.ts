import { cpuBetween, cpuMark, processTree } from '../cpu.js';
import { atRate } from '../paced-load.js';
import type { Server } from '../processes.js';
import { databasePids } from './costs.js';
import type { BenchDatabase } from './database.js';

export interface MixedUse {
  readonly hostCores: number;
  readonly databaseCores: number;
  readonly roundTrips: number;
  /** Milliseconds. */
  readonly p99: number;
  /** The rate achieved for each type of work: an overloaded machine may not begin all of it. */
  readonly done: readonly number[];
}

/** Does several types of work, each at its own rate. @returns the cost of the work of one second */
export async function atRates(
  { server, database }: { readonly server: Server; readonly database: BenchDatabase },
  works: readonly { readonly rate: number; once(index: number): Promise<unknown> }[],
  seconds: number,
): Promise<MixedUse> {
  const durations: number[] = [];
  const done = works.map(() => 0);
  const mark = () => ({
    wire: database.wire.counts(),
    host: cpuMark(processTree(server.pid)),
    database: cpuMark(databasePids(database)),
  });
  const before = mark();
  const end = Date.now() + seconds * 1000;
  await Promise.all(
    works.map(({ rate, once }, kind) =>
      atRate(rate, end, async (index, due) => {
        await once(index);
        done[kind] = (done[kind] ?? 0) + 1;
        durations.push(performance.now() - due);
      }),
    ),
  );
  const after = mark();
  // The work that was begun within that time, even if it was completed later.
  const elapsed = seconds * 1000;
  durations.sort((a, b) => a - b);
  return {
    hostCores: cpuBetween(before.host, after.host) / elapsed,
    databaseCores: cpuBetween(before.database, after.database) / elapsed,
    roundTrips: ((after.wire.roundTrips - before.wire.roundTrips) / elapsed) * 1000,
    p99: durations[Math.floor(durations.length * 0.99)] ?? Number.NaN,
    done: done.map((count) => count / seconds),
  };
}
