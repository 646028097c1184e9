import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { status } from '@grpc/grpc-js';
import test from 'ava';
import { addressOf, booksRealm } from '../grpc/clients/books-hosts.js';
import { clientFor, getAuthor } from '../grpc/node-client.js';
import { eventually } from '../helpers/eventually.js';
import { freePort } from '../helpers/free-port.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { resourcePlugin, writePackage } from '../helpers/plugins.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { postgresqlPrograms } from '../helpers/postgresql-server.js';
import { folder, run } from '../helpers/process.js';
import { figure, isRunning, pidsOf, readiness, startWorkers, WHOAMI, whoAnswers } from '../helpers/workers.js';

/** Long enough for a busy machine to ask some things meanwhile. */
const DELAY_S = 12;

/** Connects without a request: Node's cluster may accept a connection while it closes and never answer it. */
const isRefused = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), new URL(url).hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

/** Serial, since each test starts several processes. */
const serial = postgresqlPrograms() === undefined ? testPostgresql : test.serial;

test('workers: several workers on SQLite are refused with the remedy', async (t) => {
  const host = await run(t, await folder(t, []), ['start-dev', '--workers', 'auto']);
  t.is(await host.ended, 1);
  t.regex(host.output(), /--workers: requires --db postgres: only one process can use a SQLite store/);
});

serial('workers: workers serve behind one port, evenly, and what a start does once is done once', async (t) => {
  const host = await startWorkers(t, { workers: '3' });
  const answered = new Map<number, number>();
  for (let asked = 0; asked < 120; asked += 1) {
    // A connection each, after the last one's answer: a worker that is busy with one is not given the next.
    const { worker } = await whoAnswers(host);
    answered.set(worker, (answered.get(worker) ?? 0) + 1);
  }
  t.deepEqual([...answered.keys()].sort(), [1, 2, 3]);
  t.true(Math.min(...answered.values()) >= 20, JSON.stringify([...answered]));
  t.is(await figure(host, 'keyhost_http_requests_total'), 120);
  t.is(await figure(host, 'keyhost_http_request_seconds_count'), 120);
  t.is(await figure(host, 'keyhost_info'), 1);
  t.is(await figure(host, 'keyhost_plugin_up'), 1);
  t.deepEqual([await figure(host, 'keyhost_processes_wanted'), await figure(host, 'keyhost_processes_ready')], [3, 3]);
  const { status, checks } = await readiness(host);
  t.is(status, 200);
  t.deepEqual([...checks.keys()], ['host', 'workers', 'store', 'changes', 'keys', 'threads']);
  t.deepEqual(checks.get('workers')?.data, { wanted: 3, ready: 3 });
  const output = host.output();
  for (const once of [
    /^Keyhost ready /gm,
    /^Admin of the realm master \(shown only once\)/gm,
    /applied \S*demo\.json/g,
  ])
    t.is(output.match(once)?.length, 1, String(once));
  const ofWorkers = host.lines().filter(({ msg }) => String(msg).includes('demo.json'));
  t.deepEqual([...new Set(ofWorkers.map(({ worker }) => worker))], [1]);
  t.like(JSON.parse(await readFile(join(host.dir, 'data/management.json'), 'utf8')), { url: host.managementUrl });
  t.is((await fetchAnswer(`${host.managementUrl}/realms`)).status, 200);
});

serial('workers: the gRPC port is shared, too', async (t) => {
  const host = await startWorkers(t, {
    realms: [booksRealm('demo')],
    packages: {},
    plugins: [{ module: '@keyhost/books' }],
    argv: ['--grpc-access-log-enabled'],
  });
  const address = addressOf(host as unknown as TestHost);
  // grpc-js makes one connection for each address that it is given.
  for (const one of [address, address.replace('127.0.0.1', 'localhost')]) {
    const client = await clientFor(t, one);
    for (let calls = 0; calls < 3; calls += 1) t.is((await getAuthor(client)).code, status.OK);
  }
  const calls = () => host.lines().filter(({ msg }) => msg === 'grpc');
  await eventually(() => calls().length === 6);
  t.deepEqual(
    calls()
      .map(({ worker }) => worker)
      .sort(),
    [1, 1, 1, 2, 2, 2],
  );
  t.is(await figure(host, 'keyhost_grpc_calls_total'), 6);
});

