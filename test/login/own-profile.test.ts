import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { complaints, fieldNames, heading } from '../helpers/read-page.js';
import { userProfile } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const PASSWORD = 'Carla-pass-1!';
const LOGIN = { username: 'carla', password: PASSWORD };

const carla = (more: Partial<UserRepresentation> = {}): UserRepresentation => ({
  username: 'carla',
  email: 'carla@a.test',
  emailVerified: true,
  firstName: 'Carla',
  lastName: 'Smith',
  enabled: true,
  credentials: [{ type: 'password', value: PASSWORD }],
  ...more,
});

const shared = shareHost(test, { realms: [] }, /ECONN|ESOCKET/);

/** A realm with this user. */
function withUser(user: UserRepresentation, changes: Partial<RealmRepresentation> = {}): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, { providers: {}, ...changes });
    return { ...base, users: [...(base.users ?? []), user] };
  });
}

const told = (page: Visit) => [heading(page), ...complaints(page)];
const query = ({ location }: Visit) => Object.fromEntries(location?.searchParams ?? []);

async function stored(host: TestHost) {
  return (await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'carla'))?.representation;
}

async function events(host: TestHost): Promise<string[]> {
  const all = await host.stored(host.defaultRealm);
  return all.map(({ type, error }) => (error === undefined ? type : `${type} ${error}`)).reverse();
}

test('user profile, own data: users change what the realm’s profile lets them change, see what it lets them see, and nothing else', async (t) => {
  const own = { permissions: { view: ['user'], edit: ['user'] } };
  const shown = { permissions: { view: ['user'], edit: ['admin'] } };
  const hidden = { permissions: { view: ['admin'], edit: ['admin'] } };
  const attributes = { badge: ['B-7'], secret: ['s'], nick: ['Car'], other: ['o'] };
  const host = await withUser(
    carla({ requiredActions: ['UPDATE_PROFILE'], attributes }),
    userProfile([
      { name: 'firstName', ...own, required: {} },
      { name: 'nick', ...own, validations: { length: { min: 2 } } },
      { name: 'badge', ...shown, displayName: 'Your badge' },
      { name: 'secret', ...hidden },
    ]),
  );
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url, LOGIN);
  t.deepEqual(fieldNames(page), ['email', 'firstName', 'nick', 'badge']);
  t.regex(page.text, /name="badge"[^>]* value="B-7"[^>]* readonly/);
  page = await browser.submit(page, { email: '', firstName: '', nick: 'C' });
  t.deepEqual(told(page), ['Update account information', 'Please enter a first name.', 'Minimum length is 2.']);
  const sent = {
    username: 'x',
    email: 'Carla@A.test',
    firstName: 'Carlotta',
    nick: '',
    badge: 'B-1',
    secret: 'x',
    other: 'x',
  };
  t.truthy(query(await browser.submit(page, sent)).code);
  t.like(await stored(host), {
    firstName: 'Carlotta',
    lastName: 'Smith',
    email: 'carla@a.test',
    emailVerified: true,
    attributes: { badge: ['B-7'], secret: ['s'], other: ['o'] },
  });
});

test('user profile, own data: a realm that requires complete profiles asks a user for missing values at the next login, and only once', async (t) => {
  const { lastName, ...incomplete } = carla();
  t.is(lastName, 'Smith');
  const enabled = { requiredActions: [{ alias: 'VERIFY_PROFILE', enabled: true }] };
  const host = await withUser(incomplete, enabled);
  const password = { ...WEB, grant_type: 'password', ...LOGIN };
  const refused = await host.token(host.defaultRealm, password);
  t.deepEqual([refused.status, refused.json.error_description], [400, 'Account is not fully set up']);
  const browser = new Browser();
  const silent = await signIn(browser, codeRequest(host).url, LOGIN);
  t.deepEqual(told(silent), ['Update account information', 'Please enter a last name.']);
  t.regex(silent.text, /Complete your profile to continue/);
  const done = await browser.submit(silent, { email: 'carla@a.test', firstName: 'Carla', lastName: 'Smith' });
  t.truthy(query(done).code, done.text);
  t.is((await host.token(host.defaultRealm, password)).status, 200);
  t.true((await events(host)).includes('VERIFY_PROFILE'));
  const again = await signIn(new Browser(), codeRequest(host).url, LOGIN);
  t.truthy(query(again).code);
});

test('user profile, own data: a realm without the setting asks nobody', async (t) => {
  const credentials = [{ type: 'password', value: PASSWORD }];
  const host = await withUser({ username: 'carla', enabled: true, credentials });
  t.truthy(query(await signIn(new Browser(), codeRequest(host).url, LOGIN)).code);
});

const UPDATE = {
  requiredActions: [
    { alias: 'UPDATE_EMAIL', enabled: true },
    { alias: 'UPDATE_PROFILE', enabled: true },
  ],
};

async function scene(
  t: ExecutionContext,
  changes: Partial<RealmRepresentation> = {},
): Promise<{ host: TestHost; mails: MailServer; browser: Browser; page: Visit; url: string }> {
  const mails = await startMailServer(t);
  const more = { verifyEmail: true, smtpServer: mails.settings, ...UPDATE, ...changes };
  const host = await withUser(carla(), more);
  const browser = new Browser();
  const url = codeRequest(host, { kc_action: 'UPDATE_EMAIL' }).url;
  const page = await signIn(browser, url, LOGIN);
  return { host, mails, browser, page, url };
}

