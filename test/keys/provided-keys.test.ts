import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { replacing } from '../../core/di/module.js';
import { StoredPublicKeys } from '../../core/keys/provided/stored-public-keys.js';
import { RealmEdits } from '../../core/realms/realm-edits.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { adminCaller, administered, administrator, adminToken } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, introspect } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';

const KEYS = 'org.keycloak.keys.KeyProvider';

/** Keys in an HTTP service, which lists them and signs. */
const PLUGIN = (url: string) => `import { provide, KeyProvider } from '@keyhost/spi';
export default { name: 'far', api: 1, providers: [provide(KeyProvider, {
  id: 'far',
  describe: { displayName: 'Far keys', helpText: 'Keys of a service.' },
  settings: { type: 'object', properties: { label: { type: 'string', title: 'Label' }, bits: { type: 'integer', minimum: 8 }, far: { type: 'boolean' } }, required: ['label'], additionalProperties: false },
  open: () => ({ create: (session) => {
    const ask = async (path, form = {}) => {
      const body = JSON.stringify({ realm: session.realm.name, ...form });
      const { status, body: said } = await session.outbound.request({ url: '${url}' + path, method: 'POST', body });
      if (status !== 200) throw new Error('the service answered ' + status);
      return JSON.parse(new TextDecoder().decode(said));
    };
    return {
      keys: ({ config }) => ask('keys/' + config.label[0]),
      sign: ({ config, kid, algorithm, input }) => ask('sign/' + config.label[0], { kid, algorithm, input }),
      checkConfig: async ({ config }) => {
        if (config.label[0] === 'throws') throw new Error('the list of labels is away');
        return config.label[0] === 'nobody' ? 'The service has no such label.' : undefined;
      },
    };
  } }) })] };`;

interface Pair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: object;
}

function pair(kid: string, namedCurve = 'P-256'): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return { kid, privateKey, publicKey: publicKey.export({ format: 'jwk' }) };
}

/** The service: by default it has one ES256 key for each label. */
async function farService(t: ExecutionContext) {
  const one = pair('far-1');
  const state: { status: number; keys: readonly object[]; signer: KeyObject; der: boolean; asked: string[] } = {
    status: 200,
    keys: [{ kid: one.kid, algorithm: 'ES256', publicKey: one.publicKey }],
    signer: one.privateKey,
    der: false,
    asked: [],
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { input } = JSON.parse(text) as { input: string };
    state.asked.push(request.url ?? '');
    const signature = () =>
      sign('sha256', Buffer.from(input), {
        key: state.signer,
        dsaEncoding: state.der ? 'der' : 'ieee-p1363',
      }).toString('base64url');
    const said = request.url?.startsWith('/keys/') === true ? state.keys : state.status === 200 ? signature() : '';
    response.writeHead(state.status).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, state, one };
}

const component = (config: object = {}) => ({
  id: 'far-component',
  name: 'far',
  providerId: 'far',
  config: { label: ['a'], priority: ['500'], ...config },
});
const realm = (name: string, ...components: object[]) =>
  testRealm(name, {
    defaultSignatureAlgorithm: 'ES256',
    providers: {},
    components: { [KEYS]: components as never },
  });
const OUTBOUND = ['--outbound-private-networks', '127.0.0.0/8'];
const JOB = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
const jwks = async (host: TestHost, name = 'demo') =>
  (await fetchAnswer(`${host.url}/realms/${name}/protocol/openid-connect/certs`)).json as unknown as {
    keys: { kid: string }[];
  };
const kids = async (host: TestHost, name = 'demo') => (await jwks(host, name)).keys.map(({ kid }) => kid);
const ask = async (host: TestHost, name = 'demo') => {
  const { status, json } = await host.token(name, JOB);
  return status === 200 ? decodeProtectedHeader(String(json.access_token)).kid : [status, json.error];
};
const LATER = [503, 'temporarily_unavailable'];
const keysHealth = async (host: TestHost) => {
  const { status, json } = await fetchAnswer(`${host.managementUrl}/health/ready`);
  const { checks } = json as unknown as { checks: { name: string; data?: { failingProviders: number } }[] };
  return [status, checks.find(({ name }) => name === 'keys')?.data?.failingProviders];
};

