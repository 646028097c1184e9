import test, { type ExecutionContext } from 'ava';
import { adminCaller } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { PARTNER_ALICE, PAULA, socialLink, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, CALLBACK, codeRequest, signIn as signInHere } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, userinfo, WEB } from '../helpers/login.js';
import { codeOf } from '../helpers/read-page.js';

const PROVIDER = { storeToken: true, addReadTokenRoleOnCreate: true };

async function scene(t: ExecutionContext, switches: object = PROVIDER) {
  const provider = await startFakeProvider(t);
  const { url } = provider;
  const stage = await startWithPartner(t, {
    provider: switches,
    config: {
      authorizationUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      userInfoUrl: `${url}/userinfo`,
      issuer: url,
      jwksUrl: `${url}/jwks`,
      clientSecret: 'secret',
    },
  });
  const { host } = stage;
  /** Logs fay in by the provider; resolves to her access token. */
  const signIn = async () => {
    const browser = new Browser();
    const { url: login, verifier } = codeRequest(host);
    const { location } = await browser.open(socialLink(await browser.open(login)));
    const code = codeOf(await browser.open(provider.back(location as URL))) ?? '';
    const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    return String((await host.token('demo', { ...WEB, ...grant })).json.access_token);
  };
  const read = (token?: string, alias = 'partner', init: RequestInit = {}) =>
    fetchAnswer(`${host.realm('demo')}/broker/${alias}/token`, {
      ...init,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...init.headers },
    });
  return { ...stage, provider, signIn, read, call: await adminCaller(host) };
}

const kept = { access_token: 'the-secret-access-token', token_type: 'Bearer' };

test('stored tokens of a provider: an application reads the tokens of its user', async (t) => {
  const { signIn, read, user, host } = await scene(t);
  const token = await signIn();
  const first = await read(token);
  t.like(first.json, kept, first.text);
  t.is(first.status, 200);
  t.regex(first.headers.get('content-type') ?? '', /^application\/json/);
  t.is(first.headers.get('cache-control'), 'no-store');
  t.regex(String(first.json.id_token), /^eyJ/);
  const again = await signIn();
  const second = await read(again);
  t.not(second.json.id_token, first.json.id_token, 'the newest are kept');
  t.is((await read(token)).text, second.text);
  t.deepEqual((await user('fay'))?.representation.clientRoles?.broker, ['read-token']);
  t.false(JSON.stringify(await host.stored('demo')).includes(kept.access_token));
  const preflight = await read(undefined, 'partner', { method: 'OPTIONS', headers: { origin: 'http://x.test' } });
  t.true(preflight.status < 300);
  t.is((await read(token, 'partner', { method: 'POST' })).status, 405);
});

test('stored tokens of a provider: a client policy keeps applications from the tokens of some providers', async (t) => {
  const { signIn, read, call, host } = await scene(t);
  const token = await signIn();
  const stored = { enabledEventTypes: ['IDENTITY_PROVIDER_RETRIEVE_TOKEN_ERROR'] };
  t.is((await call('PUT', '/realms/demo/events/config', stored)).status, 204);
  const ask = async (executor: string, configuration: object) => {
    const policy = onePolicy([[executor]], [['identity-provider-alias', { ...configuration }]]);
    t.is((await call('PUT', '/realms/demo', policy)).status, 204);
  };
  const turned = { 'is-negative-logic': true };
  for (const [configuration, status] of [
    [{ identity_provider_aliases: ['partner'] }, 400],
    [{ identity_provider_aliases: ['google'] }, 200],
    [{ identity_provider_aliases: ['google'], ...turned }, 400],
    [{ identity_provider_aliases: ['partner'], ...turned }, 200],
    [{}, 200],
  ] as const) {
    await ask('reject-request', configuration);
    t.is((await read(token)).status, status, JSON.stringify(configuration));
  }
  await ask('reject-request', { identity_provider_aliases: ['partner'] });
  t.is((await read(token)).text, '{"errorMessage":"Request not allowed"}');
  const [event] = await host.stored('demo');
  const details = { identity_provider: 'partner', client_policy_error_detail: 'Request not allowed' };
  t.like(event, { type: 'IDENTITY_PROVIDER_RETRIEVE_TOKEN_ERROR', error: 'invalid_request', details });
  await ask('confidential-client', { identity_provider_aliases: ['partner'] });
  t.is((await read(token)).status, 200, 'an executor without a say in it');
});

