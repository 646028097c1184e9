import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuBetween, cpuMark, processTree } from '../cpu.js';
import type { Server } from '../processes.js';
import type { BenchDatabase } from './database.js';

/** The time and the resources of one unit of work. */
export interface Cost {
  readonly work: string;
  readonly times: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU of the host and of the database, in microseconds. */
  readonly hostCpu: number;
  readonly databaseCpu: number;
  readonly roundTrips: number;
  readonly statements: number;
  readonly commits: number;
  /** Bytes of the database's write-ahead log. */
  readonly walBytes: number;
}

export interface Work {
  readonly work: string;
  readonly times: number;
  /** The number of concurrent units. */
  readonly atOnce: number;
  once(index: number): Promise<unknown>;
}

/** The processes of the database's server. */
export function databasePids({ folder }: BenchDatabase): readonly number[] {
  const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  return processTree(Number(pid));
}

/** Does the work that many times, and once before to load everything. */
export async function costOf(
  { server, database }: { readonly server: Server; readonly database: BenchDatabase },
  { work, times, atOnce, once }: Work,
): Promise<Cost> {
  await once(0);
  const durations: number[] = [];
  const before = await mark();
  let next = 0;
  const worker = async () => {
    while (next < times) {
      next += 1;
      const index = next;
      const began = performance.now();
      await once(index);
      durations.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const after = await mark();
  durations.sort((a, b) => a - b);
  const at = (share: number) => durations[Math.min(times - 1, Math.floor(times * share))] ?? Number.NaN;
  const per = (name: 'roundTrips' | 'statements' | 'commits') => (after.wire[name] - before.wire[name]) / times;
  return {
    work,
    times,
    p50: at(0.5),
    p99: at(0.99),
    hostCpu: (cpuBetween(before.host, after.host) * 1000) / times,
    databaseCpu: (cpuBetween(before.database, after.database) * 1000) / times,
    roundTrips: per('roundTrips'),
    statements: per('statements'),
    commits: per('commits'),
    walBytes: (after.wal - before.wal) / times,
  };

  async function mark() {
    const [row] = await database.run("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal");
    const wal = Number(row?.wal);
    return {
      wal,
      wire: database.wire.counts(),
      host: cpuMark(processTree(server.pid)),
      database: cpuMark(databasePids(database)),
    };
  }
}
