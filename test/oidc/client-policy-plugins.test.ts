import { ClientPolicyCondition, ClientPolicyExecutor } from '@keyhost/spi';
import test from 'ava';
import { evaluateTokenUse } from '../../core/oidc/client-policy-requests.js';
import { CONDITIONS } from '../../core/realms/client-policies/conditions.js';
import { EXECUTORS } from '../../core/realms/client-policies/executors.js';
import { clientPoliciesOf } from '../../core/realms/client-policies/policies.js';
import { PolicyPlugins } from '../../core/realms/client-policies/policy-evaluation.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { claimsOf } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, post, SVC, userinfo, WEB } from '../helpers/login.js';
import { does, says, startPolicyPlugin, told } from '../helpers/policy-plugin.js';
import { ACCESS_TOKEN, NAKED } from '../helpers/realms.js';

const UNAVAILABLE = '503 temporarily_unavailable: Client policies cannot be checked at the moment. Try again later.';
const REFUSE = { refuse: { error: 'access_denied', description: 'Not today.' } };

for (const isolation of ['none', 'worker']) {
  test(`client policy plugins: an executor of a plugin refuses every request, each with its event (${isolation})`, async (t) => {
    const { host, ask, asked } = await startPolicyPlugin(t, isolation);
    const { refresh_token, access_token } = await logIn(host);
    const code = await freshCode(host);
    const token = (form: Record<string, string>) => host.token('demo', { ...WEB, ...form });
    const requests: [event: string, send: () => Promise<{ status: number }>][] = [
      ['TOKEN_REQUEST', () => redeem(host, code)],
      ['TOKEN_REFRESH', () => token({ grant_type: 'refresh_token', refresh_token })],
      ['SERVICE_ACCOUNT_TOKEN_REQUEST', () => token({ ...SVC, grant_type: 'client_credentials' })],
      ['RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST', () => token(ALICE_LOGIN)],
      [
        'TOKEN_EXCHANGE_REQUEST',
        () => token({ grant_type: NAKED, subject_token: access_token, subject_token_type: ACCESS_TOKEN }),
      ],
      ['TOKEN_REVOKE', () => post(host, 'revoke', { ...WEB, token: refresh_token })],
      ['TOKEN_INTROSPECT', () => post(host, 'token/introspect', { ...WEB, token: access_token })],
      ['LOGOUT_REQUEST', () => post(host, 'logout', { ...WEB, refresh_token })],
      [
        'PUSHED_AUTHORIZATION_REQUEST',
        () => post(host, 'ext/par/request', { ...WEB, response_type: 'code', redirect_uri: CALLBACK }),
      ],
      ['USERINFO_REQUEST', () => userinfo(host, access_token)],
    ];
    await ask([does(REFUSE)]);
    for (const [event, send] of requests) {
      const answer = (await send()) as Parameters<typeof told>[0];
      if (event === 'USERINFO_REQUEST') {
        t.is(answer.status, 400);
        t.regex(answer.headers.get('www-authenticate') ?? '', /error="access_denied", error_description="Not today."/);
      } else t.is(told(answer), '400 access_denied: Not today.', event);
      t.deepEqual(
        asked().map(({ who, input }) => [who, input.event, input.client.clientId]),
        [['does', event, event === 'SERVICE_ACCOUNT_TOKEN_REQUEST' ? 'svc' : 'web']],
      );
    }
    const event = (await host.stored('demo')).find(({ type }) => type === 'LOGOUT_ERROR');
    t.like(event, { error: 'access_denied', details: { client_policy_error: 'access_denied' } });

    // Errors before the redirect URI is validated are shown on a page, all others are sent to the redirect URI.
    const authorize = async () => {
      const { status, location, text } = await new Browser().open(codeRequest(host).url);
      const answer = location?.searchParams;
      return [
        status,
        answer?.get('error'),
        answer?.get('error_description') ?? /Not today\.|cannot be checked/.exec(text)?.[0],
      ];
    };
    t.deepEqual(await authorize(), [400, undefined, 'Not today.']);
    await ask([does(REFUSE)], [says('no')]);
    t.deepEqual(await authorize(), [200, undefined, undefined]);
    t.is(told(await token(ALICE_LOGIN)), '');
  });

  test(`client policy plugins: absent parameters are undefined (${isolation})`, async (t) => {
    const { host, ask } = await startPolicyPlugin(t, isolation);
    await ask([does('inherits')]);
    t.is(told(await host.token('demo', { ...SVC, grant_type: 'client_credentials' })), '');
  });
}

