import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { CC, realm } from './bench-realm.js';
import { median } from './median.js';
import type { RawPlan, RawResult } from './raw-load.js';

const HELP = `node dist/test/bench/cores.js [options]: tokens by client credentials on one core and on more, by taskset

  --cores A,B        numbers of cores (default 1,2)
  --connections A,B  requests at once (default 1,16)
  --algorithm NAME   what tokens are signed with (default RS256)
  --runs N           runs of each, in turn (default 3)
  --seconds N        length of a run (default 4)
  --host FILE        core/keyhost.js or dist/core/main.js of the build to measure (default: this one's, with its bundle)
  --help
`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    cores: { type: 'string', default: '1,2' },
    connections: { type: 'string', default: '1,16' },
    algorithm: { type: 'string', default: 'RS256' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    host: { type: 'string', default: here('../../../core/keyhost.js') },
    help: { type: 'boolean', default: false },
  },
});

/** Figures of one token, and of a second. */
interface Figures {
  readonly perSecond: number;
  /** The computed number of tokens per second if every core was fully used and the load cost nothing. */
  readonly atFull: number;
  readonly coresUsed: number;
  /** In microseconds. */
  readonly cpu: number;
  readonly mainCpu: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface PinnedHost {
  readonly url: string;
  readonly child: ChildProcess;
  readonly cores: readonly number[];
}

/** The cores that this process may run on. */
async function allowedCores(): Promise<number[]> {
  const list = /Cpus_allowed_list:\s+(\S+)/.exec(await readFile('/proc/self/status', 'latin1'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

async function start(dir: string, cores: readonly number[]): Promise<PinnedHost> {
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'error'];
  const places = ['--data-dir', join(dir, `data-${cores.length}`), '--realms-dir', join(dir, 'realms')];
  const command = [values.host, 'start-dev', ...ports, ...places, '--plugins-file', join(dir, 'plugins.json')];
  const child = spawn('taskset', ['-c', cores.join(), process.execPath, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /ready http=(\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('the host ended')));
  });
  return { url, child, cores };
}

/**
 * The load runs on other cores if there are any, otherwise on the host's. It is not started with `nice`, since requests
 * would then arrive one by one.
 */
async function load({ url, child, cores }: PinnedHost, all: readonly number[], connections: number): Promise<Figures> {
  const plan: RawPlan = {
    url: `${url}/realms/bench/protocol/openid-connect/token`,
    form: CC,
    connections,
    seconds: Number(values.seconds),
    warmup: 1,
    pid: child.pid ?? 0,
  };
  const others = all.filter((core) => !cores.includes(core));
  const place = others.length > 0 ? ['taskset', '-c', others.join()] : [];
  const [command = '', ...args] = [...place, process.execPath, here('./raw-load.js'), JSON.stringify(plan)];
  const { stdout } = await promisify(execFile)(command, args);
  const { requests, wall, cpu, p50, p99 } = JSON.parse(stdout) as RawResult;
  const each = cpu.all / requests;
  const mainCpu = cpu.main / requests;
  const most = Math.min(cores.length / each, 1 / mainCpu);
  return {
    perSecond: (requests / wall) * 1e6,
    atFull: most * 1e6,
    coresUsed: cpu.all / wall,
    cpu: each,
    mainCpu,
    p50,
    p99,
  };
}

function medians(runs: readonly Figures[]): Figures {
  const middle = (name: keyof Figures) => median(runs.map((run) => run[name]));
  return Object.fromEntries(Object.keys(runs[0] ?? {}).map((name) => [name, middle(name as keyof Figures)])) as never;
}

const row = (cells: readonly unknown[]) => `${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;

function print(connections: number, cores: number, seen: Figures): void {
  const { perSecond, atFull, coresUsed, cpu, mainCpu, p50, p99 } = seen;
  const figures = [perSecond, atFull].map((figure) => figure.toFixed(0));
  const parts = [coresUsed.toFixed(2), cpu.toFixed(0), mainCpu.toFixed(0), p50.toFixed(2), p99.toFixed(2)];
  // Only if signatures are spread: with one core, or one request at a time, the main thread makes all of them.
  const isSpread = cores > 1 && connections > 1;
  const limits = isSpread ? [(1e6 / mainCpu).toFixed(0), (cpu / mainCpu).toFixed(1)] : ['–', '–'];
  process.stdout.write(row([connections, cores, ...figures, ...parts, ...limits]));
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const all = await allowedCores();
  const counts = values.cores.split(',').map(Number);
  if (counts.some((count) => !(count >= 1 && count <= all.length))) {
    throw new Error(`--cores: this machine has ${all.length} for us`);
  }
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-cores-'));
  const hosts: PinnedHost[] = [];
  try {
    await mkdir(join(dir, 'realms'));
    const { providers: _, ...bench } = realm('bench', values.algorithm, false) as Record<string, unknown>;
    await writeFile(join(dir, 'realms', 'bench.json'), JSON.stringify(bench));
    await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [] }));
    for (const count of counts) hosts.push(await start(dir, all.slice(0, count)));
    const heads = [
      'tokens/s',
      'at full use',
      'cores used',
      'CPU µs',
      'main µs',
      'p50 ms',
      'p99 ms',
      'most/s',
      'most cores',
    ];
    process.stdout.write(row(['requests', 'cores', ...heads]));
    for (const connections of values.connections.split(',').map(Number)) {
      const seen = hosts.map((): Figures[] => []);
      for (let run = 0; run < Number(values.runs); run += 1) {
        for (const [index, host] of hosts.entries()) seen[index]?.push(await load(host, all, connections));
      }
      for (const [index, host] of hosts.entries()) print(connections, host.cores.length, medians(seen[index] ?? []));
    }
  } finally {
    for (const { child } of hosts) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
