import { cpuBetween, cpuMark, processTree } from './cpu.js';
import { atRate } from './paced-load.js';
import { type Work, workerOf } from './work.js';

/** One measured run in a separate process, described by JSON in the first argument. The result is JSON on stdout. */
export interface LoadPlan extends Work {
  readonly connections: number;
  readonly seconds: number;
  readonly warmup: number;
  /**
   * Requests per second, sent independently of earlier answers; by default each connection sends its next request after
   * an answer.
   */
  readonly rate?: number;
  /** The server's processes, whose children count, too; without any, its CPU time is unknown. */
  readonly pids: readonly number[];
}

export interface LoadResult {
  readonly requests: number;
  /**
   * The server's CPU time (user and system, all threads) per unit of work, in microseconds; null if no process was
   * given.
   */
  readonly cpuPerRequest: number | null;
  readonly perSecond: number;
  /** Milliseconds between the time at which a request was due and its answer. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

async function measure(plan: LoadPlan): Promise<LoadResult> {
  const start = Date.now() + plan.warmup * 1000;
  const end = start + plan.seconds * 1000;
  const times: number[] = [];
  const mark = () => cpuMark(plan.pids.flatMap(processTree));
  let before: ReturnType<typeof mark> | undefined;
  setTimeout(() => {
    before = mark();
  }, plan.warmup * 1000);
  const worker = workerOf(plan);
  const timed = async (index: number, due: number) => {
    await worker.once(index);
    if (Date.now() >= start) times.push(performance.now() - due);
  };
  if (plan.rate !== undefined) await atRate(plan.rate, end, timed);
  else {
    const loop = async (index: number) => {
      while (Date.now() < end) await timed(index, performance.now());
    };
    await Promise.all(Array.from({ length: plan.connections }, (_, index) => loop(index)));
  }
  const after = mark();
  worker.close();
  if (before === undefined || times.length === 0) throw new Error(`${plan.url} answered nothing within the run`);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const cpu = cpuBetween(before, after);
  return {
    requests: times.length,
    cpuPerRequest: plan.pids.length === 0 ? null : (cpu * 1000) / times.length / (plan.units ?? 1),
    perSecond: times.length / plan.seconds,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
  };
}

const [plan] = process.argv.slice(2);
measure(JSON.parse(plan ?? '{}') as LoadPlan).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
