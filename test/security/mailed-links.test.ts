import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { eventually } from '../helpers/eventually.js';
import { edited } from '../helpers/forge.js';
import { Browser, codeRequest, formAction, type Visit } from '../helpers/form-browser.js';
import { claimsOf, inRealm, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, userinfo, WEB } from '../helpers/login.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { edit } from '../helpers/realm-files.js';
import { shareHost } from '../helpers/shared-host.js';

interface Scene {
  readonly host: TestHost;
  readonly server: MailServer;
}

/** The tests that move it run first, one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [codeRealm('other', { resetPasswordAllowed: true, providers: {} })], clock });

function realm(name: string, { settings }: MailServer, changes: Partial<RealmRepresentation> = {}) {
  return codeRealm(name, { resetPasswordAllowed: true, smtpServer: settings, providers: {}, ...changes });
}

async function scene(t: ExecutionContext, changes: Partial<RealmRepresentation> = {}): Promise<Scene> {
  const server = await startMailServer(t);
  return { host: await inRealm(shared(), (name) => realm(name, server, changes)), server };
}

const link = ({ text, url }: Visit) =>
  new URL((/id="kc-forgot-password" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&'), url).href;
const NEW = (password: string) => ({ 'password-new': password, 'password-confirm': password });
const works = async (host: TestHost, password: string) =>
  (await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, password })).status === 200;

/** Requests a link for this user. The response is the login page. */
async function forget(browser: Browser, host: TestHost, username = 'alice', headers = {}): Promise<Visit> {
  const login = await browser.open(codeRequest(host).url);
  const page = await browser.open(link(login));
  return browser.open(formAction(page), { method: 'POST', body: new URLSearchParams({ username }), headers });
}

/** Opens the link in a browser without the login, and presses the button. */
async function openElsewhere(address: string, browser = new Browser()): Promise<Visit> {
  const page = await browser.open(address);
  if (page.status !== 200) return page;
  const key = new URL(address).searchParams.get('key') ?? '';
  return browser.submit(page, { key });
}

test('T168 · emailed links: the form for forgotten passwords answers the same to everybody, and does not wait for an email', async (t) => {
  const server = await startMailServer(t);
  const host = await startHost(t, { realms: [realm('demo', server)] });
  const pages = [];
  for (const username of ['alice', 'ALICE@example.test', 'nobody', 'carol', 'dave', 'service-account-nl', '<b>x</b>']) {
    const page = await forget(new Browser(), host, username);
    t.is(page.status, 200);
    pages.push(page.text.replace(/(session_code|tab_id)=[\w-]+/g, '$1'));
  }
  t.deepEqual(new Set(pages).size, 1);
  t.regex(pages[0] ?? '', /You should receive an email shortly/);
  await server.mail(1);
  const refusals = async () =>
    (await host.stored(host.defaultRealm))
      .filter(({ type }) => type === 'RESET_PASSWORD_ERROR')
      .map(({ error }) => error);
  await eventually(async () => (await refusals()).length >= 5);
  const expected = ['invalid_email', 'invalid_user', 'user_disabled', 'user_not_found', 'user_not_found'];
  t.deepEqual((await refusals()).sort(), expected);
  t.is(server.received.length, 2);
  for (let asked = 0; asked < 12; asked += 1) await forget(new Browser(), host, 'alice');
  await host.close();
  t.is(server.received.length, 10, 'nobody fills a mailbox');
});

test('T190 · emailed links: a link lets its user choose a password once, in the browser that requested it, and signs in there', async (t) => {
  const { host, server } = await scene(t);
  const { access_token: elsewhere } = await logIn(host);
  const browser = new Browser();
  await forget(browser, host);
  const mail = await server.mail(0);
  t.deepEqual(mail.envelope.to, ['alice@example.test']);
  t.true(mail.html.includes('Set a new password') && mail.text.includes('5 minutes'));
  const page = await browser.open(mail.link);
  t.is(page.status, 200);
  t.regex(page.text, /name="password-new"/);
  const done = await browser.submit(page, { ...NEW('a-new-password'), 'logout-sessions': 'on' });
  t.truthy(done.location?.searchParams.get('code'));
  t.deepEqual([await works(host, 'a-new-password'), await works(host, 'Alice-pass-1!')], [true, false]);
  t.is((await userinfo(host, elsewhere)).status, 401, 'other sessions have ended');
});

test('T191 · emailed links: a used link is invalid, also for a browser that opened it before', async (t) => {
  const { host, server } = await scene(t);
  const asked = new Browser();
  await forget(asked, host);
  const { link: address } = await server.mail(0);
  const here = await asked.open(address);
  const there = await openElsewhere(address);
  t.regex(there.text, /name="password-new"/);
  const other = new Browser();
  const third = await openElsewhere(address, other);
  const refused = await other.submit(third, { ...NEW('x'), 'password-confirm': 'y' });
  t.is(refused.status, 200, 'what was mistyped does not spend the link');
  const [first, second] = await Promise.all([
    asked.submit(here, NEW('first-password')),
    other.submit(refused, NEW('second-password')),
  ]);
  t.deepEqual([first.status, second.status].sort(), [302, 400]);
  t.is([await works(host, 'first-password'), await works(host, 'second-password')].filter(Boolean).length, 1);
  for (const again of [await openElsewhere(address), await asked.open(address)]) {
    t.is(again.status, 400);
    t.regex(again.text, /Action expired/);
  }
});

