import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { replacing } from '../../core/di/module.js';
import { CallTimeout } from '../../core/registry/module.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { basic, SVC } from '../helpers/login.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

async function boot(
  t: ExecutionContext,
  sources: Record<string, string>,
  realm: object = {},
  callTimeoutMs = 10_000,
): Promise<TestHost> {
  const names = Object.keys(sources);
  const providersDir = await providersFolder(t, sources);
  return startHost(t, {
    realms: ['demo', 'other'].map((name) => testRealm(name, { providers: enabledResources(names), ...realm })),
    plugins: names.map((module) => ({ module })),
    argv: ['--providers-dir', providersDir],
    replace: [replacing(CallTimeout, callTimeoutMs)],
  });
}

const call = (host: TestHost, name: string, headers: Record<string, string> = {}, realm = 'demo') =>
  fetchAnswer(`${host.realm(realm)}/${name}`, { headers });

test('T252 · requests of plugins: a plugin that throws is answered by a 500 without its words, and nothing else is hurt', async (t) => {
  const secret = 'the-password-of-its-database';
  const operations: Record<string, string> = {
    'throws-error': `throw new Error('${secret}');`,
    'throws-nothing': 'throw undefined;',
    'throws-null': 'throw null;',
    'throws-text': `throw '${secret}';`,
    'throws-status': `throw Object.assign(new Error('${secret}'), { status: 200, code: '${secret}' });`,
    'throws-type': `throw Object.assign(new Error('${secret}'), { type: 'constructor' });`,
    'answers-nothing': 'return undefined;',
    'answers-text': `return '${secret}';`,
    'answers-circle': 'const body = {}; body.body = body; return { body };',
    'answers-status': 'return { status: 99999, body: {} };',
    'answers-header': `return { headers: { 'x-a': 'b\\r\\nset-cookie: ${secret}' }, body: {} };`,
    'answers-bigint': 'return { body: 1n };',
  };
  const sources = Object.entries(operations).map(([name, body]) => [name, resourcePlugin(name, body)]);
  const host = await boot(t, Object.fromEntries(sources));
  for (const name of Object.keys(operations)) {
    const answer = await call(host, name);
    t.deepEqual([answer.status, answer.json.error], [500, 'unknown_error'], `${name} ${answer.text}`);
    t.is(answer.headers.get('content-type'), 'application/json', name);
    t.false(answer.text.includes(secret), name);
    t.is(answer.headers.get('set-cookie'), null);
    t.is((await call(host, `${name}/7`)).text, '{"id":"7"}', 'its other route answers');
  }
  t.is((await host.token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  const told = host.log.filter(({ level }) => level === 'error');
  t.is(told.length, Object.keys(operations).length, 'each failure is in the log once');
  for (const { fields } of told) t.regex(JSON.stringify(fields), /"path":"\/realms\/demo\/(throws|answers)-/);
});

test('T252 · requests of plugins: a plugin that hangs is answered by a 504 when its time is over', async (t) => {
  const source = resourcePlugin(
    'hangs',
    'session.signal.addEventListener("abort", () => { globalThis.keyhostAborted = true; }); await new Promise(() => {});',
  );
  const host = await boot(t, { hangs: source }, {}, 300);
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(host, 'hangs')));
  for (const { status, json } of answers) t.deepEqual([status, json.error], [504, 'provider_timeout']);
  t.true((globalThis as { keyhostAborted?: boolean }).keyhostAborted, 'it is told by its signal');
  t.is((await call(host, 'hangs/7')).status, 200);
});

test('T252 · requests of plugins: a listener, a handler, a grant and a mapper that hang hold up neither requests nor the end', async (t) => {
  const forever = 'new Promise(() => {})';
  const source = `import { provide, EventListener, ActionTokenHandler, GrantType, ProtocolMapper, RealmResourceProvider } from '@keyhost/spi';
    const handler = (id, provider) => provide(ActionTokenHandler, { id, eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'x', defaultMessage: 'x',
      open: () => ({ create: () => ({ handle: async () => ({ body: {} }), ...provider }) }) });
    export default { name: 'stuck', api: 1, providers: [
      provide(EventListener, { id: 'deaf', open: () => ({ create: () => ({ onEvent: () => ${forever} }) }) }),
      handler('verifies', { verify: () => ${forever} }),
      handler('repeats', { reusable: () => ${forever} }),
      handler('confirms', { confirm: () => ${forever} }),
      handler('handles', { handle: () => ${forever} }),
      provide(GrantType, { id: 'urn:test:stuck', eventType: 'LOGIN', open: () => ({ create: () => ({ authorize: () => ${forever} }) }) }),
      provide(ProtocolMapper, { id: 'stuck-mapper', open: () => ({ create: () => ({ map: () => ${forever} }) }) }),
      provide(RealmResourceProvider, { id: 'issuer', routes: { issue: { method: 'GET', path: '/{type}' } }, open: () => ({ create: (session) => ({
        issue: async ({ params }) => ({ body: { ...await session.actionTokens.issue({ type: params.type, userId: 'a11ce000-0000-4000-8000-000000000001' }) } }) }) }) }),
    ] };`;
  const types = ['verifies', 'repeats', 'confirms', 'handles'];
  const enabled = { enabled: true };
  const realm = testRealm('demo');
  const host = await boot(
    t,
    { stuck: source },
    {
      eventsListeners: ['deaf'],
      providers: {
        'realm-restapi-extension': { issuer: enabled },
        'action-token-handler': Object.fromEntries(types.map((type) => [type, enabled])),
        'oauth2-grant-type': { 'urn:test:stuck': enabled },
      },
      clients: (realm.clients ?? []).map((client) =>
        client.clientId === 'web2'
          ? {
              ...client,
              serviceAccountsEnabled: true,
              protocolMappers: [
                {
                  name: 'stuck',
                  protocol: 'openid-connect',
                  protocolMapper: 'stuck-mapper',
                  config: { 'access.token.claim': 'true' },
                },
              ],
            }
          : client,
      ),
    },
    300,
  );
  for (const type of types) {
    const { json } = await call(host, `issuer/${type}`);
    const answer = await fetchAnswer(json.link ?? '');
    t.deepEqual([answer.status, answer.json.error], [504, 'provider_timeout'], type);
  }
  const stuck = await host.token('demo', { ...SVC, grant_type: 'urn:test:stuck' });
  t.is(stuck.status, 504, 'the grant');
  const web2 = { client_id: 'web2', client_secret: 'web2-secret', grant_type: 'client_credentials' };
  t.is((await host.token('demo', web2)).status, 504, 'the mapper');
  t.is((await host.token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  await host.events.flush();
  t.true(host.log.some(({ message }) => message === 'event listener failed'));
});

test('T253 · requests of plugins: no plugin gets a path that is Keyhost’s, in whatever spelling', async (t) => {
  const clashes = ['protocol', 'PROTOCOL', 'Login-Actions', 'account', '.well-known', 'admin', 'resources', 'health'];
  const odd = [
    ':realm',
    '*',
    '{id}',
    'protocol/',
    '/protocol',
    'protocol/openid-connect',
    'a b',
    '%70rotocol',
    '..',
    '.',
  ];
  for (const id of [...clashes, ...odd]) {
    const source = resourcePlugin('clash', 'return { body: { mine: true } };').replace("id: 'clash'", `id: '${id}'`);
    const error = (await t.throwsAsync(boot(t, { clash: source }, { providers: {} }), undefined, id)) as BootError;
    t.true(['plugin_reserved_id', 'plugin_shape'].includes(error.code), `${id}: ${error.code}`);
  }
  const host = await boot(t, { near: resourcePlugin('near', 'return { body: { mine: true } };') });
  for (const path of ['near', 'near/']) t.deepEqual((await call(host, path)).json, { mine: true }, path);
  for (const path of ['NEAR', '/near', 'near/a/b']) t.is((await call(host, path)).status, 404, path);
  const document = await call(host, '.well-known/openid-configuration');
  t.is(document.json.issuer, host.realm('demo'));
  for (const path of ['protocol/openid-connect/certs/', 'Protocol/openid-connect/certs', 'protocol', '.well-known'])
    t.is((await call(host, path)).status, 404, path);
});

test('T259 · requests of plugins: a plugin sees its contract and nothing behind it', async (t) => {
  const look = `
    const seen = [];
    for (let object = session; object !== null && object !== Object.prototype; object = Object.getPrototypeOf(object))
      seen.push(...Reflect.ownKeys(object).map(String));
    const tries = {
      addsToSession: () => { session.extra = 1; },
      replacesAuthenticate: () => { Object.getPrototypeOf(session).authenticate = async () => ({ kind: 'client', clientId: 'x' }); },
      renamesRealm: () => { session.realm.name = 'other'; },
      addsRealmAttribute: () => { session.realm.attributes.evil = '1'; },
      movesTheClock: () => { session.clock.now = () => 0; },
      replacesHost: () => { host.version = 'x'; },
      movesTheHostsClock: () => { host.clock.now = () => 0; },
      changesConfig: () => { realmConfig.evil = 1; },
    };
    const done = Object.keys(tries).filter((name) => { try { tries[name](); return true; } catch { return false; } });
    const alice = await session.users.byUsername('alice');
    try { alice.attributes.phoneNumber.push('666'); done.push('changesUser'); } catch {}
    const client = await session.clients.byClientId('web');
    for (const id of ['oauth2-grant-type', 'authenticator', 'events-listener', '__proto__'])
      await session.providers({ id }).then(() => done.push(id), () => {});
    await session.store.put('mine', session.realm.name);
    return { body: { seen, done, headers: Object.keys(request.headers), client, alice,
      foreign: [session.compiledRealm, session.caller, session.ctx, session.app, session.keys, host.store, host.keys].filter((x) => x !== undefined).length,
      escaped: await session.store.get('../other/mine') ?? null, stranger: await session.store.get('theirs') ?? null } };`;
  const host = await boot(t, {
    looker: resourcePlugin('looker', look),
    stranger: resourcePlugin(
      'stranger',
      "await session.store.put('theirs', 1); return { body: { mine: await session.store.get('mine') ?? null } };",
    ),
  });
  t.deepEqual((await call(host, 'stranger')).json, { mine: null });
  const { json } = await call(host, 'looker', { ...basic('svc', 'svc-secret'), cookie: 'a=b' });
  const seen = json as unknown as {
    seen: string[];
    done: string[];
    headers: string[];
    client: object;
    alice: { attributes: Record<string, string[]> };
    foreign: number;
    escaped: null;
    stranger: null;
  };
  t.deepEqual([...new Set(seen.seen)].sort(), [
    'actionTokens',
    'admin',
    'authenticate',
    'background',
    'clients',
    'clock',
    'constructor',
    'credentials',
    'events',
    'groups',
    'identityProviders',
    'logger',
    'loginLinks',
    'mail',
    'metrics',
    'outbound',
    'ownCredentials',
    'providers',
    'realm',
    'remoteAddress',
    'roles',
    'sessions',
    'signal',
    'store',
    'tokenRequest',
    'users',
  ]);
  t.deepEqual([seen.done, seen.foreign, seen.escaped, seen.stranger], [[], 0, null, null]);
  t.false(seen.headers.includes('authorization') || seen.headers.includes('cookie'));
  t.notRegex(JSON.stringify({ ...seen, seen: [] }), /secret|s3cret|credentials|argon2/);
  t.deepEqual(seen.alice.attributes.phoneNumber, ['+1 555 0100']);
  t.deepEqual((await call(host, 'stranger', {}, 'other')).json, { mine: null });
  const again = (await call(host, 'looker', {}, 'other')).json as unknown as typeof seen;
  t.deepEqual([again.stranger, again.foreign], [null, 0], 'another realm’s entries are out of reach');
});
