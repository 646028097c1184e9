import test from 'ava';
import { edited, encodePart, partOf, resigned } from '../helpers/forge.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { introspect, logIn, post, WEB, WEB2 } from '../helpers/login.js';
import { confirmLogout, isLoggedIn, joinByBrowser, logInByBrowser, logoutUrl } from '../helpers/logout.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const TWO = 'http://127.0.0.1:9999/two';
const realm = testRealm('demo');
const clients = realm.clients?.map((client) =>
  client.clientId === 'web2' ? { ...client, redirectUris: [TWO] } : client,
);
const host = shareHost(test, { realms: [{ ...realm, clients: clients ?? [] }, testRealm('other')] });

const refresh = (token: string, client = WEB) =>
  post(host(), 'token', { ...client, grant_type: 'refresh_token', refresh_token: token });

test('T170 · logout: one with hint, redirect URI and state ends there, and nothing of the session is left', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK, state: 'a b&' };
  const answer = await browser.open(logoutUrl(host(), parameters));
  t.is(answer.status, 302, answer.text);
  t.is(answer.headers.get('location'), `${CALLBACK}?state=a+b%26`);
  const cleared = answer.headers.getSetCookie();
  for (const name of ['KEYCLOAK_IDENTITY', 'KEYCLOAK_SESSION'])
    t.true(
      cleared.some((line) => line.startsWith(`${name}=; Path=/realms/demo/; Max-Age=0`)),
      name,
    );
  t.false(await isLoggedIn(host(), browser));
  t.is((await refresh(tokens.refresh_token)).status, 400);
});

test('T170 · logout: an old identity cookie is invalid afterwards', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const thief = new Browser();
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  t.true(await isLoggedIn(host(), thief));
  await browser.open(logoutUrl(host(), { id_token_hint: tokens.id_token }));
  t.false(await isLoggedIn(host(), thief));
});

test('T171 · logout: a hint that expired an hour ago still logs out', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const hour = Math.floor(Date.now() / 1000) - 3600;
  const expired = await resigned(host(), tokens.id_token, { exp: hour });
  const answer = await browser.open(logoutUrl(host(), { id_token_hint: expired, post_logout_redirect_uri: CALLBACK }));
  t.deepEqual([answer.status, answer.headers.get('location')], [302, CALLBACK]);
  t.false(await isLoggedIn(host(), browser));
  const before = await logInByBrowser(host());
  const old = await resigned(host(), before.tokens.id_token, { iat: hour, exp: hour + 60 });
  const refused = await before.browser.open(logoutUrl(host(), { id_token_hint: old }));
  t.is(refused.status, 400, 'a hint that is older than its session');
});

test('T172 · logout: no redirect leaves the registered URIs', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const targets = [
    'https://evil.test/',
    `${CALLBACK}?foo=bar`,
    `${CALLBACK}/../evil`,
    `${CALLBACK}#x`,
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '//evil.test',
    'data:text/html,evil',
    'http://127.0.0.1:9999@evil.test/cb',
    TWO,
  ];
  for (const target of targets) {
    const naming: Record<string, string>[] = [{ id_token_hint: tokens.id_token }, { client_id: 'web' }, {}];
    for (const named of naming) {
      const answer = await browser.open(logoutUrl(host(), { ...named, post_logout_redirect_uri: target }));
      t.is(answer.status, 400, target);
      t.is(answer.location, undefined, target);
      // As text it only appears in the line for developers, which production omits.
      t.false(answer.text.replace(/<p id="kc-error-fault"[\s\S]*?<\/p>/, '').includes(target), target);
    }
  }
  const unknown = await browser.open(logoutUrl(host(), { client_id: 'nobody', post_logout_redirect_uri: CALLBACK }));
  t.deepEqual([unknown.status, unknown.location], [400, undefined]);
  t.true(await isLoggedIn(host(), browser));
});

test('T173 · logout: without a hint the user is asked first, then sees that it is done', async (t) => {
  for (const parameters of [{}, { state: 'x' }, { client_id: 'web' }] as Record<string, string>[]) {
    const { browser } = await logInByBrowser(host());
    const page = await browser.open(logoutUrl(host(), parameters));
    t.is(page.status, 200);
    t.regex(page.text, /Do you want to sign out\?/);
    t.true(await isLoggedIn(host(), browser), 'not before the answer');
    const done = await confirmLogout(browser, page);
    t.is(done.status, 200, done.text);
    t.regex(done.text, /You are signed out/);
    t.false(await isLoggedIn(host(), browser));
  }
});

