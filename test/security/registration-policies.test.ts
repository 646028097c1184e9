import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const TYPE = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';
const ISOLATIONS = ['none', 'worker'] as const;

/** A plugin with a policy that behaves as the setting `does` demands, and records its calls. */
const plugin = pluginSource(import.meta.url, 'plugins/p.js');

/** The same for a policy that hangs, so that the others need no short timeout. */
const latePlugin = pluginSource(import.meta.url, 'plugins/late.js');

async function started(t: ExecutionContext, isolation: string) {
  const components = (does: string) => ({
    [TYPE]: [{ name: 'Ours', providerId: 'p', subType: 'anonymous', config: { does: [does] } }],
  });
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { components: components('allows'), providers: {} })],
    plugins: [
      { module: 'p', isolation },
      { module: 'late', isolation, limits: { callTimeout: 0.5 } },
    ],
    packages: { p: plugin, late: latePlugin },
  });
  const call = await adminCaller(host);
  const url = `${host.realm('demo')}/clients-registrations/default`;
  const send = (method: string, address: string, body?: object, token?: string) =>
    fetchAnswer(address, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const policy = async () =>
    (
      (await call('GET', `/realms/demo/components?type=${TYPE}`)).json as unknown as { id: string; config: object }[]
    )[0];
  return {
    host,
    url,
    send,
    count: async () => ((await call('GET', '/realms/demo/clients')).json as unknown as unknown[]).length,
    register: (body: object = {}) => send('POST', url, { redirectUris: ['https://x.test/cb'], ...body }),
    policy,
    does: async (does: string) => {
      t.is((await call('DELETE', `/realms/demo/components/${(await policy())?.id}`)).status, 204);
      const [providerId, config] = does === 'hangs' ? ['late', {}] : ['p', { does: [does] }];
      const component = { name: 'Ours', providerType: TYPE, providerId, subType: 'anonymous', config };
      const { status, text } = await call('POST', '/realms/demo/components', component);
      t.is(status, 201, text);
    },
  };
}

const asked = ({ log }: TestHost) =>
  log.flatMap(({ message, fields }) => (message === 'asked' ? [String((fields as { request: string }).request)] : []));

for (const isolation of ISOLATIONS) {
  test(`T736 · registration policies: a policy that throws, hangs, lies or is missing lets nobody register, change, read or remove (${isolation})`, async (t) => {
    const { host, does, register, count, send, url } = await started(t, isolation);
    const made = await register();
    t.is(made.status, 201, made.text);
    const { clientId, registrationAccessToken: token } = made.json as unknown as Record<string, string>;
    const own = `${url}/${clientId}`;
    const before = await count();
    for (const broken of ['throws', 'hangs', 'frees', 'lies', 'words', 'functions', 'refuses']) {
      await does(broken);
      const answers = await Promise.all([
        register(),
        send('PUT', own, { clientId, name: 'x' }, token),
        send('GET', own, undefined, token),
        send('DELETE', own, undefined, token),
      ]);
      for (const { status, text } of answers) {
        t.is(status, 403, `${broken} ${text}`);
        t.regex(text, /Policy 'Ours' rejected request/);
        t.notRegex(text, /secret of the plugin|at .*\.js/);
      }
      t.is(await count(), before, broken);
    }
    const refused = (await host.stored('demo')).filter(({ type }) => type === 'CLIENT_REGISTER_ERROR');
    t.is(refused.length, 7);
    for (const event of refused) {
      t.like(event, { error: 'not_allowed', details: { client_registration_policy: 'Ours' } });
    }
    await does('allows');
    t.is((await send('GET', own, undefined, token)).status, 200);
  });

  test(`T737 · registration policies: a policy sees no secret, and a client cannot lift its restrictions (${isolation})`, async (t) => {
    const { host, does, register, send, url } = await started(t, isolation);
    await does('restricts');
    const free = { secret: 'of-the-client', enabled: true, fullScopeAllowed: true };
    const attributes = { 'client.secret.rotated': 'of-the-client', 'jwt.credential.private.key': 'of-the-client' };
    const made = await register({ ...free, attributes });
    t.is(made.status, 201, made.text);
    t.like(made.json, { enabled: false, fullScopeAllowed: false } as object);
    await does('allows');
    const open = (await register(free)).json as unknown as Record<string, string>;
    await does('restricts');
    const body = { clientId: open.clientId, ...free };
    const changed = await send('PUT', `${url}/${open.clientId}`, body, open.registrationAccessToken);
    t.is(changed.status, 200, changed.text);
    t.like(changed.json, { enabled: false, fullScopeAllowed: false } as object);
    const requests = asked(host);
    t.true(requests.length >= 3);
    t.false(requests.some((request) => /of-the-client|registrationAccessToken/.test(request)));
    t.like(JSON.parse(requests[0] ?? ''), { auth: 'anonymous', ip: '127.0.0.1', config: { does: ['restricts'] } });
  });
}

