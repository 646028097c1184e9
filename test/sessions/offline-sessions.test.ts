import test from 'ava';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser, CALLBACK } from '../helpers/form-browser.js';
import { type Answer, claimsOf, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { introspect, logIn, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { isLoggedIn, logoutUrl } from '../helpers/logout.js';
import { startLogoutReceiver } from '../helpers/logout-receiver.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo')] });

const OFFLINE = { scope: 'openid offline_access' };

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly id: string;
}

function tokensOf({ json }: Answer): Tokens {
  return { access: String(json.access_token), refresh: String(json.refresh_token), id: String(json.id_token) };
}

/** A login of `web` with offline access. */
async function goOffline(browser: Browser, at: TestHost = host()): Promise<Tokens> {
  const answer = await redeem(at, await freshCode(at, OFFLINE, browser));
  if (answer.status !== 200) throw new Error(answer.text);
  return tokensOf(answer);
}

const refresh = (refresh_token: string, as = WEB, at = host()) =>
  post(at, 'token', { ...as, grant_type: 'refresh_token', refresh_token });

const works = async ({ access, refresh: token }: Tokens, at = host()) => [
  (await userinfo(at, access)).status,
  (await refresh(token, WEB, at)).status,
];

test('offline sessions: every token of a login with offline access has the sid of the login', async (t) => {
  const fresh = await freshCode(host(), OFFLINE);
  const answer = await redeem(host(), fresh);
  const { access, refresh: token, id } = tokensOf(answer);
  t.is(answer.json.session_state, fresh.session);
  for (const each of [access, token, id]) t.is(claimsOf(each).sid, fresh.session);
  t.is(claimsOf(token).typ, 'Offline');
  t.regex(String(claimsOf(access).jti), /^ofrtac:/);
  const again = await refresh(token);
  t.is(claimsOf(String(again.json.refresh_token)).sid, fresh.session);
  t.is((await introspect(host(), String(again.json.access_token))).json.active, true);
});

test('offline sessions: a logout at the browser goes back to the client without asking, and leaves the offline session', async (t) => {
  const browser = new Browser();
  const tokens = await goOffline(browser);
  const answer = await browser.open(
    logoutUrl(host(), { id_token_hint: tokens.id, post_logout_redirect_uri: CALLBACK, state: 's' }),
  );
  t.is(answer.status, 302, answer.text);
  t.is(answer.location?.href, `${CALLBACK}?state=s`);
  t.false(await isLoggedIn(host(), browser));
  t.deepEqual(await works(tokens), [200, 200]);
});

test('offline sessions: a back-channel logout names the sid of the offline tokens', async (t) => {
  const receiver = await startLogoutReceiver();
  t.teardown(() => receiver.close());
  const realm = codeRealm('demo');
  const attributes = { 'backchannel.logout.url': `${receiver.url}/web`, 'backchannel.logout.session.required': 'true' };
  const clients = (realm.clients ?? []).map((client) =>
    client.clientId === 'web' ? { ...client, attributes } : client,
  );
  const own = await startHost(t, { realms: [{ ...realm, clients }] });
  const browser = new Browser();
  const tokens = await goOffline(browser, own);
  await browser.open(logoutUrl(own, { id_token_hint: tokens.id, post_logout_redirect_uri: CALLBACK }));
  const [told, ...more] = receiver.tokens('/web');
  t.is(claimsOf(told ?? '').sid, claimsOf(tokens.refresh).sid);
  t.deepEqual(more, []);
});

test('offline sessions: a second login in the same browser goes on with the offline session', async (t) => {
  const browser = new Browser();
  const first = await goOffline(browser);
  const second = await goOffline(browser);
  t.is(claimsOf(first.refresh).sid, claimsOf(second.refresh).sid);
  t.deepEqual(
    [await works(first), await works(second)],
    [
      [200, 200],
      [200, 200],
    ],
  );
  const code = await freshCode(host(), { ...OFFLINE, client_id: 'web2', redirect_uri: TWO }, browser);
  const other = tokensOf(await redeem(host(), code, { ...WEB2, redirect_uri: TWO }));
  t.is(claimsOf(other.refresh).sid, claimsOf(first.refresh).sid);
  t.is((await refresh(other.refresh, WEB2)).status, 200);
});

