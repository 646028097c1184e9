import test from 'ava';
import * as jose from 'jose';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { type Answer, claimsOf, fetchAnswer, type TestHost } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const web = { client_id: 'web', client_secret: 's3cret:+/%&é' };
const shared = shareHost(test, {
  realms: [testRealm('demo'), testRealm('other'), mappingRealm('mapping'), testRealm('ending')],
});
const login = (host: TestHost, scope = 'openid', realm = 'demo') =>
  host
    .token(realm, { ...web, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', scope })
    .then(({ json }) => json);
const userinfo = (host: TestHost, token?: string, realm = 'demo') =>
  fetchAnswer(
    `${host.oidc(realm)}/userinfo`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
const post = (host: TestHost, path: string, form: Record<string, string>, realm = 'demo'): Promise<Answer> =>
  fetchAnswer(`${host.oidc(realm)}/${path}`, { method: 'POST', body: new URLSearchParams(form) });

test('token consumers: userinfo answers GET, POST and a body token with the claims of the scopes', async (t) => {
  const host = shared();
  const { access_token: token = '' } = await login(host, 'openid phone address');
  const { json } = await userinfo(host, token);
  t.like(json, {
    sub: ALICE,
    email: 'alice@example.test',
    email_verified: true,
    phone_number: '+1 555 0100',
    given_name: 'Alice',
  } as object);
  const authorization = { authorization: `bearer ${token}` };
  t.is((await fetchAnswer(`${host.oidc('demo')}/userinfo`, { method: 'POST', headers: authorization })).status, 200);
  t.is((await post(host, 'userinfo', { access_token: token })).status, 200);
  const both = await fetchAnswer(`${host.oidc('demo')}/userinfo`, {
    method: 'POST',
    headers: authorization,
    body: new URLSearchParams({ access_token: token }),
  });
  t.is(both.status, 400);
  t.is((await fetchAnswer(`${host.oidc('demo')}/userinfo?access_token=${token}`)).status, 401);
});

test('token consumers: userinfo refuses with Keycloak’s WWW-Authenticate and an empty body', async (t) => {
  const host = shared();
  const none = await userinfo(host);
  t.deepEqual([none.status, none.headers.get('www-authenticate'), none.text], [401, 'Bearer realm="demo"', '']);
  const bad = await userinfo(host, 'x.y.z');
  t.is(
    bad.headers.get('www-authenticate'),
    'Bearer realm="demo", error="invalid_token", error_description="Token verification failed"',
  );
  const { access_token: plain = '' } = await login(host, 'email');
  const narrow = await userinfo(host, plain);
  t.deepEqual([narrow.status, narrow.headers.get('www-authenticate')?.includes('insufficient_scope')], [403, true]);
  const { access_token: foreign = '' } = await login(host, 'openid', 'other');
  t.is((await userinfo(host, foreign)).status, 401);
});

test('token consumers: no token passes for one of another type', async (t) => {
  const host = shared();
  const { access_token: access = '', refresh_token: refresh = '', id_token: id = '' } = await login(host);
  for (const token of [refresh, id]) {
    t.is((await userinfo(host, token)).status, 401);
    t.is((await post(host, 'token/introspect', { ...web, token })).text, '{"active":false}');
    t.is((await fetchAnswer(`${host.realm('demo')}/login-actions/action-token?key=${token}`)).status, 400);
  }
  for (const token of [access, id]) {
    t.is((await host.token('demo', { ...web, grant_type: 'refresh_token', refresh_token: token })).status, 400);
  }
  t.is((await fetchAnswer(`${host.realm('demo')}/login-actions/action-token?key=${access}`)).status, 400);
});

/** Its client `web` has two additional mappers. */
function mappingRealm(name: string): RealmRepresentation {
  const mapper = (claim: string, flags: Record<string, string>) => ({
    name: claim,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: { 'claim.name': claim, 'claim.value': 'yes', 'jsonType.label': 'String', ...flags },
  });
  const realm = testRealm(name);
  const protocolMappers = [
    mapper('only-here', { 'introspection.token.claim': 'true', 'access.token.claim': 'false' }),
    mapper('nowhere', { 'introspection.token.claim': 'false', 'access.token.claim': 'false' }),
  ];
  const { clients = [] } = realm;
  return { ...realm, clients: clients.map((one) => (one.clientId === 'web' ? { ...one, protocolMappers } : one)) };
}

test('token consumers: a mapper can add to introspection what the token does not contain', async (t) => {
  const host = shared();
  const { access_token: token = '' } = await login(host, 'openid', 'mapping');
  t.false('only-here' in claimsOf(token));
  const { json } = await post(host, 'token/introspect', { ...web, token }, 'mapping');
  t.deepEqual([json['only-here'], json.nowhere, json.active], ['yes', undefined, true]);
});

test('token consumers: introspection describes a token to confidential clients, and nothing about an invalid one', async (t) => {
  const host = shared();
  const { access_token: token = '', refresh_token: refresh = '' } = await login(host);
  const good = await post(host, 'token/introspect', { ...web, token });
  t.like(good.json, { active: true, client_id: 'web', username: 'alice', token_type: 'Bearer', sub: ALICE } as object);
  const hinted = await post(host, 'token/introspect', { ...web, token: refresh, token_type_hint: 'refresh_token' });
  t.like(hinted.json, { active: true, token_type: 'Refresh' } as object);
  const asPermissions = { ...web, token, token_type_hint: 'requesting_party_token' };
  t.is((await post(host, 'token/introspect', asPermissions)).text, '{"active":false}', 'no realm gives these');
  t.is((await post(host, 'token/introspect', { ...web, token, token_type_hint: 'id_token' })).status, 400);
  for (const rubbish of ['x', '', `${token}x`, token.slice(0, -4), `${token}=`]) {
    t.is((await post(host, 'token/introspect', { ...web, token: rubbish })).text, '{"active":false}', rubbish);
  }
  t.deepEqual((await post(host, 'token/introspect', web)).json, {
    error: 'invalid_request',
    error_description: 'Token not provided.',
  });
  t.is((await post(host, 'token/introspect', { client_id: 'spa', token })).status, 403);
  t.is((await post(host, 'token/introspect', { token })).status, 401);
  t.is((await fetchAnswer(`${host.oidc('demo')}/token/introspect`)).status, 405);
});

test('token consumers: revoking a refresh token ends the login; revoking an access token ends that token alone', async (t) => {
  const host = shared();
  const first = await login(host);
  t.is((await post(host, 'revoke', { ...web, token: first.access_token ?? '' })).status, 200);
  t.is((await userinfo(host, first.access_token)).status, 401);
  const renewed = await host.token('demo', {
    ...web,
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token ?? '',
  });
  t.is(renewed.status, 200);
  const { access_token: access = '', refresh_token: refresh = '' } = renewed.json;
  const foreign = { client_id: 'web2', client_secret: 'web2-secret', token: refresh };
  t.deepEqual((await post(host, 'revoke', foreign)).json, {
    error: 'invalid_request',
    error_description: 'Unmatching clients',
  });
  t.is((await userinfo(host, access)).status, 200);
  const done = await post(host, 'revoke', { ...web, token: refresh });
  t.deepEqual([done.status, done.text, done.headers.get('content-type')], [200, '', null]);
  t.is((await userinfo(host, access)).status, 401);
  t.deepEqual((await post(host, 'revoke', { ...web, token: 'rubbish' })).json, {
    error: 'invalid_token',
    error_description: 'Invalid token',
  });
});

test('token consumers: not-before, a disabled user and a rotated-out key stop access tokens', async (t) => {
  const host = shared();
  const { access_token: token = '' } = await login(host, 'openid', 'ending');
  await host.keys.rotate('ending', 'RS256');
  t.is((await userinfo(host, token, 'ending')).status, 200);
  const { access_token: next = '' } = await login(host, 'openid', 'ending');
  const [old, fresh] = [token, next].map((jwt) => jose.decodeProtectedHeader(jwt).kid ?? '');
  t.not(old, fresh);
  const jwks = await fetchAnswer(`${host.oidc('ending')}/certs`);
  const kids = (jwks.json as unknown as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  t.true(kids.includes(old ?? '') && kids.includes(fresh ?? ''));
  await host.keys.setStatus('ending', old ?? '', 'DISABLED');
  t.is((await userinfo(host, token, 'ending')).status, 401);
  const realm = await host.realms.get('ending');
  const alice = realm && (await host.users.byId(realm, `${ALICE}-ending`));
  if (!realm || !alice) return t.fail();
  await host.users.update(realm, alice, { ...alice.representation, enabled: false });
  t.is((await userinfo(host, next, 'ending')).status, 401);
});
