import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { fetchAnswer, startHost, type TestHostOptions } from '../helpers/host.js';
import { providersFolder } from '../helpers/plugins.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const SETTINGS = `{ type: 'object', properties: { digits: { type: 'number', default: 6, minimum: 4 } }, additionalProperties: false }`;
const SPI = 'realm-restapi-extension';

/** Two realm resources that answer with their configuration. */
const twoResourcePlugin = (shared: string) => `import { provide, RealmResourceProvider } from '@keyhost/spi';
const kind = { routes: { read: { method: 'GET', path: '/', authentication: 'none' } }, open: () => ({ create: (session, config) => ({ read: async () => ({ body: config }) }) }) };
export default { name: 'codes', api: 1, providers: [
  provide(RealmResourceProvider, { id: 'asks', realmConfig: ${SETTINGS}, ...kind }),
  provide(RealmResourceProvider, { id: 'sets-up', ${shared}, ...kind }),
] };`;
const SHARED = `realmConfig: ${SETTINGS}, sharesConfig: '${SPI}/asks'`;

const realmWithConfig = (config: Record<string, unknown>) =>
  testRealm('demo', { providers: { [SPI]: { asks: { enabled: true, config }, 'sets-up': { enabled: true } } } });

async function startupError(t: ExecutionContext, options: TestHostOptions): Promise<{ code: string; report: string }> {
  const error = (await t.throwsAsync(startHost(t, { plugins: [{ module: 'codes' }], ...options }))) as BootError;
  return { code: error.code, report: error.report() };
}

for (const isolation of ['none', 'worker']) {
  test(`shared configuration: a provider gets the configuration of another one of its plugin (${isolation})`, async (t) => {
    const host = await startHost(
      t,
      administered({
        realms: [realmWithConfig({ digits: 8 })],
        packages: { codes: twoResourcePlugin(SHARED) },
        plugins: [{ module: 'codes', isolation }],
      }),
    );
    const read = async (id: string) => (await fetchAnswer(`${host.realm('demo')}/${id}`)).json as unknown;
    t.deepEqual([await read('asks'), await read('sets-up')], [{ digits: 8 }, { digits: 8 }]);
    const call = await adminCaller(host);
    const at = `/realms/demo/providers/${SPI}`;
    t.is((await call('PUT', `${at}/asks`, { config: { digits: 4 } })).status, 204);
    t.deepEqual([await read('asks'), await read('sets-up')], [{ digits: 4 }, { digits: 4 }]);
    t.is((await call('PUT', `${at}/sets-up`, { config: { digits: 5 } })).status, 400);
    const { json } = await call('GET', `${at}/sets-up`);
    t.like(json, { sharesConfig: `${SPI}/asks`, config: {}, configSchema: undefined, health: { status: 'up' } });
    t.is((await call('PUT', `${at}/sets-up`, { enabled: false })).status, 204);
    t.is((await call('PUT', `${at}/sets-up`, { enabled: true })).status, 204);
  });
}

test('shared configuration: production asks for the name of each provider that one configuration opens', async (t) => {
  const settings = `{ type: 'object', properties: { authentication: { type: 'string' } }, additionalProperties: false }`;
  const source = twoResourcePlugin(SHARED).replaceAll(SETTINGS, settings).replace(", authentication: 'none' }", ' }');
  const dir = await folder(t, [realmWithConfig({ authentication: 'none' })]);
  const providers = await providersFolder(t, { codes: source });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "codes" } ] }');
  const production = ['start', '--hostname', 'http://id.example', '--http-enabled', '--providers-dir', providers];
  const { ended, output } = await run(t, dir, production);
  t.is(await ended, 1);
  for (const id of ['asks', 'sets-up']) t.true(output().includes(`${SPI}/${id} answers without authentication`), id);
});

test('shared configuration: configuration at the wrong provider, and sharing with a missing one, are refused by name', async (t) => {
  const packages = { codes: twoResourcePlugin(SHARED) };
  const misplaced = testRealm('demo', {
    providers: { [SPI]: { 'sets-up': { enabled: true, config: { digits: 8 } } } },
  });
  const { report: told } = await startupError(t, { packages, realms: [misplaced] });
  t.regex(told, /config\.digits.*unknown key: configure realm-restapi-extension\/asks instead/s);
  for (const [shared, reason] of [
    [`realmConfig: ${SETTINGS}, sharesConfig: '${SPI}/ask'`, /has no provider "[^"]*\/ask"; it has [^,]*\/asks \[/],
    [`realmConfig: ${SETTINGS}, sharesConfig: '${SPI}/sets-up'`, /sets-up has no configuration of its own/],
    [`sharesConfig: '${SPI}/asks'`, /realmConfig must be the same schema as that of realm-restapi-extension\/asks/],
    [`${SHARED}, schedule: { every: 60, setting: 'digits' }`, /schedule\.setting must be declared by/],
  ] as const) {
    const { code, report } = await startupError(t, { packages: { codes: twoResourcePlugin(shared) } });
    t.is(code, 'plugin_shape', shared);
    t.regex(report, reason);
  }
});