test('user profile, own data: an address is changed by a mail to the new one, and the login that asked for it goes on', async (t) => {
  const { host, mails, browser, ...rest } = await scene(t);
  let { page } = rest;
  t.deepEqual(told(page), ['Update email']);
  for (const [email, complaint] of [
    ['', 'Please enter an email address.'],
    ['nobody', 'Invalid email address.'],
    ['ALICE@example.test', 'Email already exists.'],
    ['alice', 'Invalid email address.'],
  ] as const) {
    page = await browser.submit(page, { email });
    t.deepEqual(told(page), ['Update email', complaint]);
  }
  page = await browser.submit(page, { email: 'Other@B.test', 'logout-sessions': 'on' });
  t.deepEqual(told(page), ['Confirmation email sent']);
  t.regex(page.text, /confirmation email to other@b\.test/);
  page = await browser.submit(page, { email: 'new@b.test' });
  const first = await mails.mail(0);
  const second = await mails.mail(1);
  t.deepEqual([first.envelope.to, second.envelope.to], [['other@b.test'], ['new@b.test']]);
  t.is(second.headers.subject, 'Verify new email');
  t.like(await stored(host), { email: 'carla@a.test', emailVerified: true });
  const outdated = await browser.open(first.link);
  t.is(outdated.status, 400);
  const followed = await browser.open(second.link);
  t.like(query(followed), { kc_action_status: 'success' });
  t.like(await stored(host), { email: 'new@b.test', emailVerified: true, username: 'carla' });
  t.is((await browser.open(second.link)).status, 400);
  const seen = await events(host);
  for (const type of ['SEND_VERIFY_EMAIL', 'UPDATE_EMAIL', 'UPDATE_EMAIL_ERROR email_in_use'])
    t.true(seen.includes(type), type);
});

test('user profile, own data: in another browser the link asks first and changes the address once; the requester continues, and other sessions end if requested', async (t) => {
  const { host, mails, browser, page } = await scene(t);
  const elsewhere = new Browser();
  t.truthy(query(await signIn(elsewhere, codeRequest(host).url, LOGIN)).code);
  const sent = await browser.submit(page, { email: 'new@b.test', 'logout-sessions': 'on' });
  const { link } = await mails.mail(0);
  const key = new URL(link).searchParams.get('key') ?? '';
  const reader = new Browser();
  const asks = await reader.open(link);
  t.deepEqual([asks.status, heading(asks)], [200, 'Update email']);
  t.like(await stored(host), { email: 'carla@a.test' });
  const confirmed = await reader.submit(asks, { key });
  t.regex(confirmed.text, /your account is now new@b\.test/);
  t.like(await stored(host), { email: 'new@b.test', emailVerified: true });
  t.is((await reader.submit(asks, { key })).status, 400);
  t.is(heading(await elsewhere.open(codeRequest(host).url)), 'Sign in to your account');
  const done = await browser.submit(sent, { email: 'new@b.test' });
  t.like(query(done), { kc_action_status: 'success' });
  t.is(mails.received.length, 1);
});

const moved = (email: string) => (draft: UserRepresentation) => {
  draft.email = email;
};

test('user profile, own data: a link is invalid after another change of the address, without the action, and if another user takes the address', async (t) => {
  const { host, mails, browser, page } = await scene(t);
  await browser.submit(page, { email: 'alices@b.test' });
  const { link } = await mails.mail(0);
  const demo = await host.loadedRealm(host.defaultRealm);
  const alice = await host.users.byUsername(demo, 'alice');
  await host.users.change(demo, alice?.id ?? '', moved('alices@b.test'));
  t.regex((await new Browser().open(link)).text, /Email already exists/);
  await host.users.change(demo, alice?.id ?? '', moved('alice@example.test'));
  t.is((await new Browser().open(link)).status, 200);
  const user = await host.users.byUsername(demo, 'carla');
  await host.users.change(demo, user?.id ?? '', moved('moved@a.test'));
  const stale = await new Browser().open(link);
  t.deepEqual([stale.status, /link is no longer valid/.test(stale.text)], [400, true]);
  t.like(await stored(host), { email: 'moved@a.test' });
});

test('user profile, own data: without verification the address changes at once and is not verified; a mail that cannot be sent changes nothing', async (t) => {
  const at = await scene(t, { verifyEmail: false });
  t.truthy(query(await at.browser.submit(at.page, { email: 'new@b.test' })).code);
  t.like(await stored(at.host), { email: 'new@b.test', emailVerified: false });
  const unsent = await scene(t, { smtpServer: { host: '127.0.0.1', port: '1', from: 'a@b.test' } });
  const page = await unsent.browser.submit(unsent.page, { email: 'new@b.test' });
  t.regex(page.text, /Failed to send the email/);
  t.like(await stored(unsent.host), { email: 'carla@a.test' });
  t.true((await events(unsent.host)).includes('SEND_VERIFY_EMAIL_ERROR email_send_failed'));
});

test('user profile, own data: where addresses are changed by an action of their own the profile’s form leaves them alone', async (t) => {
  const { host, browser } = await scene(t);
  const page = await signIn(browser, codeRequest(host, { kc_action: 'UPDATE_PROFILE', prompt: 'login' }).url, LOGIN);
  t.deepEqual(fieldNames(page), ['firstName', 'lastName']);
  t.truthy(query(await browser.submit(page, { firstName: 'C', lastName: 'S', email: 'x@y.test' })).code);
  t.like(await stored(host), { email: 'carla@a.test', firstName: 'C' });
});