test('T192 · emailed links: a changed, unsigned or foreign realm’s link is refused', async (t) => {
  const { host, server } = await scene(t);
  await forget(new Browser(), host);
  const { link: address } = await server.mail(0);
  const key = new URL(address).searchParams.get('key') ?? '';
  const dave = (await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'dave'))?.id ?? '';
  const open = (forged: string, realm = host.defaultRealm) =>
    openElsewhere(`${host.realm(realm)}/login-actions/action-token?key=${forged}`);
  for (const page of [
    await open(edited(key, { sub: dave })),
    await open(edited(key, {}, { alg: 'none' }).replace(/[^.]*$/, '')),
    await open(edited(key, { typ: 'execute-actions', rqac: ['UPDATE_PASSWORD'] })),
    await open(key, 'other'),
  ]) {
    t.is(page.status, 400);
    t.notRegex(page.text, /password-new/);
  }
  t.regex((await openElsewhere(address)).text, /password-new/, 'as it was mailed it is good');
});

test('T193 · emailed links: a newer email ends the link of an older one', async (t) => {
  const { host, server } = await scene(t);
  await forget(new Browser(), host);
  const { link: older } = await server.mail(0);
  const opened = new Browser();
  const form = await openElsewhere(older, opened);
  await forget(new Browser(), host);
  const { link: newer } = await server.mail(1);
  t.is((await openElsewhere(older)).status, 400);
  t.is((await opened.submit(form, NEW('late-password'))).status, 400, 'also where it was opened before');
  t.false(await works(host, 'late-password'));
  t.regex((await openElsewhere(newer)).text, /password-new/);
});

test.serial(
  'T194 T196 · emailed links: a changed password or address ends the link, and no other user may follow it',
  async (t) => {
    const { host, server } = await scene(t);
    const realm = await host.loadedRealm(host.defaultRealm);
    const alice = await host.users.byUsername(realm, 'alice');
    await forget(new Browser(), host);
    const { link: first } = await server.mail(0);
    const browser = new Browser();
    const login = await browser.submit(await browser.open(codeRequest(host, { kc_action: 'UPDATE_PASSWORD' }).url), {
      username: 'alice',
      password: 'Alice-pass-1!',
    });
    t.is((await browser.submit(login, NEW('changed-by-alice'))).status, 302);
    t.is((await openElsewhere(first)).status, 400);
    clock.forward(1);
    await forget(new Browser(), host);
    const { link: second } = await server.mail(1);
    await host.users.change(realm, alice?.id ?? '', (draft) => {
      draft.email = 'b@example.test';
    });
    const refused = await openElsewhere(second);
    t.is(refused.status, 400);
    t.regex(refused.text, /Invalid email address/);
    const mallory = new Browser();
    const page = await mallory.submit(await mallory.open(codeRequest(host).url), {
      username: 'dave',
      password: 'Dave-pass-1!',
    });
    t.is(page.status, 302);
    await forget(new Browser(), host);
    const other = await mallory.open((await server.mail(2)).link);
    t.regex(other.text, /already signed in as/);
  },
);

test('T198 · emailed links: host names of a request are in no email', async (t) => {
  const { host, server } = await scene(t);
  await forget(new Browser(), host, 'alice', {
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.test',
    origin: 'null',
  });
  const { link: address, text, html } = await server.mail(0);
  t.true(address.startsWith(`${host.realm(host.defaultRealm)}/login-actions/action-token?key=`));
  t.false(`${text}${html}`.includes('evil.test'));
  t.is(claimsOf(new URL(address).searchParams.get('key') ?? '').iss, host.realm(host.defaultRealm));
});

test.serial('T199 · emailed links: a link is valid for five minutes, or for as long as the realm says', async (t) => {
  const { host, server } = await scene(t);
  await forget(new Browser(), host);
  const first = await server.mail(0);
  const claims = claimsOf(new URL(first.link).searchParams.get('key') ?? '');
  t.is(Number(claims.exp) - Number(claims.iat), 300);
  t.deepEqual(Object.keys(claims).sort(), [
    'asid',
    'aud',
    'azp',
    'eml',
    'exp',
    'iat',
    'iss',
    'jti',
    'nonce',
    'sub',
    'typ',
  ]);
  clock.forward(301);
  const late = await openElsewhere(first.link);
  t.is(late.status, 400);
  t.regex(late.text, /Action expired/);
  const longer = { attributes: { 'actionTokenGeneratedByUserLifespan.reset-credentials': '7200' } };
  const other = await scene(t, longer);
  await forget(new Browser(), other.host);
  const { text, link: address } = await other.server.mail(0);
  t.true(text.includes('2 hours'));
  clock.forward(7000);
  t.regex((await openElsewhere(address)).text, /password-new/);
});

test.serial('T352 · emailed links: not-before of its client ends a link', async (t) => {
  const { host, server } = await scene(t);
  await forget(new Browser(), host);
  const { link: before } = await server.mail(0);
  t.is((await new Browser().open(before)).status, 200);
  clock.forward(2);
  const now = Math.floor(clock.now() / 1000);
  await edit(host, host.defaultRealm, (draft) => {
    for (const client of draft.clients ?? []) if (client.clientId === 'web') client.notBefore = now;
  });
  t.is((await openElsewhere(before)).status, 400);
  await forget(new Browser(), host);
  t.is((await new Browser().open((await server.mail(1)).link)).status, 200);
});
