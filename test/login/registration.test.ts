import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, startHost, TestClock } from '../helpers/host.js';
import { userinfo, WEB } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { codeOf, complaints, fieldNames, heading } from '../helpers/read-page.js';
import { eventErrors, NEWCOMER, openRealm, storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const PASSWORD = NEWCOMER.password;
const shared = shareHost(test, { realms: [] });

/** A realm that allows registration. */
const inOpenRealm = (changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => openRealm(changes, name));
const link = (page: Visit, id: string) => {
  const href = new RegExp(`id="${id}"[^]*?href="([^"]*)"`).exec(page.text)?.[1];
  return href === undefined ? undefined : new URL(unescapeHtml(href), page.url).href;
};

test('registration: a new user registers from the login page, is signed in, and has the defaults of new users', async (t) => {
  const host = await inOpenRealm({ passwordPolicy: 'length(10) and notUsername', defaultGroups: ['/team/dev'] });
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  const register = link(login, 'kc-registration');
  t.regex(register ?? '', /\/login-actions\/registration\?/);
  let page = await browser.open(register ?? '');
  t.is(heading(page), 'Register');
  t.deepEqual(fieldNames(page), ['username', 'email', 'firstName', 'lastName', 'password', 'password-confirm']);
  for (const [change, complaint] of [
    [{ username: '' }, ['Please enter a username.']],
    [
      { username: 'a b', lastName: '<b>' },
      ['Value contains an invalid character.', 'Value contains an invalid character.'],
    ],
    [{ username: 'ab' }, ['Length must be between 3 and 255.']],
    [{ email: 'nobody', firstName: ' ' }, ['Invalid email address.', 'Please enter a first name.']],
    [{ email: 'a@b.test\r\nBcc: c@d.test' }, ['Invalid value.']],
    [{ password: '' }, ['Please enter a password.']],
    [{ 'password-confirm': 'another' }, ["Password confirmation doesn't match."]],
    [{ password: 'short', 'password-confirm': 'short' }, ['Invalid password: minimum length 10.']],
    [{ username: 'ALICE' }, ['Username already exists.']],
    [{ email: 'ALICE@example.test' }, ['Email already exists.']],
  ] as const) {
    page = await browser.submit(page, { ...NEWCOMER, ...change });
    t.deepEqual([page.status, heading(page), ...complaints(page)], [200, 'Register', ...complaint]);
    t.false(page.text.includes(PASSWORD));
  }
  t.true(page.text.includes('value="newcomer"'));
  const done = await browser.submit(page, { ...NEWCOMER, enabled: 'true', realmRoles: 'admin', groups: '/admins' });
  t.is(done.status, 302, done.text);
  const tokens = await host.token(host.defaultRealm, {
    ...WEB,
    grant_type: 'password',
    username: 'newcomer',
    password: PASSWORD,
    scope: 'openid',
  });
  t.like((await userinfo(host, tokens.json.access_token ?? '')).json, {
    preferred_username: 'newcomer',
    email: 'new@comer.test',
  });
  t.like(await storedUser(host, 'newcomer'), {
    enabled: true,
    emailVerified: false,
    firstName: 'New',
    lastName: 'Comer',
    groups: ['/team/dev'],
    realmRoles: [`default-roles-${host.defaultRealm}`],
    requiredActions: [],
  });
  const again = await browser.open(codeRequest(host).url);
  t.truthy(codeOf(again), 'the browser is logged in');
  t.deepEqual((await eventErrors(host, 'REGISTER')).sort(), [
    '',
    'email_in_use',
    ...Array.from({ length: 8 }, () => 'invalid_registration'),
    'username_in_use',
  ]);
  const registered = (await host.stored(host.defaultRealm)).find(
    ({ type, error }) => type === 'REGISTER' && error === undefined,
  );
  t.like(registered, { clientId: 'web', details: { username: 'newcomer', register_method: 'form' } });
  t.false(JSON.stringify(await host.stored(host.defaultRealm)).includes(PASSWORD));
});

test('registration: a realm without registration has no link, no form, no prompt, and discovery says so', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, { providers: {} }));
  const open = await inOpenRealm();
  const prompts = async (name: string) =>
    (await fetchAnswer(`${host.realm(name)}/.well-known/openid-configuration`)).json.prompt_values_supported as unknown;
  t.deepEqual(await prompts(open.defaultRealm), ['none', 'login', 'consent', 'create']);
  t.deepEqual(await prompts(host.defaultRealm), ['none', 'login', 'consent']);
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  t.is(link(login, 'kc-registration'), undefined);
  const refused = [
    await browser.open(formAction(login).replace('/authenticate?', '/registration?')),
    await browser.open(codeRequest(host, { prompt: 'create' }).url),
    await browser.open(codeRequest(host).url.replace('/auth?', '/registrations?')),
  ];
  for (const page of refused) t.deepEqual([page.status, /Registration is not allowed/.test(page.text)], [400, true]);
  const errors = (await host.stored(host.defaultRealm)).map(({ type, error }) => `${type} ${error}`);
  t.deepEqual(
    errors.filter((one) => one.startsWith('REGISTER')),
    Array.from({ length: 3 }, () => 'REGISTER_ERROR registration_disabled'),
  );
});

