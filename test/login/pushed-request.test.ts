import test from 'ava';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { post, WEB, WEB2 } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo'), testRealm('other')] });

const push = (changes: Record<string, string> = {}, realm = 'demo') => {
  const { searchParams } = new URL(codeRequest(host()).url);
  return post(host(), 'ext/par/request', { ...Object.fromEntries(searchParams), ...WEB, ...changes }, {}, realm);
};
const ANSWER = { username: 'alice', password: 'Alice-pass-1!' };
const open = (uri: string, changes: Record<string, string> = {}, realm = 'demo') =>
  `${host().oidc(realm)}/auth?${new URLSearchParams({ client_id: 'web', request_uri: uri, ...changes })}`;

test('pushed request: it signs in once, and parameters that the browser adds are ignored', async (t) => {
  const pushed = await push();
  t.is(pushed.status, 201);
  t.regex(String(pushed.json.request_uri), /^urn:ietf:params:oauth:request_uri:/);
  t.is(Number(pushed.json.expires_in), 60);
  const url = open(String(pushed.json.request_uri), { redirect_uri: 'https://evil.test/', state: 'other', scope: 'x' });
  const back = await signIn(new Browser(), url);
  t.is(`${back.location?.origin}${back.location?.pathname}`, CALLBACK);
  t.is(back.location?.searchParams.get('state'), 'the-state');
  t.is((await new Browser().open(url)).status, 400);
});

test('pushed request: the login page of a pushed request is loaded again until its login is over', async (t) => {
  const url = open(String((await push({ login_hint: 'alice' })).json.request_uri));
  const browser = new Browser();
  const first = await browser.open(url);
  const wrong = await browser.submit(await browser.open(url), { ...ANSWER, password: 'wrong' });
  t.regex(wrong.text, /Invalid username or password/);
  const again = await browser.open(url);
  t.deepEqual([again.status, /value="alice"/.test(again.text)], [200, true]);
  t.is((await browser.submit(first, ANSWER)).status, 400, 'the page that was loaded again is another one');
  const back = await browser.submit(again, ANSWER);
  t.is(back.location?.searchParams.get('state'), 'the-state');
  t.truthy(back.location?.searchParams.get('code'));
  t.is((await browser.open(url)).status, 400, 'its login is over');
});

test('pushed request: of the logins that a browser has under way each has its own pushed request', async (t) => {
  const browser = new Browser();
  const [one, two] = await Promise.all(
    ['one', 'two'].map(async (state) => open(String((await push({ state })).json.request_uri))),
  );
  for (const url of [one, two, one, two]) t.is((await browser.open(url ?? '')).status, 200);
  for (const [url, state] of [
    [two, 'two'],
    [one, 'one'],
  ] as const) {
    const page = await browser.open(`${url}&prompt=login&state=x`);
    const back = page.status === 302 ? page : await browser.submit(page, ANSWER);
    t.is(back.location?.searchParams.get('state'), state);
  }
});

test('pushed request: a request is pushed by a client that proves itself, checked at once, and is its own', async (t) => {
  t.is((await push({ client_secret: 'wrong' })).status, 401);
  const refused: Record<string, string>[] = [
    { redirect_uri: 'https://evil.test/' },
    { response_type: 'token' },
    { scope: 'openid nonsense' },
    { request_uri: 'urn:x' },
    { code_challenge: 'short' },
  ];
  for (const changes of refused) t.is((await push(changes)).status, 400, JSON.stringify(changes));
  const uri = String((await push()).json.request_uri);
  t.is((await new Browser().open(open(uri, { client_id: WEB2.client_id }))).status, 400);
  const foreign = String((await push()).json.request_uri);
  t.is((await new Browser().open(open(foreign, {}, 'other'))).status, 400);
  const unknown = `urn:ietf:params:oauth:request_uri:${'x'.repeat(32)}`;
  t.is((await new Browser().open(open(unknown))).status, 400);
});
