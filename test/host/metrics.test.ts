import { readFile } from 'node:fs/promises';
import test from 'ava';
import { eventStoreMetrics } from '../../core/host/event-store-metrics.js';
import { type ProviderSources, providerMetrics } from '../../core/host/provider-metrics.js';
import { EventTotals } from '../../core/registry/events/event-totals.js';
import { ProviderCalls } from '../../core/registry/sessions/provider-calls.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { serviceToken } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { testRealm } from '../helpers/realms.js';

test('metrics: request durations are a Prometheus histogram', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  for (let count = 0; count < 5; count += 1) await serviceToken(host);
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  t.regex(text, /^# TYPE keyhost_http_request_seconds histogram$/m);
  const buckets = [...text.matchAll(/^keyhost_http_request_seconds_bucket\{le="(.*?)"\} (\d+)$/gm)];
  t.is(buckets.at(-1)?.[1], '+Inf');
  const counts = buckets.map(([, , count]) => Number(count));
  t.deepEqual(
    counts,
    [...counts].sort((a, b) => a - b),
  );
  const total = Number(/^keyhost_http_request_seconds_count (\d+)$/m.exec(text)?.[1]);
  t.is(counts.at(-1), total);
  t.true(total >= 5);
  t.true(Number(/^keyhost_http_request_seconds_sum (\S+)$/m.exec(text)?.[1]) > 0);
  t.true(Object.values(await figures(host, 'keyhost_http_requests_total')).reduce((a, b) => a + b) >= total);
});

test('metrics: provider calls have a hundred realms by name, and the others together', (t) => {
  const calls = new ProviderCalls(1000);
  const provider = { spi: { id: 'x', answers: {} }, id: 'y', plugin: {}, methods: { required: ['run'] }, answers: {} };
  for (let realm = 0; realm < 250; realm += 1) {
    const session = { realm: { name: `r${realm}` }, onEnd: () => {}, abort: () => {} };
    const guarded = calls.guardProvider(provider as never, { run: () => undefined } as never, session as never);
    (guarded as { run: () => void }).run();
  }
  const sources = { calls, workers: { all: () => [], stuck: 0 }, status: () => ({}) } as unknown as ProviderSources;
  const ended = providerMetrics(sources).find(({ name }) => name === 'keyhost_provider_calls_total');
  const values = [...(ended?.values() ?? [])];
  t.is(values.length, 101);
  t.deepEqual(values.at(-1), [{ provider: 'x/y', realm: '(others)', end: 'ok' }, 150]);
});

test('metrics: event stores have a hundred realms by name, and the others together', (t) => {
  const realms = Array.from({ length: 250 }, (_, index) => `r${index}`);
  const states = () => realms.map((realm, index) => ({ realm, isUnavailable: index === 200, waiting: 2 }));
  const refused = new Map(realms.map((realm) => [realm, 3]));
  const leftOut = new Map([['r249', 5]]);
  const told = eventStoreMetrics(() => ({
    delivery: { listStates: states, refusedCounts: refused },
    capacity: { leftOutCounts: leftOut },
  }));
  const [up, waiting, lost] = told.map((figure) => [...figure.values()]);
  t.deepEqual([up?.length, waiting?.length, lost?.length], [101, 101, 102]);
  t.deepEqual(
    [up?.[0], up?.at(-1)],
    [
      [{ realm: 'r0' }, 1],
      [{ realm: '(others)' }, 0],
    ],
  );
  t.deepEqual(waiting?.at(-1), [{ realm: '(others)' }, 300]);
  t.deepEqual(
    [lost?.[0], lost?.at(-1)],
    [
      [{ realm: 'r249', reason: 'full' }, 5],
      [{ realm: '(others)', reason: 'refused' }, 450],
    ],
  );
});

test('metrics: user events name the clients of named realms, and of no other', (t) => {
  const totals = new EventTotals({ tags: ['realm', 'clientId', 'idp'] });
  for (let realm = 0; realm < 150; realm += 1)
    for (let client = 0; client < (realm === 0 ? 150 : 2); client += 1)
      totals.add('LOGIN', '', { realm: `r${realm}`, clientId: `c${client}`, idp: '' });
  const all = [...totals.all()];
  const of = (name: string) => all.filter(({ tags }) => tags.realm === name);
  t.deepEqual([of('r0').length, of('r99').length, of('r100').length, of('(others)').length], [101, 2, 0, 1]);
  t.like(of('r0').at(-1), { tags: { clientId: '(others)', idp: '' }, total: 50 });
  t.like(of('(others)')[0], { tags: { clientId: '(others)', idp: '' }, total: 100 });
  // The same without a label for the realm.
  const untold = new EventTotals({ tags: ['clientId'] });
  for (let realm = 0; realm < 150; realm += 1)
    untold.add('LOGIN', '', { realm: `r${realm}`, clientId: `c${realm}`, idp: '' });
  t.is([...untold.all()].length, 101);
});

test('metrics: the dashboard uses existing metrics', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const dashboard = await readFile(new URL('../../../core/deploy/grafana/keyhost.json', import.meta.url), 'utf8');
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  const told = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = new Set([...dashboard.matchAll(/\b(?:keyhost|process|nodejs)_\w+/g)].map(([name]) => name));
  t.true(asked.size > 15);
  t.deepEqual(
    [...asked].filter((name) => !told.has(name.replace(/_bucket$/, ''))),
    [],
  );
});
