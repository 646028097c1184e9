import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { replacing } from '../../core/di/module.js';
import type { UserRepresentation } from '../../core/model/representation.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { PARTNER_SECRET, PAULA, socialLink, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser, CALLBACK, codeRequest, formAction, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { gatedStore } from '../helpers/gated-store.js';
import { startHost, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { codeOf, heading } from '../helpers/read-page.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { NEWCOMER } from '../helpers/registration.js';
import { codeOfApp, flow, inner, STEPPING, step, withApp } from '../helpers/stepping-realm.js';

const WHO = { username: 'alice', password: 'Alice-pass-1!' };
const ONE = { client_id: 'one', redirect_uri: CALLBACK };
const LEVEL = 'conditional-level-of-authentication';
const TWO_STEPS = {
  browserFlow: 'stepping',
  authenticationFlows: [flow('stepping', step('auth-username-password-form'), step('auth-otp-form'))],
};
/** The link of the page whose address has that part. */
const href = ({ text, url }: Visit, part: string) => {
  const all = [...text.matchAll(/href="([^"]*)"/g)].map(([, one = '']) => unescapeHtml(one));
  return new URL(all.find((one) => one.includes(part)) ?? 'missing:', url).href;
};
const asRegistration = (page: Visit) => formAction(page).replace('/authenticate?', '/registration?');
const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';
async function impersonated(host: Awaited<ReturnType<typeof startHost>>) {
  const started = await (await adminCaller(host))('POST', `/realms/demo/users/${ALICE}/impersonation`, {});
  const browser = new Browser();
  for (const line of started.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    browser.cookies.set(name, value);
  }
  return browser;
}

test('attacks on logins: a cancelled login at a provider passes no required action of the login', async (t) => {
  const { settings } = await startMailServer(t);
  const { host } = await startWithPartner(t, {
    demo: { registrationAllowed: true, verifyEmail: true, smtpServer: settings },
  });
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  const state = (await browser.open(socialLink(login))).location?.searchParams.get('state') ?? '';
  const form = await browser.open(href(login, 'login-actions/registration'));
  const asked = await browser.submit(form, { ...NEWCOMER, email: 'victim@example.test' });
  t.is(heading(asked), 'Email verification');
  const denied = new URLSearchParams({ error: 'access_denied', state });
  t.is(codeOf(await browser.open(`${host.realm('demo')}/broker/partner/endpoint?${denied}`)), undefined);
});

test('attacks on logins: the link of a forgotten password proves the password alone, whatever page is open', async (t) => {
  const server = await startMailServer(t);
  const more = { providers: {}, registrationAllowed: true, resetPasswordAllowed: true, smtpServer: server.settings };
  const base = codeRealm('demo', { ...more, ...TWO_STEPS });
  const host = await startHost(t, { realms: [{ ...base, users: withApp(base.users) }] });
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  const back = await browser.submit(await browser.open(href(login, 'reset-credentials')), { username: 'alice' });
  await browser.open(href(back, 'login-actions/registration'));
  const page = await browser.open((await server.mail(0)).link);
  t.is(
    codeOf(await browser.submit(page, { 'password-new': 'New-pass-1!', 'password-confirm': 'New-pass-1!' })),
    undefined,
  );
});

test('attacks on logins: a password that is being checked while the registration form is opened does not skip the second factor', async (t) => {
  const base = codeRealm('demo', { providers: {}, registrationAllowed: true, ...TWO_STEPS });
  const gates = gatedStore(await openMemoryStore());
  const host = await startHost(t, {
    realms: [{ ...base, users: withApp(base.users) }],
    replace: [replacing(Store, gates.store)],
  });
  // Hold each store call of the request in turn, while it checks the password.
  for (let nth = 1; ; nth += 1) {
    const browser = new Browser();
    const login = await browser.open(codeRequest(host).url);
    // Flush earlier writes, so that they do not count as calls of this request.
    await host.events.flush();
    const { held, letGo } = gates.hold(nth);
    const posted = browser.submit(login, WHO);
    const isHeld = await Promise.race([held.then(() => true), posted.then(() => false)]);
    if (isHeld) await browser.open(asRegistration(login));
    letGo();
    const answer = await posted;
    t.is(codeOf(answer), undefined, `held at call ${nth}`);
    // The answer to an outdated page is rejected.
    if (isHeld) t.deepEqual([answer.status, /Login timeout\./.test(answer.text)], [400, true], `held at call ${nth}`);
    else {
      t.true(nth > 1, 'the request was held');
      break;
    }
  }
});

test('attacks on logins: with levels, a user who proved the password alone adds no second factor', async (t) => {
  const clock = new TestClock();
  const base = codeRealm('demo', { providers: {}, ...STEPPING });
  const host = await startHost(t, { realms: [{ ...base, users: withApp(base.users) }], clock });
  const browser = new Browser();
  const request = codeRequest(host, { ...ONE, kc_action: 'CONFIGURE_TOTP' });
  const asked = await browser.submit(await browser.open(request.url), WHO);
  t.notRegex(asked.text, /totpSecret/);
  t.regex(asked.text, /name="otp"/, 'the factor that there is comes first');
  t.regex((await browser.submit(asked, { otp: codeOfApp(clock.now()) })).text, /totpSecret/);
});

test('attacks on logins: with levels, a user who proved the password alone removes no second factor', async (t) => {
  const base = codeRealm('demo', { providers: {}, ...STEPPING });
  const host = await startHost(t, { realms: [{ ...base, users: withApp(base.users) }] });
  const browser = new Browser();
  const go = async (visit: Promise<Visit>) => {
    let page = await visit;
    while (page.location?.href.startsWith(host.realm('demo'))) page = await browser.open(page.location.href);
    return page;
  };
  const login = await go(browser.open(`${host.realm('demo')}/account/account-security/signing-in`));
  const list = await go(browser.submit(login, WHO));
  const asked = await go(browser.open(href(list, 'remove?')));
  const hidden = [...asked.text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  await go(
    browser.submit(asked, Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)]))),
  );
  const alice = await host.users.byId(await host.loadedRealm('demo'), ALICE);
  t.true(alice?.credentials.some(({ type }) => type === 'otp'));
});

