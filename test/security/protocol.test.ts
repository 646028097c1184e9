import test from 'ava';
import * as jose from 'jose';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, post, SVC, serviceToken, userinfo, WEB } from '../helpers/login.js';
import { rawBody, rawGet, rawStatus } from '../helpers/raw.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, {
  realms: [testRealm('demo'), testRealm('other'), testRealm('off', { enabled: false })],
});
const discovery = '/realms/demo/.well-known/openid-configuration';

test('T001 · protocol: no header of a request changes the issuer', async (t) => {
  const own = await fetchAnswer(`${host().url}${discovery}`);
  for (const lines of [
    ['Host: evil.test'],
    ['X-Forwarded-Host: evil.test'],
    ['Forwarded: host=evil.test;proto=https'],
    ['X-Forwarded-Proto: https', 'X-Forwarded-Port: 1', 'X-Forwarded-Prefix: /evil'],
  ]) {
    const answer = await rawGet(host().url, discovery, ...lines);
    t.deepEqual([rawStatus(answer), rawBody(answer)], [200, own.text], lines[0]);
  }
  t.true(own.text.includes(`"issuer":"${host().realm('demo')}"`));
  const absolute = await rawGet(host().url, `http://evil.test${discovery}`, 'Host: evil.test');
  t.true([200, 400, 404].includes(rawStatus(absolute)));
  t.false(absolute.includes('evil.test'));
});

test('T003 · protocol: the discovery document has the required members, and every address is the realm’s own', async (t) => {
  const { status, headers, json } = await fetchAnswer(`${host().url}${discovery}`);
  t.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
  const document = json as Record<string, unknown>;
  for (const member of ['issuer', 'token_endpoint', 'jwks_uri', 'response_types_supported', 'scopes_supported'])
    t.true(member in document, member);
  t.deepEqual(document.subject_types_supported, ['public', 'pairwise']);
  t.true((document.id_token_signing_alg_values_supported as string[]).includes('RS256'));
  t.false((document.id_token_signing_alg_values_supported as string[]).includes('none'));
  t.true((document.scopes_supported as string[]).includes('openid'));
  t.falsy((document.code_challenge_methods_supported as string[] | undefined)?.includes('plain'));
  const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
  t.true(addresses.length >= 5);
  for (const [name, address] of addresses) t.true(String(address).startsWith(`${host().realm('demo')}/`), name);
});

test('T004 · protocol: every advertised endpoint is there', async (t) => {
  const { json } = await fetchAnswer(`${host().url}${discovery}`);
  const { mtls_endpoint_aliases: _, ...document } = json as Record<string, unknown>;
  const endpoints = Object.entries(document).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
  t.true(endpoints.length >= 5);
  for (const [name, address] of endpoints) {
    for (const init of [{}, { method: 'POST' }, { method: 'POST', body: new URLSearchParams() }]) {
      const { status } = await fetchAnswer(String(address), init);
      t.true(status !== 404 && status < 500, `${name} answers ${status}`);
    }
  }
});

test('T009 · protocol: after a rotation the old key verifies and the new one signs', async (t) => {
  const old = (await logIn(host())).access_token;
  const kid = await host().keys.rotate('demo', 'RS256');
  t.is((await userinfo(host(), old)).status, 200);
  const { json } = await fetchAnswer(`${host().oidc('demo')}/certs`);
  const kids = (json as unknown as { keys: { kid: string }[] }).keys.map((key) => key.kid);
  const oldKid = String(jose.decodeProtectedHeader(old).kid);
  t.not(oldKid, kid);
  t.true(kids.includes(oldKid) && kids.includes(kid));
  const fresh = await logIn(host());
  for (const token of [fresh.access_token, fresh.id_token]) t.is(jose.decodeProtectedHeader(token).kid, kid);
  t.is((await userinfo(host(), fresh.access_token)).status, 200);
});

test('T005 · protocol: the JWKS holds public keys alone, each with its own kid', async (t) => {
  await host().keys.rotate('other', 'RS256');
  for (const algorithm of ['ES256', 'EdDSA', 'HS512', 'HS256'])
    await (await host().keys.realm('other')).active(algorithm);
  const { status, json } = await fetchAnswer(`${host().oidc('other')}/certs`);
  t.is(status, 200);
  const { keys } = json as unknown as { keys: Record<string, unknown>[] };
  t.true(keys.length >= 3);
  t.is(new Set(keys.map(({ kid }) => kid)).size, keys.length);
  for (const key of keys) {
    t.true(['RSA', 'EC', 'OKP'].includes(String(key.kty)));
    t.deepEqual([typeof key.alg, typeof key.kid], ['string', 'string']);
    t.is(key.use, key.alg === 'RSA-OAEP' ? 'enc' : 'sig');
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) t.false(secret in key, secret);
  }
});

