import test from 'ava';
import { administered, ownRealm } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { figure, figures } from '../helpers/metrics.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const METRICS = `metrics: {
  sent_total: { kind: 'counter', help: 'Messages', labels: ['channel'] },
  waiting: { kind: 'gauge', help: 'Messages that wait' },
  seconds: { kind: 'histogram', help: 'Duration in seconds', labels: ['channel'], buckets: [1, 5] },
},`;
const pluginWithMetrics = (name: string) =>
  scriptedPlugin(name, undefined).replace('providers: [', `${METRICS} providers: [`);
const PLUGINS = ['here-now', 'apart'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: PLUGINS.map((module) => ({ module, isolation: module === 'apart' ? 'worker' : 'none' })),
    packages: Object.fromEntries(PLUGINS.map((name) => [name, pluginWithMetrics(name)])),
  }),
);

async function realmWithPlugins(): Promise<TestHost> {
  const enabledPlugins = Object.fromEntries(PLUGINS.map((name) => [name, { enabled: true }]));
  return (await ownRealm(shared(), { providers: { 'realm-restapi-extension': enabledPlugins } })).host;
}

for (const [name, prefix] of [
  ['here-now', 'plugin_here_now'],
  ['apart', 'plugin_apart'],
] as const) {
  test(`metrics of plugins: a plugin's counters, gauges and histograms are on /metrics, under its name (${name})`, async (t) => {
    const host = await realmWithPlugins();
    const change = async (...call: unknown[]) =>
      (await ask(host, host.defaultRealm, name, 'metrics', ...call)).error?.code ?? 'done';
    t.is(await change('add', 'sent_total', 1, { channel: 'sms' }), 'done');
    t.is(await change('add', 'sent_total', 2.5, { channel: 'sms' }), 'done');
    t.is(await change('add', 'sent_total', 1, { channel: 'mail' }), 'done');
    t.is(await change('set', 'waiting', 7), 'done');
    t.is(await change('set', 'waiting', 3), 'done');
    for (const value of [0.5, 1, 4, 60]) t.is(await change('observe', 'seconds', value, { channel: 'sms' }), 'done');
    t.deepEqual(await figures(host, `${prefix}_sent_total`), { 'channel=sms': 3.5, 'channel=mail': 1 });
    t.is(await figure(host, `${prefix}_waiting`), 3);
    t.deepEqual(await figures(host, `${prefix}_seconds_bucket`), {
      'channel=sms,le=1': 2,
      'channel=sms,le=5': 3,
      'channel=sms,le=+Inf': 4,
    });
    t.deepEqual(await figures(host, `${prefix}_seconds_sum`), { 'channel=sms': 65.5 });
    for (const wrong of [
      ['add', 'other_total'],
      ['add', 'waiting'],
      ['set', 'sent_total', 1, { channel: 'x' }],
      ['add', 'sent_total', -1, { channel: 'x' }],
      ['set', 'waiting', 'x'],
      ['set', 'waiting', null],
      ['add', 'sent_total'],
      ['add', 'sent_total', 1, { realm: 'x' }],
      ['add', 'sent_total', 1, { channel: 1 }],
      ['add', 'sent_total', 1, { channel: 'x', more: 'y' }],
      ['add', 'sent_total', 1, { channel: 'x'.repeat(129) }],
      ['add', 'constructor'],
      ['add', '__proto__'],
    ]) {
      t.is(await change(...wrong), 'invalid_argument', JSON.stringify(wrong));
    }
  });
}