serial(
  'workers: a worker that dies is started again, told by log and metric; others serve on, and no counter falls',
  async (t) => {
    const host = await startWorkers(t);
    const before = await pidsOf(host);
    const counted = await figure(host, 'keyhost_http_requests_total');
    t.is(counted, 4);
    process.kill(before[0] ?? 0, 'SIGKILL');
    // Meanwhile connections are given to the other.
    await eventually(() => !isRunning(before[0] ?? 0));
    t.true(before.slice(1).includes((await whoAnswers(host)).pid));
    t.is(await figure(host, 'keyhost_http_requests_total'), counted + 1);
    await eventually(async () => (await figure(host, 'keyhost_processes_ready')) === 2);
    const after = await pidsOf(host);
    t.is(after.length, 2);
    t.is(after[1], before[1]);
    t.not(after[0], before[0]);
    t.is(await figure(host, 'keyhost_process_restarts_total'), 1);
    t.is(await figure(host, 'keyhost_http_requests_total'), counted + 5);
    t.is((await readiness(host)).status, 200);
    t.like(
      host.lines().find(({ msg }) => msg === 'worker ended, restarting it'),
      { worker: 1, end: 'SIGKILL' },
    );
  },
);

serial('workers: a start that fails says so once, whichever worker fails, and leaves nobody behind', async (t) => {
  const realm = { realm: 'demo', enabled: true, providers: { 'realm-restapi-extension': { none: { enabled: true } } } };
  const first = await startWorkers(t, { realms: [realm], workers: '3' });
  t.is(await first.ended, 1);
  t.is(first.output().match(/\[realm_invalid]/g)?.length, 1, first.output());
  const broken = resourcePlugin(
    'whoami',
    'return {};',
    `if (Number(process.argv[3]) > 1) throw new Error('there is no licence for two');`,
  );
  const others = await startWorkers(t, { packages: { whoami: broken }, workers: '3' });
  t.is(await others.ended, 1);
  t.is(others.output().match(/\[plugin_open_failed]/g)?.length, 1, others.output());
  t.regex(others.output(), /there is no licence for two/);
  t.notRegex(others.output(), /Keyhost ready/);
  const host = await startWorkers(t);
  const taken = await startWorkers(t, { port: new URL(host.url ?? '').port });
  t.is(await taken.ended, 1);
  t.is(taken.output().match(/\[listen_failed]/g)?.length, 1, taken.output());
});

serial(
  'workers: SIGTERM takes readiness first, serves on for the delay, answers what is under way, and ends all with 0',
  async (t) => {
    const slow = resourcePlugin(
      'whoami',
      `const { existsSync } = await import('node:fs');
     const [until] = request.query.until ?? [];
     while (until !== undefined && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 20));
     return { body: { pid: process.pid, worker: Number(process.argv[3]) } };`,
    );
    const host = await startWorkers(t, {
      packages: { whoami: slow },
      argv: ['--shutdown-delay', `${DELAY_S}s`, '--shutdown-timeout', '600s'],
    });
    const pids = await pidsOf(host);
    const end = join(await mkdtemp(join(tmpdir(), 'keyhost-end-')), 'now');
    t.teardown(() => rm(dirname(end), { recursive: true }));
    host.child.kill('SIGTERM');
    const began = Date.now();
    await eventually(async () => (await readiness(host)).status === 503);
    // Asked within the delay: a plugin's call has 30 s, however slow the machine.
    const underWay = fetchAnswer(`${host.url}/realms/demo/whoami?until=${end}`);
    t.is((await readiness(host)).checks.get('host')?.status, 'DOWN');
    t.is((await fetchAnswer(`${host.managementUrl}/health/live`)).status, 200);
    t.true(pids.includes((await whoAnswers(host)).pid));
    await eventually(() => isRefused(host.url ?? ''));
    t.true(Date.now() - began >= DELAY_S * 1000 - 10);
    await writeFile(end, '');
    t.is((await underWay).status, 200);
    t.is(await host.ended, 0, host.output());
    t.deepEqual(pids.map(isRunning), [false, false]);
    t.is(host.output().match(/SIGTERM, draining/g)?.length, 1);
  },
);

serial(
  'workers: a signal of the whole group, as a terminal and systemd send it, drains once; a later one ends at once',
  async (t) => {
    const host = await startWorkers(t, { argv: ['--shutdown-delay', '60s'] });
    const pids = await pidsOf(host);
    for (const pid of pids) process.kill(pid, 'SIGTERM');
    // Workers wait for the process that started them.
    t.deepEqual(await pidsOf(host), pids);
    t.is((await readiness(host)).status, 200);
    host.child.kill('SIGTERM');
    host.child.kill('SIGTERM');
    await eventually(async () => (await readiness(host)).status === 503);
    // biome-ignore lint/plugin: signals within a second are one; that nothing happens can only be waited for
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    t.deepEqual(pids.map(isRunning), [true, true]);
    host.child.kill('SIGTERM');
    t.is(await host.ended, 128 + constants.signals.SIGTERM);
    await eventually(() => !pids.some(isRunning));
  },
);

test('workers: the second signal ends a single process at once, unless it comes with the first', async (t) => {
  const host = await run(t, await folder(t, []), ['start-dev', '--shutdown-delay', '60s']);
  const management = /management=(\S+)/.exec(host.output())?.[1];
  const ready = async () => (await fetchAnswer(`${management}/health/ready`)).status;
  host.child.kill('SIGINT');
  host.child.kill('SIGTERM');
  await eventually(async () => (await ready()) === 503);
  // biome-ignore lint/plugin: signals within a second are one; that nothing happens can only be waited for
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  t.is(await ready(), 503);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 128 + constants.signals.SIGTERM);
});

