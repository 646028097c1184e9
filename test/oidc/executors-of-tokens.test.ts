import test, { type ExecutionContext } from 'ava';
import { adminCaller, clientUuid, startAdministered } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { type Answer, claimsOf } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, logIn, SVC, userinfo, WEB } from '../helpers/login.js';
import { ACCESS_TOKEN, NAKED, testRealm } from '../helpers/realms.js';

type Configured = Parameters<typeof onePolicy>[0];

async function started(t: ExecutionContext) {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  return {
    host,
    call,
    token: (form: Record<string, string>) => host.token('demo', { ...WEB, ...form }),
    ask: async (executors: Configured, conditions?: Configured) => {
      const { status, text } = await call('PUT', '/realms/demo', onePolicy(executors, conditions));
      t.is(status, 204, text);
    },
  };
}

function told({ status, json }: Answer): string {
  const { error, error_description } = json as Record<string, string>;
  return status === 200 ? '' : `${error}: ${error_description}`;
}

const exchangeOf = (subject_token: string) => ({
  grant_type: NAKED,
  subject_token,
  subject_token_type: ACCESS_TOKEN,
});

test('client policy executors: a refresh brings no refresh token; where each is good once, the client is left without one, as in Keycloak', async (t) => {
  const { host, call, token, ask } = await started(t);
  await ask([['suppress-refresh-token-rotation']]);
  const { refresh_token } = await logIn(host);
  const form = { grant_type: 'refresh_token', refresh_token };
  const once = await token(form);
  t.is(once.status, 200, once.text);
  t.deepEqual([once.json.refresh_token, once.json.refresh_expires_in], [undefined, 0]);
  t.is(told(await token(form)), 'invalid_grant: Maximum allowed refresh token reuse exceeded');
  await call('PUT', '/realms/demo', { revokeRefreshToken: false });
  const other = { grant_type: 'refresh_token', refresh_token: (await logIn(host)).refresh_token };
  for (let time = 0; time < 3; time += 1) t.is((await token(other)).json.refresh_token, undefined);
  await ask([['suppress-refresh-token-rotation']], [['client-access-type', { type: ['public'] }]]);
  t.not((await token(other)).json.refresh_token, undefined);
});

test('client policy executors: access tokens are lightweight if a policy says so, and introspection has the rest', async (t) => {
  const { host, token, ask } = await started(t);
  const { refresh_token, access_token: whole } = await logIn(host);
  await ask([['use-lightweight-access-token']]);
  const SHORT = ['azp', 'exp', 'iat', 'iss', 'jti', 'scope', 'sid', 'typ'];
  const saysOf = async (form: Record<string, string>) =>
    Object.keys(claimsOf((await token(form)).json.access_token ?? '')).sort();
  t.deepEqual(await saysOf({ ...ALICE_LOGIN, scope: 'openid' }), SHORT);
  t.deepEqual(await saysOf({ grant_type: 'refresh_token', refresh_token }), SHORT);
  t.false((await saysOf({ ...SVC, grant_type: 'client_credentials' })).includes('preferred_username'));
  t.true((await saysOf(exchangeOf(whole))).includes('preferred_username'), 'as in Keycloak');
  const light = (await token({ ...ALICE_LOGIN, scope: 'openid' })).json;
  t.is(claimsOf(light.id_token ?? '').preferred_username, 'alice');
  t.is((await userinfo(host, light.access_token ?? '')).status, 401);
  t.is((await introspect(host, light.access_token ?? '')).json.active, true);
  await ask([['use-lightweight-access-token']], [['client-scopes', { scopes: ['phone'], type: 'Optional' }]]);
  t.true((await saysOf({ ...ALICE_LOGIN, scope: 'openid' })).includes('preferred_username'));
  t.deepEqual(await saysOf({ ...ALICE_LOGIN, scope: 'openid phone' }), SHORT);
});

