import test from 'ava';
import {
  messageOf,
  PARTNER_ALICE,
  PARTNER_SECRET,
  PAULA,
  type PartnerScene,
  socialLink,
  startWithPartner,
  TwoRealmBrowser,
} from '../helpers/external-idp.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { codeOf, heading } from '../helpers/read-page.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };
const step = (authenticator: string, requirement: string, priority: number, more: object = {}) => ({
  authenticator,
  requirement,
  priority,
  ...more,
});
const flow = (alias: string, authenticationExecutions: ReturnType<typeof step>[]) => ({
  alias,
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions,
});

test('login by a provider: kc_idp_hint skips the login page, and a silent request stays silent', async (t) => {
  const { host } = await startWithPartner(t);
  const browser = new TwoRealmBrowser();
  const hinted = codeRequest(host, { kc_idp_hint: 'partner', prompt: 'login', login_hint: 'paula' }).url;
  const { location, status } = await browser.open(hinted);
  t.is(status, 302 + 1);
  t.is(location?.origin + (location?.pathname ?? ''), `${host.oidc('partner')}/auth`);
  t.is(location?.searchParams.get('prompt'), 'login', 'who must log in must do so there');
  t.is(location?.searchParams.get('login_hint'), null, 'told only where the configuration says so');
  const silent = await new Browser().open(codeRequest(host, { kc_idp_hint: 'partner', prompt: 'none' }).url);
  t.is(silent.location?.searchParams.get('error'), 'login_required');
  const unknown = await new Browser().open(codeRequest(host, { kc_idp_hint: 'nobody' }).url);
  t.is(heading(unknown), 'Sign in to your account');
});

test('login by a provider: a flow can redirect to a provider, and a cancelled login there returns', async (t) => {
  const authenticatorConfig = [{ alias: 'to the partner', config: { defaultProvider: 'partner' } }];
  const executions = [
    step('auth-cookie', 'ALTERNATIVE', 10),
    step('identity-provider-redirector', 'ALTERNATIVE', 20, { authenticatorConfig: 'to the partner' }),
    step('auth-username-password-form', 'ALTERNATIVE', 30),
  ];
  const { host } = await startWithPartner(t, {
    demo: { authenticatorConfig, authenticationFlows: [flow('direct', executions)], browserFlow: 'direct' },
  });
  const browser = new TwoRealmBrowser();
  const { location } = await browser.open(codeRequest(host).url);
  t.is(location?.origin + (location?.pathname ?? ''), `${host.oidc('partner')}/auth`);
  const state = location?.searchParams.get('state') ?? '';
  const denied = new URLSearchParams({ error: 'access_denied', state });
  const page = await browser.open(`${host.realm('demo')}/broker/partner/endpoint?${denied}`);
  t.is(messageOf(page), 'Access was denied at Partner & Co. Try again, or sign in another way.');
  t.truthy(codeOf(await browser.submit(page, ALICE)));
});

test('login by a provider: two parallel first logins of one account create one user', async (t) => {
  const { host, user } = await startWithPartner(t);
  const realm = await host.realms.get('demo');
  const browsers = [new TwoRealmBrowser(), new TwoRealmBrowser(), new TwoRealmBrowser()];
  const visits = await Promise.all(
    browsers.map(async (browser) => browser.there.submit(await browser.toPartner(host), PAULA)),
  );
  const done = await Promise.all(visits.map(({ location }, index) => browsers[index]?.follow(location?.href ?? '')));
  t.deepEqual(
    done.map((visit) => visit !== undefined && codeOf(visit) !== undefined),
    [true, true, true],
  );
  t.is((await user('paula'))?.representation.federatedIdentities?.length, 1);
  const all = realm && (await host.users.find(realm, { identityProvider: { alias: 'partner' } }));
  t.is(all?.length, 1);
});

