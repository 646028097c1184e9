import test, { type ExecutionContext } from 'ava';
import { adminCaller, administered, clientUuid, ownRealm, ROOT } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

/** The test that changes the time must run first. */
const clock = new TestClock();
const shared = shareHost(test, administered({ realms: [], clock }));

type Call = Awaited<ReturnType<typeof adminCaller>>;
type Configured = Parameters<typeof onePolicy>[0];

const METHOD = 'pkce.code.challenge.method';
const REDIRECT = 'https://app.test/cb';

async function started(t: ExecutionContext) {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  let number = 0;
  return {
    host,
    call,
    ask: async (executors: Configured, conditions?: Configured) => {
      const { status, text } = await call('PUT', `/realms/${host.defaultRealm}`, onePolicy(executors, conditions));
      t.is(status, 204, text);
    },
    /** Creates a client. Returns the response, and the client if it was created. */
    create: async (client: object) => {
      number += 1;
      const clientId = `new-${number}`;
      const answer = await call('POST', `/realms/${host.defaultRealm}/clients`, { clientId, ...client });
      if (answer.status !== 201) return { ...answer, client: {} as Record<string, unknown>, id: '' };
      const id = await clientUuid(host, clientId);
      const client_ = (await call('GET', `/realms/${host.defaultRealm}/clients/${id}`)).json as Record<string, unknown>;
      return { ...answer, client: client_, id };
    },
  };
}

const refusal = (error: string, error_description: string) => ({ error, error_description });

async function stored({ defaultRealm }: TestHost, call: Call, id: string) {
  return (await call('GET', `/realms/${defaultRealm}/clients/${id}`)).json as Record<string, unknown>;
}

test('client policies: a policy corrects clients, or refuses them, when they are created and changed', async (t) => {
  const { host, call, ask, create } = await started(t);
  const cases: [string, object, object, ReturnType<typeof refusal>][] = [
    [
      'pkce-enforcer',
      { attributes: { [METHOD]: 'plain' } },
      { attributes: { [METHOD]: 'S256' } },
      refusal('invalid_client_metadata', 'Invalid client metadata: code_challenge_method'),
    ],
    [
      'full-scope-disabled',
      { fullScopeAllowed: true },
      { fullScopeAllowed: false },
      refusal('invalid_registration', 'Not permitted to enable fullScopeAllowed'),
    ],
    [
      'consent-required',
      { consentRequired: false },
      { consentRequired: true },
      refusal('invalid_registration', 'Client is required to enable consentRequired'),
    ],
  ];
  for (const [executor, wrong, right, words] of cases) {
    await call('PUT', `/realms/${host.defaultRealm}`, { clientPolicies: {} });
    const { id } = await create(wrong);
    const path = `/realms/${host.defaultRealm}/clients/${id}`;
    await ask([[executor, { 'auto-configure': false }]]);
    t.like(await create(wrong), { status: 400, json: words }, executor);
    t.is((await create(right)).status, 201, executor);
    // Existing members are checked too, even if the request does not contain them.
    t.like(await call('PUT', path, { description: 'changed' }), { status: 400, json: words }, executor);
    t.is((await stored(host, call, id)).description, undefined);
    await ask([[executor, { 'auto-configure': 'true' }]]);
    t.like((await create(wrong)).client, right, executor);
    t.is((await create({})).client.fullScopeAllowed, executor === 'pkce-enforcer', 'as in Keycloak');
    t.is((await call('PUT', path, { ...wrong, description: executor })).status, 204);
    t.like(await stored(host, call, id), { description: executor, ...right });
  }
});

test('client policies: clients authenticate as the policy allows, and get what it prescribes', async (t) => {
  const { host, call, ask, create } = await started(t);
  const words = refusal('invalid_client_metadata', 'Invalid client metadata: token_endpoint_auth_method');
  const allowed = { 'allowed-client-authenticators': ['client-jwt', 'client-secret-jwt'] };
  await ask([['secure-client-authenticator', allowed]]);
  t.like(await create({}), { status: 400, json: words });
  await ask([['secure-client-authenticator', { ...allowed, 'default-client-authenticator': 'client-jwt' }]]);
  const made = await create({});
  t.is(made.client.clientAuthenticatorType, 'client-jwt');
  t.like(await create({ clientAuthenticatorType: 'client-secret' }), { status: 400, json: words });
  const path = `/realms/${host.defaultRealm}/clients/${made.id}`;
  t.like(await call('PUT', path, { clientAuthenticatorType: 'client-secret' }), { status: 400, json: words });
  t.is((await call('PUT', path, { clientAuthenticatorType: 'client-secret-jwt' })).status, 204);
  t.is((await call('PUT', path, { description: 'x' })).status, 204);
  t.is((await stored(host, call, made.id)).clientAuthenticatorType, 'client-secret-jwt');
  await ask([['secure-client-authenticator']]);
  t.is((await create({ clientAuthenticatorType: 'client-jwt' })).status, 400, 'none is allowed');
});