test('T006 · protocol: an unknown realm is 404 everywhere, and a disabled one issues nothing', async (t) => {
  const unknown = { error: 'Realm does not exist' };
  for (const path of ['', '/.well-known/openid-configuration', '/protocol/openid-connect/certs']) {
    const answer = await fetchAnswer(`${host().realm('nope')}${path}`);
    t.deepEqual([answer.status, answer.json], [404, unknown], path);
  }
  t.deepEqual((await host().token('nope', { ...SVC, grant_type: 'client_credentials' })).json, unknown);
  // Its metadata and keys are public, as in Keycloak, so that resource servers can still verify its tokens.
  const off = await fetchAnswer(`${host().realm('off')}/.well-known/openid-configuration`);
  t.is(off.status, 200);
  const forms = [
    { ...SVC, grant_type: 'client_credentials' },
    { ...WEB, ...ALICE_LOGIN },
  ];
  for (const form of forms) {
    const answer = await host().token('off', form);
    t.is(answer.status, 403);
    t.falsy(answer.json.access_token);
  }
  const generate = await fetchAnswer(`${host().realm('off')}/newsletter/generate-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: `${ALICE}-off`, applicationId: '1' }),
  });
  t.is(generate.status, 403);
});

test('T007 · protocol: other sites may read public documents, and tokens only where the client names them', async (t) => {
  const evil = { origin: 'https://evil.test' };
  const own = { origin: 'http://127.0.0.1:9998' };
  const allowed = (headers: Headers) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ];
  for (const url of [`${host().url}${discovery}`, `${host().oidc('demo')}/certs`])
    t.deepEqual(allowed((await fetchAnswer(url, { headers: evil })).headers), ['*', null], url);
  const form = { client_id: 'spa', ...ALICE_LOGIN, scope: 'openid' };
  const token = (await host().token('demo', form)).json.access_token ?? '';
  const call = (origin: object, method: string) =>
    fetchAnswer(`${host().oidc('demo')}/userinfo`, {
      method,
      headers: { ...origin, authorization: `Bearer ${token}` },
    });
  const answers = async (origin: Record<string, string>) => [
    await host().token('demo', form, origin),
    await post(host(), 'revoke', { client_id: 'spa', token: 'x' }, origin),
    await call(origin, 'GET'),
    await call(origin, 'OPTIONS'),
    await fetchAnswer(`${host().oidc('demo')}/token`, { method: 'OPTIONS', headers: origin }),
  ];
  for (const { headers } of await answers(evil)) {
    t.deepEqual(allowed(headers), [null, null]);
    t.regex(headers.get('vary') ?? '', /Origin/i);
  }
  for (const { headers } of await answers(own)) t.deepEqual(allowed(headers), [own.origin, 'true']);
  const link = await fetchAnswer(`${host().realm('demo')}/login-actions/action-token?key=x`, { headers: own });
  t.is(link.headers.get('access-control-allow-origin'), null);
});

test('T014 T019 · protocol: scopes are granted once each in any order, and an unknown one refuses the request', async (t) => {
  for (const scope of ['profile openid email openid', 'openid  profile', ' openid profile', 'openid profile ']) {
    const words = (await logIn(host(), { scope })).scope.split(' ');
    t.true(words.includes('openid') && words.includes('profile'), scope);
    t.is(new Set(words).size, words.length, scope);
  }
  for (const scope of ['openid admin foo', 'OpenID', 'openid\tprofile', 'openid,profile', '__proto__']) {
    const answer = await host().token('demo', { ...WEB, ...ALICE_LOGIN, scope });
    t.deepEqual([answer.status, answer.json.error], [400, 'invalid_scope'], scope);
  }
});

test('T015 · protocol: a parameter that comes twice is refused, whichever it is', async (t) => {
  const form: [string, string][] = Object.entries({ ...WEB, ...ALICE_LOGIN, scope: 'openid' });
  for (const [name, value] of form) {
    for (const second of [value, 'other', '']) {
      const answer = await post(host(), 'token', [...form, [name, second]]);
      t.true([400, 401].includes(answer.status), `${name} twice`);
      t.falsy(answer.json.access_token);
    }
  }
  for (const path of ['token/introspect', 'revoke']) {
    const twice: [string, string][] = [...Object.entries(WEB), ['token', 'a'], ['token', 'b']];
    t.deepEqual((await post(host(), path, twice)).json.error, 'invalid_request', path);
  }
});

test('T018 · protocol: without openid there is no ID token, and userinfo refuses', async (t) => {
  const tokens = await logIn(host(), { scope: 'profile' });
  t.falsy(tokens.id_token);
  const answer = await userinfo(host(), tokens.access_token);
  t.is(answer.status, 403);
  t.regex(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
  t.is((await userinfo(host(), await serviceToken(host()))).status, 403);
});

test('T024 · protocol: an ID token verifies with the JWKS and has subject, audience and expiry', async (t) => {
  for (const client of [WEB, { client_id: 'spa' }]) {
    const answer = await host().token('demo', { ...client, ...ALICE_LOGIN, scope: 'openid' });
    t.is(answer.headers.get('cache-control'), 'no-store');
    const jwks = jose.createRemoteJWKSet(new URL(`${host().oidc('demo')}/certs`));
    const { payload, protectedHeader } = await jose.jwtVerify(answer.json.id_token ?? '', jwks, {
      issuer: host().realm('demo'),
      audience: client.client_id,
      requiredClaims: ['exp', 'iat', 'sub', 'auth_time', 'at_hash'],
    });
    t.deepEqual([protectedHeader.alg, payload.sub], ['RS256', ALICE]);
    const hash = await crypto.subtle.digest('SHA-256', Buffer.from(answer.json.access_token ?? ''));
    t.is(payload.at_hash, Buffer.from(hash).subarray(0, 16).toString('base64url'));
  }
});

test('T025 · protocol: userinfo holds the claims of every scope that was granted, the address as an object', async (t) => {
  const { access_token: token } = await logIn(host(), { scope: 'openid profile email address phone' });
  t.like((await userinfo(host(), token)).json, {
    sub: ALICE,
    name: 'Alice Example',
    email: 'alice@example.test',
    phone_number: '+1 555 0100',
    address: { street_address: '1 Main Street' },
  } as object);
  const narrow = (await userinfo(host(), (await logIn(host())).access_token)).json;
  t.false('phone_number' in narrow || 'address' in narrow);
});