test('attacks on logins: in a flow without the cookie step a login does not have the level of the session', async (t) => {
  const clock = new TestClock();
  const base = codeRealm('demo', {
    ...STEPPING,
    providers: {},
    authenticationFlows: [
      flow('stepping', step('auth-username-password-form'), inner('second', 'CONDITIONAL')),
      flow('second', step(LEVEL, 'REQUIRED', 'two'), step('auth-otp-form')),
    ],
  });
  const users = withApp(base.users);
  const otp = users.find(({ username }) => username === 'alice')?.credentials?.at(-1);
  const both = users.map(
    (user): UserRepresentation =>
      user.username === 'dave' && otp ? { ...user, credentials: [...(user.credentials ?? []), otp] } : user,
  );
  const host = await startHost(t, { realms: [{ ...base, users: both }], clock });
  const browser = new Browser();
  const gold = () => codeRequest(host, { ...ONE, acr_values: 'gold' }).url;
  const asked = await browser.submit(await browser.open(gold()), { username: 'dave', password: 'Dave-pass-1!' });
  t.truthy(codeOf(await browser.submit(asked, { otp: codeOfApp(clock.now()) })));
  const login = await browser.open(gold());
  browser.cookies.delete('KEYCLOAK_IDENTITY');
  t.is(codeOf(await browser.submit(login, WHO)), undefined, 'alice has shown no code');
});

