import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { eventually } from '../helpers/eventually.js';
import { figures } from '../helpers/metrics.js';
import { resourcePlugin } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';

/** A resource that answers with its version and its configuration. */
const pluginOfVersion = (number: number) =>
  resourcePlugin('a', `return { body: [${number}, config.size ?? null] };`).replace(
    "id: 'a',",
    `id: 'a',
    config: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },`,
  );

test('reload of workers: a plugin in a worker is reloaded, configured, rolled back and moved, and each time its old thread ends', async (t) => {
  const { host, write, list, get } = await reloadScene(t, () => ({ a: pluginOfVersion(1) }), {
    plugins: [{ module: 'a', isolation: 'worker' }],
  });
  const workers = async () => Object.keys(await figures(host, 'keyhost_worker_calls_pending')).length;
  const entry = (size: number, isolation = 'worker') => ({
    module: 'a',
    isolation,
    config: { 'realm-restapi-extension/a': { size } },
  });
  t.is((await get('a')).text, '[1,null]');
  await write('a', pluginOfVersion(2), '2.0.0');
  t.deepEqual((await host.plugins.reload()).changes, ['a 1.0.0 → 2.0.0']);
  t.is((await get('a')).text, '[2,null]');
  await list(entry(7));
  t.is((await host.plugins.reload()).outcome, 'replaced');
  t.is((await get('a')).text, '[2,7]');
  await write('a', 'throw new Error("broken");');
  t.is(((await t.throwsAsync(host.plugins.reload())) as BootError).code, 'plugin_import_failed');
  t.is((await get('a')).text, '[2,7]');
  await write('a', pluginOfVersion(3), '3.0.0');
  await host.plugins.reload();
  t.is((await get('a')).text, '[3,7]');
  await host.plugins.rollback();
  t.is((await get('a')).text, '[2,7]');
  await eventually(async () => (await workers()) === 1 && host.plugins.status().draining.length === 0);
  await list(entry(8, 'none'));
  await host.plugins.reload('a');
  t.is((await get('a')).text, '[3,8]');
  await eventually(async () => (await workers()) === 0);
  await list(entry(9));
  await host.plugins.reload('a');
  t.is((await get('a')).text, '[3,9]');
  t.is((await figures(host, 'keyhost_plugin_up'))['plugin=a'], 1);
});

test('reload of workers: a worker that crashes after a reload is started again with the version and the configuration that run', async (t) => {
  const crash = (number: number) =>
    pluginOfVersion(number).replace(
      'one: async ({ params }) => ({ body: params })',
      'one: async () => process.exit(0)',
    );
  const { host, write, list, get } = await reloadScene(t, () => ({ a: crash(1) }), {
    plugins: [{ module: 'a', isolation: 'worker' }],
  });
  await write('a', crash(2));
  await list({ module: 'a', isolation: 'worker', config: { 'realm-restapi-extension/a': { size: 7 } } });
  await host.plugins.reload();
  t.is((await get('a/crash')).status, 503);
  await eventually(async () => (await get('a')).status === 200);
  t.is((await get('a')).text, '[2,7]');
});

test('reload of workers: a worker of an older version, or of one that is not in the folder any more, starts and is configured as it was', async (t) => {
  const crash = (number: number) =>
    pluginOfVersion(number).replace(
      'one: async ({ params }) => ({ body: params })',
      'one: async () => process.exit(0)',
    );
  const entry = (size: number) => ({
    module: 'a',
    isolation: 'worker',
    config: { 'realm-restapi-extension/a': { size } },
  });
  const { host, write, remove, list, get } = await reloadScene(t, () => ({ a: crash(1) }), { plugins: [entry(1)] });
  const restarts = async () => {
    t.is((await get('a/crash')).status, 503);
    await eventually(async () => (await get('a')).status === 200);
    return (await get('a')).text;
  };
  await write('a', crash(2));
  t.is(await restarts(), '[1,1]');
  await host.plugins.reload();
  t.is(await restarts(), '[2,1]');
  await host.plugins.rollback();
  t.is(await restarts(), '[1,1]');
  await list(entry(2));
  await host.plugins.applyChangedFiles();
  t.is((await get('a')).text, '[1,2]');
  await remove('a');
  await host.plugins.rollback();
  t.is(await restarts(), '[1,1]');
});

test('reload of workers: workers that were replaced give their memory back', async (t) => {
  const heavy = (number: number) =>
    `globalThis.weight = new Array(1_000_000).fill(${number} + 0.5);\n${pluginOfVersion(number)}`;
  const { host, write, get } = await reloadScene(t, () => ({ a: heavy(0) }), {
    plugins: [{ module: 'a', isolation: 'worker' }],
  });
  const swap = async (number: number) => {
    await write('a', heavy(number));
    await host.plugins.reload();
    t.is((await get('a')).text, `[${number},null]`);
  };
  for (let number = 1; number <= 8; number += 1) await swap(number);
  const growth: number[] = [];
  // Another test file shares this process and its memory, so one round may grow for other reasons. A leak would show in
  // every round.
  for (let attempt = 0; attempt < 3 && !growth.some((grown) => grown < 100); attempt += 1) {
    const before = process.memoryUsage.rss();
    for (let number = 1; number <= 20; number += 1) await swap(100 * (attempt + 1) + number);
    await eventually(() => host.plugins.status().draining.length === 0);
    growth.push(Math.round((process.memoryUsage.rss() - before) / 1e6));
  }
  // Each of the twenty workers is a thread of 8 MB with an array of the same size.
  t.true(
    growth.some((grown) => grown < 100),
    `${growth.join(', ')} MB`,
  );
  t.is(host.plugins.status().loadedInProcess, 0);
});