test('client policies: redirect URIs are what the policy allows, for each of its settings', async (t) => {
  const { ask, create } = await started(t);
  const ADDRESSES = [
    'https://a.test/cb',
    'https://a.test/x/*',
    'http://a.test/cb',
    'http://localhost/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:8080/cb',
    'https://127.0.0.1/cb',
    'http://[::1]/cb',
    'com.example.app:/cb',
    'myapp:/cb',
    '*',
    'https://b.example.org/cb',
    'http://foo.localhost/cb',
  ];
  // Recorded from Keycloak 26.7.
  const cases: [object, string[]][] = [
    [{}, ['https://a.test/cb', 'https://b.example.org/cb']],
    [
      { 'allow-wildcard-context-path': true, 'allow-http-scheme': true },
      ['https://a.test/cb', 'https://a.test/x/*', 'http://a.test/cb', 'https://b.example.org/cb'],
    ],
    [
      {
        'oauth-2-1-compliant': true,
        'allow-ipv4-loopback-address': true,
        'allow-ipv6-loopback-address': true,
        'allow-private-use-uri-scheme': true,
        'allow-http-scheme': true,
        'allow-wildcard-context-path': true,
      },
      [
        'https://a.test/cb',
        'http://127.0.0.1/cb',
        'https://127.0.0.1/cb',
        'http://[::1]/cb',
        'com.example.app:/cb',
        'https://b.example.org/cb',
      ],
    ],
    [
      { 'oauth-2-0-compliant': true, 'allow-wildcard-context-path': true },
      ['https://a.test/cb', 'https://b.example.org/cb'],
    ],
    [{ 'allow-permitted-domains': ['(.*)\\.example\\.org'] }, ['https://b.example.org/cb']],
    [{ 'allow-open-redirect': true }, ADDRESSES],
  ];
  for (const [config, taken] of cases) {
    await ask([['secure-redirect-uris-enforcer', config as Record<string, unknown>]]);
    for (const address of ADDRESSES) {
      const { status, json } = await create({ redirectUris: ['https://b.example.org/cb', address] });
      t.is(status, taken.includes(address) ? 201 : 400, `${JSON.stringify(config)} ${address}`);
      if (status === 400) t.is((json as Record<string, string>).error, 'invalid_request');
    }
  }
  await ask([['secure-redirect-uris-enforcer']]);
  t.is((await create({})).status, 400, 'a client that logs users in says where to');
  t.is((await create({ standardFlowEnabled: false })).status, 201);
  const below = { rootUrl: 'https://a.test', redirectUris: ['/cb'] };
  t.is((await create(below)).status, 201);
  t.is((await create({ ...below, rootUrl: 'http://a.test' })).status, 400);
  const logout = (uri: string) => create({ ...below, attributes: { 'post.logout.redirect.uris': uri } });
  t.is((await logout('+')).status, 201);
  t.is((await logout('https://a.test/bye##http://a.test/bye')).status, 400);
});

