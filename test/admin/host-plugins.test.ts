import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { resourcePlugin } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';

const version = (number: number) => resourcePlugin('a', `return { body: ${number} };`);
interface Status {
  readonly plugins: readonly object[];
  readonly history: readonly { readonly trigger: string; readonly outcome: string }[];
}

const broken = resourcePlugin('b', "throw new Error('always');");

test('plugins of the host: an admin of master lists them, reloads them, reverts that, and restarts a worker', async (t) => {
  const { host, write, get } = await reloadScene(
    t,
    () => ({ a: version(1), b: broken }),
    administered({
      plugins: [{ module: 'a', isolation: 'worker', limits: { concurrency: 7 } }, 'b'],
      enabled: ['a', 'b'],
    }),
  );
  const call = await adminCaller(host);
  await call('PUT', '/realms/master/events/config', { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const look = async () => (await call('GET', '/plugins')).json as unknown as Status;
  t.is((await get('a')).text, '1');
  for (const status of [500, 500]) t.is((await get('b')).status, status);
  const shown = await look();
  t.like(shown, {
    generation: 1,
    plugins: [
      {
        module: 'a',
        version: '1.0.0',
        isolation: 'worker',
        state: 'running',
        limits: { callTimeout: 30, concurrency: 7, memory: 256 },
        providers: [{ spi: 'realm-restapi-extension', id: 'a', calls: { running: 0, ends: { ok: 1 } }, realms: 1 }],
      },
      { module: 'b', isolation: 'none', providers: [{ id: 'b', calls: { ends: { failed: 2 } } }] },
    ],
    history: [],
  });
  const rows = (await call('GET', '/plugins/calls?max=1')).json;
  t.like(rows, [{ module: 'b', spi: 'realm-restapi-extension', id: 'b', realm: 'demo', ends: { failed: 2 } }]);
  t.like((await call('GET', '/plugins/calls?module=a')).json, [{ module: 'a', realm: 'demo', ends: { ok: 1 } }]);
  t.like((await call('GET', '/serverinfo')).json, { systemInfo: { providerCalls: { count: 3, failed: 2 } } });

  await write('a', version(2), '2.0.0');
  t.like((await look()).plugins[0], { version: '1.0.0', inFolder: '2.0.0' });
  const reloaded = await call('POST', '/plugins/reload?module=a');
  t.like(reloaded.json, { outcome: 'replaced', generation: 2, changes: ['a 1.0.0 → 2.0.0'] });
  t.is((await get('a')).text, '2');
  await write('a', 'throw new Error("not this one");', '3.0.0');
  const refused = await call('POST', '/plugins/reload');
  t.is(refused.status, 409);
  t.like(refused.json, { error: 'plugin_import_failed' });
  t.regex(String(refused.json.error_description), /not this one/);
  t.like((await call('POST', '/plugins/restart?module=a')).json, { changes: ['a 2.0.0, worker restarted'] });
  t.is((await get('a')).text, '2');
  t.like((await call('POST', '/plugins/rollback')).json, { changes: ['a 2.0.0 → 1.0.0'] });
  t.is((await get('a')).text, '1');
  t.like((await call('POST', '/plugins/restart?module=b')).json, { error: 'plugin_restart' });
  t.like(await call('POST', '/plugins/restart?module=aa'), { status: 404, json: { error: 'plugin_missing' } });
  t.is((await call('POST', '/plugins/restart')).status, 400);
  t.deepEqual(
    (await look()).history.map(({ trigger, outcome }) => [trigger, outcome]),
    [
      ['restart', 'refused'],
      ['restart', 'refused'],
      ['rollback', 'replaced'],
      ['restart', 'replaced'],
      ['reload', 'refused'],
      ['reload', 'replaced'],
    ],
  );
  const told = (await call('GET', '/realms/master/admin-events?resourceTypes=CUSTOM')).json as readonly {
    resourcePath: string;
    operationType: string;
    representation: string;
  }[];
  t.deepEqual(
    told.map(({ resourcePath, operationType, representation }) => [operationType, resourcePath, representation]),
    [
      ['ACTION', 'plugins/rollback', '{}'],
      ['ACTION', 'plugins/restart', '{"module":"a"}'],
      ['ACTION', 'plugins/reload', '{"module":"a"}'],
    ],
  );
  const boot = (await call('GET', '/boot')).json as unknown as { services: { module: string }[]; providers: object[] };
  t.true(boot.services.some(({ module }) => module === 'registry'));
  t.like(boot.providers[0], { plugin: 'a@1.0.0', spi: 'realm-restapi-extension', id: 'a' });
});

test('plugins of the host: admins of a realm have no access to them', async (t) => {
  const { host } = await reloadScene(t, () => ({ a: version(1) }), {
    ...administered(),
    realm: { users: [administrator('boss', 'realm-admin')] },
  });
  const call = await adminCaller(host, { realm: 'demo', username: 'boss', password: 'boss' });
  for (const path of ['/plugins', '/plugins/calls', '/boot']) t.is((await call('GET', path)).status, 403, path);
  for (const change of ['reload', 'rollback', 'restart?module=a'])
    t.is((await call('POST', `/plugins/${change}`)).status, 403, change);
});
