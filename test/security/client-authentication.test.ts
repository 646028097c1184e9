import { generateKeyPairSync, randomUUID } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import { type Answer, fetchAnswer } from '../helpers/host.js';
import { basic, introspect, logIn, post, SVC, serviceToken, userinfo, WEB } from '../helpers/login.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
const HMAC_SECRET = 'a-secret-of-at-least-thirty-two-characters';
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const grant = { grant_type: 'client_credentials' };
const realm = guardedRealm('demo');
const clients = [
  ...(realm.clients ?? []),
  {
    clientId: 'signed',
    clientAuthenticatorType: 'client-jwt',
    secret: 'unused',
    serviceAccountsEnabled: true,
    redirectUris: ['https://signed.example/cb'],
    attributes: {
      'use.jwks.string': 'true',
      'jwks.string': JSON.stringify({ keys: [jwk] }),
      'oauth2.device.authorization.grant.enabled': 'true',
    },
  },
  { clientId: 'hmac', clientAuthenticatorType: 'client-secret-jwt', secret: HMAC_SECRET, serviceAccountsEnabled: true },
  { clientId: 'going', secret: 'going-secret', serviceAccountsEnabled: true },
  { clientId: 'no-secret', serviceAccountsEnabled: true },
  { clientId: 'empty-secret', secret: '', serviceAccountsEnabled: true },
];
const host = shareHost(test, { realms: [{ ...realm, clients }] });

const refusal = ({ status, json }: Answer) => [status, json.error, json.access_token];
const REFUSED = [401, 'invalid_client', undefined];
const WRONG = [401, 'unauthorized_client', undefined];

/** A client assertion of the client `signed`. */
function assertion(
  claims: object = {},
  key: jose.CryptoKey | jose.KeyObject | Uint8Array = pair.privateKey,
  alg = 'ES256',
) {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: 'signed',
    sub: 'signed',
    aud: host().realm('demo'),
    jti: randomUUID(),
    iat: now,
    exp: now + 30,
  };
  return new jose.SignJWT({ ...payload, ...claims }).setProtectedHeader({ alg, kid: 'k1' }).sign(key);
}
const present = (token: string, more: Record<string, string> = {}) =>
  host().token('demo', { ...grant, client_assertion_type: JWT_BEARER, client_assertion: token, ...more });

test('T090 · client authentication: a Basic secret with special characters works encoded, and raw as well', async (t) => {
  const form = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };
  for (const secret of [encodeURIComponent(WEB.client_secret), WEB.client_secret, 's3cret%3A%2B%2F%25%26%c3%a9'])
    t.is((await host().token('demo', form, basic('web', secret))).status, 200, secret);
  for (const odd of [
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic d2Vi',
    `Basic ${'A'.repeat(9000)}`,
    'Basic OnM=',
    'Digest x',
  ]) {
    const answer = await host().token('demo', form, { authorization: odd });
    t.deepEqual(refusal(answer), REFUSED, odd.slice(0, 20));
  }
});

test('T091 · client authentication: an unknown client and a wrong secret get the same error', async (t) => {
  const unknown = await host().token('demo', { ...grant, client_id: 'nobody', client_secret: 'x' });
  const wrong = await host().token('demo', { ...grant, client_id: 'svc', client_secret: 'x' });
  t.deepEqual([refusal(unknown), refusal(wrong)], [REFUSED, WRONG]);
  t.is(unknown.json.error_description, wrong.json.error_description);
  t.is(unknown.headers.get('www-authenticate'), null);
  for (const id of ['nobody', 'svc']) {
    const answer = await host().token('demo', grant, basic(id, 'x'));
    t.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Basic realm="demo"'], id);
  }
});

test('T092 · client authentication: form credentials win over Basic ones, and never mix with them', async (t) => {
  t.is((await host().token('demo', { ...SVC, ...grant }, basic('svc', 'wrong'))).status, 200);
  const wrong = await host().token('demo', { ...grant, ...SVC, client_secret: 'x' }, basic('svc', 'svc-secret'));
  t.deepEqual(refusal(wrong), WRONG);
  const mixed = await host().token('demo', { ...grant, client_id: 'nl' }, basic('svc', 'svc-secret'));
  t.deepEqual(refusal(mixed), WRONG);
  const halves = await host().token('demo', { ...grant, client_secret: 'nl-secret' }, basic('nl', 'x'));
  t.deepEqual([halves.status, halves.json.error], [200, undefined], 'the secret of the form is nl’s own');
});

test('T093 · client authentication: a client that signs cannot fall back to its secret, nor a secret client to an assertion', async (t) => {
  t.deepEqual(refusal(await host().token('demo', { ...grant, client_id: 'signed', client_secret: 'unused' })), REFUSED);
  t.deepEqual(refusal(await host().token('demo', grant, basic('signed', 'unused'))), REFUSED);
  for (const id of ['signed', 'svc']) {
    const secret = id === 'svc' ? 'svc-secret' : 'unused';
    for (const junk of ['junk', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.']) {
      t.deepEqual(refusal(await present(junk, { client_id: id, client_secret: secret })), REFUSED, `${id} ${junk}`);
      t.not((await present(junk, { client_id: id })).status, 200);
    }
  }
  t.deepEqual(
    refusal(await host().token('demo', { ...grant, client_id: 'hmac', client_secret: HMAC_SECRET })),
    REFUSED,
  );
});

test('T094 · client authentication: an empty or missing secret proves nothing; a public client’s secret is ignored', async (t) => {
  for (const client_id of ['web', 'svc', 'no-secret', 'empty-secret']) {
    for (const more of [
      {} as Record<string, string>,
      { client_secret: '' },
      { client_secret: ' ' },
      { client_secret: 'undefined' },
    ])
      t.deepEqual(refusal(await host().token('demo', { ...grant, client_id, ...more })), WRONG, client_id);
    t.is((await host().token('demo', grant, basic(client_id, ''))).status, 401);
  }
  const login = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host().token('demo', { ...login, client_secret: 'x' })).status, 200);
  t.is((await post(host(), 'token/introspect', { client_id: 'spa', client_secret: 'x', token: 'x' })).status, 403);
});

