import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { replacing } from '../../core/di/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { keptOpen, startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';
import { STATE_2, tally } from '../helpers/stateful-plugin.js';
import { entry, lines, planned, sweeping } from '../helpers/sweeper.js';

interface PluginEntries {
  readonly version: string;
  readonly entries: readonly { readonly key: string; readonly value: unknown }[];
}

const readEntries = async (host: TestHost, realm = 'demo') =>
  (await fetchAnswer(`${host.realm(realm)}/tally`)).json as unknown as PluginEntries;
const writeEntry = async (host: TestHost, key: string, value: unknown, realm = 'demo') =>
  (
    await fetchAnswer(`${host.realm(realm)}/tally/${key}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    })
  ).status;
const claimEntry = async (host: TestHost, key: string) =>
  (await fetchAnswer(`${host.realm('demo')}/tally/${key}`, { method: 'POST' })).json.first as unknown as boolean;

const withTally = { providers: { 'realm-restapi-extension': { tally: { enabled: true } } } };
const realms = () => [testRealm('demo', withTally), testRealm('other', withTally)];

for (const isolation of ['none', 'worker']) {
  test(`stored state of plugins: an update migrates it in every realm, and a rollback restores the older entries (${isolation})`, async (t) => {
    const plugins = [{ module: 'tally', isolation }];
    const clock = new TestClock();
    const scene = await reloadScene(t, () => ({ tally: tally('1') }), { plugins, realms: realms(), clock });
    const { host } = scene;
    for (let n = 0; n < 250; n += 1) t.is(await writeEntry(host, `k${String(n).padStart(3, '0')}`, n), 204);
    await writeEntry(host, 'else', 7, 'other');
    t.true(await claimEntry(host, 'once'));

    await scene.write('tally', tally('2', STATE_2), '2.0.0');
    t.is((await host.plugins.reload()).outcome, 'replaced');
    const after = await readEntries(host);
    t.is(after.version, '2');
    t.is(after.entries.length, 251);
    t.deepEqual(after.entries[0], { key: 'n-k000', value: { n: 0, from: 1, realm: 'demo' } });
    t.deepEqual((await readEntries(host, 'other')).entries, [
      { key: 'n-else', value: { n: 7, from: 1, realm: 'other' } },
    ]);
    t.is(await writeEntry(host, 'late', 1), 204);
    clock.forward(61);
    t.false(
      (await readEntries(host)).entries.some(({ key }) => key === 'n-once'),
      'what expires still does',
    );

    t.is((await host.plugins.rollback('tally')).outcome, 'replaced');
    const back = await readEntries(host);
    t.is(back.version, '1');
    t.deepEqual(back.entries[0], { key: 'k000', value: 0 });
    t.false(back.entries.some(({ key }) => key === 'late'));
    t.true(host.log.some(({ message }) => message === 'a plugin has the state of an older version again'));
    t.is(await writeEntry(host, 'k000', 'changed'), 204);

    // Updates again: the migration starts from the entries that the older version has now.
    t.is((await host.plugins.reload()).outcome, 'replaced');
    const again = await readEntries(host);
    t.deepEqual(again.entries[0], { key: 'n-k000', value: { n: 'changed', from: 1, realm: 'demo' } });
    t.false(again.entries.some(({ key }) => key === 'late'));
  });

  test(`stored state of plugins: a migration that fails leaves the older version and its entries, and names the entry (${isolation})`, async (t) => {
    const plugins = [{ module: 'tally', isolation }];
    const scene = await reloadScene(t, () => ({ tally: tally('1', '{ version: 1 }') }), { plugins });
    const { host } = scene;
    for (const key of ['a', 'b', 'c']) t.is(await writeEntry(host, key, key), 204);
    const wrong: [string, RegExp][] = [
      [
        "{ version: 2, migrate: ({ key, value }) => { if (key === 'b') throw new Error('no b'); return { key, value }; } }",
        /the entry "b" of realm demo: no b/,
      ],
      [
        '{ version: 2, migrate: () => ({ name: 1 }) }',
        /the entry "a" of realm demo: migrate must answer at most 1000 entries/,
      ],
      ['{ version: 2, migrate: async () => () => 1 }', /the entry "a" of realm demo: /],
    ];
    for (const [state, message] of wrong) {
      await scene.write('tally', tally('2', state), '2.0.0');
      const error = (await t.throwsAsync(host.plugins.reload())) as BootError;
      t.is(error.code, 'plugin_state');
      t.regex(error.message, message);
      t.deepEqual(await readEntries(host), {
        version: '1',
        entries: ['a', 'b', 'c'].map((key) => ({ key, value: key })),
      });
      t.is(await writeEntry(host, 'a', 'a'), 204, 'the older version writes on');
    }
    for (const [state, message] of [
      ['{ version: 2 }', /state\.migrate is required/],
      ['{ version: 1.5 }', /state\.version must be a whole number/],
      ['{ version: 1, migrat: 1 }', /state has no member "migrat"/],
    ] as const) {
      await scene.write('tally', tally('2', state), '2.0.0');
      t.regex(String((await t.throwsAsync(host.plugins.reload()))?.message), message);
    }
    t.is((await readEntries(host)).version, '1');
  });
}

test('stored state of plugins: an update that another plugin refuses takes the migration back', async (t) => {
  const scene = await reloadScene(t, ({ resource }) => ({
    tally: tally('1', '{ version: 1 }'),
    z: resource('z', '1'),
  }));
  const { host } = scene;
  t.is(await writeEntry(host, 'a', 1), 204);
  await scene.write('tally', tally('2', STATE_2), '2.0.0');
  await scene.write('z', scene.resource('z', '2', { open: "throw new Error('no database');" }), '2.0.0');
  t.is(((await t.throwsAsync(host.plugins.reload())) as BootError).code, 'plugin_open_failed');
  t.deepEqual(await readEntries(host), { version: '1', entries: [{ key: 'a', value: 1 }] });
  t.is(await writeEntry(host, 'b', 2), 204);
});

/** Starts hosts on one store, which stays open when they close. */
async function startOnStore(t: ExecutionContext, source: string) {
  const store = await openMemoryStore();
  t.teardown(() => store.close());
  const unclosableStore = keptOpen(store);
  const start = (of: string) =>
    startHost(t, {
      realms: realms(),
      plugins: [{ module: 'tally' }],
      packages: { tally: of },
      replace: [replacing(Store, unclosableStore)],
    });
  return { store: unclosableStore, start, host: await start(source) };
}

test('stored state of plugins: a restart migrates, skips versions, and goes back to the version before and no further', async (t) => {
  const { start, host } = await startOnStore(t, tally('1'));
  t.is(await writeEntry(host, 'a', 1), 204);
  await host.close();
  const two = await start(tally('2', STATE_2));
  t.deepEqual((await readEntries(two)).entries, [{ key: 'n-a', value: { n: 1, from: 1, realm: 'demo' } }]);
  await two.close();
  const back = await start(tally('1'));
  t.deepEqual((await readEntries(back)).entries, [{ key: 'a', value: 1 }]);
  await back.close();
  const four = await start(
    tally(
      '4',
      '{ version: 4, migrate: (entry, { from }) => [{ ...entry, value: from }, { key: entry.key + 2, value: 2 }] }',
    ),
  );
  t.deepEqual((await readEntries(four)).entries, [
    { key: 'a', value: 1 },
    { key: 'a2', value: 2 },
  ]);
  await four.close();
  const error = (await t.throwsAsync(start(tally('2', STATE_2)))) as BootError;
  t.is(error.code, 'plugin_state');
  t.regex(error.message, /its state is of version 4, and this version has 2/);
});

test('stored state of plugins: an interrupted migration begins again, and leaves nothing of the first attempt', async (t) => {
  const { store, start, host } = await startOnStore(t, tally('1', '{ version: 1 }'));
  for (const key of ['a', 'b']) t.is(await writeEntry(host, key, 1), 204);
  await host.close();
  // The state that a process leaves behind if it was killed between two entries, long ago.
  const half = { realm: 'demo', namespace: '/states/2/tally', key: 'n-half', value: '"of an older try"' };
  await store.entries.put(half);
  const record = { token: 0, version: 1, migration: { by: 'the dead', to: 2, until: 1 } };
  await store.entries.put({ realm: 'master', namespace: '/states', key: 'tally', value: JSON.stringify(record) });
  const two = await start(tally('2', STATE_2));
  t.deepEqual(
    (await readEntries(two)).entries.map(({ key }) => key),
    ['n-a', 'n-b'],
  );
  await two.close();
  await store.entries.put({ realm: 'master', namespace: '/states', key: 'tally', value: JSON.stringify(record) });
  const one = await start(tally('1', '{ version: 1 }'));
  t.deepEqual((await readEntries(one)).entries, [
    { key: 'a', value: 1 },
    { key: 'b', value: 1 },
  ]);
  t.is(await writeEntry(one, 'c', 1), 204);
});

test('stored state of plugins: of several nodes one migrates, and those with the older version lose no write: it is refused', async (t) => {
  const sources = { tally: tally('1', '{ version: 1 }') };
  const { nodes } = await startNodes(t, {
    realms: realms(),
    plugins: [{ module: 'tally' }],
    packages: sources,
    count: 2,
  });
  const [first, second] = nodes as [TestHost, TestHost];
  t.is(await writeEntry(first, 'a', 1), 204);
  t.is(await writeEntry(second, 'b', 1), 204);
  const record = { realm: 'master', namespace: '/states', key: 'tally' };
  // The other node has migrated, and this one has not been updated yet.
  await first.store.entries.put({ ...record, value: JSON.stringify({ token: 2, version: 2, kept: 1 }) });
  for (const node of nodes) {
    t.is(await writeEntry(node, 'lost', 1), 503);
    t.false((await readEntries(node)).entries.some(({ key }) => key === 'lost'));
  }
  await first.store.entries.put({ ...record, value: JSON.stringify({ token: 1, version: 1 }) });
  t.is(await writeEntry(second, 'kept', 1), 204);
});

test('stored state of plugins: nodes that start at once migrate once', async (t) => {
  const store = await openMemoryStore({ isShared: true });
  t.teardown(() => store.close());
  const start = (of: string) =>
    startHost(t, {
      realms: realms(),
      plugins: [{ module: 'tally' }],
      packages: { tally: of },
      replace: [replacing(Store, keptOpen(store))],
    });
  const old = await start(tally('1'));
  for (let n = 0; n < 120; n += 1) t.is(await writeEntry(old, `k${n}`, n), 204);
  await old.close();
  const slow = `{ version: 2, migrate: async ({ key, value }) => (await new Promise(setImmediate), { key: 'n-' + key, value }) }`;
  const nodes = await Promise.all([start(tally('2', slow)), start(tally('2', slow))]);
  for (const node of nodes) {
    const { entries } = await readEntries(node);
    t.is(entries.filter(({ key }) => key.startsWith('n-k')).length, 120);
    t.true(entries.every(({ key }) => key.startsWith('n-')));
    t.is(await writeEntry(node, 'n-more', 1), 204);
  }
  const migrations = nodes.flatMap(({ log }) =>
    log.filter(({ message }) => message === 'the state of a plugin was migrated'),
  );
  t.deepEqual(
    migrations.map(({ fields }) => (fields as { entries: number }).entries),
    [120],
  );
  // A node that starts with the older version leaves the state of the other nodes as it is.
  const error = (await t.throwsAsync(start(tally('1', '{ version: 1 }')))) as BootError;
  t.is(error.code, 'plugin_state');
  t.regex(error.report(), /install the version that the other nodes have/);
  t.is(await writeEntry(nodes[0] as TestHost, 'n-still', 1), 204);
});

test('stored state of plugins: scheduled work of a plugin with a state writes under its own fence, and not in a state that has moved', async (t) => {
  const clock = new TestClock();
  const options = sweeping('none', clock);
  const sweeper = String(options.packages?.sweeper).replace('api: 1,', 'api: 1, state: { version: 1 },');
  const host = await startHost(t, { ...options, packages: { sweeper } });
  await planned(host);
  const record = { realm: 'master', namespace: '/states', key: 'sweeper' };
  await host.store.entries.put({ ...record, value: JSON.stringify({ token: 2, version: 2, kept: 1 }) });
  clock.forward(60);
  await eventually(() => lines(host, 'scheduled work failed').length === 1);
  t.is(await entry(host, 'begun'), undefined);
  await host.store.entries.put({ ...record, value: JSON.stringify({ token: 1, version: 1 }) });
  clock.forward(5);
  await eventually(() => lines(host, 'scheduled work done').length === 1);
  t.like(await entry(host, 'ended'), { place: 1 });
});

test('stored state of plugins: no plugin has the name of a place in the store that is the host’s', async (t) => {
  for (const name of ['/states', '/states/2/tally', '/nodes', '/login-links', 'keyhost', 'keyhost-failed-logins']) {
    for (const isolation of ['none', 'worker']) {
      const packages = { thief: tally('1').replace("name: 'tally'", `name: '${name}'`) };
      const error = (await t.throwsAsync(
        startHost(t, { realms: [], plugins: [{ module: 'thief', isolation }], packages }),
      )) as BootError;
      t.is(error.code, 'plugin_reserved_id', name);
    }
  }
});