for (const isolation of ['none', 'worker']) {
  test(`keys of plugins: a key that never leaves its service signs, may be unavailable, and is verified (isolation ${isolation})`, async (t) => {
    const { url, state, one } = await farService(t);
    const dir = await mkdtemp(join(tmpdir(), 'keyhost-keys-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    const clock = new TestClock();
    const start = () =>
      startHost(t, {
        realms: [realm('demo', component()), realm('other')],
        plugins: [{ module: 'far', isolation }],
        packages: { far: PLUGIN(url) },
        // The issuer is the same after the restart.
        argv: [...OUTBOUND, '--data-dir', dir, '--hostname', 'http://keyhost.example'],
        clock,
      });
    const host = await start();
    t.is(await ask(host), 'far-1');
    const { json } = await host.token('demo', JOB);
    const token = String(json.access_token);
    const remote = createRemoteJWKSet(new URL(`${host.url}/realms/demo/protocol/openid-connect/certs`));
    const { payload } = await jwtVerify(token, remote, { algorithms: ['ES256'] });
    t.is(payload.azp, 'svc');
    const [entry] = (await jwks(host)).keys;
    t.like(entry, { kid: 'far-1', kty: 'EC', alg: 'ES256', use: 'sig', crv: 'P-256' });
    t.false('d' in (entry ?? {}));
    const own = await ask(host, 'other');
    t.is(typeof own, 'string');
    t.deepEqual(await keysHealth(host), [200, 0]);
    const introspected = async (of: TestHost) =>
      (await introspect(of, token, { client_id: 'svc', client_secret: 'svc-secret' })).json
        .active as unknown as boolean;

    // The service signs with another key, or in another format: no tokens are issued.
    state.signer = pair('wrong').privateKey;
    t.deepEqual(await ask(host), LATER);
    t.deepEqual(await keysHealth(host), [200, 1]);
    state.signer = one.privateKey;
    state.der = true;
    t.deepEqual(await ask(host), LATER);
    state.der = false;
    t.is(await ask(host), 'far-1');
    t.deepEqual(await keysHealth(host), [200, 0]);

    // The service is unreachable: nothing is signed, existing tokens stay valid, and other realms are not affected.
    state.status = 500;
    t.deepEqual(await ask(host), LATER);
    t.deepEqual(await ask(host), LATER);
    t.is(await ask(host, 'other'), own);
    t.true(await introspected(host));
    const told = (message: string) => host.log.filter((line) => line.message === message).length;
    t.is(told('a key provider does not serve: what is to be signed with its keys is not'), 2);
    t.is(told('a key provider serves again'), 1);
    await host.close();

    // Unreachable at the start, too.
    const again = await start();
    t.deepEqual(await kids(again), ['far-1']);
    t.true(await introspected(again));
    t.deepEqual(await ask(again), LATER);
    t.is(await ask(again, 'other'), own);
    // Reachable again with a new key, which has priority: the old one only verifies.
    const two = pair('far-2');
    state.status = 200;
    state.keys = [{ kid: two.kid, algorithm: 'ES256', publicKey: two.publicKey }, ...state.keys];
    state.signer = two.privateKey;
    clock.forward(6);
    await ask(again);
    await eventually(async () => (await ask(again)) === 'far-2');
    t.deepEqual(await kids(again), ['far-2', 'far-1']);
    t.true(await introspected(again));
    // It takes the old one back, a minute later at the latest.
    state.keys = state.keys.slice(0, 1);
    clock.forward(61);
    await ask(again);
    await eventually(async () => (await kids(again)).length === 1);
    t.false(await introspected(again));
  });
}

test('keys of plugins: while a provider’s keys are unknown, the host creates none in their place', async (t) => {
  const { url, state, one } = await farService(t);
  const clock = new TestClock();
  state.status = 500;
  const host = await startHost(t, {
    realms: [realm('demo', component(), { name: 'rsa', providerId: 'rsa-generated', config: { priority: ['100'] } })],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
    clock,
  });
  t.deepEqual(await ask(host), LATER);
  // The key set has the available keys, so other keys still work.
  const { keys } = await jwks(host);
  t.deepEqual(
    keys.map((key) => (key as unknown as { alg: string }).alg),
    ['RS256'],
  );
  state.status = 200;
  clock.forward(6);
  await ask(host);
  await eventually(async () => (await ask(host)) === 'far-1');
  t.deepEqual((await kids(host)).length, 2);
  // The same if the provider has none.
  state.keys = [];
  clock.forward(61);
  await eventually(async () => JSON.stringify(await ask(host)) === JSON.stringify(LATER));
  t.deepEqual(await keysHealth(host), [200, 1]);
  state.keys = [{ kid: one.kid, algorithm: 'ES256', publicKey: one.publicKey }];
  clock.forward(6);
  await eventually(async () => (await ask(host)) === 'far-1');
  // The same if the plugin was removed.
  await writeFile(join(host.dir, 'plugins.json'), JSON.stringify({ plugins: [] }));
  t.is((await host.plugins.reload()).outcome, 'replaced');
  clock.forward(61);
  await eventually(async () => JSON.stringify(await ask(host)) === JSON.stringify(LATER));
});

test('keys of plugins: the event of a failed signature says that a part of the host is unavailable', async (t) => {
  const { url, state } = await farService(t);
  const changed = realm('demo', component());
  const clients = changed.clients?.map((one) =>
    one.clientId === 'spa' ? { ...one, attributes: { 'user.info.response.signature.alg': 'ES256' } } : one,
  );
  const types = ['CLIENT_LOGIN', 'LOGIN', 'REFRESH_TOKEN', 'USER_INFO_REQUEST'];
  const host = await startHost(t, {
    realms: [{ ...changed, ...(clients && { clients }), enabledEventTypes: types.map((type) => `${type}_ERROR`) }],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
  });
  const login = { client_id: 'spa', ...ALICE_LOGIN, scope: 'openid' };
  const { json } = await host.token('demo', login);
  const userinfo = () => fetchAnswer(`${host.oidc('demo')}/userinfo`, { headers: bearer(String(json.access_token)) });
  t.is((await userinfo()).status, 200);
  state.status = 500;
  const refresh = { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(json.refresh_token) };
  for (const answer of [
    await host.token('demo', JOB),
    await host.token('demo', login),
    await host.token('demo', refresh),
    await userinfo(),
  ])
    t.deepEqual([answer.status, answer.json.error], LATER);
  const failed = (await host.stored('demo')).filter(({ error }) => error !== undefined).reverse();
  t.deepEqual(
    failed.map(({ type, error, clientId }) => [type, error, clientId]),
    [
      ['CLIENT_LOGIN_ERROR', LATER[1], 'svc'],
      ['LOGIN_ERROR', LATER[1], 'spa'],
      ['REFRESH_TOKEN_ERROR', LATER[1], 'spa'],
      ['USER_INFO_REQUEST_ERROR', LATER[1], 'spa'],
    ],
  );
});

test('keys of plugins: a refresh token whose response could not be signed is valid once more, and then used up', async (t) => {
  const { url, state } = await farService(t);
  const host = await startHost(t, {
    realms: [realm('demo', component())],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
  });
  const { json } = await host.token('demo', { client_id: 'spa', ...ALICE_LOGIN });
  const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(json.refresh_token) };
  state.status = 500;
  for (let tries = 0; tries < 2; tries += 1) t.is((await host.token('demo', form)).status, 503);
  state.status = 200;
  t.is((await host.token('demo', form)).status, 200);
  t.is((await host.token('demo', form)).status, 400);
});

test('keys of plugins: keyhost keys lists them, and says whether a new key signs or one of theirs still does', async (t) => {
  const { url } = await farService(t);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-keys-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const start = () =>
    startHost(t, {
      realms: [
        realm('demo', component()),
        realm('low', component({ priority: ['-200'] })),
        realm('passive', component({ active: ['false'] })),
        realm('other'),
        realm('unasked', component()),
      ],
      plugins: [{ module: 'far' }],
      packages: { far: PLUGIN(url) },
      argv: [...OUTBOUND, '--data-dir', dir],
    });
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await keyhost(['keys', ...words, '--data-dir', dir]);
    t.is(code, 0, stderr);
    return stdout.replaceAll(/[\w-]{40,}/g, 'KID');
  };
  const rotate = (name: string, ...more: string[]) => run('rotate', '--realm', name, ...more);
  const first = await start();
  t.is(await ask(first), 'far-1');
  await first.close();
  const listed = async (name: string) =>
    (await run('list', '--realm', name)).split('\n').filter((row) => row.includes('far'));
  t.deepEqual(await listed('demo'), ['ACTIVE   ES256    sig  far-1  of far (far)']);
  t.deepEqual(await listed('unasked'), ['ACTIVE   ?        sig  not known yet  of far (far)']);
  t.deepEqual(await listed('other'), []);
  const older = 'The older keys still verify.\n';
  const has = 'priority 500, the new key has -100';
  t.is(
    await rotate('demo'),
    `Created the key KID (ES256). Realm demo still signs ES256 with the key of the key component far (far): it has ${has}. ${older}`,
  );
  t.is(
    await rotate('unasked'),
    `Created the key KID (ES256). Realm unasked signs with it unless the key component far (far) has a key of ES256: that has ${has}. ${older}`,
  );
  // It has listed only one ES256 key.
  t.is(await rotate('demo', '--algorithm', 'PS256'), `Realm demo now signs PS256 with KID. ${older}`);
  for (const name of ['low', 'passive', 'other']) {
    t.is(await rotate(name), `Realm ${name} now signs ES256 with KID. ${older}`);
  }
  const again = await start();
  t.is(await ask(again), 'far-1');
  for (const name of ['low', 'passive', 'other']) t.not(await ask(again, name), 'far-1', name);
});

