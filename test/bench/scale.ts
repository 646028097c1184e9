import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CC } from './bench-realm.js';
import type { LoadPlan, LoadResult } from './load.js';

const HELP = `npm run bench:scale -- [options]: a host with many realms and many users

  --realms N     realms, of 10 clients each (default 10000)
  --users N      users of one more realm (default 100000)
  --runs N       alternating runs of the token request (default 3)
  --help
`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    realms: { type: 'string', default: '10000' },
    users: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
const ADMIN = ['--bootstrap-admin-username', 'root', '--bootstrap-admin-password', 'root-password'];
const CLIENTS = 10;
const USERS_PER_FILE = 20_000;
const children: ChildProcess[] = [];

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** From the start of the process until it says that it is ready, in milliseconds. */
  readonly readyMs: number;
  /** Resident memory when it is ready. */
  readonly readyMb: number;
}

function realm(name: string): object {
  const clients = Array.from({ length: CLIENTS - 1 }, (_, index) => ({
    clientId: `web-${index}`,
    secret: `secret-of-web-${index}`,
    redirectUris: [`https://web-${index}.example.com/*`],
    attributes: { 'post.logout.redirect.uris': '+' },
  }));
  return {
    realm: name,
    enabled: true,
    displayName: `Realm ${name}`,
    defaultSignatureAlgorithm: 'ES256',
    eventsListeners: [],
    clients: [{ clientId: 'cc', secret: CC.client_secret, serviceAccountsEnabled: true }, ...clients],
    roles: { realm: [{ name: 'reader' }, { name: 'writer' }] },
    groups: [{ name: 'team', realmRoles: ['reader'] }],
  };
}

function users(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(first + index).padStart(6, '0');
    return {
      username: `user${number}`,
      email: `user${number}@example.com`,
      firstName: `First${number}`,
      lastName: `Last${number}`,
      enabled: true,
      realmRoles: ['reader'],
      groups: ['/team'],
    };
  });
}

async function folder(dir: string, realms: number, userCount: number): Promise<string[]> {
  const realmsDir = join(dir, 'realms');
  await mkdir(realmsDir, { recursive: true });
  for (let index = 0; index < realms; index += 1) {
    const name = `r${String(index).padStart(5, '0')}`;
    await writeFile(join(realmsDir, `${name}.json`), JSON.stringify(realm(name)));
  }
  if (userCount > 0) await writeFile(join(realmsDir, 'large-realm.json'), JSON.stringify(realm('large')));
  for (let first = 0; first < userCount; first += USERS_PER_FILE) {
    const some = { realm: 'large', users: users(first, Math.min(USERS_PER_FILE, userCount - first)) };
    await writeFile(join(realmsDir, `large-users-${first / USERS_PER_FILE}.json`), JSON.stringify(some));
  }
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [] }));
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'error'];
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', realmsDir];
  return ['start-dev', ...ports, ...places, '--plugins-file', join(dir, 'plugins.json'), ...ADMIN];
}

async function start(options: readonly string[]): Promise<Server> {
  const began = performance.now();
  const child = spawn(process.execPath, [here('../../core/main.js'), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  children.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /ready http=(\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error('the host ended')));
  });
  const readyMs = performance.now() - began;
  const pid = child.pid ?? 0;
  return { url, pid, child, readyMs, readyMb: await memoryOf(pid) };
}

async function stop({ child }: Server): Promise<void> {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

/** Resident memory in MiB. */
async function memoryOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/)?.[1]) / 1024;
}

function tokens(server: Server, name: string): Promise<LoadResult> {
  const plan: LoadPlan = {
    url: `${server.url}/realms/${name}/protocol/openid-connect/token`,
    form: CC,
    connections: 16,
    seconds: 3,
    warmup: 1,
    pid: server.pid,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [here('./load.js'), JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error('no tokens'))));
  });
}

/** Median time of an admin's request, in milliseconds, and how many entries it answers. */
async function adminRequest(server: Server, token: string, path: string): Promise<{ ms: number; entries: number }> {
  const times: number[] = [];
  let entries = 0;
  for (let run = 0; run < 5; run += 1) {
    const began = performance.now();
    const response = await fetch(`${server.url}/admin${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as unknown;
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - began);
    entries = Array.isArray(body) ? body.length : Number(body);
  }
  return { ms: median(times), entries };
}

async function adminToken(server: Server): Promise<string> {
  const response = await fetch(`${server.url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'root',
      password: 'root-password',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const print = (name: string, value: string, goal = '') =>
  process.stdout.write(`${name.padEnd(60)}${value.padStart(14)}  ${goal}\n`);

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-scale-'));
  try {
    process.stderr.write('writing the realm files\n');
    const many = await folder(join(dir, 'many'), Number(values.realms), Number(values.users));
    const one = await folder(join(dir, 'one'), 1, 0);
    process.stderr.write('first start\n');
    const first = await start(many);
    print('first start, everything new', `${(first.readyMs / 1000).toFixed(1)} s`);
    await stop(first);
    process.stderr.write('second start\n');
    const again = await start(many);
    print('second start, nothing changed', `${(again.readyMs / 1000).toFixed(2)} s`, '≤ 3 s');
    print('memory then', `${again.readyMb.toFixed(0)} MB`, '≤ 200 MB');
    const alone = await start(one);
    const ratios: number[] = [];
    for (let run = 1; run <= Number(values.runs); run += 1) {
      process.stderr.write(`token request: run ${run} of ${values.runs}\n`);
      const here = await tokens(again, 'r00000');
      ratios.push(here.cpuPerRequest / (await tokens(alone, 'r00000')).cpuPerRequest);
    }
    print('token request, CPU beside a host with one realm', `${median(ratios).toFixed(2)} ×`, '≤ 1.05 ×');
    const token = await adminToken(again);
    const requests: [string, string][] = [
      ['all realms, brief', '/realms?briefRepresentation=true'],
      ['one realm’s clients', '/realms/r00007/clients'],
      ['first page of users', '/realms/large/users?first=0&max=100'],
      ['last page of users', `/realms/large/users?first=${Number(values.users) - 100}&max=100`],
      ['users by the start of a name', '/realms/large/users?search=user05000'],
      ['users by any part of a name', '/realms/large/users?search=*5000*'],
      ['number of users', '/realms/large/users/count'],
    ];
    for (const [name, path] of requests) {
      const { ms, entries } = await adminRequest(again, token, path);
      print(`admin: ${name} (${entries})`, `${ms.toFixed(1)} ms`);
    }
    print('memory in the end', `${(await memoryOf(again.pid)).toFixed(0)} MB`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
