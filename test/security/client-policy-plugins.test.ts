import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { clientUuid } from '../helpers/admin.js';
import { type FreshCode, freshCode, redeem } from '../helpers/codes.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, logIn, post, SVC, userinfo, WEB } from '../helpers/login.js';
import { does, says, startPolicyPlugin, told, VOUCHER } from '../helpers/policy-plugin.js';
import { ALICE } from '../helpers/realms.js';

const ISOLATIONS = ['none', 'worker'] as const;
const UNAVAILABLE = '503 temporarily_unavailable: Client policies cannot be checked at the moment. Try again later.';

for (const isolation of ISOLATIONS) {
  test(`T740 · client policy plugins: a condition or an executor that throws, hangs or lies lets no request pass (${isolation})`, async (t) => {
    const { host, call, ask } = await startPolicyPlugin(t, isolation);
    const { refresh_token, access_token } = await logIn(host);
    const codes: FreshCode[] = [];
    const { json } = await call('POST', '/realms/demo/clients-initial-access', { count: 1, expiration: 0 });
    const register = () =>
      fetchAnswer(`${host.realm('demo')}/clients-registrations/default`, {
        method: 'POST',
        headers: { ...bearer(String(json.token)), 'content-type': 'application/json' },
        body: JSON.stringify({ redirectUris: [CALLBACK] }),
      });
    const token = (form: Record<string, string>) => host.token('demo', { ...WEB, ...form });
    const requests = [
      () => redeem(host, codes.pop() as FreshCode),
      () => token({ grant_type: 'refresh_token', refresh_token }),
      () => token({ ...SVC, grant_type: 'client_credentials' }),
      () => token(ALICE_LOGIN),
      () => post(host, 'revoke', { ...WEB, token: refresh_token }),
      () => post(host, 'token/introspect', { ...WEB, token: access_token }),
      () => post(host, 'logout', { ...WEB, refresh_token }),
      () => post(host, 'ext/par/request', { ...WEB, response_type: 'code', redirect_uri: CALLBACK }),
      () => call('POST', '/realms/demo/clients', { clientId: 'new' }),
      register,
    ];
    const refusesAll = async (why: string) => {
      for (const [index, answer] of (await Promise.all(requests.map((send) => send()))).entries()) {
        t.is(told(answer), UNAVAILABLE, why);
        t.is(answer.headers.get('retry-after'), index === 0 ? null : '5', 'a code that is used up is not sent again');
        t.notRegex(answer.text, /secret of the plugin|\.js:/);
      }
      const asked = await userinfo(host, access_token);
      t.deepEqual([asked.status, asked.headers.get('retry-after')], [503, '5'], why);
      const { status, text } = await new Browser().open(codeRequest(host).url);
      t.is(status, 503, why);
      t.notRegex(text, /name="password"/);
    };
    for (const broken of ['throws', 'hangs', 'functions', 'yes!', { refuse: 'no' }, { allow: true }]) {
      codes.push(await freshCodeOf());
      await ask([does(null)], [says(broken)]);
      await refusesAll(`condition ${JSON.stringify(broken)}`);
    }
    for (const broken of [
      'throws',
      'hangs',
      'functions',
      'yes',
      { refuse: 'no' },
      { allow: true },
      { client: { publicClient: true } },
    ]) {
      codes.push(await freshCodeOf());
      await ask([does(broken)]);
      await refusesAll(`executor ${JSON.stringify(broken)}`);
    }
    t.true(
      host.log.some(
        ({ level, fields }) => level === 'error' && JSON.stringify(fields).includes('secret of the plugin'),
      ),
    );
    await ask([does(null)]);
    t.is(told(await token({ grant_type: 'refresh_token', refresh_token })), '', 'nothing was revoked');
    t.is(await clientUuid(host, 'new'), '');
    t.is(told(await register()), '', 'nor was the token used up');

    async function freshCodeOf(): Promise<FreshCode> {
      await ask([does(null)]);
      return freshCode(host);
    }
  });

  test(`T741 · client policy plugins: plugins see no secret of a client, a user or a grant (${isolation})`, async (t) => {
    const { host, call, ask, asked } = await startPolicyPlugin(t, isolation);
    await ask([does(null)], [says('yes')]);
    const { refresh_token, access_token } = await logIn(host);
    const code = await freshCode(host);
    const redeemed = await redeem(host, code);
    t.is(told(redeemed), '');
    await post(host, 'token/introspect', { ...WEB, token: access_token, access_token });
    await post(host, 'revoke', { ...WEB, token: refresh_token });
    await userinfo(host, access_token);
    const attributes = { 'client.secret.rotated': 'rotated-secret', 'acme.api.key': 'attribute-secret', colour: 'red' };
    const protocolMappers = [
      { name: 'm', protocolMapper: 'oidc-hardcoded-claim-mapper', config: { 'acme.password': 'mapper-secret' } },
    ];
    const body = { clientId: 'new', secret: 'own-secret', attributes, protocolMappers };
    t.is((await call('POST', '/realms/demo/clients', body)).status, 201);
    const questions = asked();
    t.true(questions.length > 10);
    const text = JSON.stringify(questions);
    for (const secret of [
      WEB.client_secret,
      'Alice-pass-1!',
      refresh_token,
      access_token,
      code.code,
      'own-secret',
      'rotated-secret',
      'attribute-secret',
      'mapper-secret',
    ]) {
      t.false(text.includes(JSON.stringify(secret).slice(1, -1)), secret);
    }
    const { input } = questions.find(({ input: { event } }) => event === 'TOKEN_REQUEST') ?? {};
    t.like(input?.parameters, { grant_type: 'authorization_code', code: '**********', client_secret: '**********' });
    const made = questions.find(({ input: { event } }) => event === 'REGISTER')?.input;
    t.like(made, {
      client: { clientId: 'new', attributes: { colour: 'red' } },
      updater: { context: 'ByAuthenticatedUser' },
    });
  });
}