test('keys of plugins: a component whose keys another one has prevents no signing with other algorithms', async (t) => {
  const { url } = await farService(t);
  const double = { ...component({ label: ['b'] }), id: 'double' };
  const host = await startHost(t, {
    realms: [{ ...realm('demo', component(), double), defaultSignatureAlgorithm: 'RS256' }],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
  });
  const { status, json } = await host.token('demo', JOB);
  t.is(status, 200);
  t.is(decodeProtectedHeader(String(json.access_token)).alg, 'RS256');
});

test('keys of plugins: keys of a provider are checked: no secret, no small key, no kid of another one', async (t) => {
  const { url, state, one } = await farService(t);
  const { publicKey: small } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const good = state.keys[0] as object;
  const clock = new TestClock();
  const host = await startHost(t, {
    realms: [realm('demo', component(), { ...component({ label: ['b'] }), id: 'double' }), realm('other')],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
    clock,
  });
  const own = (await ask(host, 'other')) as string;
  t.truthy(own);
  state.keys = [
    { ...good, kid: 'hs', algorithm: 'HS256' },
    { ...good, kid: 'none', algorithm: 'none' },
    { ...good, kid: 'curve', algorithm: 'ES384' },
    { kid: 'small', algorithm: 'RS256', publicKey: small.export({ format: 'jwk' }) },
    { ...good, kid: 'certificate', certificate: 'AAAA' },
    { ...good, kid: 'point', publicKey: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } },
    good,
    good,
  ];
  t.deepEqual(await kids(host), ['far-1']);
  const left = () =>
    host.log
      .filter(({ message }) => message === 'a key of a key provider is left out')
      .map(({ fields }) => {
        const { component, kid } = fields as { component: string; kid: string };
        return `${component} ${kid}`;
      });
  const wrong = ['hs', 'none', 'curve', 'small', 'certificate', 'point'];
  const all = [
    ...[...wrong, 'far-1'].map((kid) => `far-component ${kid}`),
    ...[...wrong, 'far-1', 'far-1'].map((kid) => `double ${kid}`),
  ];
  t.deepEqual(left(), all);
  // A component whose keys all belong to another one does not serve. That is not logged again at the next request.
  t.deepEqual(await keysHealth(host), [200, 1]);
  const asked = state.asked.length;
  await eventually(async () => {
    clock.forward(61);
    return (await kids(host)).length === 1 && state.asked.length >= asked + 4;
  });
  t.deepEqual(left(), all);
  // A private key in the list is a fault of the plugin, and is not stored anywhere.
  const second = await startHost(t, {
    realms: [realm('demo', component())],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    argv: OUTBOUND,
  });
  const secret = one.privateKey.export({ format: 'jwk' });
  state.keys = [{ ...good, publicKey: secret }];
  t.false((await kids(second)).includes('far-1'));
  t.false(JSON.stringify(second.log).includes(String(secret.d)));
});

