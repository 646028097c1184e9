import test from 'ava';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { edited, resigned } from '../helpers/forge.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { logIn, post, WEB, WEB2 } from '../helpers/login.js';
import { logInByBrowser } from '../helpers/logout.js';
import { DAVE } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo'), codeRealm('other')] });
const DAVE_FORM = { username: 'dave', password: 'Dave-pass-1!' };

const auth = (id_token_hint: string, changes: Record<string, string | undefined> = {}) =>
  codeRequest(host(), { id_token_hint, ...changes }).url;
const codeOf = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const errorOf = ({ location }: Visit) => location?.searchParams.get('error') ?? undefined;

test('id_token_hint: its user is signed in silently, long after the token has expired', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const ended = await resigned(host(), tokens.id_token, { exp: 1000, iat: 900 });
  for (const hint of [tokens.id_token, ended, (await logIn(host())).id_token])
    for (const changes of [{}, { prompt: 'none' }]) t.truthy(codeOf(await browser.open(auth(hint, changes))));
  const long = await resigned(host(), tokens.id_token, { groups: 'x'.repeat(5000) });
  t.truthy(codeOf(await browser.open(auth(long, { prompt: 'none' }))));
});

test('id_token_hint: prompt=none about a user without a session is answered login_required', async (t) => {
  const { tokens } = await logInByBrowser(host());
  const dave = await logInByBrowser(host(), DAVE_FORM);
  for (const browser of [new Browser(), dave.browser]) {
    const answer = await browser.open(auth(tokens.id_token, { prompt: 'none' }));
    t.deepEqual([errorOf(answer), answer.location?.searchParams.get('state')], ['login_required', 'the-state']);
  }
  t.truthy(codeOf(await dave.browser.open(auth(dave.tokens.id_token, { prompt: 'none' }))), 'his own login stands');
});

// Serial, because other tests of this file sign dave in.
test.serial('id_token_hint: another user than the hint’s gets no session, and the client no details', async (t) => {
  const { id_token: hint } = await logIn(host());
  const browser = new Browser();
  const refused = await signIn(browser, auth(hint), DAVE_FORM);
  t.deepEqual([errorOf(refused), codeOf(refused)], ['login_required', undefined]);
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.deepEqual(await host().store.sessions.list('demo', { userId: DAVE }), []);
  t.truthy(codeOf(await signIn(browser, auth(hint))), 'alice herself');

  const asks = { client_id: 'asks' };
  const toAsks = await resigned(host(), hint, { azp: 'asks', aud: 'asks' });
  t.is(errorOf(await signIn(new Browser(), auth(toAsks, asks), DAVE_FORM)), 'login_required', 'not asked to consent');
  t.regex((await signIn(new Browser(), auth(toAsks, asks))).text, /name="accept"/);
});

test.serial('id_token_hint: a signed-in user does not become the client’s user by a hint about another', async (t) => {
  const { id_token: hint } = await logIn(host(), WEB2);
  const { browser } = await logInByBrowser(host(), DAVE_FORM);
  for (const prompt of [{}, { prompt: 'login' }]) {
    const page = await browser.open(auth(hint, { client_id: 'web2', redirect_uri: TWO, ...prompt }));
    t.regex(page.text, /id="password"/, 'the browser is asked who it is');
    t.is(errorOf(await browser.submit(page, DAVE_FORM)), 'login_required');
  }
  const { id: clientUuid } = (await host().realms.get('demo'))?.clients.get('web2') ?? {};
  t.is(typeof clientUuid, 'string');
  t.deepEqual(await host().store.sessions.list('demo', { userId: DAVE, clientUuid: clientUuid ?? '' }), []);
});

test('id_token_hint: a hint that is no ID token of this realm for this client is refused, pushed or not', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const hints = {
    rubbish: 'rubbish',
    'an access token': tokens.access_token,
    'a refresh token': tokens.refresh_token,
    'of another client': (await logIn(host(), WEB2)).id_token,
    'of another realm': (await logIn(host(), {}, 'other')).id_token,
    'of another issuer': await resigned(host(), tokens.id_token, { iss: 'https://evil.test' }),
    'about another user, with the old signature': edited(tokens.id_token, { sub: DAVE }),
    'signed by nobody': edited(tokens.id_token, {}, { alg: 'none' }).replace(/[^.]*$/, ''),
  };
  for (const [what, hint] of Object.entries(hints)) {
    for (const changes of [{}, { prompt: 'none' }]) {
      const { location } = await browser.open(auth(hint, changes));
      t.is(location?.searchParams.get('error'), 'invalid_request', what);
      t.is(location?.searchParams.get('error_description'), 'Invalid parameter: id_token_hint', what);
      t.is(location?.searchParams.get('state'), 'the-state', what);
    }
    const pushed = await post(host(), 'ext/par/request', [...pushable(hint)]);
    t.deepEqual([pushed.status, pushed.json.error], [400, 'invalid_request'], what);
  }
});

const pushable = (hint: string) =>
  new URLSearchParams({ ...Object.fromEntries(new URL(auth(hint)).searchParams), ...WEB });

test('id_token_hint: a pushed hint counts, and one that the browser adds does not', async (t) => {
  const { tokens } = await logInByBrowser(host());
  const dave = await logInByBrowser(host(), DAVE_FORM);
  const open = async (browser: Browser, more: Record<string, string> = {}) => {
    const { json } = await post(host(), 'ext/par/request', [...pushable(tokens.id_token), ['prompt', 'none']]);
    const query = new URLSearchParams({ client_id: 'web', request_uri: String(json.request_uri), ...more });
    return browser.open(`${host().oidc('demo')}/auth?${query}`);
  };
  const { browser } = await logInByBrowser(host());
  t.truthy(codeOf(await open(browser)));
  t.is(errorOf(await open(dave.browser, { id_token_hint: dave.tokens.id_token })), 'login_required');
});