test('login by a provider: a disabled provider or user cannot sign in', async (t) => {
  const scene = await startWithPartner(t, {
    demo: { enabledEventTypes: ['LOGIN', 'IDENTITY_PROVIDER_LOGIN_ERROR', 'REGISTER'] },
  });
  const { host, admin, user, events } = scene;
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)));
  const paula = (await user('paula'))?.id ?? '';
  await admin.users.update({ id: paula }, { enabled: false });
  const refused = await new TwoRealmBrowser().signInByPartner(host);
  t.is(refused.status, 400);
  t.is(messageOf(refused), 'Your account is disabled. Contact your administrator.');
  await admin.users.update({ id: paula }, { enabled: true });
  const browser = new TwoRealmBrowser();
  const login = await browser.open(codeRequest(host).url);
  const away = await browser.toPartner(host);
  const provider = await admin.identityProviders.findOne({ alias: 'partner' });
  for (const change of [{ linkOnly: true }, { enabled: false, linkOnly: false }]) {
    await admin.identityProviders.update({ alias: 'partner' }, { ...provider, ...change });
    const page = await browser.open(socialLink(login));
    t.is(page.status, 404);
    t.is(messageOf(page), 'Identity provider not found. Go back to the application and sign in again.');
  }
  const late = await browser.submit(away, PAULA);
  t.is(late.status, 404, 'also for who was on the way');
  t.is((await browser.open(`${host.realm('demo')}/broker/nobody/login`)).status, 400);
  t.is((await browser.open(`${host.realm('demo')}/broker/partner/nothing`)).status, 404);
  t.is((await browser.open(`${host.realm('demo')}/broker/partner/token`)).status, 400, 'without an access token');
  t.is((await browser.home.open(`${host.realm('demo')}/broker/partner/login`, { method: 'POST' })).status, 405);
  t.deepEqual((await events()).slice(-4), [
    'IDENTITY_PROVIDER_LOGIN_ERROR user_disabled',
    'IDENTITY_PROVIDER_LOGIN_ERROR unknown_identity_provider',
    'IDENTITY_PROVIDER_LOGIN_ERROR unknown_identity_provider',
    'IDENTITY_PROVIDER_LOGIN_ERROR unknown_identity_provider',
  ]);
});

test('login by a provider: a post-login flow may require more after each login', async (t) => {
  const postBrokerLoginFlowAlias = 'more';
  const { host, user } = await startWithPartner(t, {
    demo: { authenticationFlows: [flow('more', [step('auth-otp-form', 'REQUIRED', 10)])] },
    provider: { postBrokerLoginFlowAlias },
  });
  const browser = new TwoRealmBrowser();
  const page = await browser.signInByPartner(host);
  t.is(heading(page), 'Set up authenticator app', 'who has none yet sets one up');
  t.truthy(await user('paula'));
});

/** Alice is signed in at `demo`, and an application makes her link an account. */
async function linking({ host }: PartnerScene, browser: TwoRealmBrowser, alias = 'partner', who = ALICE) {
  if (!browser.home.cookies.has('KEYCLOAK_IDENTITY')) await signIn(browser.home, codeRequest(host).url, who);
  return browser.follow(codeRequest(host, { kc_action: `idp_link:${alias}` }).url);
}

test('login by a provider: an application has a user link an account, and the user sees which', async (t) => {
  const scene = await startWithPartner(t, { provider: { linkOnly: true } });
  const { host, user } = scene;
  const links = async () => (await user('alice'))?.representation.federatedIdentities ?? [];
  const browser = new TwoRealmBrowser();
  const there = await linking(scene, browser);
  t.true(there.url.startsWith(host.realm('partner')), there.text);
  const asked = await browser.submit(there, PAULA);
  t.regex(asked.text, /link your account alice to the Partner/);
  t.deepEqual(await links(), []);
  const cancelled = await browser.submit(asked, { 'cancel-aia': 'true' });
  t.is(cancelled.location?.searchParams.get('kc_action_status'), 'cancelled');
  t.deepEqual(await links(), []);
  const again = await linking(scene, browser);
  const done = await browser.submit(again, {});
  t.is(done.location?.searchParams.get('kc_action_status'), 'success', done.text);
  t.deepEqual(await links(), [{ identityProvider: 'partner', userId: 'paula-at-partner', userName: 'paula' }]);
  t.true((await scene.events()).includes('FEDERATED_IDENTITY_LINK'));
});

