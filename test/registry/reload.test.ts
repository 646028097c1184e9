import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { replacing } from '../../core/di/module.js';
import { PluginTimeout } from '../../core/registry/module.js';
import { eventually } from '../helpers/eventually.js';
import { reloadScene } from '../helpers/reload.js';

test('reload: a changed package is loaded beside the running one and takes over; the old one is closed after its calls', async (t) => {
  const { host, record, write, get, resource } = await reloadScene(t, ({ resource }) => ({
    a: resource('a', '1'),
    b: resource('b', '1'),
  }));
  t.is((await get('a')).text, '{"version":"1"}');
  t.is((await host.plugins.reload()).outcome, 'unchanged');
  const held = get('a/held');
  await eventually(() => record.events.includes('held a 1'));
  await write('a', resource('a', '2'), '1.1.0');
  const result = await host.plugins.reload();
  t.deepEqual(result, { outcome: 'replaced', generation: 2, changes: ['a 1.0.0 → 1.1.0'], failures: [] });
  t.is((await get('a')).text, '{"version":"2"}');
  t.is((await get('b')).text, '{"version":"1"}');
  t.deepEqual(host.plugins.status().draining, [{ generation: 1, calls: 1 }]);
  t.false(record.events.includes('close a 1'));
  record.openGate();
  t.deepEqual(await held, { status: 200, text: '{"version":"1"}' });
  await eventually(() => record.events.includes('close a 1'));
  await eventually(() => host.plugins.status().draining.length === 0);
  t.deepEqual(record.events, ['open a 1', 'open b 1', 'held a 1', 'open a 2', 'close a 1']);
  await host.close();
  t.deepEqual(record.events.slice(5), ['close b 1', 'close a 2']);
});

test('reload: a version that cannot be loaded, opened in time or opened at all leaves the old one serving, and is reported', async (t) => {
  const scene = await reloadScene(t, ({ resource }) => ({ a: resource('a', '1') }), {
    replace: [replacing(PluginTimeout, 10_000)],
  });
  const { host, record, write, get, resource } = scene;
  const broken: [string, string][] = [
    ['export default {', 'plugin_import_failed'],
    ["import 'not-there-at-all';", 'plugin_dependency_missing'],
    ['export default { name: "a", api: 9, providers: [] };', 'plugin_api'],
    [resource('a', '2', { open: "throw new Error('no database');" }), 'plugin_open_failed'],
    [resource('a', '2', { open: 'await new Promise(() => {});' }), 'plugin_open_timeout'],
    [resource('a', '2', { open: 'await new Promise((r) => setTimeout(r, 10_500));' }), 'plugin_open_timeout'],
  ];
  for (const [source, code] of broken) {
    await write('a', source);
    const error = (await t.throwsAsync(host.plugins.reload())) as BootError;
    t.is(error.code, code as BootError['code']);
    t.is((await get('a')).text, '{"version":"1"}');
    const { generation, failure, plugins } = host.plugins.status();
    t.deepEqual([generation, failure?.code, plugins[0]?.failure?.code, plugins[0]?.state], [1, code, code, 'running']);
  }
  t.is(host.log.filter(({ message }) => message.startsWith('plugins were not changed')).length, broken.length);
  // A version that opened after its timeout is closed, because no generation uses it.
  await eventually(() => record.events.includes('close a 2'));
  await write('a', resource('a', '3'));
  t.deepEqual((await host.plugins.reload()).changes, ['a 1.0.0, other files']);
  t.is((await get('a')).text, '{"version":"3"}');
  t.is(host.plugins.status().failure, undefined);
});

test('reload: plugins.json adds, removes and configures plugins without a restart, and a mistake in it changes nothing', async (t) => {
  const schema = `config: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },`;
  const scene = await reloadScene(
    t,
    ({ resource }) => ({ a: resource('a', '1', { more: schema }), b: resource('b', '1') }),
    { plugins: ['a'], enabled: ['a'] },
  );
  const { host, record, list, get, write, resource } = scene;
  t.is((await get('b')).status, 404);
  await list({ module: 'a', config: { 'realm-restapi-extension/a': { size: 'big' } } });
  const mistake = (await t.throwsAsync(host.plugins.reload())) as BootError;
  t.is(mistake.code, 'plugin_config');
  t.regex(
    mistake.report(),
    /plugins\.json:1:\d+ plugins\[0]\.config\["realm-restapi-extension\/a"]\.size: must be an int/,
  );
  await list({ module: 'a', config: { 'realm-restapi-extension/a': { size: 7 } } }, 'b');
  const { changes } = await host.plugins.reload();
  t.deepEqual(changes, ['a 1.0.0, configuration changed', 'b 1.0.0 added']);
  t.is((await get('a')).text, '{"version":"1","size":7}');
  // The realm file did not name b, so its provider is disabled there. Now that b is loaded, the file may enable it.
  t.is((await get('b')).status, 404);
  const realmFile = join(host.dir, 'realms/demo.json');
  const realm = JSON.parse(await readFile(realmFile, 'utf8'));
  const enable = (ids: readonly string[]) => {
    realm.providers = { 'realm-restapi-extension': Object.fromEntries(ids.map((id) => [id, { enabled: true }])) };
    return writeFile(realmFile, JSON.stringify(realm));
  };
  await enable(['a', 'b']);
  await eventually(async () => (await get('b')).text === '{"version":"1"}');
  await enable(['a']);
  await eventually(async () => (await get('b')).status === 404);
  t.deepEqual(
    host.plugins.status().plugins.map(({ module }) => module),
    ['a', 'b'],
  );
  await list('a');
  t.deepEqual((await host.plugins.reload()).changes, ['a 1.0.0, configuration changed', 'b 1.0.0 removed']);
  await eventually(() => record.events.includes('close b 1'));
  await list('a', 'c');
  t.is(((await t.throwsAsync(host.plugins.reload())) as BootError).code, 'plugin_missing');
  await list('a', { module: 'c', required: false });
  const { outcome, failures } = await host.plugins.reload();
  t.deepEqual([outcome, failures[0]?.module], ['unchanged', 'c']);
  await write('c', resource('c', '1'));
  t.deepEqual((await host.plugins.reload()).changes, ['c 1.0.0 added']);
  // If the new version of an optional plugin fails, the old one stays. The other plugins are replaced.
  await write('c', 'nonsense');
  await write('a', resource('a', '2', { more: schema }));
  const mixed = await host.plugins.reload();
  t.deepEqual(mixed.changes, ['a 1.0.0, other files']);
  t.deepEqual(
    mixed.failures.map(({ module }) => module),
    ['c'],
  );
  t.deepEqual(
    host.plugins.status().plugins.map(({ module, state, failure }) => [module, state, failure?.code]),
    [
      ['a', 'running', undefined],
      ['c', 'running', 'plugin_import_failed'],
    ],
  );
});