serial(
  'workers: a worker that cannot be started again leaves the others serving, and is missed by health after a while',
  async (t) => {
    const flagged = WHOAMI.replace(
      'async open(config, host) {',
      `$& const { existsSync } = await import('node:fs'); if (existsSync(process.env.TEST_FLAG)) throw new Error('the licence is gone');`,
    );
    const flag = join(await folder(t, []), 'flag');
    const host = await startWorkers(t, { packages: { whoami: flagged }, env: { TEST_FLAG: flag } });
    const [first = 0, second = 0] = await pidsOf(host);
    await writeFile(flag, '');
    process.kill(second, 'SIGKILL');
    await eventually(() => host.lines().some(({ msg }) => msg === 'worker did not start'));
    t.regex(JSON.stringify(host.lines()), /the licence is gone/);
    t.is((await whoAnswers(host)).pid, first);
    await eventually(async () => (await readiness(host)).status === 503);
    const { checks } = await readiness(host);
    t.deepEqual(
      [...checks.values()].filter(({ status }) => status === 'DOWN').map(({ name, data }) => [name, data]),
      [['workers', { wanted: 2, ready: 1 }]],
    );
    t.is((await whoAnswers(host)).pid, first);
    host.child.kill('SIGTERM');
    t.is(await host.ended, 0, host.output());
  },
);

serial('workers: a worker that hangs is told by health, ended and started again', async (t) => {
  const hangs = resourcePlugin(
    'whoami',
    `if (request.query.hang) for (;;);
     return { body: { pid: process.pid, worker: Number(process.argv[3]) } };`,
  );
  const host = await startWorkers(t, { packages: { whoami: hangs } });
  const before = await pidsOf(host);
  const hung = fetchAnswer(`${host.url}/realms/demo/whoami?hang=1`).catch(() => undefined);
  await eventually(async () => (await readiness(host)).checks.get('workers')?.status === 'DOWN');
  t.is((await fetchAnswer(`${host.managementUrl}/health/live`)).status, 200);
  t.is(await hung, undefined);
  t.true(host.lines().some(({ msg }) => msg === 'worker does not respond, killing it'));
  await eventually(async () => (await readiness(host)).status === 200);
  const after = await pidsOf(host);
  t.is(after.filter((pid) => before.includes(pid)).length, 1);
});

serial('workers: workers whose parent is killed end by themselves, and the next start takes their place', async (t) => {
  const port = `${await freePort()}`;
  const host = await startWorkers(t, { port });
  const pids = await pidsOf(host);
  host.child.kill('SIGKILL');
  await eventually(() => !pids.some(isRunning));
  const next = await startWorkers(t, { port });
  t.is(next.url, host.url);
});

serial(
  'workers: keyhost plugin reload rolls over the workers as over nodes, and goes back when one refuses',
  async (t) => {
    const host = await startWorkers(t, { argv: ['--watch-plugins', 'false'] });
    const { secret } = JSON.parse(await readFile(join(host.dir, 'data/management.json'), 'utf8')) as { secret: string };
    const post = async (path: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      const { status, json } = await fetchAnswer(`${host.managementUrl}/plugins/${path}`, { method: 'POST', headers });
      return { status, ...(json as { nodes?: { outcome: string }[]; error?: string; error_description?: string }) };
    };
    const versions = async () => {
      const { json } = await fetchAnswer(`${host.managementUrl}/plugins`);
      const { nodes } = json as unknown as { nodes: { plugins: { version: string }[] }[] };
      return nodes.map(({ plugins }) => plugins[0]?.version);
    };
    const write = (text: string, version: string) => writePackage(host.providersDir ?? '', 'whoami', text, version);
    await eventually(async () => (await versions()).length === 2);
    await write(WHOAMI, '2.0.0');
    const replaced = await post('reload?module=whoami');
    t.is(replaced.status, 200, JSON.stringify(replaced));
    t.deepEqual(
      replaced.nodes?.map(({ outcome }) => outcome),
      ['replaced', 'replaced'],
    );
    t.deepEqual(await versions(), ['2.0.0', '2.0.0']);
    t.is((await pidsOf(host)).length, 2);
    const broken = WHOAMI.replace(
      'async open(config, host) {',
      `$& if (process.argv[3] === '2') throw new Error('not here');`,
    );
    await write(broken, '3.0.0');
    const refused = await post('reload?module=whoami');
    t.is(refused.status, 409);
    t.is(refused.error, 'plugin_nodes');
    t.regex(refused.error_description ?? '', /not here/);
    t.deepEqual(await versions(), ['2.0.0', '2.0.0']);
  },
);