test('client policy executors: a token that is exchanged has a claim that the policy asks for', async (t) => {
  const { host, token, ask } = await started(t);
  const form = exchangeOf((await logIn(host)).access_token);
  // As in Keycloak 26.7.3.
  const cases: [configuration: Record<string, unknown>, answer: string][] = [
    [{}, 'invalid_request: Invalid configuration'],
    [{ 'claim-name': 'nope' }, "invalid_request: Required claim 'nope' is missing from the token"],
    [{ 'claim-name': '' }, "invalid_request: Required claim '' is missing from the token"],
    [{ 'claim-name': 'toString' }, "invalid_request: Required claim 'toString' is missing from the token"],
    [{ 'claim-name': 'azp' }, ''],
    [{ 'claim-name': 'azp', 'allowed-value': 'web' }, ''],
    [{ 'claim-name': 'azp', 'allowed-value': 'w' }, "invalid_request: Value for claim 'azp' not allowed"],
    [{ 'claim-name': 'azp', 'allowed-value': 'w.*' }, ''],
    [{ 'claim-name': 'azp', 'allowed-value': ' ' }, ''],
    [{ 'claim-name': 'exp', 'allowed-value': '[0-9]+' }, ''],
    [
      { 'claim-name': 'email_verified', 'allowed-value': 'true' },
      "invalid_request: Value type for claim 'email_verified' not allowed",
    ],
  ];
  for (const [configuration, answer] of cases) {
    await ask([['jwt-claim-enforcer', configuration]]);
    t.is(told(await token(form)), answer, JSON.stringify(configuration));
  }
  await ask([['jwt-claim-enforcer', { 'claim-name': 'azp' }]]);
  t.is(told(await token({ ...form, subject_token: 'x' })), 'invalid_request: JWT is not valid');
  const { subject_token_type: _, ...naked } = form;
  t.regex(told(await token(naked)), /should be access_token for the executor/);
  t.is(told(await token(ALICE_LOGIN)), '');
  const refused = (await host.stored('demo')).find(({ type }) => type === 'TOKEN_EXCHANGE_ERROR');
  t.like(refused, { error: 'invalid_request', details: { client_policy_error: 'invalid_request' } });
});

test('client policy executors: an exchange adds no scope that the token did not have, and neither does a refresh of it', async (t) => {
  const { host, call, token, ask } = await started(t);
  const { access_token } = await logIn(host);
  await ask([['downscope-assertion-grant-enforcer']]);
  const had = claimsOf(access_token).scope;
  // As in Keycloak 26.7.3.
  const missing = (words: string) =>
    `invalid_scope: Scopes [${words}] not present in the initial access token [${String(had).replaceAll(' ', ', ')}]`;
  const cases: [scope: string, answer: string][] = [
    ['openid', ''],
    ['profile', ''],
    ['email profile', ''],
    ['phone', missing('phone')],
    ['openid address phone', missing('address, phone')],
    ['basic', missing('basic')],
    ['nope', missing('nope')],
  ];
  for (const [scope, answer] of cases) t.is(told(await token({ ...exchangeOf(access_token), scope })), answer, scope);

  // A scope that the client got after the token was issued.
  const { json: plain } = await token({ ...ALICE_LOGIN, scope: '' });
  const path = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const attributes = { 'standard.token.exchange.enableRefreshRequestedTokenType': 'SAME_SESSION' };
  t.is((await call('PUT', path, { attributes })).status, 204);
  const scopes = (await call('GET', '/realms/demo/client-scopes')).json as unknown as { id: string; name: string }[];
  const phone = scopes.find(({ name }) => name === 'phone')?.id;
  t.is((await call('DELETE', `${path}/optional-client-scopes/${phone}`)).status, 204);
  t.is((await call('PUT', `${path}/default-client-scopes/${phone}`)).status, 204);
  const requested_token_type = 'urn:ietf:params:oauth:token-type:refresh_token';
  const exchanged = await token({ ...exchangeOf(plain.access_token ?? ''), requested_token_type });
  t.is(exchanged.status, 200, exchanged.text);
  const words = (answer: Answer) => String(claimsOf(answer.json.access_token ?? '').scope).split(' ');
  t.false(words(exchanged).includes('phone'));
  t.true(words(exchanged).includes('email'));
  const refresh = { grant_type: 'refresh_token', refresh_token: exchanged.json.refresh_token ?? '' };
  const refreshed = await token(refresh);
  t.is(refreshed.status, 200, refreshed.text);
  t.deepEqual(words(refreshed), words(exchanged));
  await call('PUT', '/realms/demo', { clientPolicies: {} });
  t.true(words(await token(exchangeOf(plain.access_token ?? ''))).includes('phone'), 'without the policy');
});