test('client policies: a policy applies to the clients and callers of its conditions', async (t) => {
  const { host, call, ask, create } = await started(t);
  const full = { fullScopeAllowed: true };
  const forbids = async (conditions: Configured, client: object = {}) => {
    await ask([['full-scope-disabled', { 'auto-configure': false }]], conditions);
    return (await create({ ...full, ...client })).status === 400;
  };
  const of = (type: string) => [['client-access-type', { type: [type] }]] as const;
  t.true(await forbids(of('confidential')));
  t.false(await forbids(of('public')));
  t.true(await forbids(of('public'), { publicClient: true }));
  t.true(await forbids([['client-access-type', { type: 'confidential' }]]), 'one is a list of one');
  t.false(await forbids([]), 'a policy without conditions is for nobody');
  t.false(await forbids([['any-client', { 'is-negative-logic': true }]]));
  t.false(await forbids([['any-client'], ...of('public')]), 'all of them');
  t.true(await forbids([['any-client'], ['grant-type', { grant_types: ['password'] }]]), 'one has no say');
  t.false(await forbids([['client-type', { protocol: 'saml' }]]));
  t.true(await forbids([['client-type', { protocol: 'openid-connect' }]]));
  t.true(await forbids([['client-type', { protocol: 'saml', 'is-negative-logic': true }]]));
  t.true(await forbids([['client-updater-context', { 'update-client-source': ['ByAuthenticatedUser'] }]]));
  t.false(await forbids([['client-updater-context', { 'update-client-source': ['ByInitialAccessToken'] }]]));
  t.true(await forbids([['client-updater-source-roles', { roles: ['admin'] }]]));
  t.false(await forbids([['client-updater-source-groups', { groups: ['admin'] }]]));
  for (const [hosts, isMet] of [
    [['127.0.0.1'], true],
    [['localhost'], true],
    [['10.0.0.1', '::2'], false],
    [[], false],
  ] as const) {
    t.is(await forbids([['client-updater-source-host', { 'trusted-hosts': hosts }]]), isMet, hosts.join());
  }
  const named = [['client-updater-source-host', { 'trusted-hosts': ['*.example.org'] }]] as const;
  const unresolved = await call('PUT', `/realms/${host.defaultRealm}`, onePolicy([['full-scope-disabled']], named));
  t.is(unresolved.status, 400);
  t.regex(unresolved.text, /must be IP addresses or localhost/);
  await join(call, host, 'editors');
  t.true(await forbids([['client-updater-source-groups', { groups: ['editors'] }]]));
  for (const [condition, configuration] of [
    ['client-access-type', { type: ['confidential'] }],
    ['client-updater-context', { 'update-client-source': ['ByAuthenticatedUser'] }],
    ['client-updater-source-roles', { roles: ['admin'] }],
    ['client-updater-source-groups', { groups: ['editors'] }],
    ['client-updater-source-host', { 'trusted-hosts': ['127.0.0.1'] }],
  ] as const) {
    t.false(await forbids([[condition, { ...configuration, 'is-negative-logic': true }]]), condition);
  }

  // Updates of an existing client.
  const id = await clientUuid(host, 'web');
  const mark = { attributes: { mark: 'yes' } };
  t.is((await call('PUT', `/realms/${host.defaultRealm}/clients/${id}`, mark)).status, 204);
  const changes = async (...conditions: Configured) => {
    await ask([['full-scope-disabled', { 'auto-configure': false }]], conditions);
    return (await call('PUT', `/realms/${host.defaultRealm}/clients/${id}`, full)).status === 204;
  };
  const attributes = (value: string) => ({ attributes: JSON.stringify([{ key: 'mark', value }]) });
  t.false(await changes(['client-attributes', attributes('yes')]));
  t.true(await changes(['client-attributes', attributes('no')]));
  t.false(await changes(['client-roles', { roles: ['editor'] }]));
  t.true(await changes(['client-roles', { roles: ['writer'] }]));
  t.true(await changes(['client-attributes', { ...attributes('yes'), 'is-negative-logic': true }]));
  t.true(await changes(['client-roles', { roles: ['editor'], 'is-negative-logic': true }]));
  const renamed = await call('PUT', `/realms/${host.defaultRealm}/clients/${id}`, { ...full, clientId: 'web-2' });
  t.is(renamed.status, 204);
  await ask([['full-scope-disabled', { 'auto-configure': false }]], [['client-roles', { roles: ['editor'] }]]);
  t.is((await call('PUT', `/realms/${host.defaultRealm}/clients/${id}`, { ...full, clientId: 'web-3' })).status, 400);
});

/** Adds the admin to a new group. */
async function join(call: Call, host: TestHost, name: string): Promise<void> {
  await call('POST', '/realms/master/groups', { name });
  const [group] = (await call('GET', `/realms/master/groups?search=${name}`)).json as unknown as { id: string }[];
  const realm = await host.realms.get('master');
  const admin = realm && (await host.users.byUsername(realm, ROOT.username));
  await call('PUT', `/realms/master/users/${admin?.id}/groups/${group?.id}`);
}

function send(method: string, url: string, token: string, body: object) {
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  return fetchAnswer(url, { method, headers, body: JSON.stringify(body) });
}

