import test, { type ExecutionContext } from 'ava';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, formAction, signIn, type Visit } from '../helpers/form-browser.js';
import { claimsOf, startHost, TestClock } from '../helpers/host.js';
import { post, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const realm = codeRealm('demo');
const busy = {
  username: 'busy',
  enabled: true,
  requiredActions: ['UPDATE_PASSWORD'],
  credentials: [{ type: 'password', value: 'Busy-pass-1!' }],
};
const host = shareHost(test, { realms: [{ ...realm, users: [...(realm.users ?? []), busy] }, codeRealm('other')] });
const auth = (changes: Record<string, string | undefined> = {}, at = host()) => codeRequest(at, changes);
const ALICE_FORM = { username: 'alice', password: 'Alice-pass-1!' };

const errorOf = ({ location }: Visit) => location?.searchParams.get('error');
const codeOf = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;

async function loggedIn(t: ExecutionContext, at = host()): Promise<Browser> {
  const browser = new Browser();
  t.truthy(codeOf(await signIn(browser, auth({}, at).url)));
  return browser;
}

async function notLoggedIn(t: ExecutionContext, browser: Browser): Promise<void> {
  t.is(errorOf(await browser.open(auth({ prompt: 'none' }).url)), 'login_required');
}

const onPage = (t: ExecutionContext, page: Visit, what: string) => {
  t.deepEqual([page.status, page.location], [400, undefined], `${what} ${page.text.slice(0, 200)}`);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', what);
};

test('T070 T072 · browser session: prompt=none shows no page, and excludes other prompts', async (t) => {
  const silent = await new Browser().open(auth({ prompt: 'none' }).url);
  t.deepEqual([silent.status, silent.text, errorOf(silent)], [302, '', 'login_required']);
  for (const jar of [new Browser(), await loggedIn(t)])
    for (const prompt of ['none login', 'login none', 'none consent', 'none none'])
      t.is(errorOf(await jar.open(auth({ prompt }).url)), 'invalid_request', prompt);
});

async function idToken(back: Visit, verifier: string): Promise<Record<string, unknown>> {
  const form = { ...WEB, grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier };
  const { json } = await post(host(), 'token', { ...form, code: codeOf(back) ?? '' });
  return claimsOf(String(json.id_token));
}

test('T071 T074 · browser session: a signed-in user gets a code, with the same session and auth_time', async (t) => {
  const browser = new Browser();
  const first = auth();
  const id = await idToken(await signIn(browser, first.url), first.verifier);
  for (const changes of [{ prompt: 'none' }, { max_age: '10000' }, {}]) {
    const { url, verifier } = auth(changes);
    const again = await idToken(await browser.open(url), verifier);
    t.like(again, { sub: id.sub, auth_time: id.auth_time, sid: id.sid });
  }
});

test('T073 T074 · browser session: prompt=login and an old login ask again, for the same user, with a new auth_time and cookie', async (t) => {
  const clock = new TestClock();
  const own = await startHost(t, { realms: [codeRealm('demo')], clock });
  const browser = await loggedIn(t, own);
  const before = browser.cookies.get('KEYCLOAK_IDENTITY') ?? '';
  clock.forward(5);
  t.is(errorOf(await browser.open(auth({ prompt: 'none', max_age: '1' }, own).url)), 'login_required');
  for (const changes of [{ prompt: 'login' }, { max_age: '1' }, { max_age: '0' }]) {
    const page = await browser.open(auth(changes, own).url);
    t.regex(page.text, /id="password"/);
    const other = await browser.submit(page, { username: 'dave', password: 'Dave-pass-1!' });
    t.is(codeOf(other), undefined, 'nobody else by this page');
    const known = browser.cookies.get('KEYCLOAK_IDENTITY') ?? '';
    t.truthy(codeOf(await browser.submit(other, ALICE_FORM)));
    clock.forward(5);
    t.not(browser.cookies.get('KEYCLOAK_IDENTITY'), known);
  }
  // Other applications take part in this session: it continues, and one logout still ends it for all of them.
  const { sid } = claimsOf(browser.cookies.get('KEYCLOAK_IDENTITY') ?? '');
  t.is(sid, claimsOf(before).sid);
  const session = await own.store.sessions.get({ realm: 'demo', id: String(sid), offline: false });
  t.true((session?.authTime ?? 0) > Math.floor((session?.startedAt ?? 0) / 1000));
});

test('T076 · browser session: max_age is a number of seconds', async (t) => {
  for (const max_age of ['-1', 'abc', '1e3', '99999999999999999999', '1.5', ' 1', '0x10', 'NaN', '१'])
    t.is(errorOf(await new Browser().open(auth({ max_age }).url)), 'invalid_request', max_age);
});

test('T160 T162 · browser session: the address of a page is of no use in another browser, with or without a login there', async (t) => {
  const attacker = new Browser();
  const page = await attacker.open(auth().url);
  const action = formAction(page);
  const at = (name: string) => action.replace('/authenticate?', `/${name}?`);
  const consent = at('consent').replace(/execution=[^&]*/, 'execution=consent');
  for (const victim of [await loggedIn(t), new Browser()]) {
    for (const url of [action, at('restart'), consent, `${host().realm('demo')}/login-actions/authenticate`]) {
      onPage(t, await victim.open(url), url);
      if (!url.includes('restart')) {
        const body = new URLSearchParams({ ...ALICE_FORM, accept: 'yes' });
        onPage(t, await victim.open(url, { method: 'POST', body }), `POST ${url}`);
      }
    }
    t.is((await victim.open(at('required-action'))).location, undefined);
  }
  await notLoggedIn(t, attacker);
  onPage(t, await attacker.open(consent, { method: 'POST', body: new URLSearchParams({ accept: 'yes' }) }), 'consent');
  for (const [name, value] of [
    ['tab_id', 'x'],
    ['client_id', 'web2'],
    ['session_code', 'x'],
    ['execution', '0'],
  ] as const) {
    const changed = new URL(action);
    changed.searchParams.set(name, value);
    onPage(t, await attacker.open(changed.href, { method: 'POST', body: new URLSearchParams(ALICE_FORM) }), name);
  }
  await notLoggedIn(t, attacker);
  const elsewhere = action.replace('/realms/demo/', '/realms/other/');
  onPage(t, await attacker.open(elsewhere, { method: 'POST', body: new URLSearchParams(ALICE_FORM) }), 'another realm');
});

test('T163 · browser session: every login has cookies of its own, and a planted or old one signs nobody in', async (t) => {
  const browser = new Browser();
  const page = await browser.open(auth().url);
  const pending = browser.cookies.get('AUTH_SESSION_ID') ?? '';
  t.truthy(codeOf(await browser.submit(page, ALICE_FORM)));
  t.false(browser.cookies.has('AUTH_SESSION_ID'));
  onPage(t, await browser.submit(page, ALICE_FORM), 'the form again');
  const identity = browser.cookies.get('KEYCLOAK_IDENTITY') ?? '';
  const other = await loggedIn(t);
  for (const [name, value] of browser.cookies) t.not(other.cookies.get(name), value, name);
  const planted = new Browser();
  planted.cookies.set('AUTH_SESSION_ID', pending);
  onPage(t, await planted.open(formAction(page)), 'the cookie of a finished login');
  await host().store.sessions.end({ realm: 'demo', id: String(claimsOf(identity).sid), offline: false });
  await notLoggedIn(t, browser);
  const alg = Buffer.from('{"alg":"none"}').toString('base64url');
  const [head = '', body = '', signature = ''] = (other.cookies.get('KEYCLOAK_IDENTITY') ?? '').split('.');
  for (const cookie of [
    `${alg}.${body}.`,
    `${head}.${body}.`,
    `${head}.${body}.${signature}x`,
    body,
    'x',
    '%00',
    identity,
  ]) {
    const forged = new Browser();
    forged.cookies.set('KEYCLOAK_IDENTITY', cookie);
    await notLoggedIn(t, forged);
  }
  const session = new Browser();
  session.cookies.set('KEYCLOAK_IDENTITY', other.cookies.get('KEYCLOAK_SESSION') ?? '');
  await notLoggedIn(t, session);
  t.is(errorOf(await other.open(codeRequest(host(), { prompt: 'none' }, 'other').url)), 'login_required');
});

test('T164 · browser session: a login that is not complete brings no code', async (t) => {
  const browser = new Browser();
  const half = await signIn(browser, auth().url, { username: 'busy', password: 'Busy-pass-1!' });
  t.is(codeOf(half), undefined);
  await notLoggedIn(t, browser);
  const asks = { client_id: 'asks' };
  const known = await loggedIn(t);
  t.regex(errorOf(await known.open(auth({ ...asks, prompt: 'none' }).url)) ?? '', /^(interaction|consent)_required$/);
});

test('T162 T164 · browser session: consent is the own, given once, and worth nothing when the login behind it has ended', async (t) => {
  const browser = await loggedIn(t);
  const asked = await browser.open(auth({ client_id: 'asks' }).url);
  t.regex(asked.text, /name="accept"/);
  t.notRegex(asked.text, /<b>you/);
  onPage(t, await new Browser().submit(asked, { accept: 'yes' }), 'another browser');
  const refused = await browser.submit(asked, { cancel: 'no' });
  t.is(errorOf(refused), 'access_denied');
  const later = await browser.open(auth({ client_id: 'asks' }).url);
  const sid = String(claimsOf(browser.cookies.get('KEYCLOAK_IDENTITY') ?? '').sid);
  await host().store.sessions.end({ realm: 'demo', id: sid, offline: false });
  onPage(t, await browser.submit(later, { accept: 'yes' }), 'after the end of the session');
  await notLoggedIn(t, browser);
});

test('T164 · browser session: a given consent is stored, for its scopes', async (t) => {
  const dave = { username: 'dave', password: 'Dave-pass-1!' };
  const browser = new Browser();
  const asked = await signIn(browser, auth({ client_id: 'asks' }).url, dave);
  t.truthy(codeOf(await browser.submit(asked, { accept: 'yes' })));
  t.truthy(codeOf(await browser.open(auth({ client_id: 'asks', prompt: 'none' }).url)));
  t.regex((await browser.open(auth({ client_id: 'asks', prompt: 'consent' }).url)).text, /name="accept"/);
  const more = await browser.open(auth({ client_id: 'asks', scope: 'openid address' }).url);
  t.regex(more.text, /name="accept"/);
});

test('T165 · browser session: cookies are kept from scripts, other paths and, over https, from plain http', async (t) => {
  const proxied = await startHost(t, {
    realms: [codeRealm('demo')],
    argv: ['--hostname', 'https://id.example.test', '--proxy-headers', 'xforwarded'],
  });
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.test' };
  for (const [at, headers] of [
    [host(), {}],
    [proxied, https],
  ] as const) {
    const page = await new Browser().open(auth({}, at).url, { headers });
    const cookie = /AUTH_SESSION_ID=[^;]+/.exec(page.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const { pathname, search } = new URL(formAction(page));
    const body = new URLSearchParams(ALICE_FORM);
    const back = await new Browser().open(`${at.url}${pathname}${search}`, {
      method: 'POST',
      body,
      headers: { ...headers, cookie },
    });
    const lines = [...page.headers.getSetCookie(), ...back.headers.getSetCookie()];
    t.true(lines.length >= 4, back.text);
    for (const line of lines) {
      t.regex(line, /; Path=\/realms\/demo\/(;|$)/);
      t.regex(line, at === host() ? /; SameSite=Lax$/ : /; Secure; SameSite=None$/);
      if (!line.startsWith('KEYCLOAK_SESSION=')) t.regex(line, /; HttpOnly/);
      t.notRegex(line, /alice|Domain=/i);
      t.notRegex(Buffer.from(line.split('.')[1] ?? '', 'base64url').toString(), /alice/i);
    }
  }
});

test('T306 · browser session: with a public https address every cookie is Secure, whatever the last hop was', async (t) => {
  const localized = codeRealm('demo', { internationalizationEnabled: true, supportedLocales: ['en', 'de'] });
  const scene = (...argv: string[]) =>
    startHost(t, { realms: [localized], argv: ['--hostname', 'https://id.example.test', ...argv] });
  const plain = await scene();
  const proxied = await scene('--proxy-headers', 'xforwarded');
  for (const [at, headers] of [
    [plain, {}],
    [plain, { 'x-forwarded-proto': 'http' }],
    [proxied, {}],
    [proxied, { 'x-forwarded-proto': 'http' }],
    [proxied, { 'x-forwarded-proto': 'http, http' }],
  ] as const) {
    const page = await new Browser().open(`${auth({}, at).url}&kc_locale=de`, { headers });
    const cookie = /AUTH_SESSION_ID=[^;]+/.exec(page.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const path = /action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll(/&(#38|amp);/g, '&') ?? '';
    const body = new URLSearchParams({ ...ALICE_FORM });
    const back = await new Browser().open(at.url + path, { method: 'POST', body, headers: { ...headers, cookie } });
    const account = await new Browser().open(`${at.realm('demo')}/account/`, { headers });
    const lines = [page, back, account].flatMap((visit) => visit.headers.getSetCookie());
    const names = new Set(lines.map((line) => line.slice(0, line.indexOf('='))));
    for (const name of ['AUTH_SESSION_ID', 'KEYCLOAK_IDENTITY', 'KEYCLOAK_SESSION', 'KEYCLOAK_LOCALE'])
      t.true(names.has(name), `${name} ${[...names]}`);
    for (const line of lines) t.regex(line, /; Secure(;|$)/, JSON.stringify(headers));
  }
});

test('T046 T073 · browser session: a second client joins the login, and a cookie that comes twice is not believed', async (t) => {
  const browser = await loggedIn(t);
  t.truthy(codeOf(await browser.open(auth({ client_id: 'web2', redirect_uri: TWO, prompt: 'none' }).url)));
  const cookie = `KEYCLOAK_IDENTITY=${browser.cookies.get('KEYCLOAK_IDENTITY')}; KEYCLOAK_IDENTITY=x`;
  t.is(errorOf(await new Browser().open(auth({ prompt: 'none' }).url, { headers: { cookie } })), 'login_required');
});