test('T728 · client policy plugins: a grant of a plugin gives no tokens and no session that a client policy refuses', async (t) => {
  const { host, call, ask, asked } = await startPolicyPlugin(t);
  const path = `/realms/demo/providers/oauth2-grant-type/${encodeURIComponent(VOUCHER)}`;
  t.is((await call('PUT', path, { enabled: true })).status, 204);
  const token = (more: object = {}) =>
    host.token('demo', { ...WEB, grant_type: VOUCHER, user: ALICE, voucher: 'the-secret-voucher', ...more });
  const sessions = async () =>
    ((await call('GET', `/realms/demo/users/${ALICE}/sessions`)).json as unknown as object[]).length;
  for (const [executors, why] of [
    [[['reject-request']], '400 invalid_request: Request not allowed'],
    [[does({ refuse: { error: 'access_denied', description: 'No vouchers.' } })], '400 access_denied: No vouchers.'],
    [[does('throws')], UNAVAILABLE],
  ] as const) {
    await ask(executors);
    t.is(told(await token()), why);
    const [event] = await host.stored('demo');
    t.like(event, { type: 'VOUCHER_ERROR', clientId: 'web', userId: ALICE });
  }
  t.is(await sessions(), 0);
  // Evaluated by the scope that the tokens would get, not by the request's.
  await ask([['reject-request']], [['client-scopes', { scopes: ['phone'], type: 'Optional' }]]);
  t.is(told(await token({ scope: 'email', chosen: 'phone' })), '400 invalid_request: Request not allowed');
  t.is(told(await token({ scope: 'phone', chosen: 'email' })), '');
  // The plugin's grant is none of those that the condition names.
  const other = { grant_types: ['password'] };
  await ask([['reject-request']], [['grant-type', other]]);
  t.is(told(await token()), '');
  await ask([['reject-request']], [['grant-type', { ...other, 'is-negative-logic': true }]]);
  t.is(told(await token()), '400 invalid_request: Request not allowed');
  // It has no code for PKCE to protect.
  await ask([['pkce-enforcer']]);
  t.is(told(await token()), '');
  t.is(await sessions(), 3);

  await ask([does({ effects: { withholdRefreshToken: true, lighten: true } })]);
  asked();
  const { status, json } = await token();
  t.deepEqual([status, json.refresh_token], [200, undefined]);
  const [{ input } = { input: undefined }] = asked();
  t.like(input, { event: 'TOKEN_REQUEST', client: { clientId: 'web' } });
  t.deepEqual(input?.parameters, {
    client_id: 'web',
    client_secret: '**********',
    grant_type: VOUCHER,
    user: '**********',
    voucher: '**********',
  });
});