test('stored tokens of a provider: missing rights and missing tokens are reported as in Keycloak', async (t) => {
  const { signIn, read, call, user, host } = await scene(t);
  const token = await signIn();
  t.is((await read()).status, 400);
  t.is((await read('nonsense')).status, 400);
  t.is((await read(token, 'nobody')).status, 404);
  const alice = async () => String((await host.token('demo', { ...WEB, ...ALICE_LOGIN })).json.access_token);
  t.is((await read(await alice())).status, 403);
  const { id: aliceId = '' } = (await user('alice')) ?? {};
  const [broker] = JSON.parse((await call('GET', '/realms/demo/clients?clientId=broker')).text);
  const role = JSON.parse((await call('GET', `/realms/demo/clients/${broker.id}/roles/read-token`)).text);
  t.is((await call('POST', `/realms/demo/users/${aliceId}/role-mappings/clients/${broker.id}`, [role])).status, 204);
  t.is((await read(await alice())).status, 400, 'not linked');
  const path = '/realms/demo/identity-provider/instances/partner';
  const shown = JSON.parse((await call('GET', path)).text);
  const set = async (change: object) => t.is((await call('PUT', path, { ...shown, ...change })).status, 204);
  await set({ storeToken: false });
  t.is((await read(token)).status, 400);
  await set({ enabled: false });
  t.is((await read(token)).status, 404);
  await set({});
  t.is((await read(token)).status, 200);
  const { id = '' } = (await user('fay')) ?? {};
  const link = `/realms/demo/users/${id}/federated-identity/partner`;
  t.is((await call('DELETE', link)).status, 204);
  t.is((await read(token)).status, 400);
  t.is((await call('POST', link, { userId: 'u1', userName: 'fay' })).status, 204);
  t.is((await read(token)).status, 404, 'linked by an admin: nothing is stored');
  t.truthy(await signIn());
  t.is((await read(token)).status, 200);
  t.is((await call('PUT', `/realms/demo/users/${id}`, { enabled: false })).status, 204);
  t.is((await read(token)).status, 400);
});

test('stored tokens of a provider: tokens are stored with an account that is linked to an existing user', async (t) => {
  const { host, user } = await startWithPartner(t, {
    provider: PROVIDER,
    demo: { smtpServer: { host: '127.0.0.1', port: '1', from: 'a@b.test' } },
  });
  const browser = new TwoRealmBrowser();
  const asked = await browser.submit(await browser.signInByPartner(host, PARTNER_ALICE), {});
  const done = await browser.submit(asked, { password: 'Alice-pass-1!' });
  t.truthy(codeOf(done), done.text);
  t.deepEqual((await user('alice'))?.representation.clientRoles?.broker, ['read-token']);
  const { json } = await host.token('demo', { ...WEB, ...ALICE_LOGIN });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const answer = await fetchAnswer(`${host.realm('demo')}/broker/partner/token`, { headers });
  t.is(answer.status, 200, answer.text);
  const { access_token: theirs, accessTokenExpiration: until } = answer.json as Record<string, unknown>;
  t.is((await userinfo(host, String(theirs), 'partner')).status, 200, 'it is good at the provider');
  t.true(Number(until) > Date.now() / 1000);
});

test('stored tokens of a provider: tokens are stored with an account that an application has its user link', async (t) => {
  const { host, user } = await startWithPartner(t, { provider: { ...PROVIDER, linkOnly: true } });
  const browser = new TwoRealmBrowser();
  await signInHere(browser.home, codeRequest(host).url);
  const there = await browser.follow(codeRequest(host, { kc_action: 'idp_link:partner' }).url);
  const done = await browser.submit(await browser.submit(there, PAULA), {});
  t.is(done.location?.searchParams.get('kc_action_status'), 'success', done.text);
  const [link] = (await user('alice'))?.representation.federatedIdentities ?? [];
  t.like(link, { identityProvider: 'partner', userName: 'paula' });
  t.is(String(link?.token).split('.').length, 5);
  t.is(
    (await user('alice'))?.representation.clientRoles?.broker,
    undefined,
    'the role is for whom the provider brings',
  );
});

test('stored tokens of a provider: without storeToken none are stored, and without addReadTokenRoleOnCreate nobody may read', async (t) => {
  const neither = await scene(t, {});
  const token = await neither.signIn();
  t.is((await neither.read(token)).status, 403);
  const link = (await neither.user('fay'))?.representation.federatedIdentities?.[0];
  t.deepEqual(Object.keys(link ?? {}).sort(), ['identityProvider', 'userId', 'userName']);
  t.is((await neither.user('fay'))?.representation.clientRoles?.broker, undefined);
});