test('offline sessions: tokens of the login and of its offline session live apart', async (t) => {
  const browser = new Browser();
  const offline = await goOffline(browser);
  const online = tokensOf(await redeem(host(), await freshCode(host(), {}, browser)));
  t.deepEqual([claimsOf(online.refresh).typ, claimsOf(online.refresh).sid], [
    'Refresh',
    claimsOf(offline.refresh).sid,
  ] as never[]);
  t.is((await post(host(), 'revoke', { ...WEB, token: online.refresh })).status, 200);
  t.deepEqual(await works(online), [401, 400]);
  t.deepEqual(await works(offline), [200, 200]);
});

test('offline sessions: an offline token that is revoked or logged out by takes the login along', async (t) => {
  for (const path of ['revoke', 'logout']) {
    const browser = new Browser();
    const offline = await goOffline(browser);
    const online = tokensOf(await redeem(host(), await freshCode(host(), {}, browser)));
    const field = path === 'revoke' ? 'token' : 'refresh_token';
    t.true((await post(host(), path, { ...WEB, [field]: offline.refresh })).status < 300, path);
    t.deepEqual(await works(offline), [401, 400], path);
    t.deepEqual(await works(online), [401, 400], path);
    t.false(await isLoggedIn(host(), browser));
  }
});

test('offline sessions: a client that gets no refresh tokens gets no offline session', async (t) => {
  const realm = codeRealm('demo');
  const clients = (realm.clients ?? []).map((client) =>
    client.clientId === 'web' ? { ...client, attributes: { 'use.refresh.tokens': 'false' } } : client,
  );
  const own = await startHost(t, { realms: [{ ...realm, clients }] });
  const answer = await redeem(own, await freshCode(own, OFFLINE));
  t.is(answer.json.refresh_token, undefined);
  t.regex(String(claimsOf(String(answer.json.access_token)).jti), /^onrtac:/);
  t.is((await userinfo(own, String(answer.json.access_token))).status, 200);
  t.deepEqual(await own.store.sessions.list('demo', { offline: true }), []);
});

test('offline sessions: one that has expired is replaced by the next login', async (t) => {
  const clock = new TestClock();
  const lifespans = { ssoSessionMaxLifespan: 9000, ssoSessionIdleTimeout: 9000, offlineSessionIdleTimeout: 600 };
  const own = await startHost(t, { realms: [codeRealm('demo', lifespans)], clock });
  const browser = new Browser();
  const first = await goOffline(browser, own);
  clock.forward(601);
  t.is((await refresh(first.refresh, WEB, own)).status, 400);
  const second = await goOffline(browser, own);
  t.is(claimsOf(second.refresh).sid, claimsOf(first.refresh).sid);
  t.deepEqual([await works(second, own), (await refresh(first.refresh, WEB, own)).status], [[200, 200], 400]);
  const isActive = async ({ refresh: token }: Tokens) =>
    (await introspect(own, token, { token_type_hint: 'refresh_token' })).json.active;
  t.deepEqual([await isActive(second), await isActive(first)], [true, false]);
});

test('offline sessions: a rotated token is valid as long as the idle timeout says, even if that is longer than any login', async (t) => {
  const DAY = 86_400;
  const clock = new TestClock();
  const settings = { offlineSessionIdleTimeout: 60 * DAY, revokeRefreshToken: true, refreshTokenMaxReuse: 0 };
  const own = await startHost(t, { realms: [codeRealm('demo', settings)], clock });
  let { refresh: token } = await goOffline(new Browser(), own);
  for (const days of [40, 59]) {
    clock.forward(days * DAY);
    const answer = await refresh(token, WEB, own);
    t.is(answer.status, 200, `after ${days} days: ${answer.text}`);
    const used = token;
    token = tokensOf(answer).refresh;
    if (days === 59) t.is((await refresh(used, WEB, own)).status, 400, 'a second use');
  }
});

test('offline sessions: an offline login by password has an id of its own, as before', async (t) => {
  const tokens = await logIn(host(), OFFLINE);
  const sid = String(claimsOf(tokens.refresh_token).sid);
  t.is(await host().store.sessions.get({ realm: 'demo', id: sid, offline: false }), undefined);
  t.is((await refresh(tokens.refresh_token)).status, 200);
});
