import test, { type ExecutionContext } from 'ava';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { SVC } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const ISOLATIONS = ['none', 'worker'] as const;

async function boot(
  t: ExecutionContext,
  sources: Record<string, string>,
  entry: { isolation: string; limits?: object },
): Promise<TestHost> {
  const names = Object.keys(sources);
  return startHost(t, {
    realms: ['demo', 'other'].map((name) => testRealm(name, { providers: enabledResources(names) })),
    plugins: names.map((module) => ({ module, ...entry })),
    argv: ['--providers-dir', await providersFolder(t, sources)],
  });
}

const call = (host: TestHost, name: string, realm = 'demo') => fetchAnswer(`${host.realm(realm)}/${name}`);

/** Calls wait until a request for `/{id}` opens the gate: both routes share the state of the plugin. */
const WAITING_PLUGIN = resourcePlugin('waits', 'await gate; return { body: {} };', '')
  .replace('export default', 'let open; const gate = new Promise((resolve) => { open = resolve; });\nexport default')
  .replace('one: async ({ params }) => ({ body: params })', 'one: async () => { open(); return { body: {} }; }');

for (const isolation of ISOLATIONS) {
  test(`limits of providers: a provider has a bounded number of parallel calls per realm, and the others get 503 (${isolation})`, async (t) => {
    const host = await boot(t, { waits: WAITING_PLUGIN }, { isolation, limits: { concurrency: 3 } });
    const waiting = Array.from({ length: 3 }, () => call(host, 'waits'));
    const labels = 'provider=realm-restapi-extension/waits,realm=demo';
    while ((await figures(host, 'keyhost_provider_calls_running'))[labels] !== 3);
    const refused = await call(host, 'waits');
    t.deepEqual([refused.status, refused.json.error], [503, 'provider_busy']);
    t.is(refused.headers.get('retry-after'), '1');
    t.is((await call(host, 'waits/open', 'other')).status, 200, 'the other realm has its own');
    t.deepEqual(
      (await Promise.all(waiting)).map(({ status }) => status),
      [200, 200, 200],
    );
    t.is((await call(host, 'waits')).status, 200);
    const total = await figures(host, 'keyhost_provider_calls_total');
    t.deepEqual([total[`${labels},end=ok`], total[`${labels},end=busy`]], [4, 1]);
    t.is((await figures(host, 'keyhost_provider_calls_running'))[labels], 0);
  });

  test(`limits of providers: a call takes as long as its plugin may, and then its place is free (${isolation})`, async (t) => {
    const hangs = resourcePlugin(
      'hangs',
      'session.signal.addEventListener("abort", () => { aborted += 1; }); await new Promise(() => {});',
    )
      .replace('export default', 'let aborted = 0;\nexport default')
      .replace('body: params', 'body: { aborted }');
    const host = await boot(t, { hangs }, { isolation, limits: { concurrency: 1, callTimeout: 5 } });
    for (let n = 0; n < 2; n += 1) {
      const { status, json } = await call(host, 'hangs');
      t.deepEqual([status, json.error], [504, 'provider_timeout']);
    }
    t.deepEqual((await call(host, 'hangs/x')).json, { aborted: 2 }, 'it is told by its signal');
    const total = await figures(host, 'keyhost_provider_calls_total');
    t.is(total['provider=realm-restapi-extension/hangs,realm=demo,end=timeout'], 2);
    t.is((await host.token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  });

  test(`limits of providers: a value that cannot be cloned is a failure that names the plugin, the method and the member (${isolation})`, async (t) => {
    const answers: Record<string, [string, string]> = {
      address: ["{ body: { next: [new URL('http://a.test')] } }", 'body.next[0], a URL'],
      method: ['{ body: { call() {} } }', 'body.call, a function'],
      instance: ['{ body: new (class Person { name = "x"; })() }', 'body, a Person'],
      promise: ['{ headers: Promise.resolve({}) }', 'headers, a Promise'],
    };
    const names = Object.keys(answers);
    const sources = names.map((name) => [name, resourcePlugin(name, `return ${answers[name]?.[0]};`)]);
    const host = await boot(t, Object.fromEntries(sources), { isolation });
    for (const name of names) {
      const { status, text } = await call(host, name);
      t.deepEqual([status, text.includes('Person')], [500, false], name);
      const told = `${name}: realm-restapi-extension/${name} answered run with ${answers[name]?.[1]}: only plain data crosses between the host and a plugin`;
      t.true(
        host.log.some(({ fields }) => (fields as { reason?: string }).reason === told),
        told,
      );
    }
  });
}
