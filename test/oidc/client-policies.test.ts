import test, { type ExecutionContext } from 'ava';
import { adminCaller, clientUuid, startAdministered } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { type Answer, TestClock } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, post, SVC, WEB } from '../helpers/login.js';

type Configured = Parameters<typeof onePolicy>[0];

async function started(t: ExecutionContext, clock = new TestClock()) {
  const host = await startAdministered(t, { realms: [codeRealm('demo')], clock });
  const call = await adminCaller(host);
  return {
    host,
    call,
    clock,
    ask: async (executors: Configured, conditions?: Configured) => {
      const { status, text } = await call('PUT', '/realms/demo', onePolicy(executors, conditions));
      t.is(status, 204, text);
    },
    /** The error that the application gets, or '' if a page is shown. */
    authorize: async (changes: Record<string, string | undefined>) => {
      const { status, location, text } = await new Browser().open(codeRequest(host, changes).url);
      const told = location?.searchParams;
      if (status === 302) return `${told?.get('error')}: ${told?.get('error_description')}`;
      return status === 200 ? '' : `${status} ${/Invalid Redirect Uri: [a-z ]+/.exec(text)?.[0] ?? text}`;
    },
  };
}

function told({ status, json }: Answer): string {
  const { error, error_description } = json as Record<string, string>;
  return status === 200 ? '' : `${status} ${error}: ${error_description}`;
}

test('client policies: PKCE is asked of every client that the policy is for, when it begins and when it redeems', async (t) => {
  const { host, ask, authorize } = await started(t);
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  const stripped = await freshCode(host, bare);
  const old = await freshCode(host);
  t.is(await authorize(bare), '');
  await ask([['pkce-enforcer', { 'auto-configure': true }]]);
  t.is(await authorize({}), '');
  t.is(await authorize(bare), 'invalid_request: Missing parameter: code_challenge_method');
  const method = { code_challenge_method: 'plain' };
  t.is(await authorize(method), 'invalid_request: Invalid parameter: invalid code_challenge_method');
  t.is(await authorize({ code_challenge: undefined }), 'invalid_request: Missing parameter: code_challenge');
  t.is(await authorize({ code_challenge: 'short' }), 'invalid_request: Invalid parameter: code_challenge');
  const [event] = (await host.stored('demo')).filter(({ type }) => type === 'LOGIN_ERROR');
  t.like(event, { error: 'invalid_request', details: { reason: 'client_policy_error' } });
  t.is(told(await redeem(host, old)), '');
  t.is(
    told(await redeem(host, stripped, { code_verifier: undefined })),
    '400 invalid_grant: PKCE code verifier not specified',
  );
  t.like(
    (await host.stored('demo')).find(({ type }) => type === 'CODE_TO_TOKEN_ERROR'),
    {
      details: { reason: 'client_policy_error', client_policy_error_detail: 'PKCE code verifier not specified' },
    },
  );
  await ask([['pkce-enforcer']], [['client-access-type', { type: ['public'] }]]);
  t.is(await authorize(bare), '', 'the policy is for public clients alone');
  await ask([['pkce-enforcer']], [['client-scopes', { scopes: ['address'], type: 'Optional' }]]);
  t.is(await authorize(bare), '');
  t.is(
    await authorize({ ...bare, scope: 'openid address' }),
    'invalid_request: Missing parameter: code_challenge_method',
  );
  await ask([['pkce-enforcer']], [['client-scopes', { scopes: ['email'], type: 'Default' }]]);
  t.not(await authorize(bare), '');
  await ask([['pkce-enforcer']], [['grant-type', { grant_types: ['authorization_code'] }]]);
  t.not(await authorize(bare), '');
  await ask([['pkce-enforcer']], [['grant-type', { grant_types: ['password'] }]]);
  t.is(await authorize(bare), '');
  for (const [condition, configuration] of [
    ['client-scopes', { scopes: ['email'], type: 'Default' }],
    ['grant-type', { grant_types: ['authorization_code'] }],
  ] as const) {
    await ask([['pkce-enforcer']], [[condition, { ...configuration, 'is-negative-logic': true }]]);
    t.is(await authorize(bare), '', condition);
  }
});

test('client policies: a login has a nonce, or without openid a state, as in Keycloak', async (t) => {
  const { ask, authorize } = await started(t);
  const none = { nonce: undefined, state: undefined };
  await ask([['secure-session']]);
  // As in Keycloak 26.7.3.
  const answers: [changes: Record<string, string | undefined>, told: string][] = [
    [{ ...none }, 'invalid_request: Missing parameter: nonce'],
    [{ ...none, nonce: 'n' }, ''],
    [{ ...none, state: 's' }, 'invalid_request: Missing parameter: nonce'],
    [{ ...none, scope: 'profile' }, 'invalid_request: Missing parameter: state'],
    [{ ...none, scope: 'profile', nonce: 'n' }, 'invalid_request: Missing parameter: state'],
    [{ ...none, scope: 'profile', state: 's' }, ''],
    [{ ...none, scope: undefined }, 'invalid_request: Missing parameter: state'],
    [{ ...none, scope: undefined, state: 's' }, ''],
  ];
  for (const [changes, words] of answers) t.is(await authorize(changes), words, JSON.stringify(changes));
  await ask([['secure-session']], [['client-access-type', { type: ['public'], is_negative_logic: false }]]);
  t.is(await authorize(none), '', 'the policy is for public clients alone');
});