test('T742 · client policy plugins: a result of a plugin that would have no effect rejects the request', async (t) => {
  const { host, call, ask } = await startPolicyPlugin(t);
  const service = () => host.token('demo', { ...SVC, grant_type: 'client_credentials' });
  await ask([does({ effects: { chooseFlow: { alias: 'browser' } } })]);
  t.is(told(await service()), UNAVAILABLE);
  t.is((await new Browser().open(codeRequest(host).url)).status, 503, 'nor before the request is read');
  await ask([does({ effects: { narrowScope: [] } })]);
  t.is(told(await post(host, 'token/introspect', { ...WEB, token: 'x' })), UNAVAILABLE);
  t.is(told(await call('POST', '/realms/demo/clients', { clientId: 'new' })), UNAVAILABLE);
  await ask([does({ client: { consentRequired: true } })]);
  t.is(told(await service()), UNAVAILABLE);
  t.true(
    host.log.some(({ fields }) => JSON.stringify(fields).includes('SERVICE_ACCOUNT_TOKEN_REQUEST changes no client')),
  );
});

test('T743 · client policy plugins: an executor of a plugin gives a client nothing that its admin may not give it', async (t) => {
  const { host, call, ask } = await startPolicyPlugin(t);
  for (const client of [
    { fullScopeAllowed: true },
    { serviceAccountsEnabled: true },
    { enabled: true },
    { secret: 'mine' },
    { redirectUris: ['*'] },
    { protocolMappers: [] },
    { attributes: { 'client.secret.rotated': 'mine' } },
  ]) {
    await ask([does({ client })]);
    t.is(told(await call('POST', '/realms/demo/clients', { clientId: 'new' })), UNAVAILABLE, JSON.stringify(client));
  }
  t.is(await clientUuid(host, 'new'), '');
});

test('T744 · client policy plugins: a policy whose plugin is missing rejects, and is not read as another one', async (t) => {
  const { host, ask, call } = await startPolicyPlugin(t);
  await ask([does(null)], [says('yes')]);
  const service = () => host.token('demo', { ...SVC, grant_type: 'client_credentials' });
  t.is(told(await service()), '');
  await writeFile(join(host.dir, 'plugins.json'), JSON.stringify({ plugins: [] }));
  t.is((await host.plugins.reload()).outcome, 'replaced');
  t.is(told(await service()), UNAVAILABLE);
  t.is(told(await call('POST', '/realms/demo/clients', { clientId: 'new' })), UNAVAILABLE);
});

test('T745 · client policy plugins: a plugin at its limit rejects, and no request waits', async (t) => {
  const { host, ask } = await startPolicyPlugin(t, 'worker', { late: { concurrency: 1, callTimeout: 5 } });
  const service = () => host.token('demo', { ...SVC, grant_type: 'client_credentials' });
  await ask([does(null)], [says('hangs')]);
  const answers = await Promise.all(Array.from({ length: 6 }, service));
  t.deepEqual(
    answers.map(told),
    Array.from({ length: 6 }, () => UNAVAILABLE),
  );
  t.true(host.log.some(({ fields }) => /Too many calls/.test(JSON.stringify(fields))));
  await ask([does(null)], [['says-late', { answer: '"yes"' }]]);
  t.is(told(await service()), '', 'and it is free again');
});

test('T746 · client policy plugins: a member that an executor leaves undefined keeps the admin’s value', async (t) => {
  const { call, ask } = await startPolicyPlugin(t);
  await ask([does('blanks')]);
  const sent = { enabled: false, fullScopeAllowed: false };
  const made = await call('POST', '/realms/demo/clients', { clientId: 'new', ...sent });
  t.is(told(made), '');
  const path = `/realms/demo/clients/${made.headers.get('location')?.split('/').pop()}`;
  t.like((await call('GET', path)).json, sent as object);
});

