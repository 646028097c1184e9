import { createHmac } from 'node:crypto';
import test from 'ava';
import { adminCaller, administrator, clientUuid, startAdministered } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { basic, bearer, post, WEB } from '../helpers/login.js';

const PKCE = onePolicy([['pkce-enforcer', { 'auto-configure': true }]]);
const BARE = { code_challenge: undefined, code_challenge_method: undefined };

test('T400 · client policies: a policy applies to what was begun before it: codes without a challenge, pushed requests, all endpoints', async (t) => {
  const host = await startAdministered(t, { realms: [codeRealm('demo')] });
  const call = await adminCaller(host);
  const code = await freshCode(host, BARE);
  const forged = await freshCode(host, BARE);
  const parameters = [...new URL(codeRequest(host, BARE).url).searchParams].filter(([name]) => name !== 'client_id');
  const push = () => post(host, 'ext/par/request', [...parameters, ...Object.entries(WEB)]);
  const pushed = (await push()).json.request_uri ?? '';
  t.not(pushed, '');
  t.is((await call('PUT', '/realms/demo', PKCE)).status, 204);

  t.is((await redeem(host, code, { code_verifier: undefined })).json.error, 'invalid_grant');
  t.is((await redeem(host, forged)).json.error, 'invalid_grant', 'a verifier of nothing');
  t.is((await redeem(host, code, { code_verifier: undefined })).json.error, 'invalid_grant', 'nor again');
  t.like((await push()).json, { error: 'invalid_request' });
  const { url } = codeRequest(host, BARE);
  const query = new URL(url).searchParams;
  const doors = await Promise.all([
    fetchAnswer(url),
    fetchAnswer(url.replace('/auth?', '/registrations?')),
    fetchAnswer(`${host.oidc('demo')}/auth`, { method: 'POST', body: query }),
    fetchAnswer(`${url}&prompt=none`),
    fetchAnswer(`${host.oidc('demo')}/auth?${new URLSearchParams({ client_id: 'web', request_uri: pushed })}`),
  ]);
  for (const { status, headers, text } of doors) {
    t.is(status, 302, text);
    const told = new URL(headers.get('location') ?? '').searchParams;
    t.is(told.get('error'), 'invalid_request');
    t.is(told.get('code'), null);
  }
});

