import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bookData, realm } from './bench-realm.js';
import { DEEDS, tokensBesideFault } from './beside-faults.js';
import { tokensBesideLogins } from './beside-logins.js';
import { cpuOf, type LoadPlan, type LoadResult } from './load.js';
import { type Row, rows, type Server, STREAM, type Target } from './rows.js';
import { largeBooks, slowReaderGrowth } from './slow-reader.js';

const HELP = `npm run bench -- [options]: server CPU per request, Keyhost beside its peers, in alternating runs

  --quick        one short run each, to see that everything runs
  --runs N       alternating runs (default 5)
  --seconds N    length of a run (default 3)
  --only A,B     rows whose name contains one of these
  --json FILE    writes the figures
  --help
`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const runs = values.quick ? 1 : Number(values.runs);
const seconds = values.quick ? 1 : Number(values.seconds);
const children: ChildProcess[] = [];

async function start(command: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  children.push(child);
  const ready = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /ready http=.*/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`${command[0]} ended`)));
  });
  const pid = child.pid ?? 0;
  const place = (name: string) => new RegExp(`${name}=(\\S+)`).exec(ready)?.[1] ?? '';
  return { url: place('http'), grpc: place('grpc'), pid, child, startCpu: cpuOf(pid) };
}

async function load(target: Target): Promise<LoadResult> {
  const plan: LoadPlan = {
    ...(await target.plan()),
    connections: 16,
    seconds,
    warmup: values.quick ? 0.3 : 1,
    pid: target.server.pid,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [here('./load.js'), JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`${plan.url} could not be measured`)),
    );
  });
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-bench-'));
  try {
    await mkdir(join(dir, 'realms'));
    const realms: [string, string, boolean][] = [
      ['rs', 'RS256', false],
      ['es', 'ES256', false],
      ['events', 'ES256', true],
      ['logins', 'RS256', false],
    ];
    for (const args of realms) await writeFile(join(dir, 'realms', `${args[0]}.json`), JSON.stringify(realm(...args)));
    const data = join(dir, 'books.json');
    await writeFile(data, JSON.stringify(bookData(STREAM)));
    const plugins = ['newsletter', 'external-app-notification', 'books'].map((name) => ({
      module: `@keyhost/${name}`,
    }));
    Object.assign(plugins[2] ?? {}, { config: { 'grpc-service/books': { data } } });
    await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
    const inWorkers = plugins.map((plugin) => ({ ...plugin, isolation: 'worker' }));
    await writeFile(join(dir, 'worker-plugins.json'), JSON.stringify({ plugins: inWorkers }));
    const options = [
      '--plugins-file',
      join(dir, 'plugins.json'),
      '--http-port',
      '0',
      '--grpc-port',
      '0',
      '--management-port',
      '0',
      '--log-level',
      'error',
      '--data-dir',
      join(dir, 'data'),
      '--realms-dir',
      join(dir, 'realms'),
    ];
    const command = [here('../../core/main.js'), 'start-dev', ...options];
    process.stderr.write('starting Keyhost and its peers\n');
    const first = await start(command);
    first.child.kill('SIGTERM');
    await new Promise((resolve) => first.child.once('exit', resolve));
    const keyhost = await start(command);
    const files = ['--plugins-file', join(dir, 'worker-plugins.json'), '--data-dir', join(dir, 'worker-data')];
    const isolated = await start([...command, ...files]);
    const ceiling = await start([here('./peers/ceiling.js')]);
    const opRs = await start([here('./peers/oidc-provider.js'), 'RS256']);
    const opEs = await start([here('./peers/oidc-provider.js'), 'ES256']);
    const opOpaque = await start([here('./peers/oidc-provider.js'), 'RS256', 'opaque']);
    const bareGrpc = await start([here('./peers/bare-grpc.js'), data]);
    const rest = (await readFile(`/proc/${keyhost.pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/)?.[1];
    const results = await measureRows(rows({ keyhost, isolated, ceiling, opRs, opEs, opOpaque, bareGrpc }));
    const startRatio = keyhost.startCpu / opRs.startCpu;
    results.push({
      name: 'start: CPU until ready',
      ours: keyhost.startCpu * 1000,
      theirs: opRs.startCpu * 1000,
      ratio: startRatio,
      goal: 1.6,
      peer: 'oidc-provider',
    });
    const wants = (name: string) => values.only === '' || values.only.split(',').some((word) => name.includes(word));
    print(results, Number(rest) / 1024);
    if (wants('beside')) {
      const p99 = await tokensBesideLogins(keyhost, 'logins', seconds * 3);
      printLimit('tokens at 100/s beside 64 logins, p99', p99, 50, 'ms');
    }
    if (wants('faults')) await measureFaults(dir);
    if (wants('slow reader'))
      printLimit('gRPC: growth by a slow reader of 300 MB', await measureSlowReader(dir), 40, 'MB');
    if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, null, 2));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}

interface Result {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly goal: number;
  readonly peer: string;
}

async function measureRows(all: readonly Row[]): Promise<Result[]> {
  const words = values.only === '' ? [] : values.only.split(',');
  const chosen = words.length === 0 ? all : all.filter(({ name }) => words.some((word) => name.includes(word)));
  const results: Result[] = [];
  for (const row of chosen) {
    const pairs: [number, number][] = [];
    for (let run = 1; run <= runs; run += 1) {
      process.stderr.write(`${row.name}: run ${run} of ${runs}\n`);
      pairs.push([(await load(row.ours)).cpuPerRequest, (await load(row.theirs)).cpuPerRequest]);
    }
    const { name, goal, peer } = row;
    const ratio = median(pairs.map(([ours, theirs]) => ours / theirs));
    results.push({
      name,
      goal,
      peer,
      ratio,
      ours: median(pairs.map(([ours]) => ours)),
      theirs: median(pairs.map(([, theirs]) => theirs)),
    });
  }
  return results;
}

function print(results: readonly Result[], restMb: number): void {
  process.stdout.write(line(['server CPU per request', 'ours µs', 'peer µs', 'ratio', 'goal', '', 'peer']));
  for (const { name, ours, theirs, ratio, goal, peer } of results) {
    process.stdout.write(
      line([
        name,
        ours.toFixed(0),
        theirs.toFixed(0),
        ratio.toFixed(2),
        `≤ ${goal}`,
        ratio <= goal ? 'ok  ' : 'over',
        peer,
      ]),
    );
  }
  process.stdout.write(
    line(['memory at rest', `${restMb.toFixed(0)} MB`, '', '', '≤ 120 MB', restMb <= 120 ? 'ok  ' : 'over', '']),
  );
}

const line = (cells: readonly string[]) =>
  `${(cells[0] ?? '').padEnd(40)}${cells
    .slice(1, 5)
    .map((cell) => cell.padStart(10))
    .join('')}  ${cells.slice(5).join('  ')}\n`;

function printLimit(name: string, value: number, limit: number, unit: string): void {
  const verdict = value <= limit ? 'ok  ' : 'over';
  process.stdout.write(line([name, `${value.toFixed(0)} ${unit}`, '', '', `≤ ${limit} ${unit}`, verdict, '']));
}

/** On hosts of their own: their plugin does everything wrong that the fixtures of the tests can. */
async function measureFaults(dir: string): Promise<void> {
  const limits = { callTimeout: 1, memory: 64 };
  const plugins = [{ module: 'unruly', isolation: 'worker', limits }];
  await writeFile(join(dir, 'faulty-plugins.json'), JSON.stringify({ plugins }));
  await mkdir(join(dir, 'faulty-realms'));
  const faulty = {
    realm: 'faulty',
    enabled: true,
    providers: { 'realm-restapi-extension': { unruly: { enabled: true } } },
  };
  const { providers: _, ...other } = realm('other', 'RS256', false) as Record<string, unknown>;
  for (const one of [faulty, other]) {
    await writeFile(join(dir, 'faulty-realms', `${one.realm}.json`), JSON.stringify(one));
  }
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'fatal'];
  const places = ['--data-dir', join(dir, 'faulty-data'), '--realms-dir', join(dir, 'faulty-realms')];
  const files = ['--plugins-file', join(dir, 'faulty-plugins.json')];
  const fixtures = ['--providers-dir', here('../../../test/fixtures/plugins')];
  const command = [here('../../core/main.js'), 'start-dev', ...ports, ...places, ...files, ...fixtures];
  for (const deed of DEEDS) {
    process.stderr.write(`tokens beside ${deed}\n`);
    const server = await start(command);
    const names = { faulty: 'faulty', other: 'other' };
    const { beside, quiet } = await tokensBesideFault(server, names, deed, runs, seconds);
    server.child.kill('SIGTERM');
    await new Promise((resolve) => server.child.once('exit', resolve));
    const ratio = beside / quiet;
    const cells = [beside.toFixed(1), quiet.toFixed(1), ratio.toFixed(2), '≤ 1.2', ratio <= 1.2 ? 'ok  ' : 'over'];
    process.stdout.write(line([`tokens beside ${deed}, p99 in ms`, ...cells, 'quiet']));
  }
}

/** On a host of its own: the data is larger, and what came before leaves no memory behind. */
async function measureSlowReader(dir: string): Promise<number> {
  const data = join(dir, 'large-books.json');
  await writeFile(data, JSON.stringify(largeBooks()));
  const plugins = [{ module: '@keyhost/books', config: { 'grpc-service/books': { data } } }];
  await writeFile(join(dir, 'large-plugins.json'), JSON.stringify({ plugins }));
  await mkdir(join(dir, 'large-realms'));
  const demo = { realm: 'demo', enabled: true, providers: { 'grpc-service': { books: { enabled: true } } } };
  await writeFile(join(dir, 'large-realms', 'demo.json'), JSON.stringify(demo));
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'error'];
  const places = ['--data-dir', join(dir, 'large-data'), '--realms-dir', join(dir, 'large-realms')];
  const files = ['--plugins-file', join(dir, 'large-plugins.json')];
  const server = await start([here('../../core/main.js'), 'start-dev', ...ports, ...places, ...files]);
  return slowReaderGrowth(server, seconds);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