test('login by a provider: an account of another user is linked to nobody, nor by a user who may not link', async (t) => {
  const scene = await startWithPartner(t);
  const { host, user } = scene;
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)), 'paula is a user already');
  const browser = new TwoRealmBrowser();
  const asked = await browser.submit(await linking(scene, browser), PAULA);
  const refused = await browser.submit(asked, {});
  t.is(refused.location?.searchParams.get('error'), 'access_denied');
  t.regex(refused.location?.searchParams.get('error_description') ?? '', /already linked to another user/);
  t.deepEqual((await user('alice'))?.representation.federatedIdentities ?? [], []);
  const federatedIdentity = { identityProvider: 'partner', userId: 'paula-at-partner', userName: 'paula' };
  const id = (await user('alice'))?.id ?? '';
  await t.throwsAsync(
    scene.admin.users.addToFederatedIdentity({ id, federatedIdentityId: 'partner', federatedIdentity }),
    { message: /User exists with same federated identity/ },
  );
  const unknown = await linking(scene, new TwoRealmBrowser(), 'nobody');
  t.is(unknown.location?.searchParams.get('kc_action_status'), 'error', 'as in Keycloak');
  // Dave has no role of the client `account`.
  const dave = { username: 'dave', password: 'Dave-pass-1!' };
  const denied = await linking(scene, new TwoRealmBrowser(), 'partner', dave);
  t.is(denied.location?.searchParams.get('error'), 'access_denied');
});

test('login by a provider: the session names the provider in tokens, and logout includes it', async (t) => {
  const mappers = [
    {
      name: 'channel',
      identityProviderMapper: 'hardcoded-user-session-attribute-idp-mapper',
      config: { attribute: 'channel', 'attribute.value': 'partners' },
    },
  ];
  const protocolMappers = ['identity_provider', 'channel'].map((note) => ({
    name: note,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-usersessionmodel-note-mapper',
    config: { 'user.session.note': note, 'claim.name': note, 'id.token.claim': 'true', 'access.token.claim': 'true' },
  }));
  const scene = await startWithPartner(t, { mappers });
  const { host, admin } = scene;
  const [web] = await admin.clients.find({ clientId: 'web' });
  for (const mapper of protocolMappers) await admin.clients.addProtocolMapper({ id: web?.id ?? '' }, mapper);
  const provider = await admin.identityProviders.findOne({ alias: 'partner' });
  const logoutUrl = `${host.oidc('partner')}/logout`;
  const config = { ...provider?.config, logoutUrl, clientSecret: PARTNER_SECRET };
  await admin.identityProviders.update({ alias: 'partner' }, { ...provider, config });

  const browser = new TwoRealmBrowser();
  const { url, verifier } = codeRequest(host);
  const page = await browser.follow(socialLink(await browser.open(url)));
  const code = codeOf(await browser.submit(page, PAULA)) ?? '';
  const { json } = await host.token('demo', {
    ...WEB,
    grant_type: 'authorization_code',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    code,
  });
  const idToken = String(json.id_token);
  t.like(claimsOf(idToken), { identity_provider: 'partner', channel: 'partners' });

  const logout = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: CALLBACK, state: 's' });
  const away = await browser.open(`${host.oidc('demo')}/logout?${logout}`);
  t.is(away.location?.pathname, '/realms/partner/protocol/openid-connect/logout');
  const end = await browser.follow(away.location?.href ?? '');
  t.is(end.location?.href, `${CALLBACK}?state=s`, end.text);
  for (const jar of [browser.home, browser.there]) t.is(jar.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  const forged = await browser.open(
    `${host.realm('demo')}/broker/partner/endpoint/logout_response?state=https://evil.example.test`,
  );
  t.is(forged.location?.origin, new URL(host.url).origin, 'nobody is sent anywhere by a state that is not ours');
});