test('keys of plugins: an admin adds them, sees them, and removes them', async (t) => {
  const { url } = await farService(t);
  const host = await startHost(t, {
    ...administered({ argv: OUTBOUND }),
    realms: [testRealm('demo', { defaultSignatureAlgorithm: 'ES256', providers: {} })],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
  });
  const token = await adminToken(host, {});
  const call = async (method: string, path: string, json?: object) => {
    const headers = { ...bearer(await token()), ...(json && { 'content-type': 'application/json' }) };
    return fetchAnswer(`${host.url}/admin/${path}`, { method, headers, ...(json && { body: JSON.stringify(json) }) });
  };
  const own = await ask(host);
  const sent = { ...component(), providerType: KEYS, id: undefined };
  const refused = async (config: object) => {
    const { status, json } = await call('POST', 'realms/demo/components', { ...sent, config });
    return [status, json.error_description ?? json.errorMessage ?? json.error];
  };
  // As of realm files, before the provider is asked.
  t.deepEqual(await refused({}), [400, 'config: "label" is missing']);
  t.deepEqual(await refused({ label: ['throws'], bits: ['x'] }), [400, 'config.bits: must be an integer']);
  t.deepEqual(await refused({ label: ['throws'], bits: ['7'] }), [400, 'config.bits: must be at least 8']);
  t.deepEqual(await refused({ label: ['throws'], far: ['yes'] }), [400, 'config.far: must be a boolean']);
  t.deepEqual(await refused({ label: ['nobody'] }), [400, 'The service has no such label.']);
  t.deepEqual(await refused({ label: ['a'], priority: ['high'] }), [
    400,
    'config.priority: the priority is not a whole number',
  ]);
  t.deepEqual(await refused({ label: ['throws'], lable: ['a'] }), [
    400,
    'config.lable: unknown key (did you mean "label"?)',
  ]);
  t.deepEqual(await refused({ label: ['throws'] }), [
    400,
    'The provider cannot check the settings. The log of the server says why.',
  ]);
  t.true(
    host.log.some(({ fields }) => (fields as { reason?: string }).reason === 'the list of labels is away'),
    'as it does',
  );
  t.is((await call('POST', 'realms/demo/components', { ...sent, providerId: 'fra' })).status, 400);
  const created = await call('POST', 'realms/demo/components', sent);
  t.is(created.status, 201, created.text);
  const id = created.headers.get('location')?.split('/').at(-1);
  t.is(await ask(host), 'far-1');
  const { json } = await call('GET', 'realms/demo/keys');
  const shown = json as unknown as { active: Record<string, string>; keys: { kid: string; providerId?: string }[] };
  t.is(shown.active.ES256, 'far-1');
  t.like(
    shown.keys.find(({ kid }) => kid === 'far-1'),
    { providerId: id, providerPriority: 500, status: 'ACTIVE', type: 'EC', use: 'SIG' },
  );
  const listed = (await call('GET', `realms/demo/components?type=${KEYS}`)).json as unknown as { providerId: string }[];
  t.is(listed.filter(({ providerId }) => providerId === 'far').length, 1);
  const { json: info } = await call('GET', 'serverinfo');
  const types =
    (info.componentTypes as unknown as Record<string, { id: string; properties: { name: string }[] }[]>)[KEYS] ?? [];
  t.deepEqual(
    types.find(({ id: type }) => type === 'far')?.properties.map(({ name }) => name),
    ['priority', 'enabled', 'active', 'label', 'bits', 'far'],
  );
  t.true('far' in ((info.providers as unknown as Record<string, { providers: object }>).keys?.providers ?? {}));
  // A passive component only verifies; a disabled one has no keys.
  const change = (config: object) =>
    call('PUT', `realms/demo/components/${id}`, { ...sent, id, config: { ...sent.config, ...config } });
  t.is((await change({ active: ['false'] })).status, 204);
  t.is(await ask(host), own);
  t.true((await kids(host)).includes('far-1'));
  t.is((await change({ enabled: ['false'] })).status, 204);
  t.false((await kids(host)).includes('far-1'));
  t.is((await change({ active: ['true'], enabled: ['true'] })).status, 204);
  t.is(await ask(host), 'far-1');
  t.is((await call('DELETE', `realms/demo/components/${id}`)).status, 204);
  t.is(await ask(host), own);
  t.false((await kids(host)).includes('far-1'));
});

