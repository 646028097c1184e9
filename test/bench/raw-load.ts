import { connect } from 'node:net';
import { cpuBetween, cpuMark, mainThreadBetween } from './cpu.js';

/**
 * Repeats the same request on persistent connections, in a separate process. Its first argument and its result are
 * JSON. It sends prepared bytes and reads only the length of an answer, so that most of a small machine is left to the
 * server. `load.ts` costs several times as much per request.
 */
export interface RawPlan {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  readonly warmup: number;
  /** The server's process. */
  readonly pid: number;
}

export interface RawResult {
  readonly requests: number;
  /** Wall time, in microseconds. */
  readonly wall: number;
  /** CPU of the server, in microseconds. */
  readonly cpu: {
    readonly all: number;
    /** CPU time of its first thread, with the event loop. */
    readonly main: number;
  };
  /** CPU of this process, in microseconds. */
  readonly ownCpu: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const END_OF_HEAD = '\r\n\r\n';

function requestBytes({ url, form }: RawPlan): Buffer {
  const { host, pathname } = new URL(url);
  const body = new URLSearchParams(form).toString();
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}${END_OF_HEAD}${body}`);
}

/** One connection, which calls back with the milliseconds of each answer until the callback returns false. */
function ask(plan: RawPlan, onAnswer: (ms: number) => boolean): Promise<void> {
  const { hostname, port } = new URL(plan.url);
  const bytes = requestBytes(plan);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let began = 0;
    let answer = '';
    const send = () => {
      [began, answer] = [performance.now(), ''];
      socket.write(bytes);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${plan.url} closed a connection`)));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += String(chunk);
      const head = answer.indexOf(END_OF_HEAD);
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head + 2))?.[1];
      if (!answer.startsWith('HTTP/1.1 200 ') || length === undefined) {
        reject(new Error(`${plan.url} answered ${answer.slice(0, 300)}`));
        socket.destroy();
      } else if (answer.length >= head + END_OF_HEAD.length + Number(length)) {
        if (onAnswer(performance.now() - began)) send();
        else {
          resolve();
          socket.destroy();
        }
      }
    });
  });
}

async function measure(plan: RawPlan): Promise<RawResult> {
  const start = performance.now() + plan.warmup * 1000;
  const end = start + plan.seconds * 1000;
  const times: number[] = [];
  const mark = () => ({ server: cpuMark([plan.pid]), own: cpuMark([process.pid]) });
  let before = { ...mark(), at: performance.now() };
  let isWarm = false;
  const onAnswer = (ms: number) => {
    const now = performance.now();
    if (isWarm) times.push(ms);
    else if (now >= start) {
      isWarm = true;
      before = { ...mark(), at: now };
    }
    return now < end;
  };
  await Promise.all(Array.from({ length: plan.connections }, () => ask(plan, onAnswer)));
  const after = mark();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    wall: (performance.now() - before.at) * 1000,
    cpu: {
      all: 1000 * cpuBetween(before.server, after.server),
      main: 1000 * mainThreadBetween(before.server, after.server, plan.pid),
    },
    ownCpu: 1000 * cpuBetween(before.own, after.own),
    p50: times[times.length >> 1] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}

const [plan = '{}'] = process.argv.slice(2);
measure(JSON.parse(plan) as RawPlan).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
