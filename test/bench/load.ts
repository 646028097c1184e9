import { CodeBrowser, type CodePlan } from './code-flow-load.js';
import { cpuBetween, cpuMark, processTree } from './cpu.js';
import { type GrpcPlan, grpcCaller } from './grpc-load.js';
import { HttpClient } from './http-client.js';
import { atRate } from './paced-load.js';

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

/** The work of a server. */
export interface Work {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The form to post; GET if undefined. `refresh_token` follows the rotation if `chains` are given. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** The first refresh token of each connection. At a fixed rate, as many as are used within the longest answer. */
  readonly chains?: readonly string[];
  /** A GET of this member of a JSON answer belongs to the same unit of work. */
  readonly follow?: string;
  /** A login instead of a request. */
  readonly code?: CodePlan;
  /** Calls instead of requests. */
  readonly grpc?: GrpcPlan;
  /** Units of work in one request or call; 1 by default. */
  readonly units?: number;
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

interface Doer {
  /** Does one unit of work. @param index of the connection */
  once(index: number): Promise<unknown>;
  close(): void;
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
  const doer = doerOf(plan);
  const timed = async (index: number, due: number) => {
    await doer.once(index);
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
  doer.close();
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

function doerOf(plan: LoadPlan): Doer {
  if (plan.grpc !== undefined) {
    const { call, close } = grpcCaller(plan.grpc);
    return { once: call, close };
  }
  const client = new HttpClient();
  const close = () => client.close();
  const { code } = plan;
  if (code !== undefined) {
    const browsers = Array.from({ length: plan.connections }, () => new CodeBrowser(client, code));
    return { once: async (index) => browsers[index]?.signIn(), close };
  }
  const chains = [...(plan.chains ?? [])];
  const once = async (index: number) => {
    // At a fixed rate there may be more requests than chains: each takes the least recently used one.
    const at = chains.length === 0 ? index : index % chains.length;
    const chain = chains[at];
    const form = plan.form && { ...plan.form, ...(chain === undefined ? {} : { refresh_token: chain }) };
    const text = await client.ok(plan.url, { form, json: plan.json, headers: plan.headers });
    if (chain !== undefined) chains[at] = (JSON.parse(text) as { refresh_token: string }).refresh_token;
    if (plan.follow !== undefined) await client.ok((JSON.parse(text) as Record<string, string>)[plan.follow] ?? '');
  };
  return { once, close };
}

const [plan] = process.argv.slice(2);
measure(JSON.parse(plan ?? '{}') as LoadPlan).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