test('T173 · logout: a confirmation is valid in its browser and session alone', async (t) => {
  const { browser } = await logInByBrowser(host());
  const mine = await browser.open(logoutUrl(host()));
  const victim = await logInByBrowser(host());
  const nobody = await new Browser().open(logoutUrl(host()));
  for (const page of [mine, nobody]) {
    const answer = await confirmLogout(victim.browser, page);
    t.is(answer.status, 400);
    t.regex(answer.text, /Logout failed/);
  }
  for (const code of ['', 'x', victim.tokens.id_token, victim.tokens.refresh_token]) {
    const body = new URLSearchParams({ session_code: code, confirmLogout: '' });
    const answer = await victim.browser.open(`${host().oidc('demo')}/logout/logout-confirm`, { method: 'POST', body });
    t.is(answer.status, 400);
  }
  t.true(await isLoggedIn(host(), victim.browser));
  t.is((await confirmLogout(browser, mine)).status, 200);
  t.is((await confirmLogout(browser, mine)).status, 200, 'pressed twice');
});

test('T174 · logout: a forged hint, one without a signature and any other token are refused', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const [, payload = ''] = tokens.id_token.split('.');
  const other = await logIn(host(), {}, 'other');
  const hints = {
    changed: edited(tokens.id_token, { sub: 'x' }),
    none: `${encodePart({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    unsigned: edited(tokens.id_token, {}, { alg: 'none' }),
    access: tokens.access_token,
    refresh: tokens.refresh_token,
    realm: other.id_token,
    text: 'hint',
  };
  for (const [what, hint] of Object.entries(hints)) {
    const answer = await browser.open(
      logoutUrl(host(), { id_token_hint: hint, post_logout_redirect_uri: CALLBACK, client_id: 'web' }),
    );
    t.deepEqual([answer.status, answer.location], [400, undefined], what);
  }
  const mixed = await browser.open(
    logoutUrl(host(), { id_token_hint: tokens.id_token, post_logout_redirect_uri: TWO, client_id: 'web2' }),
  );
  t.deepEqual([mixed.status, mixed.location], [400, undefined], 'another client');
  t.true(await isLoggedIn(host(), browser));
});

test('T176 · logout: another user’s hint does not sign out the browser’s user without a confirmation', async (t) => {
  const { browser } = await logInByBrowser(host());
  const dave = await logInByBrowser(host(), { username: 'dave', password: 'Dave-pass-1!' });
  const forged = await resigned(host(), dave.tokens.id_token, { sid: undefined });
  for (const hint of [dave.tokens.id_token, forged]) {
    const answer = await browser.open(logoutUrl(host(), { id_token_hint: hint, post_logout_redirect_uri: CALLBACK }));
    t.is(answer.status, 200);
    t.regex(answer.text, /Do you want to sign out\?/);
  }
  t.true(await isLoggedIn(host(), browser));
  t.true(await isLoggedIn(host(), dave.browser));
});

test('T177 · logout: it invalidates the tokens of all clients of the session, and no other session', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const second = await joinByBrowser(host(), browser, WEB2, TWO);
  t.is(partOf(second.id_token, 1).sid, partOf(tokens.id_token, 1).sid);
  const elsewhere = await logInByBrowser(host());
  const active = async (token: string) => Boolean((await introspect(host(), token)).json.active);
  t.true(await active(second.access_token));
  await browser.open(logoutUrl(host(), { id_token_hint: second.id_token }));
  for (const token of [tokens, second].flatMap((all) => [all.access_token, all.refresh_token]))
    t.false(await active(token));
  t.is((await refresh(second.refresh_token, WEB2)).status, 400);
  t.true(await active(elsewhere.tokens.access_token));
  t.is((await refresh(elsewhere.tokens.refresh_token)).status, 200);
});

test('T177 · logout: a code that was not redeemed before brings nothing afterwards', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const { url, verifier } = codeRequest(host());
  const code = (await browser.open(url)).location?.searchParams.get('code') ?? '';
  t.not(code, '');
  await browser.open(logoutUrl(host(), { id_token_hint: tokens.id_token }));
  const form = { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const answer = await post(host(), 'token', form);
  t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant'], answer.text);
});
