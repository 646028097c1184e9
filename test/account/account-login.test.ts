import test from 'ava';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import {
  accountRealm,
  accountUser,
  fieldsOf,
  follow,
  openAccount,
  PASSWORD,
  send,
  signInOn,
  told,
} from '../helpers/account.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { Browser, codeRequest, formAction, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const DEVICES = '/account-security/device-activity';
const FRANK = { username: 'frank', password: PASSWORD };
const USERS = [accountUser('erin'), accountUser('frank')];
/** The test that moves the clock is the first one. */
const clock = new TestClock();
const shared = shareHost(test, administered({ realms: [], clock }));
const withUsers = (users: UserRepresentation[] = USERS, changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => accountRealm(users, changes, name));

/** Presses the page's own button. */
function signOut(browser: Browser, page: Visit): Promise<Visit> {
  const action = unescapeHtml(/<form action="([^"]*logout-confirm)" method="post">/.exec(page.text)?.[1] ?? '');
  const { session_code = '' } = fieldsOf(page);
  const body = new URLSearchParams({ session_code, confirmLogout: 'Sign out' });
  return browser.open(new URL(action, page.url).href, { method: 'POST', body });
}

async function firstNameOf(host: TestHost, username = 'erin') {
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), username);
  return user?.representation.firstName;
}

const CHANGE = { firstName: 'Changed', lastName: 'Example', email: 'erin@example.test' };

