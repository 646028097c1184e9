import test from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { userinfo, WEB } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

const PASSWORD = 'Alice-pass-1!';
const login = (username: string, password = PASSWORD) => ({ username, password });

function user(username: string, requiredActions: string[], more: Partial<UserRepresentation> = {}): UserRepresentation {
  return { username, enabled: true, requiredActions, credentials: [{ type: 'password', value: PASSWORD }], ...more };
}

const PLUGIN = pluginSource(import.meta.url, 'plugins/colours.js');

/** The test that moves it runs before the others. */
const clock = new TestClock();
const shared = shareHost(
  test,
  { realms: [], plugins: [{ module: 'colours' }], packages: { colours: PLUGIN }, clock },
  // Errors of the colours that make the plugin's action throw, and return nothing.
  /secret of the plugin|what its SPI does not allow/,
);

/** A realm with these users. */
function withUsers(users: UserRepresentation[], changes: Partial<RealmRepresentation> = {}): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, { providers: {}, ...changes });
    return { ...base, users: [...(base.users ?? []), ...users] };
  });
}

/** The title and the error of the page. */
const told = ({ text }: Visit) =>
  [
    /<h1[^>]*>([^<]*)/.exec(text)?.[1],
    /role="alert"[^>]*>\s*(?:<svg.*?<\/svg>)?(?:<span[^>]*>)?([^<]*)/s.exec(text)?.[1],
  ]
    .map((found) => found && unescapeHtml(found))
    .filter((found) => found !== undefined);
const query = ({ location }: Visit) => Object.fromEntries(location?.searchParams ?? []);
const answered = (visit: Visit) => visit.status === 302 && query(visit).code !== undefined;
const NEW = (password: string, more: Record<string, string> = {}) => ({
  'password-new': password,
  'password-confirm': password,
  ...more,
});

/** Sorted, because some have the same millisecond. */
async function events(host: TestHost): Promise<string[]> {
  const all = await host.stored(host.defaultRealm);
  return all.map(({ type, error }) => (error === undefined ? type : `${type} ${error}`)).sort();
}

test('required actions: a user with a temporary password chooses a new one, by the realm’s policy, and is signed in', async (t) => {
  const temporary = { credentials: [{ type: 'password', value: PASSWORD, temporary: true }] };
  const passwordPolicy = 'length(10) and notUsername and passwordHistory(2)';
  const host = await withUsers([user('newcomer', [], temporary)], { passwordPolicy });
  const refused = await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...login('newcomer') });
  t.deepEqual([refused.status, refused.json.error_description], [400, 'Account is not fully set up']);
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url, login('newcomer'));
  t.deepEqual([page.status, ...told(page)], [200, 'Update password']);
  t.regex(formAction(page), /\/login-actions\/required-action\?.*execution=UPDATE_PASSWORD/);
  t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  for (const [fields, complaint] of [
    [NEW(''), 'Please enter a password.'],
    [{ ...NEW('a-good-password'), 'password-confirm': 'another' }, "Passwords don't match."],
    [NEW('short'), 'Invalid password: minimum length 10.'],
    [NEW(PASSWORD), 'Invalid password: must not be equal to any of the last 2 passwords.'],
  ] as const) {
    page = await browser.submit(page, fields);
    t.deepEqual([page.status, ...told(page)], [200, 'Update password', complaint]);
    t.false(page.text.includes('a-good-password'));
  }
  const done = await browser.submit(page, NEW('a-good-password'));
  t.true(answered(done), done.text);
  t.is(query(done).kc_action_status, undefined);
  const again = await host.token(host.defaultRealm, {
    ...WEB,
    grant_type: 'password',
    ...login('newcomer', 'a-good-password'),
  });
  t.is(again.status, 200);
  t.is((await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...login('newcomer') })).status, 400);
  t.like(await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'newcomer'), { requiredActions: [] });
  t.deepEqual(
    (await events(host)).filter((type) => type.startsWith('UPDATE')),
    [
      'UPDATE_PASSWORD',
      'UPDATE_PASSWORD_ERROR password_confirm_error',
      'UPDATE_PASSWORD_ERROR password_missing',
      'UPDATE_PASSWORD_ERROR password_rejected',
      'UPDATE_PASSWORD_ERROR password_rejected',
    ],
  );
});

