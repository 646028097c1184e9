import test from 'ava';
import * as jose from 'jose';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const SECRET = 's3cret:+/%&é';
const login = {
  grant_type: 'password',
  client_id: 'web',
  client_secret: SECRET,
  username: 'alice',
  password: 'Alice-pass-1!',
};

const shared = shareHost(test, {
  realms: [
    testRealm('demo'),
    testRealm('other'),
    testRealm('off', { enabled: false }),
    testRealm('reusing', { revokeRefreshToken: false }),
  ],
});

test('token endpoint: client_credentials answers Keycloak’s body with an RS256 token that the JWKS verifies', async (t) => {
  const host = shared();
  const { status, json, headers } = await host.token('demo', {
    grant_type: 'client_credentials',
    client_id: 'svc',
    client_secret: 'svc-secret',
  });
  t.is(status, 200);
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('pragma'), 'no-cache');
  t.is(headers.get('content-type'), 'application/json');
  t.deepEqual(Object.keys(json), [
    'access_token',
    'expires_in',
    'refresh_expires_in',
    'token_type',
    'not-before-policy',
    'scope',
  ]);
  t.like(json, {
    expires_in: 300,
    refresh_expires_in: 0,
    token_type: 'Bearer',
    'not-before-policy': 0,
    scope: 'profile email',
  } as object);
  const jwks = jose.createRemoteJWKSet(new URL(`${host.oidc('demo')}/certs`));
  const { payload, protectedHeader } = await jose.jwtVerify(json.access_token ?? '', jwks, {
    issuer: host.realm('demo'),
  });
  t.is(protectedHeader.alg, 'RS256');
  t.like(payload, { typ: 'Bearer', azp: 'svc', preferred_username: 'service-account-svc', acr: '1' });
  t.falsy(payload.sid);
  t.regex(String(payload.jti), /^trrtcc:/);
});