test('client policy plugins: a policy applies if a condition votes yes and none votes no; the realm can negate votes', async (t) => {
  const { host, ask, asked } = await startPolicyPlugin(t);
  const code = await freshCode(host);
  const isRefused = async (...conditions: Parameters<typeof ask>[1][]) => {
    await ask([does(REFUSE)], conditions.flat() as Parameters<typeof ask>[1]);
    return told(await host.token('demo', { ...SVC, grant_type: 'client_credentials' })) !== '';
  };
  const turned = { 'is-negative-logic': true };
  // The votes as Keycloak 26.7.3 counts them.
  t.true(await isRefused([says('yes')]));
  t.false(await isRefused([says('no')]));
  t.false(await isRefused([says('abstain')]));
  t.false(await isRefused([says('yes', turned)]));
  t.true(await isRefused([says('no', turned)]));
  t.false(await isRefused([says('abstain', turned)]));
  t.true(await isRefused([says('yes'), says('abstain')]));
  t.false(await isRefused([says('yes'), says('no')]));
  t.true(await isRefused([['any-client'], says('abstain')]));
  t.false(await isRefused([['any-client'], says('no')]));
  t.false(await isRefused([['at-night']]), 'it abstains at events that it does not declare');
  t.true(await isRefused([['any-client'], ['at-night']]));
  await ask([['at-night']], [['at-night']]);
  t.is(told(await redeem(host, code)), '400 access_denied: At night.', 'a condition and an executor of one ID');
  asked();
  t.false(await isRefused([says('yes'), ['client-access-type', { type: ['public'] }]]));
  t.deepEqual(asked(), [], 'nobody is asked about what the own condition has decided');

  await ask([['no-services']]);
  t.is(
    told(await host.token('demo', { ...SVC, grant_type: 'client_credentials' })),
    '400 unauthorized_client: No services.',
  );
  t.is(
    told(await host.token('demo', { ...WEB, ...ALICE_LOGIN })),
    '',
    'it is not asked at events that it does not declare',
  );
});

test('client policy plugins: a request that an executor of a plugin rejects fails', async (t) => {
  const { host, call, ask } = await startPolicyPlugin(t);
  const refresh = async () => {
    const { refresh_token } = await logIn(host);
    return host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token });
  };
  const service = () => host.token('demo', { ...SVC, grant_type: 'client_credentials' });
  await ask([does({ effects: { lighten: true, narrowScope: ['openid', 'basic', 'email'] } })]);
  const light = (await host.token('demo', { ...WEB, ...ALICE_LOGIN, scope: 'openid profile email' })).json;
  t.is(claimsOf(light.access_token ?? '').preferred_username, undefined);
  t.deepEqual(String(light.scope).split(' ').sort(), ['email', 'openid']);
  await ask([does({ effects: { withholdRefreshToken: true } })], [['grant-type', { grant_types: ['refresh_token'] }]]);
  const { status, json } = await refresh();
  t.deepEqual([status, json.refresh_token], [200, undefined]);
  await ask([does({ effects: { endSecret: 60 } })]);
  t.is(told(await service()), '');
  const clients = (await call('GET', '/realms/demo/clients?clientId=svc')).json as unknown as { attributes: object }[];
  t.true(Object.keys(clients[0]?.attributes ?? {}).includes('client.secret.expiration.time'));
  await ask(
    [does({ effects: { chooseFlow: { alias: 'no such flow' } } })],
    [['grant-type', { grant_types: ['authorization_code'] }]],
  );
  const page = await new Browser().open(codeRequest(host).url);
  t.notRegex(page.text, /name="password"/, 'a flow that is not there lets nobody in');
});

