import test, { type ExecutionContext } from 'ava';
import { signJwt } from '../../core/keys/sign.js';
import { type Answer, claimsOf, fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { CAROL, DAVE, idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const HANDLER = 'external-app-notification';
const alice42 = ({ defaultRealm }: TestHost) => ({ userId: idIn(defaultRealm), applicationId: '42' });

function realm(name: string, handler: object = {}, resource: object = { authentication: 'none' }, enabled = true) {
  const config = { clientId: 'nl', clientSecret: 'nl-secret', audience: 'newsletter-api', ...handler };
  return testRealm(name, {
    providers: {
      'realm-restapi-extension': { newsletter: { enabled: true, config: { ...resource } } },
      'action-token-handler': { [HANDLER]: { enabled, config } },
    },
  });
}

/** The test that moves the clock is the first one. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [realm('other')], clock });
/** A realm with these settings of the links' handler and of the resource that issues them. */
const withLinks = (handler: object = {}, resource?: object) =>
  inRealm(shared(), (name) => realm(name, handler, resource));

const generate = (
  host: TestHost,
  body: unknown,
  headers: Record<string, string> = {},
  name = host.defaultRealm,
): Promise<Answer> =>
  fetchAnswer(`${host.realm(name)}/newsletter/generate-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const follow = (host: TestHost, key: string, headers: Record<string, string> = {}, name = host.defaultRealm) =>
  fetchAnswer(`${host.realm(name)}/login-actions/action-token?key=${key}`, { headers });

async function issue(t: ExecutionContext, host: TestHost): Promise<string> {
  const { status, json } = await generate(host, alice42(host));
  t.is(status, 200);
  return json.token ?? '';
}

test('action tokens: a back-end requests a link, the user follows it without a credential, and a token for one item results', async (t) => {
  const host = await withLinks();
  const generated = await generate(host, alice42(host));
  t.is(generated.headers.get('cache-control'), 'no-store');
  t.deepEqual(Object.keys(generated.json), ['token', 'link', 'expiresIn']);
  t.is(generated.json.expiresIn, 300);
  const claims = claimsOf(generated.json.token ?? '');
  t.deepEqual(Object.keys(claims).sort(), ['app-id', 'asid', 'aud', 'exp', 'iat', 'iss', 'jti', 'nonce', 'sub', 'typ']);
  const issuer = host.realm(host.defaultRealm);
  t.like(claims, {
    typ: HANDLER,
    sub: idIn(host.defaultRealm),
    'app-id': '42',
    iss: issuer,
    aud: issuer,
    jti: claims.nonce,
  } as object);
  const answer = await fetchAnswer(generated.json.link ?? '');
  t.is(answer.status, 200);
  const access = claimsOf(answer.json.access_token ?? '');
  t.like(access, { scope: 'newsletterscope42', aud: 'newsletter-api', sub: idIn(host.defaultRealm) } as object);
  t.is(answer.headers.get('set-cookie'), null);
  const [event] = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'EXECUTE_ACTION_TOKEN');
  t.is(event?.userId, idIn(host.defaultRealm));
  t.like(event?.details, {
    action: HANDLER,
    'note.INITIATED_BY_ACTION_TOKEN_EXT_APP': 'true',
    token_id: String(claims.jti),
  });
});

test('action tokens: HEAD, OPTIONS and prefetches do nothing; a link works until it expires, or once if single use was requested', async (t) => {
  const host = await withLinks();
  const single = await withLinks({ singleUse: true });
  const key = await issue(t, host);
  const url = `${host.realm(host.defaultRealm)}/login-actions/action-token?key=${key}`;
  const head = await fetchAnswer(url, { method: 'HEAD' });
  t.deepEqual([head.status, head.text], [200, '']);
  t.is((await fetchAnswer(url, { method: 'OPTIONS' })).status, 204);
  for (const header of ['sec-purpose', 'purpose', 'x-moz'])
    t.is((await follow(host, key, { [header]: 'prefetch' })).status, 204);
  t.deepEqual(
    (await host.stored(host.defaultRealm)).map(({ type }) => type),
    ['NEWSLETTER_TOKEN'],
  );
  t.is((await follow(host, key)).status, 200);
  t.is((await follow(host, key)).status, 200);
  const once = (await generate(single, alice42(single))).json.token ?? '';
  const race = await Promise.all(Array.from({ length: 20 }, () => follow(single, once)));
  t.is(race.filter(({ status }) => status === 200).length, 1);
  const spent = await follow(single, once);
  t.deepEqual([spent.status, spent.json.error_description], [400, 'Action expired. Please continue with login now.']);
});

test.serial(
  'action tokens: a forged, foreign or expired key is 400: JSON for programs, a page for browsers, Keycloak’s error in the event',
  async (t) => {
    const host = await withLinks();
    const key = await issue(t, host);
    const [head = '', payload = '', signature = ''] = key.split('.');
    const edited = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"42"', '"43"')).toString(
      'base64url',
    );
    const broken = 'An error occurred, please login again through your application.';
    const cases: [string, string, string, string][] = [
      ['', host.defaultRealm, 'Invalid Request', 'not_allowed'],
      ['rubbish', host.defaultRealm, broken, 'invalid_code'],
      [`${head}.${edited}.${signature}`, host.defaultRealm, 'Invalid Request', 'invalid_request'],
      [`${key}A`, host.defaultRealm, 'Invalid Request', 'invalid_request'],
      [key, 'other', 'Invalid Request', 'invalid_request'],
    ];
    for (const [forged, name, text, error] of cases) {
      clock.forward(1);
      const answer = await follow(host, forged, {}, name);
      t.deepEqual(
        [answer.status, answer.json],
        [400, { error: 'invalid_request', error_description: text }],
        forged.slice(-20),
      );
      t.like((await host.stored(name))[0], { type: 'EXECUTE_ACTION_TOKEN_ERROR', error });
    }
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const odd of [none, `${key}&key=${key}`, 'x'.repeat(10_000)]) t.is((await follow(host, odd)).status, 400);
    const page = await follow(host, 'rubbish', { accept: 'text/html' });
    t.deepEqual([page.status, page.headers.get('content-type')], [400, 'text/html; charset=utf-8']);
    t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    clock.forward(301);
    t.is((await follow(host, key)).json.error_description, 'Action expired.');
    t.like((await host.stored(host.defaultRealm))[0], { error: 'expired_code' });
  },
);

test('action tokens: a validly signed token of another shape is refused', async (t) => {
  const host = await withLinks();
  const claims = claimsOf(await issue(t, host)) as Record<string, unknown>;
  const key = await (await host.keys.realm(host.defaultRealm)).active('HS512');
  const sign = (change: object) => signJwt(key, { ...claims, ...change });
  t.is((await follow(host, await sign({}))).status, 200);
  const odd: object[] = [
    { 'app-id': '1 openid' },
    { 'app-id': undefined },
    { aud: 'x' },
    { iss: 'x' },
    { nonce: 'x' },
    { nonce: undefined },
  ];
  odd.push(
    { sub: 1 },
    { sub: 'nobody' },
    { exp: undefined },
    { typ: 'Refresh' },
    { typ: 'reset-credentials' },
    { azp: 'nope' },
    { azp: 'app-disabled' },
  );
  for (const change of odd) t.is((await follow(host, await sign(change))).status, 400, JSON.stringify(change));
});

test('action tokens: a disabled user, client or handler ends the link’s power', async (t) => {
  const host = await withLinks();
  const key = await issue(t, host);
  const current = await host.realms.get(host.defaultRealm);
  const setEnabled = async (enabled: boolean) => {
    const alice = current && (await host.users.byId(current, idIn(host.defaultRealm)));
    if (current && alice) await host.users.update(current, alice, { ...alice.representation, enabled });
  };
  await setEnabled(false);
  t.is((await follow(host, key)).status, 400);
  const refusals = (await host.stored(host.defaultRealm)).flatMap(({ error }) => error ?? []);
  t.deepEqual(refusals, ['user_disabled']);
  await setEnabled(true);
  t.is((await follow(host, key)).status, 200);
  const change = async (representation: object) => {
    const stored = await host.store.realms.get(host.defaultRealm);
    if (stored === undefined) return t.fail();
    const changed = { ...stored, representation: { ...stored.representation, ...representation } };
    await host.store.realms.put(changed, { expectedVersion: stored.version });
    host.realms.invalidate(host.defaultRealm);
  };
  const clients = current?.representation.clients ?? [];
  await change({
    clients: clients.map((client) => (client.clientId === 'nl' ? { ...client, enabled: false } : client)),
  });
  const refused = await follow(host, key);
  t.deepEqual([refused.status, refused.json.error], [401, 'invalid_client']);
  await change({ clients, providers: realm(host.defaultRealm, {}, { authentication: 'none' }, false).providers });
  t.is((await follow(host, key)).status, 400);
  t.is((await generate(host, alice42(host))).status, 404);
});

test('action tokens: invalid input to generate-token is a 400 that names the field; all unknown users get the same 404', async (t) => {
  const host = await withLinks();
  const ids = [
    '1 openid admin',
    '1\nopenid',
    '1\n',
    '1%20openid',
    '1\t',
    '1\u00a0',
    '1\u2028',
    '1\u0000',
    '1,2',
    '',
    'x'.repeat(10_000),
  ];
  for (const applicationId of ids) {
    const answer = await generate(host, { ...alice42(host), applicationId });
    t.is(answer.status, 400, applicationId.slice(0, 20));
    t.regex(String(answer.json.error_description), /applicationId/);
  }
  for (const wrong of [[], {}, 1, true, null]) {
    t.is((await generate(host, { ...alice42(host), userId: wrong })).status, 400);
    t.is((await generate(host, { ...alice42(host), applicationId: wrong })).status, 400);
  }
  for (const body of [
    '',
    'null',
    '[]',
    '"x"',
    '{',
    '\ufeff{}',
    '{"userId":"a","userId":"b","applicationId":"1"}',
    '{"userId":"a"}',
  ]) {
    t.is((await generate(host, body)).status, 400, body);
  }
  const extra = await generate(host, { ...alice42(host), scope: 'openid' });
  t.deepEqual([extra.status, extra.json.error_description], [400, 'Invalid request: unknown member "scope"']);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    t.is((await generate(host, alice42(host), { 'content-type': type })).status, 415, type);
  }
  t.is((await generate(host, alice42(host), { 'content-encoding': 'gzip' })).status, 415);
  t.is((await generate(host, { ...alice42(host), pad: 'x'.repeat(300_000) })).status, 413);
  const unknown = [
    'nobody',
    idIn(host.defaultRealm, CAROL),
    idIn(host.defaultRealm, DAVE),
    'alice',
    'alice@example.test',
  ];
  const missing = await Promise.all(unknown.map((userId) => generate(host, { ...alice42(host), userId })));
  const answers = new Set(missing.map(({ status, text }) => `${status} ${text}`));
  t.deepEqual([...answers], ['404 {"error":"not_found","error_description":"User not found"}']);
  const get = await fetchAnswer(`${host.realm(host.defaultRealm)}/newsletter/generate-token`);
  t.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
  t.is((await fetchAnswer(`${host.realm(host.defaultRealm)}/newsletter/nothing`)).status, 404);
});

test('action tokens: with authentication "client", only holders of newsletter-token-issuer get tokens', async (t) => {
  const host = await withLinks({}, { authentication: 'client' });
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const bearer = async (form: Record<string, string>) => ({
    authorization: `Bearer ${(await host.token(host.defaultRealm, form)).json.access_token}`,
  });
  const status = async (headers?: Record<string, string>) => (await generate(host, alice42(host), headers)).status;
  t.is(await status(), 401);
  t.is(await status(basic('nl', 'wrong')), 401);
  t.is(await status({ authorization: 'Bearer x.y.z' }), 401);
  t.is(
    await status(
      await bearer({ grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' }),
    ),
    403,
  );
  t.is(
    await status(await bearer({ grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' })),
    403,
  );
  t.is(
    await status(await bearer({ grant_type: 'client_credentials', client_id: 'nl', client_secret: 'nl-secret' })),
    200,
  );
  t.is(await status(basic('nl', 'nl-secret')), 200);
});

test('action tokens: with confirmation, GET shows a page without acting, and its button posts the key', async (t) => {
  const host = await withLinks({ confirm: true, singleUse: true });
  const key = await issue(t, host);
  for (const accept of ['text/html', '*/*']) {
    const page = await follow(host, key, { accept });
    t.is(page.status, 200);
    t.true(page.text.includes('from the application 42 for the account a…e'));
    t.false(page.text.includes('access_token'));
  }
  const action = `${host.realm(host.defaultRealm)}/login-actions/action-token`;
  const press = () => fetchAnswer(action, { method: 'POST', body: new URLSearchParams({ key }) });
  const posted = await press();
  t.deepEqual([posted.status, posted.json.scope], [200, 'newsletterscope42']);
  t.is((await press()).status, 400);
});