test('keys of plugins: no request waits for a provider whose keys are known, whatever token arrives or realm is edited', async (t) => {
  const { url, state } = await farService(t);
  const clock = new TestClock();
  const host = await startHost(t, {
    ...administered({ argv: OUTBOUND }),
    realms: [{ ...realm('demo', component()), accessTokenLifespan: 1_000_000 }],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
    replace: [replacing(Store, await openMemoryStore({ isShared: true }))],
    clock,
  });
  const token = String((await host.token('demo', JOB)).json.access_token);
  const listed = () => state.asked.filter((path) => path.startsWith('/keys/')).length;
  t.is(listed(), 1);
  const [header, ...rest] = token.split('.');
  const said = JSON.parse(Buffer.from(String(header), 'base64url').toString());
  const unknown = Buffer.from(JSON.stringify({ ...said, kid: 'unknown' })).toString('base64url');
  const own = { client_id: 'svc', client_secret: 'svc-secret' };
  t.is((await introspect(host, [unknown, ...rest].join('.'), own)).json.active as unknown, false);
  await host.use(RealmEdits).edit('demo', (draft) => {
    draft.displayName = 'Edited';
  });
  t.is((await introspect(host, token, own)).json.active as unknown, true);
  t.is(listed(), 1);
  // Once they have expired, the list is read in the background, and a failure is logged once.
  state.status = 500;
  await eventually(async () => {
    clock.forward(61);
    t.is((await introspect(host, token, own)).json.active as unknown, true);
    return listed() > 3;
  });
  await eventually(async () => (await keysHealth(host))[1] === 1);
  const told = host.log.filter(({ message }) => message.startsWith('a key provider does not serve'));
  t.is(told.length, 1);
  t.is(host.log.filter(({ message }) => message === 'a call of a provider failed').length, 1);
});

