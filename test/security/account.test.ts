import test from 'ava';
import { accountRealm, accountUser, follow, openAccount, PASSWORD, send } from '../helpers/account.js';
import { Browser, codeRequest, formAction, unescapeHtml } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';

const NEW = { 'password-new': 'another password', 'password-confirm': 'another password' };
const PAGES = [
  '/',
  '/applications',
  '/account-security/signing-in',
  '/account-security/device-activity',
  '/account-security/linked-accounts',
  '/account-security/signing-in/remove?credential=p',
];

test('T194 T196 · account: a link that was mailed dies when its user changes password or address on the account page', async (t) => {
  const server = await startMailServer(t);
  const users = ['erin', 'frank'].map((name) => accountUser(name));
  const realm = accountRealm(users, { resetPasswordAllowed: true, smtpServer: server.settings });
  const host = await startHost(t, { realms: [realm] });
  for (const [index, username] of ['erin', 'frank'].entries()) {
    const forgetful = new Browser();
    const login = await forgetful.open(codeRequest(host).url);
    const address = unescapeHtml(/id="kc-forgot-password" href="([^"]+)"/.exec(login.text)?.[1] ?? '');
    const asked = await forgetful.open(new URL(address, login.url).href);
    await forgetful.open(formAction(asked), { method: 'POST', body: new URLSearchParams({ username }) });
    const { link } = await server.mail(index);
    t.is((await new Browser().open(link)).status, 200);
    const browser = new Browser();
    const page = await openAccount(browser, host, '/', { username, password: PASSWORD });
    if (username === 'erin') {
      const changed = { email: 'new@example.test', firstName: 'Erin', lastName: 'Example' };
      t.is((await send(browser, page, '/', changed)).status, 303);
    } else {
      const start = `${host.realm('demo')}/account/start?action=UPDATE_PASSWORD&to=/`;
      await follow(browser, await browser.submit(await follow(browser, await browser.open(start)), NEW));
    }
    t.is((await new Browser().open(link)).status, 400, username);
  }
});

test('T201 · account: HEAD of the account page and of its REST API has the headers of GET and no body', async (t) => {
  const host = await startHost(t, { realms: [accountRealm([accountUser('erin')])] });
  const browser = new Browser();
  await openAccount(browser, host);
  const address = `${host.realm('demo')}/account/applications`;
  const headersOf = ({ headers }: { headers: Headers }) =>
    [...headers].filter(([name]) => !/^(date|connection|keep-alive|content-length|set-cookie)$/.test(name));
  const head = await browser.open(address, { method: 'HEAD' });
  const full = await browser.open(address);
  t.deepEqual([head.status, head.text, headersOf(head)], [200, '', headersOf(full)]);
  const { access_token: token } = await logIn(host, { username: 'erin', password: PASSWORD });
  const asked = await fetch(address, { method: 'HEAD', headers: bearer(token) });
  const answered = await fetch(address, { headers: bearer(token) });
  t.deepEqual([asked.status, await asked.text(), headersOf(asked)], [200, '', headersOf(answered)]);
  t.is(answered.headers.get('content-type'), 'application/json');
});

test('T218 · account: whatever names hold is text on every page of the account', async (t) => {
  const evil = '"><img src=x onerror=alert(1)>${email}</title><script>alert(1)</script>';
  const erin = accountUser('erin', {
    firstName: evil,
    lastName: evil,
    email: 'erin@example.test',
    attributes: { nickname: [evil] },
    credentials: [
      { type: 'password', value: PASSWORD },
      { id: 'p', type: 'webauthn', userLabel: evil, secretData: '{}' },
    ],
    federatedIdentities: [{ identityProvider: 'idp', userId: '1', userName: evil }],
    clientConsents: [{ clientId: 'evil', grantedClientScopes: [evil] }],
  });
  const realm = accountRealm([erin], {
    displayName: evil,
    identityProviders: [{ alias: 'idp', providerId: 'github', displayName: evil, enabled: true }],
  });
  const clients = [...(realm.clients ?? []), { clientId: 'evil', name: evil, publicClient: true, redirectUris: [] }];
  const host = await startHost(t, { realms: [{ ...realm, clients }] });
  const browser = new Browser();
  await openAccount(browser, host);
  for (const path of PAGES) {
    const page = await browser.open(`${host.realm('demo')}/account${path}`, { headers: { 'user-agent': evil } });
    t.is(page.status, 200, path);
    t.true(page.text.includes('onerror=alert(1)&gt;'), path);
    t.notRegex(page.text, /<img|<script|javascript:|onerror=alert\(1\)>/, path);
  }
  const refused = await send(browser, await openAccount(browser, host), '/', { firstName: `${evil}2`, lastName: '' });
  t.is(refused.status, 400);
  t.notRegex(refused.text, /<img|<script/);
});
