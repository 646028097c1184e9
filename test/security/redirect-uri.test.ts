import test, { type ExecutionContext } from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo')] });

/** Checks that the error page redirects nowhere, neither automatically nor by a link to the refused URI. */
function refusedOnPage(t: ExecutionContext, page: Visit, what: string): void {
  t.is(page.status, 400, `${what} ${page.text}`);
  t.is(page.location, undefined, what);
  t.is(page.headers.get('refresh'), null, what);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', what);
  t.notRegex(page.text, /http-equiv|<form|<script|href="[^"]*evil/i, what);
}

const open = (changes: Record<string, string | undefined>, browser = new Browser()) =>
  browser.open(codeRequest(host(), changes).url);

const refuses = async (t: ExecutionContext, redirect_uri: string, client_id = 'web') =>
  refusedOnPage(t, await open({ client_id, redirect_uri }), `${client_id} ${redirect_uri}`);

test('T030 · redirect URIs: an address that is not registered gets a page, and no link to it', async (t) => {
  for (const uri of ['http://127.0.0.1:9999/evil', 'https://evil.test/cb', 'http://127.0.0.1:9999', 'evil.test'])
    await refuses(t, uri);
  for (const uri of ['http://127.0.0.1:9998.evil.test/', 'http://127.0.0.1:9998@evil.test/', 'https://127.0.0.1:9998/'])
    await refuses(t, uri, 'spa');
  for (const uri of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'JaVaScRiPt:x'])
    for (const client of ['web', 'spa', 'native']) await refuses(t, uri, client);
  t.regex((await open({ redirect_uri: 'https://evil.test/cb' })).text, /Invalid parameter: redirect_uri/);
  t.is((await open({ redirect_uri: `${CALLBACK}2?x=1` })).status, 200, 'the registered one with its query');
});

test('T031 T032 · redirect URIs: another case, encoding, query or fragment is another address', async (t) => {
  const base = 'http://127.0.0.1:9999';
  for (const path of ['/CB', '/cb%2f', '/%63b', '/cb/', '/cb?', '/cb?x=1', '/cb2?x=2', '/cb2', '/cb2?x=1&y=2'])
    await refuses(t, `${base}${path}`);
  for (const path of ['/cb#f', '/cb#', '/cb%23f', '/cb2?x=1#f']) await refuses(t, `${base}${path}`);
  for (const uri of ['HTTP://127.0.0.1:9999/cb', 'http://127.0.0.1:09999/cb', 'http://127.1:9999/cb'])
    await refuses(t, uri);
});

test('T032 · redirect URIs: a fragment is taken under a pattern alone, as in Keycloak, and not where the client forbids it', async (t) => {
  const app = 'http://127.0.0.1:9997/app';
  const taken = ['#', '/#f', '/#/users', '/index.html#/users?state=open', '/?x=1#/a/../b', '#/a?x=%23&y=1'];
  for (const path of taken) {
    const redirect_uri = `${app}${path}`;
    t.is((await open({ client_id: 'app', redirect_uri })).status, 200, redirect_uri);
    await refuses(t, redirect_uri, 'plain');
  }
  t.is((await open({ client_id: 'plain', redirect_uri: `${app}/deep` })).status, 200);
  const elsewhere = ['evil#/', '.evil.test/#/app/', '#@evil.test/app/', ':1@evil.test/#/app/'];
  for (const path of elsewhere) await refuses(t, `http://127.0.0.1:9997${path}`, 'app');
  for (const uri of ['https://evil.test/#http://127.0.0.1:9997/app/', 'https://evil.test#@127.0.0.1:9997/app/'])
    await refuses(t, uri, 'app');
  for (const path of ['/../#/', '/..#/', '/%2e%2e#f', '/#<script>', '/#a b', '/#\\evil', '/#\u00fc', '/#a\r\nb'])
    await refuses(t, `${app}${path}`, 'app');
});

test('T382 · redirect URIs: an address under a pattern brings no parameter of the answer itself', async (t) => {
  const names = ['code', 'state', 'iss', 'error', 'session_state', 'id_token', 'access_token', 'kc_action_status'];
  for (const name of [...names, 'CODE', '%63ode', 'error_description']) {
    for (const path of [`/?${name}=x`, `/?a=1&${name}=x`, `/?a#${name}=x`, `#/users&${name}`, `/#/users?a=1&${name}=x`])
      await refuses(t, `http://127.0.0.1:9997/app${path}`, 'app');
  }
  for (const path of ['/?coder=1&next=state', '/code?x=iss', '/#/code', '/#/users&tab=code'])
    t.is((await open({ client_id: 'app', redirect_uri: `http://127.0.0.1:9997/app${path}` })).status, 200, path);
});