test('T401 · client policies: a client avoids no policy by omission, another name or spelling, or its registration', async (t) => {
  const users = [administrator('clerk', 'manage-clients')];
  const realm = codeRealm('demo');
  const host = await startAdministered(t, { realms: [{ ...realm, users: [...(realm.users ?? []), ...users] }] });
  const root = await adminCaller(host);
  const clerk = await adminCaller(host, { realm: 'demo', username: 'clerk', password: 'clerk' });
  const ask = async (...policy: Parameters<typeof onePolicy>) =>
    t.is((await root('PUT', '/realms/demo', onePolicy(...policy))).status, 204);
  const id = await clientUuid(host, 'web2');
  const path = `/realms/demo/clients/${id}`;
  const change = async (body: object) => (await clerk('PUT', path, body)).status;

  t.is((await clerk('PUT', '/realms/demo/client-policies/policies', {})).status, 403);
  t.is((await clerk('PUT', '/realms/demo/client-policies/profiles', {})).status, 403);
  await ask([['full-scope-disabled', { 'auto-configure': false }]]);
  for (const body of [
    {},
    { description: 'x' },
    { fullScopeAllowed: null },
    { clientId: 'web3' },
    { fullScopeAllowed: 1 },
  ])
    t.is(await change(body), 400, JSON.stringify(body));
  await ask([['full-scope-disabled', { 'auto-configure': false }]], [['client-access-type', { type: ['public'] }]]);
  t.is(await change({ publicClient: true }), 400, 'what it becomes counts');
  await ask(
    [['full-scope-disabled', { 'auto-configure': false }]],
    [['client-access-type', { type: ['confidential'] }]],
  );
  t.is(await change({ publicClient: true }), 400, 'what it was counts');

  await ask([['secure-redirect-uris-enforcer', { 'allow-http-scheme': true }]]);
  for (const address of [
    'HTTP://LOCALHOST/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f000001/cb',
    'http://localhost./cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'https://a.test/*',
    'COM.EXAMPLE:/cb',
    '*',
  ]) {
    t.is(await change({ redirectUris: [address] }), 400, address);
    t.is(await change({ redirectUris: ['https://a.test/cb', address] }), 400, address);
  }
  t.is(await change({ redirectUris: ['https://a.test/cb'] }), 204);
  t.is(await change({ redirectUris: [] }), 400);

  // A client's registration must not set when its secret expires, or add a second valid secret.
  await ask([
    [
      'secret-rotation',
      { 'expiration-period': 86_400, 'remaining-rotation-period': 3600, 'rotated-expiration-period': 0 },
    ],
  ]);
  const registrations = `${host.realm('demo')}/clients-registrations/default`;
  const send = (method: string, url: string, token: string, body: object) =>
    fetchAnswer(url, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const never = '9999999999';
  const attributes = {
    'client.secret.expiration.time': never,
    'client.secret.rotated': 'mine',
    'client.secret.rotated.creation.time': '1',
    'client.secret.rotated.expiration.time': never,
  };
  const initial = (await root('POST', '/realms/demo/clients-initial-access', { count: 1, expiration: 0 })).json;
  const made = await send('POST', registrations, String(initial.token), { clientId: 'own', attributes });
  t.is(made.status, 201, made.text);
  const told = made.json as unknown as { registrationAccessToken: string; attributes: Record<string, string> };
  const changed = await send('PUT', `${registrations}/own`, told.registrationAccessToken, {
    clientId: 'own',
    attributes,
  });
  t.is(changed.status, 200, changed.text);
  for (const { json } of [made, changed]) {
    const kept = json.attributes as unknown as Record<string, string>;
    t.true(Number(kept['client.secret.expiration.time']) < 9_000_000_000);
    t.is(kept['client.secret.rotated'], undefined);
  }
});

test('T402 · client policies: an expired secret is invalid by all methods, and the previous one is shown to nobody', async (t) => {
  const clock = new TestClock();
  const users = [administrator('viewer', 'view-clients', 'view-events')];
  const realm = codeRealm('demo', { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const whole = { ...realm, users: [...(realm.users ?? []), ...users] };
  const host = await startAdministered(t, { realms: [whole], clock });
  const root = await adminCaller(host);
  const path = `/realms/demo/clients/${await clientUuid(host, 'svc')}`;
  const period = { 'expiration-period': 1000, 'rotated-expiration-period': 100, 'remaining-rotation-period': 0 };
  t.is((await root('PUT', '/realms/demo', onePolicy([['secret-rotation', period]]))).status, 204);
  const next = String((await root('POST', `${path}/client-secret`)).json.value);
  t.deepEqual(await opens(host, 'svc-secret', clock), { post: true, basic: true, jwt: false });
  t.deepEqual(await opens(host, next, clock), { post: true, basic: true, jwt: false });
  t.is((await root('PUT', path, { clientAuthenticatorType: 'client-secret-jwt' })).status, 204);
  t.deepEqual(await opens(host, 'svc-secret', clock), { post: false, basic: false, jwt: true });
  t.deepEqual(await opens(host, next, clock), { post: false, basic: false, jwt: true });

  const viewer = await adminCaller(host, { realm: 'demo', username: 'viewer', password: 'viewer' });
  for (const read of [path, '/realms/demo/clients', '/realms/demo/admin-events']) {
    const { status, text } = await viewer('GET', read);
    t.is(status, 200);
    t.false(text.includes('svc-secret') || text.includes(next), read);
  }
  t.is((await viewer('GET', `${path}/client-secret/rotated`)).status, 403);
  t.is((await viewer('DELETE', `${path}/client-secret/rotated`)).status, 403);
  const exported = await root('POST', '/realms/demo/partial-export?exportClients=true');
  t.false(exported.text.includes('svc-secret') || exported.text.includes(next));

  clock.forward(100);
  t.deepEqual(await opens(host, 'svc-secret', clock), { post: false, basic: false, jwt: false });
  // The mask in place of a hidden secret is never a valid secret.
  const later = await adminCaller(host);
  await later('PUT', '/realms/demo', { clientPolicies: {} });
  const masked = { 'client.secret.rotated': '**********', 'client.secret.rotated.creation.time': '1' };
  const sent = await later('PUT', path, { clientAuthenticatorType: 'client-secret', attributes: masked });
  t.is(sent.status, 204);
  t.false((await opens(host, '**********', clock)).post);
  t.true((await opens(host, next, clock)).post);
  clock.forward(1000);
  t.deepEqual(await opens(host, next, clock), { post: false, basic: false, jwt: false });
});

/** The methods by which a secret of `svc` gets a token. */
async function opens(host: TestHost, secret: string, clock: TestClock) {
  const grant = { grant_type: 'client_credentials' };
  const now = Math.floor(clock.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'svc', sub: 'svc', aud: host.realm('demo'), jti: `${secret} ${now}`, iat: now, exp: now + 30 };
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`;
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
  };
  const ok = async (form: Record<string, string>, headers: Record<string, string> = {}) =>
    (await host.token('demo', { ...grant, ...form }, headers)).status === 200;
  return {
    post: await ok({ client_id: 'svc', client_secret: secret }),
    basic: await ok({}, basic('svc', secret)),
    jwt: await ok(assertion),
  };
}
