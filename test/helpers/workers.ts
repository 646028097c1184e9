import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { fetchAnswer } from './host.js';
import { enabledResources, type PackageFiles, providersFolder, resourcePlugin } from './plugins.js';
import { sharedPostgresql } from './postgresql-server.js';
import { folder, type Run, run } from './process.js';

/** Answers `GET /realms/demo/whoami` with the answering worker and its process. */
export const WHOAMI = resourcePlugin(
  'whoami',
  `return { body: { pid: process.pid, worker: Number(process.argv[3]) } };`,
);
const REALM = { realm: 'demo', enabled: true, providers: enabledResources(['whoami']) };

export interface Workers extends Run {
  readonly managementUrl: string;
  readonly grpcAddress: string | undefined;
  readonly dir: string;
  readonly providersDir: string | undefined;
  lines(): Record<string, unknown>[];
}

export interface WorkersOptions {
  readonly workers?: string;
  readonly realms?: readonly object[];
  /** The packages of a providers folder for this host; by default those of the repository. */
  readonly packages?: Readonly<Record<string, PackageFiles>>;
  readonly plugins?: readonly object[];
  readonly argv?: readonly string[];
  readonly port?: string;
  readonly env?: Record<string, string>;
}

/** `keyhost start-dev --workers 2` with its own database, killed with the test. */
export async function startWorkers(t: ExecutionContext, options: WorkersOptions = {}): Promise<Workers> {
  const { packages = { whoami: WHOAMI }, plugins = [{ module: 'whoami' }], realms = [REALM], workers = '2' } = options;
  const dir = await folder(t, [...realms]);
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
  const database = await (await sharedPostgresql()).database();
  await writeFile(join(dir, 'password'), database.password ?? '', { mode: 0o600 });
  const providersDir = Object.keys(packages).length === 0 ? undefined : await providersFolder(t, packages);
  const store = [
    '--db',
    'postgres',
    '--db-url',
    `postgres://127.0.0.1:${database.port}/${database.database}`,
    '--db-username',
    database.username,
    '--db-password-file',
    join(dir, 'password'),
    '--workers',
    workers,
    ...(providersDir === undefined ? [] : ['--providers-dir', providersDir]),
  ];
  const argv = ['start-dev', ...store, ...(options.argv ?? [])];
  const started = await run(t, dir, argv, options.env, options.port);
  const told = (name: string) => new RegExp(`^Keyhost ready .*?\\b${name}=(\\S+)`, 'm').exec(started.output())?.[1];
  return {
    ...started,
    dir,
    providersDir,
    managementUrl: told('management') ?? '',
    grpcAddress: told('grpc'),
    lines: () =>
      started
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{"level"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Finds the worker that answers a new connection. */
export function whoAnswers({ url }: Pick<Run, 'url'>): Promise<{ pid: number; worker: number }> {
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const request = get(`${url}/realms/demo/whoami`, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve(JSON.parse(body) as { pid: number; worker: number }));
    });
    request.on('error', reject);
  });
}

/** The processes that serve, as reported on a new connection each. */
export async function pidsOf(host: Pick<Run, 'url'>, workers = 2): Promise<number[]> {
  const pids = new Map<number, number>();
  for (let asked = 0; asked < workers * 2; asked += 1) {
    const { pid, worker } = await whoAnswers(host);
    pids.set(worker, pid);
  }
  return [...pids].sort(([one], [other]) => one - other).map(([, pid]) => pid);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The status and the checks of `/health/ready`. */
export async function readiness({ managementUrl }: Workers) {
  const { status, json } = await fetchAnswer(`${managementUrl}/health/ready`);
  const { checks } = json as unknown as { checks: { name: string; status: string; data?: Record<string, number> }[] };
  return { status, checks: new Map(checks.map((check) => [check.name, check])) };
}

/** The sum of a metric over all labels; NaN if it is missing. */
export async function figure({ managementUrl }: Workers, metric: string): Promise<number> {
  const { text } = await fetchAnswer(`${managementUrl}/metrics`);
  const values = [...text.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
}