test('attacks on logins: an impersonating admin does not set the password by an application’s request', async (t) => {
  const host = await startAdministered(t, { realms: [codeRealm('demo', { providers: {} })] });
  const browser = await impersonated(host);
  const page = await browser.open(codeRequest(host, { ...ONE, kc_action: 'UPDATE_PASSWORD' }).url);
  t.notRegex(page.text, /name="password-new"/);
});

test('attacks on logins: a required re-authentication applies at a provider too', async (t) => {
  const { host } = await startWithPartner(t);
  const browser = new TwoRealmBrowser();
  t.truthy(codeOf(await browser.signInByPartner(host, PAULA)));
  const again = await browser.open(codeRequest(host, { max_age: '0', kc_action: 'UPDATE_PASSWORD' }).url);
  const page = await browser.follow(socialLink(again));
  t.true(page.url.startsWith(host.realm('partner')), String(heading(page)));
});

test('attacks on logins: a revoked link is invalid for a user who has opened it', async (t) => {
  const clock = new TestClock();
  const realm = testRealm('demo', { actionTokenPolicy: { 'execute-actions': { mint: true } } });
  const host = await startAdministered(t, { realms: [realm], clock });
  const call = await adminCaller(host);
  const links = `/realms/demo/users/${ALICE}/action-tokens`;
  const minted = await call('POST', links, { type: 'execute-actions', claims: { rqac: ['UPDATE_PROFILE'] } });
  const browser = new Browser();
  const asked = await browser.open(String(minted.json.link));
  const page = await browser.submit(asked, { key: keyOf(asked.url) });
  clock.forward(5);
  t.is((await call('DELETE', links)).status, 204);
  await browser.submit(page, { email: 'thief@evil.test', firstName: 'A', lastName: 'B' });
  const alice = await host.users.byId(await host.loadedRealm('demo'), ALICE);
  t.not(alice?.view.email, 'thief@evil.test');
});

test('attacks on logins: nobody makes the host fetch a provider’s keys repeatedly', async (t) => {
  let fetched = 0;
  const server = createServer((_, answer) => {
    fetched += 1;
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { host } = await startWithPartner(t, { config: { issuer: url, jwksUrl: `${url}/jwks` } });
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  for (let kid = 0; kid < 20; kid += 1) {
    const body = new URLSearchParams({
      logout_token: `${part({ alg: 'RS256', kid: `${kid}` })}.${part({ iss: url, aud: 'keyhost' })}.AAAA`,
    });
    await (await fetch(`${host.oidc('demo')}/logout/backchannel-logout`, { method: 'POST', body })).text();
  }
  t.true(fetched <= 2, `${fetched} fetches`);
});

test('attacks on logins: a login that has moved to the registration form is not changed by a provider’s answer', async (t) => {
  const { host } = await startWithPartner(t, { demo: { registrationAllowed: true } });
  const browser = new TwoRealmBrowser();
  await browser.submit(await browser.open(codeRequest(host).url), WHO);
  const login = await browser.open(codeRequest(host, { prompt: 'login' }).url);
  const there = await browser.follow(socialLink(login));
  await browser.open(asRegistration(login));
  t.is(codeOf(await browser.submit(there, PAULA)), undefined);
});

test('attacks on logins: an account is linked in a login by another provider', async (t) => {
  const endpoint = (alias: string) => `http://127.0.0.1/realms/demo/broker/${alias}/endpoint`;
  const clients = [
    { clientId: 'keyhost', secret: PARTNER_SECRET, redirectUris: [endpoint('partner'), endpoint('again')] },
  ];
  const { host, admin } = await startWithPartner(t, { partner: { clients } });
  const { internalId: _, ...first } = (await admin.identityProviders.findOne({ alias: 'partner' })) ?? {};
  await admin.identityProviders.create({
    ...first,
    alias: 'again',
    config: { ...first.config, clientSecret: PARTNER_SECRET },
  });
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)));
  const page = await new TwoRealmBrowser().signInByPartner(host, PAULA, { kc_action: 'idp_link:again' });
  t.not(heading(page), 'Sign in to your account');
});
