import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuOf, type LoadPlan, type LoadResult } from './load.js';

const HELP = `npm run bench -- [options]: server CPU per request, Keyhost beside its peers, in alternating runs

  --quick        one short run each, to see that everything runs
  --runs N       alternating runs (default 5)
  --seconds N    length of a run (default 3)
  --only A,B     rows whose name contains one of these
  --json FILE    writes the figures
  --help
`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ALICE = 'a11ce000-0000-4000-8000-000000000001';
const CC = { grant_type: 'client_credentials', client_id: 'cc', client_secret: 'cc-secret-0123456789' };
const WEB = { client_id: 'web', client_secret: 'web-secret-0123456789' };
const EXCHANGE = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  client_id: 'newsletter-backend',
  client_secret: 'newsletter-secret',
  requested_subject: ALICE,
  scope: 'newsletterscope42',
  audience: 'newsletter-api',
};

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** CPU until it was ready, in milliseconds. */
  readonly startCpu: number;
}

interface Target {
  readonly server: Server;
  plan(): Promise<Omit<LoadPlan, 'connections' | 'seconds' | 'warmup' | 'pid'>>;
}

interface Row {
  readonly name: string;
  readonly goal: number;
  readonly peer: string;
  readonly ours: Target;
  readonly theirs: Target;
}

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
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /ready http=(\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`${command[0]} ended`)));
  });
  const pid = child.pid ?? 0;
  return { url, pid, child, startCpu: cpuOf(pid) };
}

function realm(name: string, algorithm: string, eventsEnabled: boolean): object {
  return {
    realm: name,
    enabled: true,
    defaultSignatureAlgorithm: algorithm,
    eventsEnabled,
    eventsListeners: [],
    enabledEventTypes: eventsEnabled ? ['CLIENT_LOGIN'] : [],
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    clientScopes: [
      {
        name: 'newsletterscope',
        attributes: { 'is.dynamic.scope': 'true', 'dynamic.scope.regexp': 'newsletterscope*' },
      },
    ],
    clients: [
      { clientId: 'cc', secret: CC.client_secret, serviceAccountsEnabled: true },
      { clientId: 'web', secret: WEB.client_secret, directAccessGrantsEnabled: true },
      {
        clientId: 'newsletter-backend',
        secret: EXCHANGE.client_secret,
        serviceAccountsEnabled: true,
        optionalClientScopes: ['newsletterscope'],
        impersonation: { enabled: true, scopes: ['newsletterscope*'], audiences: ['newsletter-api'] },
      },
      { clientId: 'newsletter-api', bearerOnly: true },
    ],
    users: [
      {
        id: ALICE,
        username: 'alice',
        email: 'alice@example.com',
        enabled: true,
        credentials: [{ type: 'password', value: 'alice' }],
      },
    ],
    providers: {
      'realm-restapi-extension': {
        newsletter: { enabled: true, config: { authentication: 'none', requestsPerSecond: 0 } },
      },
      'action-token-handler': {
        'external-app-notification': {
          enabled: true,
          config: { clientId: 'newsletter-backend', clientSecret: EXCHANGE.client_secret, audience: 'newsletter-api' },
        },
      },
    },
  };
}

