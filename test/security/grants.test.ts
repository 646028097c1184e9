import test from 'ava';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, basic, post, SVC, WEB } from '../helpers/login.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const realm = testRealm('demo');
const host = shareHost(test, {
  realms: [
    {
      ...realm,
      clients: [
        ...(realm.clients ?? []),
        { clientId: 'plain', secret: 'plain-secret' },
        { clientId: 'narrow', secret: 'narrow-secret', serviceAccountsEnabled: true, fullScopeAllowed: false },
      ],
      users: [
        ...(realm.users ?? []),
        { username: 'service-account-narrow', enabled: true, serviceAccountClientId: 'narrow', realmRoles: ['staff'] },
      ],
    },
  ],
});
const form = { ...SVC, grant_type: 'client_credentials' };

test('T296 · grants: client_credentials gives the service account one access token, with the client’s scopes at most', async (t) => {
  const { status, json, headers } = await host().token('demo', form);
  t.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
  for (const name of ['refresh_token', 'id_token', 'session_state']) t.false(name in json, name);
  const claims = claimsOf(json.access_token ?? '') as Record<string, unknown>;
  t.deepEqual([claims.preferred_username, claims.azp, claims.sid], ['service-account-svc', 'svc', undefined]);
  for (const scope of ['newsletterscope42', 'admin', 'profile newsletterscope1']) {
    const refused = await host().token('demo', { ...form, scope });
    t.deepEqual([refused.status, refused.json.error], [400, 'invalid_scope'], scope);
  }
  const narrow = { grant_type: 'client_credentials', client_id: 'narrow', client_secret: 'narrow-secret' };
  const limited = claimsOf((await host().token('demo', narrow)).json.access_token ?? '');
  t.notRegex(JSON.stringify(limited), /staff|reader/, 'roles outside the client’s scope stay away');
  for (const client of [WEB, { client_id: 'spa' }, { client_id: 'plain', client_secret: 'plain-secret' }]) {
    const refused = await host().token('demo', { ...client, grant_type: 'client_credentials' });
    t.deepEqual([refused.status, refused.json.error], [401, 'unauthorized_client'], client.client_id);
  }
});

test('T297 · grants: the password grant is off by default, and a wrong password is indistinguishable', async (t) => {
  for (const client of [{ client_id: 'plain', client_secret: 'plain-secret' }, SVC]) {
    const answer = await host().token('demo', { ...client, ...ALICE_LOGIN });
    t.deepEqual([answer.status, answer.json.error], [400, 'unauthorized_client'], client.client_id);
    t.falsy(answer.json.access_token);
  }
  t.is((await host().token('demo', { ...WEB, ...ALICE_LOGIN })).status, 200);
  const wrong = { ...WEB, ...ALICE_LOGIN, password: 'Alice-pass-1' };
  const answers = await Promise.all([
    host().token('demo', wrong),
    host().token('demo', { ...wrong, password: 'Alice-pass-1!\0' }),
    host().token('demo', { ...wrong, password: ' Alice-pass-1!' }),
    host().token('demo', { ...wrong, password: 'x'.repeat(5000) }),
    host().token('demo', { ...wrong, username: 'nobody' }),
    host().token('demo', { ...wrong, username: 'x'.repeat(5000) }),
    host().token('demo', { ...wrong, username: `service-account-svc` }),
  ]);
  for (const { status, json } of answers) {
    t.true([400, 401].includes(status));
    t.deepEqual(json, { error: 'invalid_grant', error_description: 'Invalid user credentials' });
  }
});

test('T298 · grants: the token endpoint reads one well-formed form in UTF-8 and nothing else', async (t) => {
  const url = `${host().oidc('demo')}/token`;
  const send = (
    type: string | undefined,
    body: string | Uint8Array | undefined,
    headers: Record<string, string> = {},
  ) =>
    fetchAnswer(url, {
      method: 'POST',
      headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? Buffer.from(body) : body }),
    });
  const urlencoded = 'application/x-www-form-urlencoded';
  const text = new URLSearchParams(form).toString();
  const boundary = '--b\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nclient_credentials\r\n--b--\r\n';
  const unsupported: [string | undefined, string | undefined, Record<string, string>?][] = [
    ['application/json', JSON.stringify(form)],
    ['multipart/form-data; boundary=b', boundary],
    ['text/plain', text],
    ['application/x-www-form-urlencodedx', text],
    [undefined, text],
    [undefined, undefined],
    [`${urlencoded}; charset=utf-16`, text],
    [urlencoded, text, { 'content-encoding': 'gzip' }],
  ];
  for (const [type, body, headers] of unsupported) {
    const answer = await send(type, body, headers);
    t.deepEqual([answer.status, answer.json.error], [415, 'invalid_request'], `${type}`);
  }
  const missing = 'Missing form parameter: grant_type';
  for (const body of [
    '',
    'grant_type=',
    '&',
    'grant_type[]=password',
    'Grant_type=password',
    text.replace('grant_', ''),
  ]) {
    const answer = await send(urlencoded, body);
    t.deepEqual([answer.status, answer.json.error_description], [400, missing], body);
  }
  const inQuery = await fetchAnswer(`${url}?${text}`, { method: 'POST', body: new URLSearchParams() });
  t.deepEqual([inQuery.status, inQuery.json.error_description], [400, missing], 'a query is not read');
  const types = [
    'nope',
    '__proto__',
    'constructor',
    'PASSWORD',
    'password ',
    'implicit',
    'authorization-code',
    'urn:ietf:params:oauth:grant-type:device-code',
    'urn:openid:params:grant-type:ciba',
    'x'.repeat(5000),
  ];
  for (const grant_type of types) {
    const answer = await host().token('demo', { ...form, grant_type });
    t.deepEqual([answer.status, answer.json.error], [400, 'unsupported_grant_type'], grant_type);
  }
  t.is((await post(host(), 'token', [...Object.entries(form), ['grant_type', 'password']])).status, 400);
  for (const body of [
    `${text}&x=%zz`,
    `${text}&x=%`,
    `${text}&x=%ff`,
    Buffer.concat([Buffer.from(`${text}&x=`), Buffer.from([0xff])]),
  ]) {
    const answer = await send(urlencoded, body);
    t.deepEqual([answer.status, answer.json.error], [400, 'invalid_request'], String(body).slice(-5));
  }
  for (const type of [urlencoded, `${urlencoded};charset=UTF-8`, urlencoded.toUpperCase()])
    t.is((await send(type, text)).status, 200, type);
  const inHeader = await send(urlencoded, 'grant_type=client_credentials', basic('svc', 'svc-secret'));
  t.is(inHeader.status, 200);
  t.not(claimsOf(inHeader.json.access_token ?? '').sub, ALICE);
});
