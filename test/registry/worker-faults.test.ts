import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { packageIntegrity } from '../../core/registry/loading/package-integrity.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { SVC } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const PLUGINS = fileURLToPath(new URL('../../../test/fixtures/plugins', import.meta.url));

function boot(t: ExecutionContext, entry: object = {}, env = {}): Promise<TestHost> {
  return startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['unruly']) }), testRealm('other', { providers: {} })],
    plugins: [{ module: 'unruly', isolation: 'worker', ...entry }, { module: 'quiet' }],
    argv: ['--providers-dir', PLUGINS],
    env,
  });
}

const callHealthy = (host: TestHost) => fetchAnswer(`${host.realm('demo')}/unruly/well`);
const causeFault = (host: TestHost, fault: string) =>
  fetchAnswer(`${host.realm('demo')}/unruly/${fault}`, { method: 'POST' });
const token = (host: TestHost, realm: string) => host.token(realm, { ...SVC, grant_type: 'client_credentials' });

/**
 * Requests tokens in the background.
 * @returns a function that stops the requests and returns the statuses of all answers
 */
function requestTokensInBackground(t: ExecutionContext, host: TestHost): () => Promise<Set<number>> {
  const statuses = new Set<number>();
  let isStopped = false;
  const asking = ['other', 'demo'].map(async (realm) => {
    while (!isStopped) statuses.add((await token(host, realm)).status);
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(asking);
    return statuses;
  };
  t.teardown(stop);
  return stop;
}

/**
 * Calls the plugin until it answers. While it is down, the host must answer with `Retry-After`.
 * @returns the number of calls that failed
 */
async function waitUntilServing(t: ExecutionContext, host: TestHost): Promise<number> {
  let refused = 0;
  await eventually(async () => {
    const { status, headers, json } = await callHealthy(host);
    if (status === 200) return true;
    refused += 1;
    // A worker that has just stopped a flood may be slow for a while.
    if (status === 504) return false;
    t.deepEqual([status, json.error], [503, 'plugin_unavailable']);
    t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    return false;
  });
  return refused;
}

/**
 * The fault that the plugin causes, the status of the answer, and the reported reason if the worker ends. Without a
 * reason the worker stays up; with `hung?` both outcomes are accepted.
 */
const FAULTS: readonly (readonly [deed: string, status: number, down?: string])[] = [
  ['throw', 500],
  ['hang', 504],
  ['patch', 200],
  ['flood-log', 200],
  ['flood-output', 200],
  ['flood-parent', 200],
  ['flood-session', 504, 'hung?'],
  ['exit', 503, 'exit'],
  ['crash', 503, 'crash'],
  ['reject', 503, 'crash'],
  ['reject-nothing', 503, 'crash'],
  ['spin', 503, 'hung'],
];

for (const [deed, expected, reason] of FAULTS) {
  test.serial(
    `faults of workers: a plugin in a worker may ${deed}: tokens are issued meanwhile, and it serves again`,
    async (t) => {
      const host = await boot(t, { limits: { callTimeout: expected === 504 ? 1 : 30 } });
      t.is((await callHealthy(host)).status, 200);
      const stop = requestTokensInBackground(t, host);
      const { status, text, headers } = await causeFault(host, deed);
      if (reason !== 'hung?') t.is(status, expected, text);
      t.notRegex(text, /password|stack|\.js/);
      if (status === 503) t.is(headers.get('retry-after'), '1');
      await waitUntilServing(t, host);
      t.deepEqual([...(await stop())], [200]);
      const downs = await figures(host, 'keyhost_worker_downs_total');
      if (reason !== 'hung?') t.deepEqual(downs, reason === undefined ? {} : { [`plugin=unruly,reason=${reason}`]: 1 });
      t.is((await figures(host, 'keyhost_plugin_up'))['plugin=unruly'], 1);
      t.is(JSON.stringify([({} as { isAdmin?: true }).isAdmin]), '[null]', 'the host’s own objects are whole');
    },
  );
}

for (const [deed, expected] of [
  ['throw', 500],
  ['hang', 504],
  ['flood-session', 504],
] as const) {
  test.serial(
    `faults of workers: a plugin in the process may ${deed}: tokens are issued meanwhile, and it serves again`,
    async (t) => {
      const host = await boot(t, { isolation: 'none', limits: { callTimeout: expected === 504 ? 1 : 30 } });
      const stop = requestTokensInBackground(t, host);
      t.is((await causeFault(host, deed)).status, expected);
      await waitUntilServing(t, host);
      t.deepEqual([...(await stop())], [200]);
    },
  );
}

for (const deed of ['leak', 'leak-buffers']) {
  test.serial(
    `faults of workers: a plugin in a worker that has a ${deed} is replaced before its memory is used up`,
    async (t) => {
      const host = await boot(t, { limits: { memory: 64 } });
      const stop = requestTokensInBackground(t, host);
      const { status } = await causeFault(host, deed);
      t.is(status, 503);
      await waitUntilServing(t, host);
      t.deepEqual((await callHealthy(host)).json, { kept: 0 });
      t.deepEqual([...(await stop())], [200]);
    },
  );
}

test.serial(
  'faults of workers: a plugin that fails repeatedly is broken: the host runs, says so, and refuses at once',
  async (t) => {
    const host = await boot(t);
    for (let failures = 1; failures <= 6; failures += 1) {
      await waitUntilServing(t, host);
      t.is((await causeFault(host, 'exit')).status, 503);
    }
    const { status, headers } = await callHealthy(host);
    t.is(status, 503);
    t.true(Number(headers.get('retry-after')) > 30);
    t.is((await figures(host, 'keyhost_plugin_up'))['plugin=unruly'], 0);
    t.is((await figures(host, 'keyhost_plugin_up'))['plugin=quiet'], 1);
    const health = await fetchAnswer(`${host.managementUrl}/health`);
    t.deepEqual([health.status, health.json.status], [200, 'UP']);
    t.deepEqual(health.json.plugins, [
      { name: 'unruly', status: 'DOWN' },
      { name: 'quiet', status: 'UP' },
    ]);
    t.is((await token(host, 'demo')).status, 200);
    t.true(host.log.some(({ message }) => message.startsWith('plugin worker keeps failing')));
    const [unruly] = (await host.plugins.look()).plugins;
    t.deepEqual(
      [unruly?.state, unruly?.reason],
      ['down', 'its worker is down: it ended with code 0; it keeps failing, retrying once a minute'],
    );
    t.deepEqual((await host.plugins.reload('quiet')).outcome, 'unchanged');
    t.is((await callHealthy(host)).status, 503);
    t.deepEqual((await host.plugins.reload('unruly')).changes, ['unruly 1.0.0, worker started']);
    t.is((await callHealthy(host)).status, 200);
  },
);

test.serial(
  'faults of workers: a worker sees the environment variables that plugins.json names, and no others',
  async (t) => {
    const host = await boot(t, { env: ['MAIL_HOST', 'NOT_SET'] }, { MAIL_HOST: 'mail.test', MASTER_KEY: 'secret' });
    t.deepEqual((await fetchAnswer(`${host.realm('demo')}/unruly/environment`)).json, {
      MAIL_HOST: 'mail.test',
    });
  },
);

test.serial(
  'faults of workers: a worker is started again from the files that were loaded, and from no others',
  async (t) => {
    const source = resourcePlugin('changes', 'process.exit(0);');
    const providersDir = await providersFolder(t, { changes: source });
    const integrity = await packageIntegrity({ name: 'changes', dir: join(providersDir, 'changes') });
    const host = await startHost(t, {
      realms: [testRealm('demo', { providers: enabledResources(['changes']) })],
      plugins: [{ module: 'changes', isolation: 'worker', integrity }],
      argv: ['--providers-dir', providersDir],
    });
    const changed = source.replace('one: async', 'one: async () => ({ body: { evil: true } }), other: async');
    // Changed files are not loaded before a reload: the loaded version runs from its own copy.
    await writeFile(join(providersDir, 'changes', 'index.js'), changed);
    t.is((await fetchAnswer(`${host.realm('demo')}/changes`)).status, 503);
    const serves = async () => {
      for (;;) {
        const { status, text } = await fetchAnswer(`${host.realm('demo')}/changes/7`);
        if (status === 200) return text;
        t.is(status, 503);
      }
    };
    t.is(await serves(), '{"id":"7"}');
    const copies = join(providersDir, '.generations');
    const [copy = ''] = (await readdir(copies, { recursive: true })).filter((path) => path.endsWith('index.js'));
    await writeFile(join(copies, copy), changed);
    t.is((await fetchAnswer(`${host.realm('demo')}/changes`)).status, 503);
    const refused = ({ fields }: { fields: object }) =>
      /does not match its integrity in plugins.json/.test(JSON.stringify(fields));
    await eventually(() => host.log.some(refused));
    t.is((await fetchAnswer(`${host.realm('demo')}/changes/7`)).status, 503);
    await writeFile(join(copies, copy), source);
    t.is(await serves(), '{"id":"7"}');
  },
);
