import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type CodePlan, codeFlow } from './code-flow-load.js';
import { type GrpcPlan, grpcCaller } from './grpc-load.js';

/** One measured run in a process of its own, described by JSON in the first argument; the result is JSON on stdout. */
export interface LoadPlan {
  readonly url: string;
  /** Form to post; without it GET. `refresh_token` follows the rotation when `chains` are given. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** The first refresh token of each connection. */
  readonly chains?: readonly string[];
  /** GET this member of a JSON answer afterwards, as part of the same unit of work. */
  readonly follow?: string;
  /** A login instead of a request. */
  readonly code?: CodePlan;
  /** Calls instead of requests. */
  readonly grpc?: GrpcPlan;
  /** Units of work in one request or call; 1 without it. */
  readonly units?: number;
  readonly connections: number;
  readonly seconds: number;
  readonly warmup: number;
  /** The server's process. */
  readonly pid: number;
}

export interface LoadResult {
  readonly requests: number;
  /** Server CPU (user and system, all threads) per unit of work, in microseconds. */
  readonly cpuPerRequest: number;
  readonly perSecond: number;
  readonly p99: number;
}

/** CPU of a process so far, in milliseconds (Linux, 100 ticks a second). */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function send(url: string, form?: URLSearchParams, json?: object): Promise<string> {
  const body = json === undefined ? form?.toString() : JSON.stringify(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

async function measure(plan: LoadPlan): Promise<LoadResult> {
  const start = Date.now() + plan.warmup * 1000;
  const end = start + plan.seconds * 1000;
  const times: number[] = [];
  let before = 0;
  setTimeout(() => {
    before = cpuOf(plan.pid);
  }, plan.warmup * 1000);
  const caller = plan.grpc && grpcCaller(plan.grpc);
  const callLoop = async () => {
    while (Date.now() < end) {
      const began = performance.now();
      if (plan.code !== undefined) await codeFlow(agent, plan.code);
      else await caller?.call();
      if (Date.now() >= start) times.push(performance.now() - began);
    }
  };
  const requestLoop = async (index: number) => {
    let token = plan.chains?.[index];
    while (Date.now() < end) {
      const began = performance.now();
      const form =
        plan.form && new URLSearchParams({ ...plan.form, ...(token === undefined ? {} : { refresh_token: token }) });
      const text = await send(plan.url, form, plan.json);
      if (token !== undefined) token = (JSON.parse(text) as { refresh_token: string }).refresh_token;
      if (plan.follow !== undefined) await send((JSON.parse(text) as Record<string, string>)[plan.follow] ?? '');
      if (Date.now() >= start) times.push(performance.now() - began);
    }
  };
  const loop = caller === undefined && plan.code === undefined ? requestLoop : callLoop;
  await Promise.all(Array.from({ length: plan.connections }, (_, index) => loop(index)));
  caller?.close();
  const cpu = cpuOf(plan.pid) - before;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    cpuPerRequest: (cpu * 1000) / times.length / (plan.units ?? 1),
    perSecond: times.length / plan.seconds,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.argv[1]?.endsWith('load.js')) {
  measure(JSON.parse(plan) as LoadPlan).then(
    (result) => {
      process.stdout.write(JSON.stringify(result));
      agent.destroy();
    },
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
}