test('T095 · client authentication: a disabled client is refused at every endpoint, in the words for an unknown one', async (t) => {
  const disabled = { client_id: 'app-disabled', client_secret: 'x' };
  for (const [path, form] of [
    ['token', { ...disabled, ...grant }],
    ['token/introspect', { ...disabled, token: 'x' }],
    ['revoke', { ...disabled, token: 'x' }],
  ] as const) {
    const answer = await post(host(), path, form);
    t.deepEqual(refusal(answer), REFUSED, path);
    t.is(answer.text, (await post(host(), path, { ...form, client_id: 'nobody' })).text, path);
  }
});

test('T096 · client authentication: an assertion works once, for this realm, and not for a year', async (t) => {
  const good = await assertion();
  const race = await Promise.all(Array.from({ length: 10 }, () => present(good)));
  t.is(race.filter(({ status }) => status === 200).length, 1);
  t.is((await present(good)).json.error, 'invalid_client');
  const now = Math.floor(Date.now() / 1000);
  const bad = [
    { exp: now + 365 * 86_400, iat: undefined },
    { exp: now + 365 * 86_400, iat: now - 3600 },
    { aud: 'https://evil.test' },
    { aud: host().realm('other') },
    { iss: 'svc', sub: 'svc' },
    { sub: 'hmac' },
    { exp: now - 60 },
    { jti: undefined },
  ];
  for (const claims of bad) {
    const answer = await present(await assertion(claims));
    t.true([400, 401].includes(answer.status), JSON.stringify(claims));
    t.falsy(answer.json.access_token);
  }
  const confused = await present(await assertion({}, Buffer.from(JSON.stringify(jwk)), 'HS256'));
  t.true([400, 401].includes(confused.status));
  const hmac = await assertion({ iss: 'hmac', sub: 'hmac' }, Buffer.from(HMAC_SECRET), 'HS256');
  t.is((await present(hmac)).status, 200);
  t.not((await present(hmac)).status, 200);
});

test('T355 · client authentication: an assertion names the issuer, the token endpoint or the endpoint that it is sent to, and one of them', async (t) => {
  const issuer = host().realm('demo');
  const oidc = host().oidc('demo');
  const request = { response_type: 'code', redirect_uri: 'https://signed.example/cb', scope: 'openid' };
  const endpoints: Record<string, Record<string, string>> = {
    token: grant,
    revoke: { token: 'x' },
    'token/introspect': { token: 'x' },
    'ext/par/request': { ...request, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    'auth/device': { scope: 'openid' },
  };
  for (const [path, form] of Object.entries(endpoints)) {
    const send = async (aud: unknown) => {
      const client_assertion = await assertion({ aud });
      return post(host(), path, { ...form, client_assertion_type: JWT_BEARER, client_assertion });
    };
    for (const aud of [issuer, `${oidc}/token`, `${oidc}/${path}`, [`${oidc}/${path}`]]) {
      t.true((await send(aud)).status < 300, `${path} ${aud}`);
    }
    const others = Object.keys(endpoints).filter((other) => other !== path && other !== 'token');
    const refused = [
      ...others.map((other) => `${oidc}/${other}`),
      `${oidc}/${path}/`,
      `${host().oidc('other')}/${path}`,
      `https://evil.example/realms/demo/protocol/openid-connect/${path}`,
      [issuer, `${oidc}/${path}`],
      [`${oidc}/${path}`, 'https://evil.example'],
      [],
    ];
    for (const aud of refused) {
      const answer = await send(aud);
      t.deepEqual([answer.status, answer.json.error], [400, 'invalid_client'], `${path} ${aud}`);
    }
  }
});

test('T097 · client authentication: disabling a service account’s user stops new tokens and those that are out', async (t) => {
  const going = { client_id: 'going', client_secret: 'going-secret' };
  const token = await serviceToken(host(), going);
  t.true(Boolean((await introspect(host(), token, going)).json.active));
  const current = await host().realms.get('demo');
  const client = current?.clients.get('going');
  const user = current && client && (await host().users.serviceAccount(current, client));
  if (!current || !user) return t.fail('no service account');
  await host().users.update(current, user, { ...user.representation, enabled: false });
  const answer = await host().token('demo', { ...going, ...grant });
  t.true([400, 401].includes(answer.status));
  t.falsy(answer.json.access_token);
  t.is((await introspect(host(), token, going)).text, '{"active":false}');
  t.is((await userinfo(host(), token)).status, 401);
});

test('T087 · client authentication: only an authenticated confidential client may use introspection', async (t) => {
  const { access_token: token } = await logIn(host());
  const cases: [Record<string, string>, number][] = [
    [{ token }, 401],
    [{ token, client_id: 'spa' }, 403],
    [{ token, client_id: 'web', client_secret: 'wrong' }, 401],
    [{ token, client_id: 'newsletter-api', client_secret: 'x' }, 401],
  ];
  for (const [form, status] of cases) {
    const answer = await post(host(), 'token/introspect', form);
    t.is(answer.status, status, JSON.stringify(Object.keys(form)));
    t.false('active' in answer.json || 'sub' in answer.json);
  }
  const get = await fetchAnswer(`${host().oidc('demo')}/token/introspect?token=${token}`);
  t.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
  t.true(Boolean((await introspect(host(), token)).json.active));
});