test('account page: sends browsers through the realm’s login, and has a session with a path of its own', async (t) => {
  const host = await withUsers();
  const browser = new Browser();
  const first = await browser.open(`${host.realm(host.defaultRealm)}/account`);
  t.is(first.status, 302);
  t.like(Object.fromEntries(first.location?.searchParams ?? []), {
    client_id: 'account-console',
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${host.realm(host.defaultRealm)}/account/callback`,
  });
  t.false(first.location?.href.includes(browser.cookies.get('KEYHOST_ACCOUNT_BROWSER') ?? '-'));
  const posted = await browser.submit(await browser.open(first.location?.href ?? ''), {
    username: 'erin',
    password: PASSWORD,
  });
  await browser.open(posted.location?.href ?? '', { method: 'HEAD' });
  const done = await browser.open(posted.location?.href ?? '');
  const cookie = done.headers.getSetCookie().find((line) => line.startsWith('KEYHOST_ACCOUNT='));
  t.true(cookie?.endsWith(`; Path=/realms/${host.defaultRealm}/account; HttpOnly; SameSite=Lax`), cookie);
  const page = await follow(browser, done);
  t.deepEqual([page.status, ...told(page)], [200, 'Personal info']);
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none';.*frame-ancestors 'none'/);
  t.regex(page.headers.get('cache-control') ?? '', /no-store/);
  t.is(page.headers.get('x-frame-options'), 'DENY');
  t.notRegex(page.text, /<script|\son[a-z]+=/);
  const again = await browser.open(posted.location?.href ?? '');
  t.is(again.status, 400, 'a code is good once');
  const known = new Browser();
  await signIn(known, codeRequest(host).url, { username: 'erin', password: PASSWORD });
  t.is(
    (await follow(known, await known.open(`${host.realm(host.defaultRealm)}/account${DEVICES}`))).status,
    200,
    'single sign-on',
  );
  const bare = new Browser();
  const [, other] = [...browser.cookies].find(([name]) => name === 'KEYHOST_ACCOUNT') ?? [];
  bare.cookies.set('KEYHOST_ACCOUNT', other ?? '');
  t.is(
    (await bare.open(`${host.realm(host.defaultRealm)}/account/`)).status,
    302,
    'the page’s cookie alone is nothing',
  );
});

test('account page: a form from another site, of another session, or without its token changes nothing', async (t) => {
  const host = await withUsers();
  const browser = new Browser();
  const franks = new Browser();
  const page = await openAccount(browser, host);
  const franksPage = await openAccount(franks, host, '/', FRANK);
  const other = fieldsOf(franksPage).stateChecker ?? '';
  const attempts: [Record<string, string>, Record<string, string>][] = [
    [{ ...CHANGE, stateChecker: '' }, {}],
    [{ ...CHANGE, stateChecker: other }, {}],
    [{ ...CHANGE, stateChecker: 'x'.repeat(43) }, {}],
    [CHANGE, { 'sec-fetch-site': 'cross-site' }],
    [CHANGE, { 'sec-fetch-site': 'same-site' }],
    [CHANGE, { 'sec-fetch-site': 'none' }],
    [CHANGE, { 'sec-fetch-site': '', origin: 'http://evil.test' }],
  ];
  for (const [fields, headers] of attempts) {
    for (const path of [
      '/',
      DEVICES,
      '/applications',
      '/account-security/signing-in',
      '/account-security/signing-in/remove',
    ]) {
      const refused = await send(browser, page, path, fields, headers);
      t.is(refused.status, 400, `${path} ${JSON.stringify([fields, headers])}`);
      t.regex(refused.text, /nothing was changed/);
    }
  }
  for (const path of [
    '/',
    DEVICES,
    '/start?action=UPDATE_PASSWORD',
    '/callback?code=x&state=y',
    `${DEVICES}?others=true`,
  ]) {
    await browser.open(`${host.realm(host.defaultRealm)}/account${path}`);
  }
  t.is(await firstNameOf(host), 'Erin');
  const json = await send(browser, page, '/', CHANGE, { 'content-type': 'application/json' });
  t.is(json.status, 415);
  t.is((await send(browser, page, '/', CHANGE)).status, 303);
  t.is(await firstNameOf(host), 'Changed');
  t.is(await firstNameOf(host, 'frank'), 'Erin');
});

test('account page: two tabs work side by side; after another user has signed in, the page shows that user', async (t) => {
  const host = await withUsers();
  const browser = new Browser();
  const one = await browser.open(`${host.realm(host.defaultRealm)}/account/`);
  const two = await browser.open(`${host.realm(host.defaultRealm)}/account${DEVICES}`);
  const login = await follow(browser, one);
  const later = await follow(browser, two);
  const first = await signInOn(browser, login);
  t.is(told(first)[0], 'Personal info');
  const second = await signInOn(browser, later);
  t.is(told(second)[0], 'Device activity');
  t.is((await send(browser, first, '/', CHANGE)).status, 303, 'the older tab’s form still works');
  const left = await signOut(browser, first);
  t.is(left.location?.href, `${host.realm(host.defaultRealm)}/account/`);
  await openAccount(browser, host, '/', FRANK);
  const stale = await send(browser, first, '/', { ...CHANGE, firstName: 'Stale' });
  t.is(stale.status, 400);
  t.deepEqual([await firstNameOf(host), await firstNameOf(host, 'frank')], ['Changed', 'Erin']);
});

test.serial('account page: an ended session and a disabled user lead to the login, and change nothing', async (t) => {
  const host = await withUsers();
  const realm = await host.loadedRealm(host.defaultRealm);
  const erin = await host.users.byUsername(realm, 'erin');
  const ends: (() => Promise<unknown>)[] = [
    () => host.store.sessions.endAll(host.defaultRealm, { userId: erin?.id ?? '' }),
    async () => clock.forward(1801),
    () =>
      host.users.change(realm, erin?.id ?? '', (draft) => {
        draft.notBefore = Math.floor(clock.now() / 1000) + 1;
      }),
    () =>
      host.users.change(realm, erin?.id ?? '', (draft) => {
        draft.enabled = false;
      }),
  ];
  for (const [index, end] of ends.entries()) {
    clock.forward(2);
    const browser = new Browser();
    const page = await openAccount(browser, host);
    t.is(told(page)[0], 'Personal info', `${index}`);
    await end();
    const posted = await send(browser, page, '/', CHANGE);
    t.is(posted.status, 401, `${index}`);
    t.regex(posted.text, /You are no longer signed in/);
    t.regex(posted.text, /id="kc-continue" href="http[^"]*\/account\/"/);
    t.is((await browser.open(`${host.realm(host.defaultRealm)}/account/`)).status, 302);
    t.is(await firstNameOf(host), 'Erin');
  }
});

test('account page: a response to a login that this browser did not start, or that was refused, creates no session', async (t) => {
  const host = await withUsers();
  const attacker = new Browser();
  const victim = new Browser();
  const begun = await attacker.open(`${host.realm(host.defaultRealm)}/account/`);
  const login = await attacker.open(begun.location?.href ?? '');
  const answer = await attacker.submit(login, { username: 'frank', password: PASSWORD });
  await openAccount(victim, host);
  const foreign = await victim.open(answer.location?.href ?? '');
  t.is(foreign.status, 400);
  t.regex((await openAccount(victim, host)).text, /value="erin"/);
  const withoutCookies = await new Browser().open(answer.location?.href ?? '');
  t.regex(withoutCookies.text, /Cookie not found/);
  const own = new URL(
    (await new Browser().open(`${host.realm(host.defaultRealm)}/account/`)).location?.searchParams.get(
      'redirect_uri',
    ) ?? '',
  );
  for (const query of [
    '',
    'error=access_denied',
    'state=x&code=y',
    `state=${begun.location?.searchParams.get('state')}&error=access_denied`,
  ]) {
    const refused = await victim.open(`${own}?${query}`);
    t.deepEqual(
      [refused.status, /<p id="kc-error-message">([^<]*)/.exec(refused.text)?.[1]],
      [400, 'You are not signed in. Please try again.'],
      query,
    );
  }
  for (const path of ['/nothing', '/account-security', '/callback/', '/__proto__']) {
    t.is((await victim.open(`${host.realm(host.defaultRealm)}/account${path}`)).status, 404, path);
  }
  t.is(
    (
      await victim.open(`${host.realm(host.defaultRealm)}/account/callback`, {
        method: 'POST',
        body: new URLSearchParams(),
      })
    ).status,
    405,
  );
});

test('account page: required actions of the realm come first; a realm whose client is missing or disabled gets an error page', async (t) => {
  const busy = accountUser('busy', { requiredActions: ['UPDATE_PASSWORD'] });
  const host = await withUsers([busy]);
  const off = await withUsers([], { enabled: false });
  const browser = new Browser();
  const login = await follow(browser, await browser.open(`${host.realm(host.defaultRealm)}/account/`));
  const asked = await signInOn(browser, login, { username: 'busy', password: PASSWORD });
  t.is(told(asked)[0], 'Update password');
  t.is((await browser.open(`${host.realm(host.defaultRealm)}/account/`)).status, 302);
  t.is((await browser.open(`${off.realm(off.defaultRealm)}/account/`)).status, 403);
  t.is((await browser.open(`${host.url}/realms/none/account/`)).status, 404);
  const other = await inRealm(shared(), (name) => {
    const disabled = accountRealm(USERS, {}, name);
    return { ...disabled, clients: [...(disabled.clients ?? []), { clientId: 'account-console', enabled: false }] };
  });
  const refused = await follow(new Browser(), await new Browser().open(`${other.realm(other.defaultRealm)}/account/`));
  t.deepEqual(
    [refused.status, /<p id="kc-error-message">([^<]*)/.exec(refused.text)?.[1]],
    [400, 'This application is disabled. Contact the operator of the application.'],
  );
  t.regex(refused.text, /For developers: Client disabled</);
});

test('account page: Sign out ends the session without a question, and another user’s code does not', async (t) => {
  const host = await withUsers();
  const browser = new Browser();
  const page = await openAccount(browser, host);
  t.regex(page.text, /<span id="kc-account-name">Erin Example<\/span>/);
  const others = await openAccount(new Browser(), host, '/', FRANK);
  const refused = await signOut(browser, others);
  t.deepEqual([refused.status, told(refused)[0]], [400, 'We are sorry…']);
  t.is((await browser.open(`${host.realm(host.defaultRealm)}/account/`)).status, 200);
  const left = await signOut(browser, page);
  t.deepEqual([left.status, left.location?.href], [302, `${host.realm(host.defaultRealm)}/account/`]);
  t.is((await browser.open(`${host.realm(host.defaultRealm)}/account/`)).status, 302);
  t.is((await signOut(browser, page)).status, 302, 'pressed twice');
});

test('account page: users with the role delete-account delete their account if the realm allows it', async (t) => {
  const requiredActions = ['UPDATE_PASSWORD', 'delete_account'].map((alias) => ({ alias, enabled: true }));
  const leaving = accountUser('leaving', { clientRoles: { account: ['delete-account'] } });
  const host = await withUsers([leaving, ...USERS], { requiredActions });
  const credentials = { username: 'leaving', password: PASSWORD };
  const browser = new Browser();
  const erins = new Browser();
  const page = await openAccount(browser, host, '/', credentials);
  const link = unescapeHtml(/id="kc-delete-account" href="([^"]*)"/.exec(page.text)?.[1] ?? '');
  const open = async () => follow(browser, await browser.open(`${host.url}${link}`));
  const cancelled = await follow(browser, await browser.submit(await open(), { 'cancel-aia': 'true' }));
  t.is(told(cancelled)[0], 'Personal info');
  const tokens = await host.token(host.defaultRealm, { ...WEB, grant_type: 'password', ...credentials });
  const asked = await open();
  t.is(told(asked)[0], 'Delete your account?');
  t.regex(formAction(asked), /execution=delete_account/);
  const gone = await browser.submit(asked, {});
  t.deepEqual([gone.status, told(gone)[0]], [200, 'Your account has been deleted.']);
  t.is(await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'leaving'), undefined);
  const refresh = { ...WEB, grant_type: 'refresh_token', refresh_token: String(tokens.json.refresh_token) };
  t.is((await host.token(host.defaultRealm, refresh)).status, 400);
  t.is((await browser.open(`${host.realm(host.defaultRealm)}/account/`)).status, 302);
  t.true(
    (await host.stored(host.defaultRealm)).some(
      ({ type, details }) => type === 'DELETE_ACCOUNT' && details.username === 'leaving',
    ),
  );

  t.notRegex((await openAccount(erins, host)).text, /kc-delete-account/);
  const refused = await erins.open(codeRequest(host, { kc_action: 'delete_account' }).url);
  t.is(refused.location?.searchParams.get('error'), 'access_denied');
  t.is(await firstNameOf(host), 'Erin');
});

test('account page: an admin who impersonates a user sees the account, and cannot do what requires the user', async (t) => {
  const key = { id: 'p1', type: 'webauthn', userLabel: 'one', secretData: '{}' };
  const watched = accountUser('watched', { credentials: [{ type: 'password', value: PASSWORD }, key] });
  const host = await withUsers([watched]);
  const call = await adminCaller(host);
  const browser = new Browser();
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'watched');
  const started = await call('POST', `/realms/${host.defaultRealm}/users/${user?.id}/impersonation`, {});
  for (const line of started.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    browser.cookies.set(name, value);
  }
  const page = await openAccount(browser, host, '/account-security/signing-in');
  t.is(told(page)[0], 'Signing in');
  const remove = '/account-security/signing-in/remove';
  t.is((await send(browser, page, remove, { credential: 'p1' })).status, 403);
  const profile = await openAccount(browser, host);
  t.is((await send(browser, profile, '/', { ...CHANGE, email: 'admin@example.test' })).status, 403);
  for (const path of [`${remove}?credential=p1`, '/start?action=UPDATE_PASSWORD&to=/']) {
    const asked = await follow(browser, await browser.open(`${host.realm(host.defaultRealm)}/account${path}`));
    t.regex(asked.text, /id="password"/, path);
  }
});
