import test from 'ava';
import { partOf, resigned } from '../helpers/forge.js';
import { Browser, CALLBACK, unescapeHtml } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { basic, introspect, post, WEB, WEB2 } from '../helpers/login.js';
import { confirmLogout, isLoggedIn, joinByBrowser, logInByBrowser, logoutUrl } from '../helpers/logout.js';
import { startLogoutReceiver } from '../helpers/logout-receiver.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const TWO = 'http://127.0.0.1:9999/two';
const german = { internationalizationEnabled: true, supportedLocales: ['en', 'de'], defaultLocale: 'en' };

/** A host, and an application that receives its logout tokens. */
const started = shareStarted(test, async (scope) => {
  const receiver = await startLogoutReceiver();
  scope.teardown(() => receiver.close());
  const realm = testRealm('demo', german);
  const clients = (realm.clients ?? []).map((client) => {
    if (client.clientId !== 'web2') return client;
    const attributes = {
      'backchannel.logout.url': `${receiver.url}/web2`,
      'backchannel.logout.session.required': 'false',
      'frontchannel.logout.url': 'https://two.example.test/bye?app=2',
    };
    return { ...client, name: 'Second <app>', redirectUris: [TWO], frontchannelLogout: true, attributes };
  });
  return { receiver, host: await startHost(scope, { realms: [{ ...realm, clients }] }) };
});
const host = () => started().host;

const events = async () => (await host().stored('demo')).filter(({ type }) => type.startsWith('LOGOUT'));

test('logout: a hint signs out at once, by POST too, and the event has the source', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const form = { id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK, client_id: 'web' };
  const url = `${host().oidc('demo')}/logout`;
  const answer = await browser.open(url, { method: 'POST', body: new URLSearchParams(form) });
  t.deepEqual([answer.status, answer.headers.get('location')], [302, CALLBACK]);
  t.regex(answer.headers.get('cache-control') ?? '', /no-store/);
  t.false(await isLoggedIn(host(), browser));
  const { sid, sub } = partOf(tokens.id_token, 1);
  const event = (await events()).find((stored) => (stored as { sessionId?: unknown }).sessionId === sid);
  t.like(event, { type: 'LOGOUT', clientId: 'web', userId: sub, details: { redirect_uri: CALLBACK } });
});

test('logout: a hint without a browser ends the session all the same, and a second time is no error', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const request = logoutUrl(host(), { id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK });
  for (const stranger of [new Browser(), new Browser()])
    t.is((await stranger.open(request)).headers.get('location'), CALLBACK);
  t.false(await isLoggedIn(host(), browser));
});

test('logout: a confirmed logout goes to the redirect URI with its state', async (t) => {
  const { browser } = await logInByBrowser(host());
  const parameters = { client_id: 'web', post_logout_redirect_uri: CALLBACK, state: 'später', ui_locales: 'de' };
  const page = await browser.open(logoutUrl(host(), parameters));
  t.regex(page.text, /<html lang="de"/);
  t.regex(page.headers.get('content-security-policy') ?? '', /form-action 'self' https: http: /);
  const done = await confirmLogout(browser, page);
  t.deepEqual([done.status, done.location?.searchParams.get('state')], [302, 'später']);
  t.false(await isLoggedIn(host(), browser));
  const nobody = await new Browser().open(logoutUrl(host(), parameters));
  t.is(nobody.status, 302, 'nobody needs to be asked where nobody is logged in');
});

test('logout: the confirmation is shown in another language by its link, without the hint in it', async (t) => {
  const { browser } = await logInByBrowser(host());
  const other = await logInByBrowser(host());
  const parameters = { id_token_hint: other.tokens.id_token, post_logout_redirect_uri: CALLBACK, state: 's' };
  const page = await browser.open(logoutUrl(host(), parameters));
  const link = unescapeHtml(/href="([^"]*kc_locale=de[^"]*)"/.exec(page.text)?.[1] ?? '');
  t.false(link.includes('id_token_hint'));
  const again = await browser.open(new URL(link, page.url).href);
  t.regex(again.text, /<html lang="de"/);
  t.is((await confirmLogout(browser, again)).headers.get('location'), `${CALLBACK}?state=s`);
  t.false(await isLoggedIn(host(), browser));
  t.true(await isLoggedIn(host(), other.browser));
});

test('logout: prefetching a link signs nobody out, and a URL that headers cannot hold is refused', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const looked = await browser.open(logoutUrl(host(), { id_token_hint: tokens.id_token }), { method: 'HEAD' });
  t.is(looked.status, 200);
  t.true(await isLoggedIn(host(), browser));
  const target = { client_id: 'spa', post_logout_redirect_uri: 'http://127.0.0.1:9998/tschüß/再见' };
  const answer = await new Browser().open(logoutUrl(host(), target));
  t.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
});