async function post(url: string, form: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
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
    ];
    for (const args of realms) await writeFile(join(dir, 'realms', `${args[0]}.json`), JSON.stringify(realm(...args)));
    const options = [
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
    process.stderr.write('starting Keyhost, the ceiling and node-oidc-provider\n');
    const first = await start(command);
    first.child.kill('SIGTERM');
    await new Promise((resolve) => first.child.once('exit', resolve));
    const keyhost = await start(command);
    const ceiling = await start([here('./peers/ceiling.js')]);
    const opRs = await start([here('./peers/oidc-provider.js'), 'RS256']);
    const opEs = await start([here('./peers/oidc-provider.js'), 'ES256']);
    const opOpaque = await start([here('./peers/oidc-provider.js'), 'RS256', 'opaque']);
    const rest = (await readFile(`/proc/${keyhost.pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/)?.[1];
    const results = await measureRows(rows(keyhost, ceiling, opRs, opEs, opOpaque));
    const startRatio = keyhost.startCpu / opRs.startCpu;
    results.push({
      name: 'start: CPU until ready',
      ours: keyhost.startCpu * 1000,
      theirs: opRs.startCpu * 1000,
      ratio: startRatio,
      goal: 1.6,
      peer: 'oidc-provider',
    });
    print(results, Number(rest) / 1024);
    if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, null, 2));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}

function rows(keyhost: Server, ceiling: Server, opRs: Server, opEs: Server, opOpaque: Server): Row[] {
  const oidc = (name: string) => `${keyhost.url}/realms/${name}/protocol/openid-connect`;
  const fixed = (
    server: Server,
    plan: { url: string; form?: Record<string, string>; json?: object; follow?: string },
  ): Target => ({ server, plan: async () => plan });
  const cc = (name: string) => fixed(keyhost, { url: `${oidc(name)}/token`, form: CC });
  const ourRefresh = (name: string): Target => ({
    server: keyhost,
    async plan() {
      const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
      const chains = await Promise.all(Array.from({ length: 16 }, () => post(`${oidc(name)}/token`, login)));
      return {
        url: `${oidc(name)}/token`,
        form: { ...WEB, grant_type: 'refresh_token' },
        chains: chains.map((answer) => answer.refresh_token ?? ''),
      };
    },
  });
  const theirRefresh = (server: Server): Target => ({
    server,
    async plan() {
      const chains = await Promise.all(
        Array.from({ length: 16 }, async () => (await fetch(`${server.url}/seed`)).text()),
      );
      return { url: `${server.url}/token`, form: { ...WEB, grant_type: 'refresh_token' }, chains };
    },
  });
  const introspect = (server: Server, token: string, url: string): Target => ({
    server,
    plan: async () => ({
      url,
      form: {
        ...WEB,
        client_id: 'cc',
        client_secret: CC.client_secret,
        token: (await post(token, CC)).access_token ?? '',
      },
    }),
  });
  const discovery = '/.well-known/openid-configuration';
  return [
    {
      name: 'client_credentials RS256',
      goal: 1.2,
      peer: 'ceiling',
      ours: cc('rs'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/RS256`, form: CC }),
    },
    {
      name: 'client_credentials ES256',
      goal: 1.35,
      peer: 'ceiling',
      ours: cc('es'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/ES256`, form: CC }),
    },
    {
      name: 'client_credentials ES256, events on',
      goal: 1.35,
      peer: 'ceiling',
      ours: cc('events'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/ES256`, form: CC }),
    },
    { name: 'refresh RS256', goal: 0.75, peer: 'oidc-provider', ours: ourRefresh('rs'), theirs: theirRefresh(opRs) },
    { name: 'refresh ES256', goal: 0.5, peer: 'oidc-provider', ours: ourRefresh('es'), theirs: theirRefresh(opEs) },
    {
      name: 'introspection',
      goal: 0.55,
      peer: 'oidc-provider',
      ours: introspect(keyhost, `${oidc('rs')}/token`, `${oidc('rs')}/token/introspect`),
      theirs: introspect(opOpaque, `${opOpaque.url}/token`, `${opOpaque.url}/token/introspection`),
    },
    {
      name: 'discovery',
      goal: 0.5,
      peer: 'oidc-provider',
      ours: fixed(keyhost, { url: `${keyhost.url}/realms/rs${discovery}` }),
      theirs: fixed(opRs, { url: `${opRs.url}${discovery}` }),
    },
    {
      name: 'JWKS',
      goal: 0.5,
      peer: 'oidc-provider',
      ours: fixed(keyhost, { url: `${oidc('rs')}/certs` }),
      theirs: fixed(opRs, { url: `${opRs.url}/jwks` }),
    },
    {
      name: 'token exchange',
      goal: 1.3,
      peer: 'own client_credentials',
      ours: fixed(keyhost, { url: `${oidc('rs')}/token`, form: EXCHANGE }),
      theirs: cc('rs'),
    },
    {
      name: 'action token: generate and follow',
      goal: 1.3,
      peer: 'own client_credentials',
      ours: fixed(keyhost, {
        url: `${keyhost.url}/realms/rs/newsletter/generate-token`,
        json: { userId: ALICE, applicationId: '42' },
        follow: 'link',
      }),
      theirs: cc('rs'),
    },
  ];
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
  const line = (cells: readonly string[]) =>
    `${(cells[0] ?? '').padEnd(38)}${cells
      .slice(1, 5)
      .map((cell) => cell.padStart(10))
      .join('')}  ${cells.slice(5).join('  ')}\n`;
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
  process.stdout.write('later: code flow, logins beside tokens, gRPC (they come with their features)\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
