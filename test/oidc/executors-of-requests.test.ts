import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import type { Answer } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, post, SVC, userinfo, WEB } from '../helpers/login.js';

type Configured = Parameters<typeof onePolicy>[0];

async function started(t: ExecutionContext) {
  const host = await startAdministered(t, { realms: [codeRealm('demo')] });
  const call = await adminCaller(host);
  const token = (form: Record<string, string>) => host.token('demo', form);
  return {
    host,
    token,
    ask: async (executors: Configured, conditions?: Configured) => {
      const { status, text } = await call('PUT', '/realms/demo', onePolicy(executors, conditions));
      t.is(status, 204, text);
    },
    /** The error that the application gets, or '' if a page is shown. */
    authorize: async (changes: Record<string, string | undefined>) => {
      const { status, location, text } = await new Browser().open(codeRequest(host, changes).url);
      const answer = location?.searchParams;
      if (status === 302) return `${answer?.get('error')}: ${answer?.get('error_description')}`;
      return status === 200 ? '' : `${status} ${text.includes('Request not allowed') ? 'Request not allowed' : text}`;
    },
    eventOf: async (type: string) => (await host.stored('demo')).find((event) => event.type === type),
  };
}

function told({ status, json }: Answer): string {
  const { error, error_description } = json as Record<string, string>;
  return status < 300 ? '' : `${status} ${error}: ${error_description}`;
}

test('client policy executors: all requests of clients are refused, each with its event, as in Keycloak', async (t) => {
  const { host, token, ask, authorize, eventOf } = await started(t);
  const { refresh_token, access_token } = await logIn(host);
  await ask([['reject-request']]);
  const refused = '400 invalid_request: Request not allowed';
  t.is(await authorize({}), '400 Request not allowed');
  const details = { reason: 'client_policy_error', client_policy_error: 'invalid_request' };
  t.like(await eventOf('LOGIN_ERROR'), { error: 'invalid_request', details });
  const requests: [path: string, form: Record<string, string>, event?: string][] = [
    ['ext/par/request', { ...WEB, response_type: 'code', redirect_uri: CALLBACK }, undefined],
    ['token', { ...WEB, ...ALICE_LOGIN }, 'LOGIN_ERROR'],
    ['token', { ...SVC, grant_type: 'client_credentials' }, 'CLIENT_LOGIN_ERROR'],
    ['token', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }, undefined],
    ['token/introspect', { ...WEB, token: access_token ?? '' }, undefined],
    ['revoke', { ...WEB, token: refresh_token ?? '' }, 'REVOKE_GRANT_ERROR'],
    ['logout', { ...WEB, refresh_token: refresh_token ?? '' }, 'LOGOUT_ERROR'],
  ];
  for (const [path, form, type] of requests) {
    t.is(told(path === 'token' ? await token(form) : await post(host, path, form)), refused, path);
    if (type !== undefined) t.like(await eventOf(type), { error: 'invalid_request', details }, path);
  }
  const asked = await userinfo(host, access_token ?? '');
  t.is(asked.status, 400);
  t.regex(
    asked.headers.get('www-authenticate') ?? '',
    /error="invalid_request", error_description="Request not allowed"/,
  );
  await ask([['reject-request']], [['client-access-type', { type: ['public'] }]]);
  t.is((await userinfo(host, access_token ?? '')).status, 200);
  t.is(told(await token({ ...WEB, ...ALICE_LOGIN })), '', 'the policy is for public clients alone');
});

test('client policy executors: passwords are no grant, before anybody looks at them', async (t) => {
  const { token, ask, eventOf } = await started(t);
  await ask([['reject-ropc-grant']]);
  const refused = '400 invalid_grant: resource owner password credentials grant is prohibited.';
  t.is(told(await token({ ...WEB, ...ALICE_LOGIN })), refused);
  t.is(told(await token({ ...WEB, ...ALICE_LOGIN, password: 'wrong' })), refused);
  t.like(await eventOf('LOGIN_ERROR'), {
    error: 'invalid_grant',
    details: { client_policy_error_detail: 'resource owner password credentials grant is prohibited.' },
  });
  t.is(told(await token({ ...SVC, grant_type: 'client_credentials' })), '');
});

test('client policy executors: a login has a response type that the policy allows', async (t) => {
  const { host, ask, authorize } = await started(t);
  const push = (changes: Record<string, string>) =>
    post(host, 'ext/par/request', { ...WEB, redirect_uri: CALLBACK, scope: 'openid', ...changes });
  await ask([['reject-implicit-grant']]);
  t.is(await authorize({}), '');
  // As in Keycloak 26.7.3.
  const implicit = '400 invalid_request: Implicit/Hybrid flow is prohibited.';
  t.is(told(await push({})), '400 invalid_request: No response type.');
  for (const type of ['code id_token', 'id_token', 'none']) t.is(told(await push({ response_type: type })), implicit);
  await ask([['secure-response-type', { 'allow-token-response-type': true, 'auto-configure': true }]]);
  t.is(await authorize({}), 'invalid_request: invalid response_type');
});