test('registration: an application may send people to the form at once, and they may go back to the login', async (t) => {
  const host = await inOpenRealm();
  const starts = [
    codeRequest(host, { prompt: 'create' }).url,
    codeRequest(host).url.replace('/auth?', '/registrations?'),
  ];
  for (const [index, url] of starts.entries()) {
    const browser = new Browser();
    const page = await browser.open(url);
    t.is(heading(page), 'Register');
    const login = await browser.submit(page, { 'cancel-aia': 'true' });
    t.is(heading(login), 'Sign in to your account');
    const form = await browser.open(link(login, 'kc-registration') ?? '');
    const expired = await browser.submit(login, { username: 'alice', password: 'Alice-pass-1!' });
    t.is(heading(expired), 'Page has expired');
    const person = { ...NEWCOMER, username: `newcomer${index}`, email: `new${index}@comer.test` };
    const done = await browser.submit(form, person);
    t.truthy(codeOf(done), done.text);
    const replayed = await browser.submit(form, { ...person, username: 'somebody', email: 's@b.test' });
    t.is(replayed.status, 400);
    t.is(await storedUser(host, 'somebody'), undefined);
  }
  const none = await new Browser().open(codeRequest(host, { prompt: 'none create' }).url);
  t.is(none.location?.searchParams.get('error'), 'invalid_request');
  const silent = codeRequest(host, { prompt: 'none' }).url.replace('/auth?', '/registrations?');
  t.is((await new Browser().open(silent)).location?.searchParams.get('error'), 'login_required');
});

test('registration: a form of another browser creates nobody', async (t) => {
  const host = await inOpenRealm();
  const page = await new Browser().open(codeRequest(host, { prompt: 'create' }).url);
  const stranger = await new Browser().submit(page, NEWCOMER);
  t.is(stranger.status, 400);
  const browser = new Browser();
  const own = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  const forged = formAction(own).replace(/session_code=[^&]*/, 'session_code=guessed');
  t.is((await browser.open(forged, { method: 'POST', body: new URLSearchParams(NEWCOMER) })).status, 400);
  t.is(await storedUser(host, 'newcomer'), undefined);
});

test('registration: of two parallel registrations of one name, one succeeds and the other gets an error', async (t) => {
  const host = await inOpenRealm();
  const pages = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const browser = new Browser();
      const page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
      return () =>
        browser.submit(
          page,
          index < 2 ? { ...NEWCOMER, email: `${index}@b.test` } : { ...NEWCOMER, username: `other${index}` },
        );
    }),
  );
  const ends = await Promise.all(pages.map((send) => send()));
  t.is(ends.slice(0, 2).filter(codeOf).length, 1);
  t.is(ends.slice(2).filter(codeOf).length, 1);
  t.deepEqual(ends.flatMap(complaints).sort(), ['Email already exists.', 'Username already exists.']);
});

test('registration: nobody registers with another user’s address, or with an address that is another user’s name', async (t) => {
  const host = await inOpenRealm();
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  page = await browser.submit(page, { ...NEWCOMER, username: 'alice@example.test' });
  t.deepEqual(complaints(page), ['Username already exists.']);
  t.truthy(codeOf(await browser.submit(page, { ...NEWCOMER, username: 'new@name.test' })));
  const other = new Browser();
  page = await other.open(codeRequest(host, { prompt: 'create' }).url);
  page = await other.submit(page, { ...NEWCOMER, username: 'other', email: 'new@name.test' });
  t.deepEqual(complaints(page), ['Email already exists.']);
});

test('registration: registering in another user’s browser creates the new user, and the other is not changed', async (t) => {
  const host = await inOpenRealm();
  const browser = new Browser();
  t.truthy(codeOf(await signIn(browser, codeRequest(host).url)));
  const page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  const { verifier, url } = codeRequest(host);
  t.truthy(codeOf(await browser.submit(page, NEWCOMER)));
  const form = { grant_type: 'authorization_code', redirect_uri: 'http://127.0.0.1:9999/cb', code_verifier: verifier };
  const tokens = await host.token(host.defaultRealm, { ...WEB, ...form, code: codeOf(await browser.open(url)) ?? '' });
  t.like((await userinfo(host, tokens.json.access_token ?? '')).json, { preferred_username: 'newcomer' });
});

test('registration: addresses can be the names, and a mail to the new one comes before the application gets its answer', async (t) => {
  const mails = await startMailServer(t);
  const more = { registrationEmailAsUsername: true, verifyEmail: true, smtpServer: mails.settings };
  const host = await inOpenRealm(more);
  const browser = new Browser();
  const form = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  t.deepEqual(fieldNames(form), ['email', 'firstName', 'lastName', 'password', 'password-confirm']);
  const taken = await browser.submit(form, { ...NEWCOMER, email: 'alice@example.test' });
  t.deepEqual(complaints(taken), ['Email already exists.']);
  const waits = await browser.submit(taken, { ...NEWCOMER, username: 'admin' });
  t.is(heading(waits), 'Email verification');
  t.is(codeOf(waits), undefined);
  t.is((await storedUser(host, 'new@comer.test'))?.emailVerified, false);
  t.is(await storedUser(host, 'admin'), undefined);
  const mail = await mails.mail(0);
  t.deepEqual(mail.envelope.to, ['new@comer.test']);
  const followed = await browser.open(mail.link);
  t.truthy(codeOf(followed), followed.text);
  t.is((await storedUser(host, 'new@comer.test'))?.emailVerified, true);
});

test('registration: one address cannot try names without end', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: [openRealm()], clock });
  const browser = new Browser();
  let page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  for (let attempt = 0; attempt < 60; attempt += 1) {
    page = await browser.submit(page, { ...NEWCOMER, username: 'alice' });
    t.deepEqual(complaints(page), ['Username already exists.']);
  }
  page = await browser.submit(page, NEWCOMER);
  t.regex(page.text, /Too many attempts/);
  t.is(await storedUser(host, 'newcomer'), undefined);
  clock.forward(3601);
  page = await browser.open(codeRequest(host, { prompt: 'create' }).url);
  t.truthy(codeOf(await browser.submit(page, NEWCOMER)));
});