test('reload: rollback reverts one update at a time, or one plugin’s, and what was reverted waits for the next change', async (t) => {
  const { host, record, write, get, list, resource } = await reloadScene(
    t,
    ({ resource }) => ({
      a: resource('a', '1'),
      b: resource('b', '1'),
      c: resource('c', '1'),
    }),
    { enabled: ['a', 'b'] },
  );
  const versions = async () => [(await get('a')).text, (await get('b')).text].map((text) => /\d/.exec(text)?.[0]);
  t.is(((await t.throwsAsync(host.plugins.rollback())) as BootError).code, 'plugin_rollback');
  for (const version of ['2', '3']) {
    await write('a', resource('a', version));
    await write('b', resource('b', version));
    await host.plugins.reload();
  }
  t.deepEqual(await versions(), ['3', '3']);
  t.deepEqual((await host.plugins.rollback('a')).changes, ['a 1.0.0, other files']);
  t.deepEqual(await versions(), ['2', '3']);
  t.is((await host.plugins.applyChangedFiles()).outcome, 'unchanged');
  await host.plugins.rollback();
  t.deepEqual(await versions(), ['2', '2']);
  await host.plugins.rollback();
  t.deepEqual(await versions(), ['1', '1']);
  t.is(((await t.throwsAsync(host.plugins.rollback())) as BootError).code, 'plugin_rollback');
  t.is((await host.plugins.applyChangedFiles()).outcome, 'unchanged');
  await write('b', resource('b', '4'));
  t.deepEqual((await host.plugins.applyChangedFiles()).changes, ['b 1.0.0, other files']);
  t.deepEqual(await versions(), ['1', '4']);
  // An explicit reload reads the files again.
  await host.plugins.reload();
  t.deepEqual(await versions(), ['3', '4']);
  // plugins.json is not applied again either until it changes.
  await list('a', 'b');
  t.deepEqual((await host.plugins.applyChangedFiles()).changes, ['c 1.0.0 removed']);
  t.deepEqual((await host.plugins.rollback('c')).changes, ['c 1.0.0 added']);
  t.is((await host.plugins.applyChangedFiles()).outcome, 'unchanged');
  await list('b', 'a');
  t.deepEqual((await host.plugins.applyChangedFiles()).changes, ['c 1.0.0 removed']);
  const count = (what: string) => record.events.filter((event) => event.startsWith(what)).length;
  await eventually(() => count('open') === count('close') + 2);
});

test('reload: a realm that the new plugins do not fit refuses them, with the place in its file', async (t) => {
  const scene = await reloadScene(t, ({ resource }) => ({ a: resource('a', '1'), b: resource('b', '1') }));
  const { host, write, list, get, resource } = scene;
  const strict = (required: string) =>
    `realmConfig: { type: 'object', properties: { size: { type: 'integer' } }, ${required} additionalProperties: false },`;
  await write('a', resource('a', '2', { more: strict("required: ['size'],") }));
  const refused = (await t.throwsAsync(host.plugins.reload())) as BootError;
  t.is(refused.code, 'realm_invalid');
  t.regex(refused.report(), /realms\/demo\.json:\d+:\d+ providers\.realm-restapi-extension\.a\S*: "size" is missing/);
  await list('a');
  const gone = (await t.throwsAsync(host.plugins.reload())) as BootError;
  t.regex(
    gone.report(),
    /realms\/demo\.json:\d+:\d+ providers\.realm-restapi-extension\.b: realm-restapi-extension "b" not found/,
  );
  t.deepEqual([(await get('a')).text, (await get('b')).text], ['{"version":"1"}', '{"version":"1"}']);
  await list('a', 'b');
  await write('a', resource('a', '3', { more: strict('') }));
  await host.plugins.reload();
  t.is((await get('a')).text, '{"version":"3"}');
});