for (const isolation of ISOLATIONS) {
  test(`T747 · client policy plugins: plugins do not see credentials for other plugins (${isolation})`, async (t) => {
    const { host, call, ask, asked } = await startPolicyPlugin(t, isolation);
    const client = { clientId: 'worded', clientAuthenticatorType: 'word', serviceAccountsEnabled: true };
    t.is((await call('POST', '/realms/demo/clients', client)).status, 201);
    await ask([does(null)], [says('yes')]);
    const form = { client_id: 'worded', word: 'sesame', colour: 'red' };
    t.is(told(await host.token('demo', { ...form, grant_type: 'client_credentials' })), '');
    await post(host, 'token/introspect', { ...form, token: 'x' });
    const questions = asked();
    t.is(questions.length, 4);
    for (const { input } of questions) t.like(input.parameters, { word: '**********', colour: 'red' });
  });

  test(`T747 · client policy plugins: it reaches no grant of a plugin, and no login that the client has pushed (${isolation})`, async (t) => {
    const providers = { 'oauth2-grant-type': { 'urn:test:noted': { enabled: true } } };
    const { host, call, ask, asked } = await startPolicyPlugin(t, isolation, { providers });
    const client = { clientId: 'worded', clientAuthenticatorType: 'word', redirectUris: [CALLBACK] };
    t.is((await call('POST', '/realms/demo/clients', client)).status, 201);
    const form = { client_id: 'worded', word: 'sesame', colour: 'red' };
    t.is(
      told(await host.token('demo', { ...form, grant_type: 'urn:test:noted' })),
      '400 invalid_grant: User not found',
    );
    const [{ input: request } = { input: undefined }] = asked();
    t.like(request, { form: { colour: 'red' }, repeated: { colour: ['red'] } } as object);
    t.notRegex(JSON.stringify(request), /sesame/);
    await ask([does(null)]);
    const login = { ...form, response_type: 'code', redirect_uri: CALLBACK };
    const pushed = await post(host, 'ext/par/request', login);
    t.is(told(pushed), '');
    const query = new URLSearchParams({ client_id: 'worded', request_uri: String(pushed.json.request_uri) });
    t.is((await new Browser().open(`${host.oidc('demo')}/auth?${query}`)).status, 200);
    const words = asked().map(({ input: { event, parameters } }) => `${event} ${parameters.word}`);
    const [first, ...others] = words;
    t.is(first, 'PUSHED_AUTHORIZATION_REQUEST **********');
    t.is(others.length, 4);
    for (const other of others) t.regex(other, /AUTHORIZATION_REQUEST undefined$/);
  });
}

test('T748 · client policy plugins: changes of an executor to its input affect nothing else', async (t) => {
  const { host, call, ask, asked } = await startPolicyPlugin(t);
  await ask([does('meddles'), does(null, { times: 2 })]);
  t.is(told(await host.token('demo', { ...SVC, grant_type: 'client_credentials', colour: 'red' })), '');
  const attributes = { colour: 'red' };
  t.is((await call('POST', '/realms/demo/clients', { clientId: 'new', attributes })).status, 201);
  const [, ofRequest, , ofChange] = asked().map(({ input }) => input);
  t.is(ofRequest?.parameters.colour, 'red');
  t.is(ofRequest?.client.attributes.colour, undefined);
  t.is(ofChange?.client.attributes.colour, 'red');
  t.true((ofChange?.updater?.roles.length ?? 0) > 0);
});

for (const isolation of ['none', 'worker']) {
  test(`T749 · client policy plugins: a plugin that requests tokens learns what is unavailable, and repeats nothing (${isolation})`, async (t) => {
    const { host, ask } = await startPolicyPlugin(t, isolation, {
      providers: { 'realm-restapi-extension': { redeems: { enabled: true } } },
    });
    await ask([does(null)]);
    const { code, verifier } = await freshCode(host);
    await ask([does('throws')]);
    const form = { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { json } = await fetchAnswer(`${host.realm('demo')}/redeems/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    t.like(json, { status: 503, error: 'temporarily_unavailable' } as object);
    t.false('retry-after' in ((json as { headers?: object }).headers ?? {}));
  });
}

test('T749 · client policy plugins: an error asks for a repetition only if the credential is still valid', async (t) => {
  const { host, ask } = await startPolicyPlugin(t, 'none', {
    providers: { 'oauth2-grant-type': { [VOUCHER]: { enabled: true } } },
  });
  const push = async () => {
    const form = { ...WEB, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' };
    return String((await post(host, 'ext/par/request', form)).json.request_uri);
  };
  const open = async (address: string) => {
    const { status, headers } = await fetchAnswer(address, { headers: { accept: 'text/html' } });
    return [status, headers.get('retry-after')];
  };
  await ask([does(null)]);
  const code = await freshCode(host);
  const { refresh_token } = await logIn(host);
  const pushed = `${host.oidc('demo')}/auth?${new URLSearchParams({ client_id: 'web', request_uri: await push() })}`;
  await ask([does('throws')]);
  const redeemed = await redeem(host, code);
  t.deepEqual([told(redeemed), redeemed.headers.get('retry-after')], [UNAVAILABLE, null]);
  const voucher = await host.token('demo', { ...WEB, grant_type: VOUCHER, user: ALICE, voucher: 'x' });
  t.deepEqual([told(voucher), voucher.headers.get('retry-after')], [UNAVAILABLE, null]);
  t.deepEqual(await open(pushed), [503, null]);
  t.deepEqual(await open(codeRequest(host).url), [503, '5']);
  const refresh = () => host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token });
  t.is((await refresh()).headers.get('retry-after'), '5');
  await ask([does(null)]);
  t.is(told(await refresh()), '');
  t.deepEqual(await open(pushed), [400, null]);
});
