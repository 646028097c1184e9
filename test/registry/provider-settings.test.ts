import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';

const SETTINGS = `{ type: 'object', properties: { level: { type: 'integer', minimum: 2 }, way: { enum: ['a', 'b'] } },
  required: ['level'], additionalProperties: false }`;
const URL_CONFIG = `{ type: 'object', properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false }`;

/**
 * Providers that a realm references outside `providers`: two with settings for each use, two with a required
 * configuration in the realm.
 */
const LEVEL_PLUGIN = `import { Authenticator, EventListener, provide, ProtocolMapper, RequiredAction } from '@keyhost/spi';
const nothing = async () => undefined;
export default { name: 'levels', api: 1, providers: [
  provide(ProtocolMapper, { id: 'level-mapper', settings: ${SETTINGS}, open: () => ({ create: () => ({ map: async () => ({}) }) }) }),
  provide(RequiredAction, { id: 'set-level', displayText: 'Level', settings: ${SETTINGS}, open: () => ({ create: () => ({ challenge: nothing, process: nothing }) }) }),
  provide(ProtocolMapper, { id: 'asking-mapper', realmConfig: ${URL_CONFIG}, open: () => ({ create: () => ({ map: async () => ({}) }) }) }),
  provide(EventListener, { id: 'level-listener', realmConfig: ${URL_CONFIG}, open: () => ({ create: () => ({ onEvent: nothing }) }) }),
] };`;

const startWithRealm = (t: ExecutionContext, realm: Partial<RealmRepresentation>) =>
  startHost(
    t,
    administered({
      realms: [{ realm: 'demo', enabled: true, ...realm }],
      packages: { levels: LEVEL_PLUGIN },
      plugins: [{ module: 'levels' }],
    }),
  );

const realmWithMapper = (protocolMapper: string, config: Record<string, string>) => ({
  clientScopes: [{ name: 'levels', protocolMappers: [{ name: 'level', protocolMapper, config }] }],
});
const realmWithRequiredAction = (config: Record<string, string>, more = {}) => ({
  requiredActions: [{ providerId: 'set-level', alias: 'set-level', name: 'Level', enabled: true, config, ...more }],
});

test('settings of providers: settings of mappers and required actions, and a configuration that is not there, are mistakes of the realm file', async (t) => {
  for (const [realm, mistake] of [
    [realmWithMapper('level-mapper', { level: 'three' }), /protocolMappers\[0\]\.config\.level.*must be an integer/],
    [realmWithMapper('level-mapper', { level: '1' }), /config\.level.*must be at least 2/],
    [realmWithMapper('level-mapper', { level: '2', lvel: 'x' }), /config\.lvel.*unknown key.*did you mean "level"/s],
    [realmWithMapper('level-mapper', {}), /"level" is missing/],
    [realmWithRequiredAction({ level: '2', way: 'c' }), /requiredActions\[0\]\.config\.way.*must be one of/],
    [realmWithRequiredAction({}), /"level" is missing/],
    [
      realmWithRequiredAction({ level: '2' }, { providerId: 'set-levels' }),
      /required action "set-levels" not found.*set-level/s,
    ],
    [realmWithMapper('asking-mapper', {}), /providers\.protocol-mapper\.asking-mapper.*"url" is missing/],
    [{ eventsListeners: ['level-listener'] }, /providers\.events-listener\.level-listener.*"url" is missing/],
  ] as const) {
    const error = (await t.throwsAsync(
      startWithRealm(t, realm as never),
      undefined,
      JSON.stringify(realm),
    )) as BootError;
    t.regex(error.report(), mistake);
  }
});

test('settings of providers: valid settings are accepted, with the flags of all mappers, and edits follow the same rules', async (t) => {
  const flags = { level: '2', 'access.token.claim': 'true', 'lightweight.claim': 'false' };
  const { requiredActions } = realmWithRequiredAction({}, { enabled: false });
  const running = await startWithRealm(t, { ...realmWithMapper('level-mapper', flags), requiredActions });
  const call = await adminCaller(running);
  const scopes = (await call('GET', '/realms/demo/client-scopes')).json as { id: string; name: string }[];
  const { id } = scopes.find(({ name }) => name === 'levels') as { id: string };
  const add = (protocolMapper: string, config: object) =>
    call('POST', `/realms/demo/client-scopes/${id}/protocol-mappers/models`, {
      name: 'another',
      protocol: 'openid-connect',
      protocolMapper,
      config,
    });
  t.is((await add('level-mapper', { level: 'three' })).status, 400);
  t.is((await add('asking-mapper', {})).status, 400);
  const path = '/realms/demo/providers/protocol-mapper/asking-mapper';
  t.is((await call('PUT', path, { config: { url: 'https://levels.example' } })).status, 204);
  t.is((await add('asking-mapper', {})).status, 201);
});

test('settings of providers: a token request that fails by a mapper has its event', async (t) => {
  const throws = pluginSource(import.meta.url, 'plugins/throws.js');
  const client = {
    clientId: 'job',
    secret: 'job-secret',
    serviceAccountsEnabled: true,
    protocolMappers: [{ name: 'throwing', protocolMapper: 'throwing', config: { 'access.token.claim': 'true' } }],
  };
  const running = await startHost(t, {
    realms: [{ realm: 'demo', enabled: true, eventsEnabled: true, clients: [client] }],
    packages: { throws },
    plugins: [{ module: 'throws' }],
  });
  const form = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'job-secret' };
  t.is((await running.token('demo', form)).status, 500);
  t.like(await running.stored('demo'), [{ type: 'CLIENT_LOGIN_ERROR', error: 'unknown_error', clientId: 'job' }]);
});

test('settings of providers: a new version that requires a configuration which the realm does not have leaves the old one serving', async (t) => {
  const listener = (more: string) => `import { EventListener, provide } from '@keyhost/spi';
    export default { name: 'listens', api: 1, providers: [
      provide(EventListener, { id: 'listens', ${more} open: () => ({ create: () => ({ onEvent: async () => {} }) }) })] };`;
  const realm = { eventsListeners: ['listens'], providers: {} };
  const { host, write } = await reloadScene(t, () => ({ listens: listener('') }), { realm });
  await write('listens', listener(`realmConfig: ${URL_CONFIG},`), '1.1.0');
  const { code, report } = await t.throwsAsync(host.plugins.reload()).then((error) => {
    const refused = error as BootError;
    return { code: refused.code, report: refused.report() };
  });
  t.is(code, 'realm_invalid');
  t.regex(report, /demo\.json:\d+:\d+ providers\.events-listener\.listens.*"url" is missing/);
  t.is(host.plugins.status().plugins[0]?.version, '1.0.0');
});
