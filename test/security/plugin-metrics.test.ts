import test from 'ava';
import { administered, ownRealm } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { figures } from '../helpers/metrics.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const withMetrics = (metrics: string) =>
  scriptedPlugin('meter', undefined).replace('providers: [', `metrics: ${metrics}, providers: [`);
const METRICS = `{ seen_total: { kind: 'counter', help: 'Names', labels: ['name'] } }`;
const shared = shareHost(
  test,
  administered({ realms: [], plugins: [{ module: 'meter' }], packages: { meter: withMetrics(METRICS) } }),
);

test('T656 · metrics of plugins: labels with callers’ texts make a bounded number of series, and no text becomes a line', async (t) => {
  const { host } = await ownRealm(shared(), { providers: { 'realm-restapi-extension': { meter: { enabled: true } } } });
  const add = (name: string) => ask(host, host.defaultRealm, 'meter', 'metrics', 'add', 'seen_total', 1, { name });
  await add('evil"} 1\nkeyhost_info{version="evil');
  for (let n = 0; n < 150; n += 1) await add(`name ${n}`);
  const counted = await figures(host, 'plugin_meter_seen_total');
  t.is(Object.keys(counted).length, 101);
  t.is(counted['name=other'], 51);
  const info = Object.keys(await figures(host, 'keyhost_info'));
  t.is(info.length, 1);
  t.false(info[0]?.includes('evil'));
});

test('T657 · metrics of plugins: a plugin declares no metric of the host, of another plugin, or with labels of the library', async (t) => {
  for (const [metrics, problem] of [
    [`{ 'x"} 1': { kind: 'gauge', help: 'x' } }`, /metrics/],
    [`{ seen: { kind: 'counter', help: 'x' } }`, /_total/],
    [`{ seen_total: { kind: 'gauge', help: 'x' } }`, /_total/],
    [`{ seen: { kind: 'histogram', help: 'x', labels: ['le'] } }`, /metrics/],
    [`{ seen: { kind: 'gauge', help: 'x', labels: ['__name__'] } }`, /metrics/],
    [`{ seen: { kind: 'histogram', help: 'x', buckets: [2, 1] } }`, /ascend/],
    [`{ seen: { kind: 'gauge', help: 'x', name: 'keyhost_info' } }`, /metrics/],
  ] as const) {
    for (const isolation of ['none', 'worker']) {
      const options = {
        realms: [],
        plugins: [{ module: 'meter', isolation }],
        packages: { meter: withMetrics(metrics) },
      };
      const error = await t.throwsAsync(() => startHost(t, options), { code: 'plugin_shape' }, metrics);
      t.regex(error?.message ?? '', problem);
    }
  }
});