test('T737 · registration policies: changes of a policy to its input change neither the realm nor the client', async (t) => {
  const { does, register, policy } = await started(t, 'none');
  await does('meddles');
  for (let time = 0; time < 2; time += 1) {
    const { status, text, json } = await register();
    t.is(status, 201, text);
    const { redirectUris, defaultClientScopes } = json as unknown as Record<string, string[]>;
    t.deepEqual(redirectUris, ['https://x.test/cb']);
    t.true((defaultClientScopes?.length ?? 0) > 0);
  }
  t.deepEqual((await policy())?.config, { does: ['meddles'] });
});

test('T737 · registration policies: a restriction that a policy leaves undefined takes back nothing', async (t) => {
  const { does, register } = await started(t, 'none');
  await does('blanks');
  const { status, text, json } = await register({ fullScopeAllowed: false });
  t.is(status, 201, text);
  t.like(json, { fullScopeAllowed: false, redirectUris: ['https://x.test/cb'] } as object);
});

test('T738 · registration policies: no token replaces another: requests without one are checked as such', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo'), testRealm('other')] });
  const call = await adminCaller(host);
  const url = (realm: string) => `${host.realm(realm)}/clients-registrations/default`;
  const post = async (realm: string, authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
    const body = JSON.stringify({ redirectUris: ['https://x.test/cb'] });
    return (await fetchAnswer(url(realm), { method: 'POST', headers, body })).status;
  };
  const { token } = (await call('POST', '/realms/demo/clients-initial-access', { count: 9, expiration: 0 })).json;
  t.is(await post('demo', `Bearer ${token}`), 201);
  t.is(await post('other', `Bearer ${token}`), 401, 'another realm');
  t.is(await post('demo'), 403);
  for (const authorization of ['Bearer ', 'Bearer x', `Bearer ${token}x`, 'Basic c3ZjOnN2Yy1zZWNyZXQ=', `${token}`]) {
    t.true([401, 403].includes(await post('demo', authorization)), authorization);
  }
  // A registered client's token cannot register another client with its rights.
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ redirectUris: ['https://x.test/cb'] });
  const made = (await fetchAnswer(url('demo'), { method: 'POST', headers, body })).json;
  t.is(await post('demo', `Bearer ${(made as Record<string, string>).registrationAccessToken}`), 403);
});

test('T739 · registration policies: a policy that is configured wrongly in a file keeps everybody out, and more than the limit never get in', async (t) => {
  const policy = (config: Record<string, string[]>) => ({
    components: { [TYPE]: [{ name: 'Max', providerId: 'max-clients', subType: 'anonymous', config }] },
  });
  const configs: Record<string, string[]>[] = [
    {},
    { 'max-clients': [] },
    { 'max-clients': ['many'] },
    { 'max-clients': ['1e9'] },
  ];
  const realms = configs.map((config, index) => testRealm(`r${index}`, policy(config)));
  const host = await startAdministered(t, {
    realms: [...realms, testRealm('demo', policy({ 'max-clients': ['500'] }))],
  });
  const call = await adminCaller(host);
  const post = (realm: string) =>
    fetchAnswer(`${host.realm(realm)}/clients-registrations/default`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirectUris: ['https://x.test/cb'] }),
    });
  for (const index of configs.keys()) t.is((await post(`r${index}`)).status, 403, JSON.stringify(configs[index]));
  const count = async () => ((await call('GET', '/realms/demo/clients')).json as unknown as unknown[]).length;
  const limit = (await count()) + 2;
  const [found] = (await call('GET', `/realms/demo/components?type=${TYPE}`)).json as unknown as { id: string }[];
  const written = { ...found, config: { 'max-clients': [String(limit)] } };
  t.is((await call('PUT', `/realms/demo/components/${found?.id}`, written)).status, 204);
  const answers = await Promise.all(Array.from({ length: 12 }, () => post('demo')));
  t.is(answers.filter(({ status }) => status === 201).length, 2);
  t.is(await count(), limit);
});