test('keys of plugins: cached keys keep no event of the change that needed them', async (t) => {
  const store = await openMemoryStore();
  t.teardown(() => store.close());
  const remembered = new StoredPublicKeys({ store, clock: new TestClock() });
  const one = { id: 'c', providerId: 'far', config: { label: ['a'] } };
  const event = { realm: 'demo', id: 'e', kind: 'user', time: 1, type: 'LOGIN', body: '{}' } as never;
  await t.throwsAsync(
    store.withEvents(
      () => [event],
      async (isWritten) => {
        await remembered.save('demo', one, [{ kid: 'k', algorithm: 'ES256', publicKey: {} }]);
        t.false(isWritten());
        throw new Error('the change is refused');
      },
    ),
  );
  t.deepEqual(await store.events.query('demo', { kind: 'user', max: 10 }), []);
  t.is((await remembered.of('demo', { ...one, config: { label: ['a'], priority: ['9'] } }))?.length, 1);
  t.is(await remembered.of('demo', { ...one, config: { label: ['b'] } }), undefined);
});

test('keys of plugins: an admin who may not add keys does not cause a call of the provider', async (t) => {
  const { url } = await farService(t);
  const host = await startHost(t, {
    ...administered({ argv: OUTBOUND }),
    realms: [{ ...realm('demo', component()), users: [administrator('part', 'manage-realm')] }],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
  });
  const part = await adminCaller(host, { realm: 'demo', username: 'part', password: 'part' });
  const sent = { ...component(), config: { label: ['throws'] } };
  t.is((await part('POST', '/realms/demo/components', { ...sent, id: 'other', providerType: KEYS })).status, 403);
  t.is((await part('PUT', '/realms/demo/components/far-component', sent)).status, 403);
  t.false(host.log.some(({ fields }) => /list of labels is away/.test(JSON.stringify(fields))));
});