test('token endpoint: the checks before the grant come in Keycloak’s order with its texts', async (t) => {
  const host = shared();
  const cases: [Record<string, string>, number, string, string][] = [
    [{}, 400, 'invalid_request', 'Missing form parameter: grant_type'],
    [{ grant_type: 'nope' }, 400, 'unsupported_grant_type', 'Unsupported grant_type'],
    [{ grant_type: 'password' }, 401, 'invalid_client', 'Invalid client or Invalid client credentials'],
    [
      { grant_type: 'password', client_id: 'nope', client_secret: 'x' },
      401,
      'invalid_client',
      'Invalid client or Invalid client credentials',
    ],
    [
      { grant_type: 'password', client_id: 'web', client_secret: 'x' },
      401,
      'unauthorized_client',
      'Invalid client or Invalid client credentials',
    ],
    [
      { grant_type: 'password', client_id: 'app-disabled', client_secret: 'x' },
      401,
      'invalid_client',
      'Invalid client or Invalid client credentials',
    ],
    [
      { grant_type: 'client_credentials', client_id: 'spa' },
      401,
      'unauthorized_client',
      'Public client not allowed to retrieve service account',
    ],
    [
      { grant_type: 'client_credentials', client_id: 'web2', client_secret: 'web2-secret' },
      401,
      'unauthorized_client',
      'Client not enabled to retrieve service account',
    ],
    [
      { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret', scope: 'admin' },
      400,
      'invalid_scope',
      'Invalid scopes: admin',
    ],
    [{ ...login, password: 'wrong' }, 400, 'invalid_grant', 'Invalid user credentials'],
    [{ ...login, username: 'nobody' }, 400, 'invalid_grant', 'Invalid user credentials'],
    [{ ...login, username: 'carol', password: 'Carol-pass-1!' }, 400, 'invalid_grant', 'Account disabled'],
    [
      { grant_type: 'password', client_id: 'svc', client_secret: 'svc-secret', username: 'alice' },
      400,
      'unauthorized_client',
      'Client not allowed for direct access grants',
    ],
    [
      { grant_type: 'refresh_token', client_id: 'web', client_secret: SECRET },
      400,
      'invalid_request',
      'No refresh token',
    ],
    [
      { grant_type: 'refresh_token', client_id: 'web', client_secret: SECRET, refresh_token: 'x' },
      400,
      'invalid_grant',
      'Invalid refresh token',
    ],
  ];
  for (const [form, status, error, description] of cases) {
    const answer = await host.token('demo', form);
    t.deepEqual(
      [answer.status, answer.json],
      [status, { error, error_description: description }],
      JSON.stringify(form),
    );
  }
  const { username: _, ...nameless } = login;
  t.deepEqual((await host.token('demo', nameless)).json, {
    error: 'invalid_request',
    error_description: 'Missing parameter: username',
  });
  const twice = new URLSearchParams(login);
  twice.append('scope', 'openid');
  twice.append('scope', 'email');
  const duplicated = await fetchAnswer(`${host.oidc('demo')}/token`, { method: 'POST', body: twice });
  t.deepEqual(duplicated.json, { error: 'invalid_request', error_description: 'duplicated parameter' });
  t.is((await host.token('off', login)).status, 403);
  t.deepEqual((await host.token('nope', login)).json, { error: 'Realm does not exist' });
});

test('token endpoint: a client proves itself by Basic, form-urlencoded or as it is, and the form wins over it', async (t) => {
  const host = shared();
  const { client_id: _, client_secret: __, ...form } = login;
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  t.is((await host.token('demo', form, basic('web', encodeURIComponent(SECRET)))).status, 200);
  const wrong = await host.token('demo', form, basic('web', 'wrong'));
  t.is(wrong.status, 401);
  t.is(wrong.headers.get('www-authenticate'), 'Basic realm="demo"');
  t.is((await host.token('demo', login, basic('web', 'wrong'))).status, 200);
});

test('token endpoint: a login with openid brings an ID token, a refresh token and the claims of the default scopes', async (t) => {
  const host = shared();
  const { json } = await host.token('demo', { ...login, scope: 'openid phone address' });
  t.is(json.token_type, 'Bearer');
  t.is(json.scope, 'openid profile email phone address');
  const access = claimsOf(json.access_token ?? '');
  t.like(access, {
    sub: ALICE,
    typ: 'Bearer',
    azp: 'web',
    sid: json.session_state,
    email: 'alice@example.test',
    name: 'Alice Example',
    preferred_username: 'alice',
    phone_number: '+1 555 0100',
    address: { street_address: '1 Main Street' },
    'allowed-origins': ['http://127.0.0.1:9999'],
  } as object);
  const roles = access as unknown as {
    realm_access: { roles: string[] };
    resource_access: Record<string, { roles: string[] }>;
    aud: string;
  };
  t.true(
    ['reader', 'staff', 'default-roles-demo', 'offline_access'].every((role) =>
      roles.realm_access.roles.includes(role),
    ),
  );
  t.deepEqual(roles.resource_access.web?.roles, ['editor']);
  t.is(roles.aud, 'account');
  const id = claimsOf(json.id_token ?? '');
  t.like(id, { aud: 'web', azp: 'web', typ: 'ID', sub: ALICE, sid: json.session_state } as object);
  t.truthy(id.at_hash);
  t.truthy(id.auth_time);
  const refresh = claimsOf(json.refresh_token ?? '');
  t.like(refresh, { typ: 'Refresh', aud: host.realm('demo'), azp: 'web', sub: ALICE } as object);
  t.is(jose.decodeProtectedHeader(json.refresh_token ?? '').alg, 'HS512');
});

test('token endpoint: a refresh token rotates; an old one kills the login, and its access token with it', async (t) => {
  const host = shared();
  const refresh = (token: string, more = {}) =>
    host.token('demo', {
      grant_type: 'refresh_token',
      client_id: 'web',
      client_secret: SECRET,
      refresh_token: token,
      ...more,
    });
  const userinfo = (token: string) =>
    fetchAnswer(`${host.oidc('demo')}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  const first = (await host.token('demo', { ...login, scope: 'openid' })).json;
  const second = (await refresh(first.refresh_token ?? '')).json;
  t.not(second.refresh_token, first.refresh_token);
  t.is((await userinfo(second.access_token ?? '')).status, 200);
  t.deepEqual((await refresh(first.refresh_token ?? '')).json, {
    error: 'invalid_grant',
    error_description: 'Maximum allowed refresh token reuse exceeded',
  });
  t.is((await refresh(second.refresh_token ?? '')).status, 400);
  t.is((await userinfo(second.access_token ?? '')).status, 401);
});

test('token endpoint: a refresh may narrow the scope and never widen it, and the new refresh token keeps all of it', async (t) => {
  const host = shared();
  const { json } = await host.token('demo', { ...login, scope: 'openid phone' });
  const form = { grant_type: 'refresh_token', client_id: 'web', client_secret: SECRET };
  const wide = await host.token('demo', { ...form, refresh_token: json.refresh_token ?? '', scope: 'openid address' });
  t.deepEqual(wide.json, { error: 'invalid_scope', error_description: 'Invalid scopes: openid address' });
  const narrow = (await host.token('demo', { ...form, refresh_token: json.refresh_token ?? '', scope: 'openid' })).json;
  t.false(String(narrow.scope).includes('phone'));
  const full = (await host.token('demo', { ...form, refresh_token: narrow.refresh_token ?? '' })).json;
  t.true(String(full.scope).includes('phone'));
});

test('token endpoint: a refresh token belongs to its client, its realm and an enabled user', async (t) => {
  const host = shared();
  const { json } = await host.token('other', login);
  const token = json.refresh_token ?? '';
  const other = { grant_type: 'refresh_token', client_id: 'web2', client_secret: 'web2-secret', refresh_token: token };
  t.is(
    (await host.token('other', other)).json.error_description,
    "Invalid refresh token. Token client and authorized client don't match",
  );
  const mine = { ...other, client_id: 'web', client_secret: SECRET };
  t.is((await host.token('demo', mine)).json.error_description, 'Invalid refresh token');
  t.is((await host.token('other', { ...mine, refresh_token: json.access_token ?? '' })).json.error, 'invalid_grant');
  const realm = await host.realms.get('other');
  const alice = realm && (await host.users.byId(realm, `${ALICE}-other`));
  if (!realm || !alice) return t.fail('no alice');
  await host.users.update(realm, alice, { ...alice.representation, enabled: false });
  t.is((await host.token('other', mine)).json.error_description, 'User disabled');
});

test('token endpoint: an offline token outlives the session’s maximum and refreshes to an offline token', async (t) => {
  const host = shared();
  const { json } = await host.token('reusing', { ...login, scope: 'openid offline_access' });
  t.is(json.refresh_expires_in, 0);
  t.is(claimsOf(json.refresh_token ?? '').typ, 'Offline');
  const form = {
    grant_type: 'refresh_token',
    client_id: 'web',
    client_secret: SECRET,
    refresh_token: json.refresh_token ?? '',
  };
  const again = await host.token('reusing', form);
  t.is(again.status, 200);
  t.is(claimsOf(again.json.refresh_token ?? '').typ, 'Offline');
});