test.serial(
  'client policies: a client that updates its registration near the end of its secret gets the next one',
  async (t) => {
    const { host, call, ask } = await started(t);
    const registrations = `${host.realm(host.defaultRealm)}/clients-registrations/openid-connect`;
    const periods = { 'expiration-period': 1000, 'rotated-expiration-period': 50, 'remaining-rotation-period': 100 };
    await ask([['secret-rotation', periods]]);
    const { token } = (
      await call('POST', `/realms/${host.defaultRealm}/clients-initial-access`, { count: 1, expiration: 0 })
    ).json;
    type Metadata = Record<'client_id' | 'client_secret' | 'registration_access_token', string> & {
      client_secret_expires_at: number;
    };
    const metadata = { redirect_uris: [REDIRECT], grant_types: ['client_credentials'] };
    const made = (await send('POST', registrations, String(token), metadata)).json as unknown as Metadata;
    const end = Math.floor(clock.now() / 1000) + 1000;
    t.is(made.client_secret_expires_at, end);
    const change = async (own: string) => {
      const answer = await send('PUT', `${registrations}/${made.client_id}`, own, {
        ...metadata,
        client_id: made.client_id,
      });
      t.is(answer.status, 200, answer.text);
      return answer.json as unknown as Metadata;
    };
    clock.forward(899);
    const early = await change(made.registration_access_token);
    t.like(early, { client_secret: made.client_secret, client_secret_expires_at: end });
    clock.forward(1);
    const late = await change(early.registration_access_token);
    t.not(late.client_secret, made.client_secret);
    t.is(late.client_secret_expires_at, end + 900);
    const gets = async (client_secret: string) =>
      (
        await host.token(host.defaultRealm, {
          client_id: made.client_id,
          client_secret,
          grant_type: 'client_credentials',
        })
      ).status;
    t.deepEqual([await gets(made.client_secret), await gets(late.client_secret)], [200, 200]);
    clock.forward(50);
    t.deepEqual([await gets(made.client_secret), await gets(late.client_secret)], [401, 200]);
  },
);

test('client policies: a client registration request is checked by the token that its caller has', async (t) => {
  const { host, call, ask } = await started(t);
  const registrations = `${host.realm(host.defaultRealm)}/clients-registrations/openid-connect`;
  const initial = async () =>
    String(
      (await call('POST', `/realms/${host.defaultRealm}/clients-initial-access`, { count: 5, expiration: 0 })).json
        .token,
    );
  const by = (context: string) => [['client-updater-context', { 'update-client-source': [context] }]] as const;
  await ask([['secure-redirect-uris-enforcer']], by('ByInitialAccessToken'));
  const token = await initial();
  const refused = await send('POST', registrations, token, { redirect_uris: ['http://app.test/cb'] });
  t.is(refused.status, 400);
  t.deepEqual(refused.json, refusal('invalid_request', 'Invalid Redirect Uri: invalid uri'));
  const [event] = await host.stored(host.defaultRealm);
  t.like(event, { type: 'CLIENT_REGISTER_ERROR', error: 'invalid_request' });
  const made = await send('POST', registrations, token, { redirect_uris: [REDIRECT] });
  t.is(made.status, 201, made.text);
  const { client_id, registration_access_token: own } = made.json as Record<string, string>;
  const mine = `${registrations}/${client_id}`;
  await ask([['secure-redirect-uris-enforcer']], by('ByRegistrationAccessToken'));
  const changed = await send('PUT', mine, own ?? '', { client_id, redirect_uris: ['http://app.test/cb'] });
  t.like(changed, { status: 400, json: refusal('invalid_request', 'Invalid Redirect Uri: invalid uri') });
  t.is((await send('PUT', mine, own ?? '', { client_id, redirect_uris: [`${REDIRECT}2`] })).status, 200);
});

test('client policies: a client that updates its registration keeps its token if a policy says so', async (t) => {
  const { host, call, ask } = await started(t);
  const registrations = `${host.realm(host.defaultRealm)}/clients-registrations/openid-connect`;
  const { token } = (
    await call('POST', `/realms/${host.defaultRealm}/clients-initial-access`, { count: 5, expiration: 0 })
  ).json;
  const made = await send('POST', registrations, String(token), { redirect_uris: [REDIRECT] });
  const { client_id, registration_access_token: first = '' } = made.json as Record<string, string>;
  const change = async (own: string) => {
    const body = { client_id, redirect_uris: [`${REDIRECT}2`] };
    const answer = await send('PUT', `${registrations}/${client_id}`, own, body);
    return { status: answer.status, token: (answer.json as Record<string, string>).registration_access_token };
  };
  await ask([['registration-access-token-rotation-disabled']]);
  t.deepEqual(await change(first), { status: 200, token: first });
  t.deepEqual(await change(first), { status: 200, token: first });
  const by = (context: string) => [['client-updater-context', { 'update-client-source': [context] }]] as const;
  await ask([['registration-access-token-rotation-disabled']], by('ByInitialAccessToken'));
  const changed = await change(first);
  t.is(changed.status, 200);
  t.not(changed.token, first);
  t.is((await change(first)).status, 401, 'the policy is for others');
});