test('client policy executors: a login is pushed, and the browser adds nothing to it', async (t) => {
  const { host, ask, eventOf } = await started(t);
  const base = { response_type: 'code', redirect_uri: CALLBACK, scope: 'openid', state: 'x' };
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const push = (form: Record<string, string>) => post(host, 'ext/par/request', { ...WEB, ...form });
  await ask([['secure-par-content']]);
  const open = async (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ client_id: 'web', ...parameters });
    const { status, text } = await new Browser().open(`${host.oidc('demo')}/auth?${query}`);
    return status === 200 ? '' : `${status} ${/PAR [^<]*[.r]/.exec(text)?.[0] ?? text}`;
  };
  const beside = async (parameters: Record<string, string>, pushed: Record<string, string> = base) => {
    const { status, json, text } = await push({ ...pkce, ...pushed });
    t.is(status, 201, text);
    return open({ request_uri: json.request_uri ?? '', ...parameters });
  };
  // As in Keycloak 26.7.3.
  const { redirect_uri: _, ...nowhere } = base;
  t.is(told(await push(nowhere)), "400 invalid_request: PAR is required to have a 'redirect_uri' parameter");
  t.is(await open({ ...base, ...pkce }), '400 PAR request_uri not included.');
  t.is(await open({ ...base, request_uri: 'https://x.test/object' }), '400 PAR request_uri not included.');
  const error = { client_policy_error: 'invalid_request', client_policy_error_detail: 'PAR request_uri not included.' };
  t.like(await eventOf('LOGIN_ERROR'), { error: 'invalid_request', details: error });
  t.is(await beside({}), '');
  t.is(await beside({ scope: 'openid email' }), '', 'what the client has pushed counts');
  t.is(await beside(base), '');
  t.is(await beside({ foo: 'bar' }, { ...base, foo: 'bar' }), '');
  const added = '400 PAR request did not include query parameter';
  for (const more of [{ nonce: 'n' }, { ui_locales: 'de' }, { foo: 'bar' }, { prompt: '' }] as Record<
    string,
    string
  >[]) {
    t.is(await beside(more), added, JSON.stringify(more));
  }
});

test('client policy executors: users are sent back to an address with TLS, not even to their own machine', async (t) => {
  const { ask, authorize } = await started(t);
  await ask([['secure-client-uris']]);
  t.is(await authorize({}), 'invalid_request: Invalid redirect_uri');
});

test('client policy executors: a client that must sign an assertion signs it with a strong algorithm', async (t) => {
  const { host, token, ask } = await started(t);
  const { refresh_token, access_token } = await logIn(host);
  await ask([['secure-signature-algorithm-signed-jwt', { 'require-client-assertion': true }]]);
  const missing = '400 invalid_request: client assertion is required.';
  // As in Keycloak 26.7.3, which does not check passwords, exchanges and pushed requests.
  const requests: [path: string, form: Record<string, string>, answer: string][] = [
    ['token', { ...SVC, grant_type: 'client_credentials' }, missing],
    ['token', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }, missing],
    ['token', { ...WEB, ...ALICE_LOGIN }, ''],
    ['token/introspect', { ...WEB, token: access_token ?? '' }, missing],
    ['revoke', { ...WEB, token: 'x' }, missing],
    ['logout', { ...WEB, refresh_token: 'x' }, missing],
    ['ext/par/request', { ...WEB, response_type: 'code', redirect_uri: CALLBACK }, ''],
  ];
  for (const [path, form, answer] of requests) {
    t.is(told(path === 'token' ? await token(form) : await post(host, path, form)), answer, path);
  }
  await ask([['secure-signature-algorithm-signed-jwt']]);
  t.is(told(await token({ ...SVC, grant_type: 'client_credentials' })), '');
});

test('client policy executors: a policy is for the logins that ask for a level of authentication', async (t) => {
  const { token, ask, authorize } = await started(t);
  const refused = 'invalid_request: Request not allowed';
  const acr = (value: object) => ({ claims: JSON.stringify({ id_token: { acr: value } }) });
  // As in Keycloak 26.7.3.
  const cases: [acr: string | undefined, changes: Record<string, string>, answer: string][] = [
    [undefined, { acr_values: '2' }, ''],
    ['2', {}, ''],
    ['2', { acr_values: '2' }, refused],
    ['2', { acr_values: '1 2' }, refused],
    ['2', { acr_values: 'gold' }, ''],
    ['2', acr({ values: ['2', '3'] }), refused],
    ['2', acr({ value: '2' }), refused],
    ['gold', { acr_values: 'gold' }, refused],
    ['gold', { acr_values: '2' }, ''],
  ];
  for (const [name, changes, answer] of cases) {
    const conditions = [['acr-condition', name === undefined ? {} : { 'acr-property': name }]] as const;
    // The page is not an answer of the policy, which was evaluated before.
    await ask([['reject-request']], conditions);
    t.is(await authorize(changes), answer, `${name} ${JSON.stringify(changes)}`);
  }
  t.is(told(await token({ ...WEB, ...ALICE_LOGIN })), '', 'no say in other requests');
});

test('client policy executors: a condition on identity providers ignores requests without one', async (t) => {
  const { token, ask } = await started(t);
  const configuration = { identity_provider_aliases: ['google'] };
  await ask([['reject-request']], [['identity-provider-alias', { ...configuration, 'is-negative-logic': true }]]);
  t.is(told(await token({ ...WEB, ...ALICE_LOGIN })), '');
  await ask([['reject-request']], [['any-client'], ['identity-provider-alias', configuration]]);
  t.not(told(await token({ ...WEB, ...ALICE_LOGIN })), '');
});