test('logout: requests that Keycloak refuses are refused on a page, with an event', async (t) => {
  const browser = new Browser();
  const cases: [Record<string, string>, RegExp][] = [
    [{ redirect_uri: CALLBACK }, /Invalid parameter: redirect_uri/],
    [{ post_logout_redirect_uri: CALLBACK }, /Missing parameters: id_token_hint/],
    [{ id_token_hint: 'x' }, /Invalid parameter: id_token_hint/],
    [
      { client_id: 'web', post_logout_redirect_uri: TWO },
      /Invalid redirect URI<br><code>http:\/\/127\.0\.0\.1:9999\/two</,
    ],
    [{ client_id: 'web', post_logout_redirect_uri: `${TWO}/${'a'.repeat(400)}end` }, /two\/a+…a+end<\/code>/],
  ];
  for (const [parameters, text] of cases) {
    const answer = await browser.open(logoutUrl(host(), parameters));
    t.is(answer.status, 400);
    t.regex(answer.text, text);
  }
  const refused = (await events()).filter(({ type }) => type === 'LOGOUT_ERROR');
  t.true(refused.some(({ error }) => error === 'invalid_redirect_uri'));
});

test('logout: a front-channel application gets a frame, and a back-channel one a token without sid', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  await joinByBrowser(host(), browser, WEB2, TWO);
  const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK, state: 's' };
  const page = await browser.open(logoutUrl(host(), parameters));
  t.is(page.status, 200);
  const { sid } = partOf(tokens.id_token, 1);
  const frame = new URLSearchParams({ app: '2', iss: host().realm('demo'), sid: String(sid) });
  const source = /<iframe [^>]*src="([^"]*)"/.exec(page.text)?.[1] ?? '';
  t.is(unescapeHtml(source), `https://two.example.test/bye?${frame}`);
  t.regex(page.headers.get('content-security-policy') ?? '', /frame-src https:\/\/two\.example\.test/);
  t.regex(page.text, /href="http:\/\/127\.0\.0\.1:9999\/cb\?state=s"/);
  t.regex(page.text, /Second &lt;app&gt;/);
  const [token = ''] = started().receiver.tokens('/web2');
  t.false('sid' in partOf(token, 1));
  t.is(partOf(token, 1).sub, partOf(tokens.id_token, 1).sub);
  t.false(await isLoggedIn(host(), browser));
});

test('logout: a client signs out with a refresh token, expired or not, and may do so twice', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const old = Math.floor(Date.now() / 1000) - 10;
  const expired = await resigned(host(), tokens.refresh_token, { exp: old });
  const origin = { origin: new URL(CALLBACK).origin };
  for (const token of [expired, tokens.refresh_token]) {
    const answer = await post(host(), 'logout', { ...WEB, refresh_token: token }, origin);
    t.deepEqual([answer.status, answer.text], [204, '']);
    t.is(answer.headers.get('access-control-allow-origin'), origin.origin);
  }
  t.false(await isLoggedIn(host(), browser));
  t.false(Boolean((await introspect(host(), tokens.access_token)).json.active));
  const { sid: sessionId, sub: userId } = partOf(tokens.id_token, 1);
  const about = (await events()).filter((event) => (event as { sessionId?: unknown }).sessionId === sessionId);
  t.like(about[0], { type: 'LOGOUT', clientId: 'web', userId });
});

test('logout: a refresh token signs out its own client alone, and only if the client authenticates', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const { refresh_token } = tokens;
  const evil = { origin: 'https://evil.test' };
  const cases: [Record<string, string>, Record<string, string>, number, string][] = [
    [{ client_id: 'web', refresh_token }, {}, 401, 'unauthorized_client'],
    [{ refresh_token }, basic('web', 'wrong'), 401, 'unauthorized_client'],
    [{ ...WEB2, refresh_token }, {}, 400, 'invalid_grant'],
    [{ ...WEB, refresh_token: `${refresh_token}x` }, evil, 400, 'invalid_grant'],
    [{ ...WEB, refresh_token: '' }, {}, 400, 'invalid_grant'],
    [{ ...WEB, refresh_token: tokens.id_token }, {}, 400, 'invalid_grant'],
  ];
  for (const [form, headers, status, error] of cases) {
    const answer = await post(host(), 'logout', form, headers);
    t.deepEqual([answer.status, answer.json.error], [status, error]);
    t.is(answer.headers.get('access-control-allow-origin'), null);
  }
  t.true(await isLoggedIn(host(), browser));
});