test('client policy plugins: a login is refused at its redirect URI, or goes through another flow, as a plugin has it', async (t) => {
  const { host, ask, asked } = await startPolicyPlugin(t);
  const login = (answer: unknown) => ask([['does-at-login', { answer: does(answer)[1]?.answer }]]);
  const open = async () => {
    const { status, location, text } = await new Browser().open(codeRequest(host).url);
    return [status, location?.searchParams.get('error') ?? /name="password"/.test(text)];
  };
  await login(null);
  t.deepEqual(await open(), [200, true]);
  const [{ input } = { input: undefined }] = asked();
  t.like(input, { redirectUri: CALLBACK, scope: 'openid', parameters: { response_type: 'code' } });
  await login(REFUSE);
  t.deepEqual(await open(), [302, 'access_denied']);
  await login('throws');
  t.deepEqual(await open(), [302, 'temporarily_unavailable']);
  const [first] = await host.stored('demo');
  t.like(first, { type: 'LOGIN_ERROR', error: 'temporarily_unavailable', details: { reason: 'client_policy_error' } });
  await login({ effects: { chooseFlow: { alias: 'direct grant' } } });
  t.deepEqual((await open())[1], false, 'no browser gets through a flow for programs');

  await ask([does(REFUSE)]);
  await post(host, 'ext/par/request', { client_id: 'keyhost-desk' });
  t.like(asked().at(-1)?.input.client, { clientId: 'keyhost-desk', publicClient: true });
});

test('client policy plugins: a pushed request gets a plugin’s rejection, before it is read and afterwards', async (t) => {
  const { host, call, ask } = await startPolicyPlugin(t);
  const stored = { enabledEventTypes: ['PUSHED_AUTHORIZATION_REQUEST_ERROR'] };
  t.is((await call('PUT', '/realms/demo', stored)).status, 204);
  const push = () => post(host, 'ext/par/request', { ...WEB, response_type: 'code', redirect_uri: CALLBACK });
  for (const executor of ['does-before-login', 'does-at-login']) {
    await ask([[executor, { answer: JSON.stringify(REFUSE) }]]);
    t.is(told(await push()), '400 access_denied: Not today.', executor);
    const [event] = await host.stored('demo');
    t.like(event, {
      error: 'access_denied',
      details: { reason: 'client_policy_error', client_policy_error_detail: 'Not today.' },
    });
    await ask([[executor, { answer: 'throws' }]]);
    const { headers, ...answer } = await push();
    t.is(told({ headers, ...answer }), UNAVAILABLE, executor);
    t.is(headers.get('retry-after'), '5');
  }
});

test('client policy plugins: no plugin takes the place of a condition or an executor of the host, which it would not be asked for', (t) => {
  const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id).sort();
  t.deepEqual([...ClientPolicyCondition.reserved].sort(), ids(CONDITIONS));
  t.deepEqual([...ClientPolicyExecutor.reserved].sort(), ids(EXECUTORS));
});

test('client policy plugins: where the host alone judges, nothing is waited for', async (t) => {
  const { host, ask } = await startPolicyPlugin(t);
  const waits = async () => {
    const realm = await host.realms.get('demo');
    const client = realm?.clients.get('svc');
    if (realm === undefined || client === undefined) throw new Error('there is no realm');
    const event = 'SERVICE_ACCOUNT_TOKEN_REQUEST' as const;
    const request = { event, client, issuer: realm.issuer, scope: undefined, parameter: () => undefined, ip: '' };
    const plugins = host.use(PolicyPlugins);
    const judged = clientPoliciesOf(realm)?.request(request, plugins.createFor(realm));
    const atUserinfo = evaluateTokenUse(realm, { event: 'USERINFO_REQUEST', scope: '' }, { client, ip: '', plugins });
    t.deepEqual(await Promise.all([judged, atUserinfo]), [undefined, undefined]);
    t.is(atUserinfo instanceof Promise, judged !== undefined);
    return judged !== undefined;
  };
  await ask(
    [['confidential-client'], ['use-lightweight-access-token']],
    [['any-client'], ['client-type', { protocol: 'openid-connect' }]],
  );
  t.false(await waits());
  await ask([['confidential-client'], does(null)], [['any-client'], says('yes')]);
  t.true(await waits());
});