test('login by a provider: a session ends when the provider reports the end of its own', async (t) => {
  const scene = await startWithPartner(t);
  const { host, admin } = scene;
  await host.realms.get('partner');
  admin.setConfig({ realmName: 'partner' });
  const [keyhost] = await admin.clients.find({ clientId: 'keyhost' });
  const attributes = {
    ...keyhost?.attributes,
    'backchannel.logout.url': `${host.oidc('demo')}/logout/backchannel-logout`,
  };
  await admin.clients.update({ id: keyhost?.id ?? '' }, { ...keyhost, attributes });
  const browser = new TwoRealmBrowser();
  t.truthy(codeOf(await browser.signInByPartner(host)));
  const other = new TwoRealmBrowser();
  t.truthy(codeOf(await other.signInByPartner(host)));
  const lasts = async ({ home }: TwoRealmBrowser) => codeOf(await home.open(codeRequest(host, { prompt: 'none' }).url));
  t.truthy(await lasts(browser));
  const sessions = await admin.users.listSessions({ id: 'paula-at-partner' });
  t.is(sessions.length, 2);
  const first = sessions.sort((a, b) => (a.start ?? 0) - (b.start ?? 0))[0];
  await admin.realms.deleteSession({ realm: 'partner', session: first?.id ?? '', isOffline: false });
  const left = await Promise.all([browser, other].map(lasts));
  t.is(left.filter((code) => code !== undefined).length, 1, 'that session, and no other');
  await admin.users.logout({ id: 'paula-at-partner' });
  t.deepEqual(await Promise.all([browser, other].map(lasts)), [undefined, undefined]);
});

test('login by a provider: a logout without the provider’s signature ends nothing', async (t) => {
  const { host } = await startWithPartner(t);
  const browser = new TwoRealmBrowser();
  const { url, verifier } = codeRequest(
    host,
    { client_id: 'keyhost', redirect_uri: `${host.realm('demo')}/broker/partner/endpoint` },
    'partner',
  );
  const signedIn = await browser.there.submit(await browser.open(url), PAULA);
  const { json } = await host.token('partner', {
    grant_type: 'authorization_code',
    client_id: 'keyhost',
    client_secret: 'partner-secret',
    code_verifier: verifier,
    redirect_uri: `${host.realm('demo')}/broker/partner/endpoint`,
    code: codeOf(signedIn) ?? '',
  });
  const post = (form: Record<string, string>) =>
    browser.home.open(`${host.oidc('demo')}/logout/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  for (const [form, text] of [
    [{}, /No logout token/],
    [{ logout_token: 'nonsense' }, /Invalid logout token/],
    [{ logout_token: String(json.id_token) }, /Invalid logout token/],
    [{ logout_token: String(json.access_token) }, /Invalid logout token/],
  ] as const) {
    const answer = await post(form);
    t.is(answer.status, 400);
    t.regex(answer.text, text);
  }
});

test('login by a provider: a user who happens to be signed in here is not linked, whatever the flow', async (t) => {
  const authenticationFlows = [flow('cookie alone', [step('auth-cookie', 'ALTERNATIVE', 10)])];
  const { host, user } = await startWithPartner(t, {
    demo: { authenticationFlows },
    provider: { firstBrokerLoginFlowAlias: 'cookie alone' },
  });
  const browser = new TwoRealmBrowser();
  await signIn(browser.home, codeRequest(host).url);
  const page = await browser.signInByPartner(host, PAULA, { prompt: 'login' });
  t.is(page.status, 400);
  t.deepEqual((await user('alice'))?.representation.federatedIdentities ?? [], []);
});

test('login by a provider: an existing user of the same address is not signed in by the address', async (t) => {
  const { host } = await startWithPartner(t, { provider: { trustEmail: true } });
  const page = await new TwoRealmBrowser().signInByPartner(host, PARTNER_ALICE);
  t.is(heading(page), 'Account already exists', 'not even by a trusted one, without a flow that says so');
});