test('required actions: actions come in the realm’s order, a profile is checked and is the user’s own, and those that are off are passed over', async (t) => {
  const host = await withUsers(
    [
      user('newcomer', ['UPDATE_PROFILE', 'off', 'UPDATE_PASSWORD', 'unlisted', 'TERMS'], {
        email: 'n@a.test',
        emailVerified: true,
      }),
    ],
    {
      requiredActions: [
        { alias: 'UPDATE_PASSWORD', enabled: true, priority: 30 },
        { alias: 'off', enabled: false, priority: 1 },
        { alias: 'TERMS', providerId: 'TERMS_AND_CONDITIONS', enabled: true, priority: 10 },
        { alias: 'UPDATE_PROFILE', enabled: true, priority: 40 },
      ],
      localizationTexts: { en: { termsText: 'Be <kind>.' } },
    },
  );
  const browser = new Browser();
  const terms = await signIn(browser, codeRequest(host).url, login('newcomer'));
  t.deepEqual(told(terms), ['Terms and conditions']);
  t.true(terms.text.includes('Be &lt;kind&gt;.'));
  const password = await browser.submit(terms, {});
  t.deepEqual(told(password), ['Update password']);
  let profile = await browser.submit(password, NEW('another password'));
  for (const [change, complaint] of [
    [{ firstName: '' }, 'Please enter a first name.'],
    [{ email: 'nobody' }, 'Invalid email address.'],
    [{ email: 'ALICE@example.test' }, 'Email already exists.'],
    [{ lastName: 'a\r\nb' }, 'Invalid value.'],
  ] as const) {
    profile = await browser.submit(profile, {
      email: 'new@a.test',
      firstName: 'New',
      lastName: 'Comer',
      ...change,
    });
    t.deepEqual(told(profile), ['Update account information', complaint]);
  }
  const fields = { email: 'new@a.test', firstName: 'New', lastName: 'Comer', username: 'admin', enabled: 'false' };
  const done = await browser.submit(profile, fields);
  t.true(answered(done));
  const stored = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'newcomer');
  t.like(stored?.representation, { email: 'new@a.test', firstName: 'New', lastName: 'Comer', emailVerified: false });
  t.deepEqual(stored?.requiredActions, ['off', 'unlisted']);
  t.regex(stored?.representation.attributes?.terms_and_conditions?.[0] ?? '', /^\d{10}$/);
});

test('required actions: an unknown required action keeps the user out; a refused one is reported to the application', async (t) => {
  const listed = ['TERMS_AND_CONDITIONS', 'acme-badge'].map((alias) => ({ alias, enabled: true }));
  const users = [user('keyless', ['acme-badge']), user('contrary', ['TERMS_AND_CONDITIONS'])];
  const host = await withUsers(users, { requiredActions: listed });
  const kept = await signIn(new Browser(), codeRequest(host).url, login('keyless'));
  t.is(kept.status, 400);
  t.regex(kept.text, /Your account is not fully set up/);
  const browser = new Browser();
  const terms = await signIn(browser, codeRequest(host).url, login('contrary'));
  t.deepEqual(query(await browser.submit(terms, { 'cancel-aia': 'true' })), {
    error: 'access_denied',
    error_description: 'The terms and conditions were declined.',
    state: 'the-state',
    iss: host.realm(host.defaultRealm),
  });
  t.deepEqual(await events(host), [
    'CUSTOM_REQUIRED_ACTION_ERROR rejected_by_user',
    'LOGIN_ERROR access_denied',
    'LOGIN_ERROR resolve_required_actions',
  ]);
});

