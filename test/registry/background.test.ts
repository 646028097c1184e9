import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import { CallTimeout } from '../../core/registry/module.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { enabledResources, pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** A plugin that records its runs in the store and does what the entry `do` asks for. */
const BACKGROUND_PLUGIN = pluginSource(import.meta.url, 'plugins/toil.js');

const providers = enabledResources(['toil']);

async function startWithPlugin(
  t: ExecutionContext,
  options: { isolation?: string; clock?: TestClock; callLimitMs?: number } = {},
) {
  const { isolation = 'none', clock, callLimitMs } = options;
  const host = await startHost(t, {
    realms: [
      testRealm('demo', {
        providers: { ...providers, 'events-listener': { toil: { config: { word: 'hello' } } } },
        eventsListeners: ['toil'],
      }),
      testRealm('idle', { providers }),
    ],
    plugins: [{ module: 'toil', isolation }],
    packages: { toil: BACKGROUND_PLUGIN },
    ...(clock === undefined ? {} : { clock }),
    ...(callLimitMs === undefined ? {} : { replace: [replacing(CallTimeout, callLimitMs)] }),
  });
  return host;
}

const recordedRuns = async (host: TestHost, realm = 'demo') =>
  (await fetchAnswer(`${host.realm(realm)}/toil/runs`)).json as unknown as string[];
const post = (host: TestHost, path: string, body?: object) =>
  fetchAnswer(`${host.realm('demo')}/toil/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const waitForRuns = (host: TestHost, count: number) =>
  eventually(async () => {
    const finishedRuns = await recordedRuns(host);
    return finishedRuns.length >= count && finishedRuns;
  });

for (const isolation of ['none', 'worker']) {
  test(`background work: it runs if its provider is enabled: at the start, when woken, and when it requested (${isolation})`, async (t) => {
    const clock = new TestClock();
    const host = await startWithPlugin(t, { isolation, clock });
    t.deepEqual(await waitForRuns(host, 1), ['demo hello']);
    t.is((await post(host, 'wake/toil')).status, 204);
    await waitForRuns(host, 2);
    await post(host, 'do', { do: 60 });
    await waitForRuns(host, 3);
    clock.forward(59);
    await host.token('demo', { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' });
    await host.events.flush();
    await waitForRuns(host, 4);
    t.deepEqual(await recordedRuns(host, 'idle'), []);
    t.deepEqual(
      host.log.filter(({ level }) => level === 'error'),
      [],
    );
  });

  test(`background work: a run that throws, answers wrongly or authenticates is logged once and repeated later (${isolation})`, async (t) => {
    const clock = new TestClock();
    const host = await startWithPlugin(t, { isolation, clock });
    await waitForRuns(host, 1);
    const told = () =>
      host.log.filter(({ message }) => message === 'background work failed').map(({ fields }) => fields);
    const failed = async (todo: string, count: number) => {
      await post(host, 'do', { do: todo });
      await eventually(() => told().length >= count);
      const before = (await recordedRuns(host)).length;
      clock.forward(5);
      await waitForRuns(host, before + 1);
    };
    await failed('throw', 1);
    await failed('lie', 2);
    await failed('authenticate', 3);
    const reasons = told().map((fields) => (fields as { reason: string }).reason);
    t.is(reasons[0], 'not today');
    t.regex(reasons[1] ?? '', /events-listener\/toil answered background with what its SPI does not allow/);
    t.is(reasons.length, 3);
    t.is((await post(host, 'wake/other')).status, 500);
    t.true(host.log.some(({ fields }) => JSON.stringify(fields).includes('toil has no background work')));
  });
}

test('background work: parts of the work do not wait for each other, nor does the whole for them', async (t) => {
  const host = await startWithPlugin(t);
  await waitForRuns(host, 1);
  await post(host, 'part/slow');
  await post(host, 'part/quick');
  t.deepEqual(await waitForRuns(host, 2), ['demo hello', 'quick']);
  await post(host, 'part/quick');
  await post(host, 'wake/toil');
  t.deepEqual([...(await waitForRuns(host, 4))].sort(), ['demo hello', 'demo hello', 'quick', 'quick']);
  t.is((await post(host, `part/${'x'.repeat(129)}`)).status, 500);
});

test('background work: a run is aborted with the host, before its plugin is closed', async (t) => {
  const host = await startWithPlugin(t);
  await waitForRuns(host, 1);
  await post(host, 'do', { do: 'wait' });
  await waitForRuns(host, 2);
  await host.close();
  const words = host.log.map(({ message }) => message).filter((word) => word === 'ended' || word === 'closed');
  t.deepEqual(words, ['ended', 'closed']);
});

test('background work: a run that takes longer than a call may is ended, and counts as a call', async (t) => {
  const host = await startWithPlugin(t, { callLimitMs: 2000 });
  await waitForRuns(host, 1);
  await post(host, 'do', { do: 'wait' });
  await eventually(() => host.log.some(({ message }) => message === 'background work failed'));
  const counts = host.sessions.calls.countsOf('events-listener/toil', 'demo');
  t.is(counts?.ends.get('timeout'), 1);
});

test('background work: a provider that has background work has no other method of that name', async (t) => {
  const plugin = `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'twice', api: 1, providers: [provide(RealmResourceProvider, { id: 'twice', background: true,
  routes: { background: { method: 'GET', path: '/' } }, open: () => ({ create: () => ({ background: async () => ({}) }) }) })] };`;
  const error = await t.throwsAsync(startHost(t, { plugins: [{ module: 'twice' }], packages: { twice: plugin } }));
  t.regex(error?.message ?? '', /background is the method of its background work/);
});
