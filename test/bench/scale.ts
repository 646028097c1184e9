import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { adminHeaders } from './admin/admin-token.js';
import { roomFor, writeLargeRealm } from './admin/large-realm.js';
import { CC } from './bench-realm.js';
import { HttpClient } from './http-client.js';
import { production, writeFolder } from './keyhost.js';
import type { LoadResult } from './load.js';
import { median } from './median.js';
import { memoryOf } from './memory.js';
import { Processes, type Server } from './processes.js';
import { oidcOf } from './rows/keyhost-targets.js';
import { runLoad } from './run-load.js';
import { measurePopulated } from './scale/populated.js';
import { tellSearches } from './scale/user-searches.js';

const HELP = `npm run bench:scale -- [options]: a host with many realms, users and sessions

  --db sqlite|postgres  sqlite (default): realms and users come from files, at the first start. postgres: a server of its own
                        is filled by SQL; tells what logins, refreshes, admin searches and sign-outs take, and what they
                        ask of the database
  --realms N     realms, of 10 clients each (default 10000; postgres: 1000, of 4 clients each)
  --users N      users of one more realm (default 100000; postgres: 10000)
  --sessions N   of those users, on postgres alone (default 50000)
  --searches     nothing but the searches of users
  --runs N       alternating runs of the token request, on sqlite alone (default 3)
  --help
`;
const { values } = parseArgs({
  options: {
    db: { type: 'string', default: 'sqlite' },
    realms: { type: 'string' },
    users: { type: 'string' },
    sessions: { type: 'string', default: '50000' },
    searches: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
const CLIENTS = 10;
const isPostgresql = values.db === 'postgres';
const REALMS = Number(values.realms ?? (isPostgresql ? 1000 : 10_000));
const USERS = Number(values.users ?? (isPostgresql ? 10_000 : 100_000));

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

async function folder(dir: string, realms: number, userCount: number): Promise<string[]> {
  await writeFolder(dir, []);
  for (let index = 0; index < realms; index += 1) {
    const name = `r${String(index).padStart(5, '0')}`;
    await writeFile(join(dir, 'realms', `${name}.json`), JSON.stringify(realm(name)));
  }
  if (userCount > 0) await writeLargeRealm(join(dir, 'realms'), { ...realm('large'), ...roomFor('large') }, userCount);
  return production(dir);
}

function tokens(server: Server, name: string): Promise<LoadResult> {
  const load = { connections: 16, seconds: 3, warmup: 1, pids: [server.pid] };
  return runLoad({ url: `${oidcOf(server, name)}/token`, form: CC, ...load });
}

/** Median time of an admin's request, in milliseconds, and how many entries it answers. */
async function adminRequest(server: Server, path: string): Promise<{ ms: number; entries: number }> {
  const times: number[] = [];
  let entries = 0;
  const headers = await adminHeaders(server);
  for (let run = 0; run < 5; run += 1) {
    const began = performance.now();
    const response = await fetch(`${server.url}/admin${path}`, { headers });
    const body = (await response.json()) as unknown;
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - began);
    entries = Array.isArray(body) ? body.length : Number(body);
  }
  return { ms: median(times), entries };
}

async function searches(server: Server): Promise<void> {
  const client = new HttpClient();
  const number = String(Math.floor(USERS / 2)).padStart(6, '0');
  await tellSearches(
    { server, client, realm: 'large', middle: { username: `user${number}`, number } },
    { say: (text) => process.stderr.write(`${text}\n`), print: (text) => process.stdout.write(`${text}\n`) },
  );
  client.close();
}

const print = (name: string, value: string, goal = '') =>
  process.stdout.write(`${name.padEnd(60)}${value.padStart(14)}  ${goal}\n`);

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-scale-'));
  const processes = new Processes(process.execPath, join(dir, 'code-cache'));
  try {
    if (isPostgresql) {
      const say = (text: string) => process.stderr.write(`${text}\n`);
      const tell = (text: string) => process.stdout.write(`${text}\n`);
      const sessions = Number(values.sessions);
      const population = { realms: REALMS, users: USERS, sessions };
      await measurePopulated({ dir, processes, say, print: tell }, population, values.searches);
      return;
    }
    process.stderr.write('writing the realm files\n');
    const many = await folder(join(dir, 'many'), REALMS, USERS);
    const one = await folder(join(dir, 'one'), 1, 0);
    process.stderr.write('first start\n');
    const first = await processes.start(many);
    print('first start, everything new', `${(first.readyMs / 1000).toFixed(1)} s`);
    await processes.stop(first);
    process.stderr.write('second start\n');
    const again = await processes.start(many);
    print('second start, nothing changed', `${(again.readyMs / 1000).toFixed(2)} s`, '≤ 3 s');
    print('memory then', `${memoryOf(again.pid).toFixed(0)} MB`, '≤ 200 MB');
    await searches(again);
    if (values.searches) return;
    const alone = await processes.start(one);
    const ratios: number[] = [];
    for (let run = 1; run <= Number(values.runs); run += 1) {
      process.stderr.write(`token request: run ${run} of ${values.runs}\n`);
      const here = await tokens(again, 'r00000');
      const there = await tokens(alone, 'r00000');
      ratios.push((here.cpuPerRequest ?? Number.NaN) / (there.cpuPerRequest ?? Number.NaN));
    }
    print('token request, CPU beside a host with one realm', `${median(ratios).toFixed(2)} ×`, '≤ 1.05 ×');
    const requests: [string, string][] = [
      ['all realms, brief', '/realms?briefRepresentation=true'],
      ['one realm’s clients', '/realms/r00007/clients'],
      ['first page of users', '/realms/large/users?first=0&max=100'],
      ['last page of users', `/realms/large/users?first=${USERS - 100}&max=100`],
    ];
    for (const [name, path] of requests) {
      const { ms, entries } = await adminRequest(again, path);
      print(`admin: ${name} (${entries})`, `${ms.toFixed(1)} ms`);
    }
    print('memory in the end', `${(memoryOf(again.pid)).toFixed(0)} MB`);
  } finally {
    processes.killAll();
    await rm(dir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