test('client policies: a client that may not prove itself so, or not at all, is refused where Keycloak refuses it', async (t) => {
  const { host, ask, authorize } = await started(t);
  const { refresh_token: token } = await logIn(host);
  const code = await freshCode(host);
  await ask([['secure-client-authenticator', { 'allowed-client-authenticators': ['client-jwt'] }]]);
  const refused = '400 invalid_request: Configured client authentication method not allowed for client';
  t.is(told(await host.token('demo', { ...SVC, grant_type: 'client_credentials' })), refused);
  t.is(told(await redeem(host, code)), refused);
  t.is(told(await host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: token })), refused);
  for (const path of ['token/introspect', 'revoke', 'logout']) {
    t.is(told(await post(host, path, { ...WEB, token, refresh_token: token })), refused, path);
  }
  const logout = (await host.stored('demo')).find(({ type }) => type === 'LOGOUT_ERROR');
  t.like(logout, { error: 'invalid_request', details: { client_policy_error: 'invalid_request' } });
  t.is((await host.token('demo', { ...WEB, ...ALICE_LOGIN })).status, 200, 'as in Keycloak');
  t.is((await host.token('demo', { client_id: 'spa', ...ALICE_LOGIN })).status, 200, 'a public client proves nothing');

  await ask([['confidential-client']]);
  const one = { client_id: 'one' };
  t.is(await authorize(one), 'invalid_client: invalid client access type: public');
  t.is(await authorize({}), '');
  t.is((await host.token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
});

test('client policies: users are sent back to no address that the policy does not allow', async (t) => {
  const { ask, authorize } = await started(t);
  await ask([['secure-redirect-uris-enforcer', { 'allow-http-scheme': true }]]);
  t.is(await authorize({}), '400 Invalid Redirect Uri: invalid loopback address');
  await ask([['secure-redirect-uris-enforcer', { 'allow-http-scheme': true, 'allow-ipv4-loopback-address': true }]]);
  t.is(await authorize({}), '');
  t.is(await authorize({ client_id: 'native', redirect_uri: 'http://127.0.0.1:4711/cb' }), '');
  await ask([['secure-redirect-uris-enforcer', { 'allow-open-redirect': true }]]);
  t.is(await authorize({ redirect_uri: CALLBACK }), '400 Invalid Redirect Uri: invalid loopback address');
});

test('client policies: a secret ends, and the one before is good for a while beside the new one', async (t) => {
  const { host, call, clock, ask } = await started(t);
  const DAY = 86_400;
  const id = await clientUuid(host, 'svc');
  const path = `/realms/demo/clients/${id}`;
  const gets = async (client_secret: string) =>
    (await host.token('demo', { client_id: 'svc', client_secret, grant_type: 'client_credentials' })).status === 200;
  const attributes = async () => (await call('GET', path)).json.attributes as unknown as Record<string, string>;
  const renewed = async () => String((await call('POST', `${path}/client-secret`)).json.value);
  t.like(await call('GET', `${path}/client-secret/rotated`), { status: 404 });

  await ask([['secret-rotation', { 'expiration-period': 10 * DAY, 'remaining-rotation-period': 0 }]]);
  t.true(await gets('svc-secret'));
  const now = Math.floor(clock.now() / 1000);
  t.is((await attributes())['client.secret.expiration.time'], String(now + 10 * DAY), 'it counts from its first use');
  const next = await renewed();
  t.like(await attributes(), {
    'client.secret.expiration.time': String(now + 10 * DAY),
    'client.secret.rotated': 'svc-secret',
    'client.secret.rotated.creation.time': String(now),
    'client.secret.rotated.expiration.time': String(now + 2 * DAY),
  });
  t.like(await call('GET', `${path}/client-secret/rotated`), {
    status: 200,
    json: { type: 'secret', value: 'svc-secret' },
  });
  t.deepEqual([await gets('svc-secret'), await gets(next)], [true, true]);
  t.is((await call('DELETE', `${path}/client-secret/rotated`)).status, 204);
  t.deepEqual([await gets('svc-secret'), await gets(next)], [false, true]);
  const third = await renewed();
  clock.forward(2 * DAY);
  t.deepEqual([await gets(next), await gets(third)], [false, true]);
  clock.forward(8 * DAY);
  t.false(await gets(third), 'its time is over');
  const admin = await adminCaller(host);
  const fourth = String((await admin('POST', `${path}/client-secret`)).json.value);
  t.deepEqual([await gets(third), await gets(fourth)], [false, true], 'what has ended stays ended');
  // Without the policy a new secret replaces the old one, and does not expire.
  await admin('PUT', '/realms/demo', { clientPolicies: {} });
  const last = String((await admin('POST', `${path}/client-secret`)).json.value);
  t.deepEqual([await gets(fourth), await gets(last)], [false, true]);
  const left = (await admin('GET', path)).json.attributes as unknown as Record<string, string>;
  t.deepEqual(
    Object.keys(left).filter((name) => name.startsWith('client.secret.')),
    ['client.secret.creation.time'],
  );
});