test('keys of plugins: keys of a component with other settings are not used, even while its provider is unavailable', async (t) => {
  const { url, state } = await farService(t);
  const host = await startHost(t, {
    ...administered({ argv: OUTBOUND }),
    realms: [realm('demo', component())],
    plugins: [{ module: 'far' }],
    packages: { far: PLUGIN(url) },
  });
  t.deepEqual(await kids(host), ['far-1']);
  state.status = 500;
  const edit = (config: object) =>
    host.use(RealmEdits).edit('demo', (draft) => {
      draft.components = { [KEYS]: [component(config)] };
    });
  await edit({ priority: ['600'] });
  t.deepEqual(await kids(host), ['far-1'], 'another priority is the same key');
  await edit({ label: ['b'] });
  t.deepEqual(await kids(host), []);
  t.deepEqual(await keysHealth(host), [200, 1]);
  await edit({ enabled: ['false'] });
  t.deepEqual(await keysHealth(host), [200, 0]);
});

test('keys of plugins: a key component has no settings that its provider does not declare', async (t) => {
  const plain = `import { provide, KeyProvider } from '@keyhost/spi';
export default { name: 'plain', api: 1, providers: [provide(KeyProvider, { id: 'plain', open: () => ({ create: () => ({
  keys: async () => [], sign: async () => 'AA' }) }) })] };`;
  const one = { name: 'plain', providerId: 'plain', config: { priority: ['1'], lable: ['a'] } };
  const starting = startHost(t, { realms: [realm('demo', one)], plugins: [{ module: 'plain' }], packages: { plain } });
  const { problems = [] } = (await t.throwsAsync(starting)) as { problems?: { path: string; message: string }[] };
  t.deepEqual(
    problems.map(({ path, message }) => [path, message]),
    [[`components["${KEYS}"][0].config.lable`, 'unknown key']],
  );
});

test('keys of plugins: an unknown key provider in a realm file is refused at its place', async (t) => {
  const { url } = await farService(t);
  const begin = (...components: object[]) =>
    startHost(t, {
      realms: [realm('demo', ...components)],
      plugins: [{ module: 'far' }],
      packages: { far: PLUGIN(url) },
      argv: OUTBOUND,
    });
  const problems = async (one: object) => {
    const error = await t.throwsAsync(begin(one));
    const { problems: found = [] } = error as { problems?: { path: string; message: string; suggestion?: string }[] };
    return found.map(({ path, message, suggestion }) => [path, message, suggestion]);
  };
  const place = `components["${KEYS}"][0]`;
  t.deepEqual(await problems({ ...component(), providerId: 'farr' }), [
    [`${place}.providerId`, 'key component "far": unknown key provider "farr"', 'far'],
  ]);
  t.deepEqual(await problems(component({ label: undefined, bits: ['many'], far: ['yes'], lable: ['a'] })), [
    [`${place}.config`, '"label" is missing', undefined],
    [`${place}.config.bits`, 'must be an integer', undefined],
    [`${place}.config.far`, 'must be a boolean', undefined],
    [`${place}.config.lable`, 'unknown key', 'label'],
  ]);
});