test('required actions: without settings they have Keycloak’s order', async (t) => {
  const host = await withUsers([user('newcomer', ['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'UPDATE_PROFILE'])]);
  const browser = new Browser();
  const profile = await signIn(browser, codeRequest(host).url, login('newcomer'));
  t.deepEqual(told(profile), ['Update account information']);
  const app = await browser.submit(profile, { email: 'new@a.test', firstName: 'New', lastName: 'Comer' });
  t.regex(told(app)[0] ?? '', /authenticator/i);
  const totpSecret = /name="totpSecret" value="([^"]*)"/.exec(app.text)?.[1] ?? '';
  const counter = Math.floor(clock.now() / 30_000);
  const totp = codeAt(Buffer.from(totpSecret), counter, { digits: 6, algorithm: 'HmacSHA1' });
  t.deepEqual(told(await browser.submit(app, { totpSecret, totp, userLabel: 'app' })), ['Update password']);
});

test('required actions: nobody skips one: not silently, not by another page’s URL, not with an expired page', async (t) => {
  const host = await withUsers([user('newcomer', ['UPDATE_PASSWORD', 'CONFIGURE_RECOVERY_AUTHN_CODES'])]);
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url, login('newcomer'));
  const silent = await browser.open(codeRequest(host, { prompt: 'none' }).url);
  t.is(query(silent).error, 'login_required');
  const address = formAction(page);
  for (const path of ['authenticate', 'consent', 'required-action']) {
    const other = address.replace('required-action', path).replace(/session_code=[^&]+/, 'session_code=guessed');
    t.is((await browser.open(other, { method: 'POST', body: new URLSearchParams(NEW('x')) })).status, 400, path);
  }
  const elsewhere = address.replace('required-action', 'consent');
  t.is((await browser.open(elsewhere, { method: 'POST', body: new URLSearchParams({ accept: 'Yes' }) })).status, 400);
  t.is((await new Browser().open(address, { method: 'POST', body: new URLSearchParams(NEW('x')) })).status, 400);
  const cancelled = await browser.submit(page, { 'cancel-aia': 'true' });
  t.deepEqual(told(cancelled), ['Update password', 'Please enter a password.'], 'what is required cannot be cancelled');
  t.deepEqual(told(await browser.open(address)), ['Update password'], 'the page can be shown again');
  t.not(told(await browser.submit(page, NEW('first password')))[0], 'Update password');
  const late = await browser.submit(page, NEW('second password'));
  t.deepEqual([late.status, ...told(late)], [400, 'Page has expired']);
});

test('required actions: an application requests one by kc_action and gets its result', async (t) => {
  const host = await withUsers([]);
  const browser = new Browser();
  t.true(answered(await signIn(browser, codeRequest(host).url)));
  const start = (action: string, more = {}) => browser.open(codeRequest(host, { kc_action: action, ...more }).url);
  const page = await start('UPDATE_PASSWORD');
  t.deepEqual(told(page), ['Update password']);
  const cancelled = await browser.submit(page, { 'cancel-aia': 'true' });
  t.true(answered(cancelled));
  t.is(query(cancelled).kc_action_status, 'cancelled');
  const done = await browser.submit(await start('UPDATE_PASSWORD'), NEW('the new password'));
  t.true(answered(done));
  t.is(query(done).kc_action_status, 'success');
  for (const action of ['TERMS_AND_CONDITIONS', 'nonsense', 'UPDATE_PASSWOR', '__proto__']) {
    const refused = await start(action);
    t.true(answered(refused), action);
    t.is(query(refused).kc_action_status, 'error', action);
  }
  t.is(query(await start('UPDATE_PROFILE', { prompt: 'none' })).error, 'interaction_required');
});

test.serial('required actions: an application’s action needs a recent login; other users sign in again', async (t) => {
  const host = await withUsers([]);
  const browser = new Browser();
  await signIn(browser, codeRequest(host).url);
  clock.forward(301);
  const page = await browser.open(codeRequest(host, { kc_action: 'UPDATE_PASSWORD' }).url);
  t.regex(page.text, /readonly/);
  t.deepEqual(told(await browser.submit(page, { password: PASSWORD })), ['Update password']);
});

test('required actions: with a new password every other session of the user ends where that is ticked', async (t) => {
  const host = await withUsers([]);
  const tokens = async () => {
    const { json } = await host.token(host.defaultRealm, {
      ...WEB,
      grant_type: 'password',
      ...login('alice'),
      scope: 'openid',
    });
    return json.access_token ?? '';
  };
  const device = await tokens();
  const browser = new Browser();
  const first = await signIn(browser, codeRequest(host).url);
  const own = query(first).session_state ?? '';
  const change = async (password: string, more: Record<string, string>) =>
    browser.submit(await browser.open(codeRequest(host, { kc_action: 'UPDATE_PASSWORD' }).url), NEW(password, more));
  t.true(answered(await change('another-pass-1', {})));
  t.is((await userinfo(host, device)).status, 200);
  t.true(answered(await change('another-pass-2', { 'logout-sessions': 'on' })));
  t.is((await userinfo(host, device)).status, 401);
  t.is(
    (await host.store.sessions.get({ realm: host.defaultRealm, id: own, offline: false }))?.id,
    own,
    'the browser’s own goes on',
  );
});

test('required actions: a password that the policy calls too old must be changed, at every door', async (t) => {
  const old = { createdTimestamp: Date.now() - 400 * 86_400_000 };
  const passwordPolicy = 'forceExpiredPasswordChange(365)';
  const host = await withUsers([user('veteran', [], old)], { passwordPolicy });
  t.is((await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...login('veteran') })).status, 400);
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url, login('veteran'));
  t.deepEqual(told(page), ['Update password']);
  t.true(answered(await browser.submit(page, NEW('a younger password'))));
  t.is(
    (await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...login('veteran', 'a younger password') }))
      .status,
    200,
  );
});

test('required actions: a plugin’s action works like a built-in one, and lets nobody in if it fails', async (t) => {
  const host = await withUsers([], {
    requiredActions: [
      { alias: 'COLOUR', providerId: 'choose-colour', enabled: true, config: { title: 'Your colour', spares: 'web2' } },
    ],
  });
  for (const colour of ['throw', 'nothing']) {
    const browser = new Browser();
    const page = await signIn(browser, codeRequest(host).url);
    const failed = await browser.submit(page, { colour });
    t.is(failed.status, 500);
    t.false(failed.text.includes('secret of the plugin'));
    t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  }
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url);
  t.deepEqual(told(page), ['Your colour']);
  const sparing = codeRequest(host, { client_id: 'web2', redirect_uri: TWO });
  t.true(answered(await signIn(new Browser(), sparing.url)), 'an action sees the client and its own settings');
  const refused = await browser.submit(page, { colour: 'pink' });
  t.deepEqual(told(refused), ['Your colour', 'Not pink.']);
  const done = await browser.submit(refused, { colour: 'green' });
  t.true(answered(done));
  const alice = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
  t.deepEqual(alice?.view.attributes.colour, ['green']);
  t.true(answered(await signIn(new Browser(), codeRequest(host).url)), 'it is not asked for again');
});