test('T034 · redirect URIs: no path leaves the registered one', async (t) => {
  const base = 'http://127.0.0.1:9999';
  for (const path of ['/cb/../x', '/cb/..;/x', '/cb%2f..%2fx', '/cb\\..\\x', '/cb;x'])
    await refuses(t, `${base}${path}`);
  await refuses(t, '//evil.test/cb');
  const app = 'http://127.0.0.1:9997/app';
  t.is((await open({ client_id: 'app', redirect_uri: `${app}/deep/er?next=1` })).status, 200);
  const tricks = ['/../x', '/..;/x', '/..;a=b/x', '/%2e%2e/x', '/.%2E/x', '/%252e%252e/x', '/%25252e./x', '/..%5cx'];
  for (const path of [...tricks, '/..%2fx', '/\\..\\x', '/..', '/a/..', '/..%3b/x', '/..?x', 'x', '/ x', '/\u0000'])
    await refuses(t, `${app}${path}`, 'app');
});

test('T034 · redirect URIs: an address with characters that headers do not carry is refused, not tried', async (t) => {
  for (const path of ['/日本', '/ü', '/\u{1f600}', '/\u2028', '/a\r\nset-cookie: evil=1', '/"><script>'])
    await refuses(t, `http://127.0.0.1:9997/app${path}`, 'app');
});

test('T036 · redirect URIs: a loopback address has any port, where it is registered without one', async (t) => {
  const native = (redirect_uri: string) => refuses(t, redirect_uri, 'native');
  for (const port of ['', ':5555']) {
    const { location } = await open({
      client_id: 'native',
      redirect_uri: `http://127.0.0.1${port}/cb`,
      prompt: 'none',
    });
    t.is(`${location?.origin}${location?.pathname}`, `http://127.0.0.1${port}/cb`);
  }
  for (const address of ['localhost:5555/cb', '127.0.0.2:5555/cb', '[::1]:5555/cb', '127.0.0.1:5555/other'])
    await native(`http://${address}`);
  for (const address of ['127.0.0.1:5555:6/cb', '127.0.0.1:x/cb', '127.0.0.1:@evil.test/cb', '127.0.0.1:5555/cb?x'])
    await native(`http://${address}`);
  await native('https://127.0.0.1:5555/cb');
  await refuses(t, 'http://127.0.0.1:5555/cb');
  await refuses(t, 'http://127.0.0.1/cb');
});

test('T037 · redirect URIs: without an address there is a page, unless one only is registered and the request is plain OAuth', async (t) => {
  refusedOnPage(t, await open({ redirect_uri: undefined }), 'two are registered');
  refusedOnPage(t, await open({ redirect_uri: undefined, scope: undefined }), 'two are registered, no openid');
  refusedOnPage(t, await open({ client_id: 'one', redirect_uri: undefined }), 'OpenID Connect requires it');
  refusedOnPage(t, await open({ client_id: 'app', redirect_uri: undefined, scope: undefined }), 'a pattern only');
  t.is((await open({ client_id: 'one', redirect_uri: undefined, scope: undefined })).status, 200);
});

test('T046 · redirect URIs: prompt=none makes no open redirect, with or without a session', async (t) => {
  const browser = new Browser();
  t.is((await signIn(browser, codeRequest(host()).url)).status, 302);
  for (const jar of [new Browser(), browser]) {
    refusedOnPage(t, await open({ prompt: 'none', redirect_uri: 'https://evil.test' }, jar), 'prompt=none');
    refusedOnPage(t, await open({ prompt: 'none', client_id: 'nobody' }, jar), 'unknown client');
    refusedOnPage(t, await open({ prompt: 'none', client_id: 'app-disabled' }, jar), 'disabled client');
  }
});

test('T048 · redirect URIs: where a visitor came from is never where he is sent', async (t) => {
  const headers = { referer: 'https://evil.test/', origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' };
  const browser = new Browser();
  const { url } = codeRequest(host());
  const form = await browser.open(url, { headers });
  t.notRegex(form.text, /evil/);
  const action = /action="([^"]*)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const body = new URLSearchParams({ username: 'alice', password: 'Alice-pass-1!' });
  const back = await browser.open(new URL(action, url).href, { method: 'POST', body, headers });
  t.is(back.location?.origin, new URL(CALLBACK).origin);
  const silent = await browser.open(url, { headers });
  t.is(silent.location?.origin, new URL(CALLBACK).origin);
});
