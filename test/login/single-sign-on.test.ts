import test from 'ava';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { post, WEB } from '../helpers/login.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** The tests that move it run first, one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

async function idToken(host: TestHost, code: string | null | undefined, verifier: string) {
  const form = { ...WEB, grant_type: 'authorization_code', code: code ?? '', redirect_uri: CALLBACK };
  const answer = await post(host, 'token', { ...form, code_verifier: verifier });
  return claimsOf(String(answer.json.id_token)) as { auth_time?: number; sid?: string };
}

test.serial('single sign-on: signing in again keeps the session, and auth_time changes', async (t) => {
  const host = await inRealm(shared(), testRealm);
  const browser = new Browser();
  const request = codeRequest(host);
  const first = await signIn(browser, request.url);
  const before = await idToken(host, first.location?.searchParams.get('code'), request.verifier);
  clock.forward(100);
  const again = codeRequest(host, { prompt: 'login' });
  const second = await signIn(browser, again.url);
  const after = await idToken(host, second.location?.searchParams.get('code'), again.verifier);
  t.is(after.sid, before.sid);
  t.is((after.auth_time ?? 0) - (before.auth_time ?? 0), 100);
  clock.forward(50);
  const silent = codeRequest(host, { prompt: 'none', max_age: '60' });
  const third = await browser.open(silent.url);
  const joined = await idToken(host, third.location?.searchParams.get('code'), silent.verifier);
  t.is(joined.auth_time, after.auth_time, 'a silent answer proves nothing new');
  t.is((await host.store.sessions.list(host.defaultRealm, { userId: idIn(host.defaultRealm) })).length, 1);
});

test.serial(
  'single sign-on: two tabs of an application have tokens of their own, until its part in the session is over',
  async (t) => {
    const host = await inRealm(shared(), (name) => testRealm(name, { clientSessionMaxLifespan: 600 }));
    const browser = new Browser();
    const tokens = async (code: string | null | undefined, verifier: string) => {
      const form = { ...WEB, grant_type: 'authorization_code', code: code ?? '', redirect_uri: CALLBACK };
      return String((await post(host, 'token', { ...form, code_verifier: verifier })).json.refresh_token);
    };
    const refresh = (token: string) =>
      post(host, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: token });
    const request = codeRequest(host);
    const one = await tokens((await signIn(browser, request.url)).location?.searchParams.get('code'), request.verifier);
    const silently = async (scope = 'openid') => {
      const silent = codeRequest(host, { prompt: 'none', scope });
      return tokens((await browser.open(silent.url)).location?.searchParams.get('code'), silent.verifier);
    };
    clock.forward(60);
    const two = await silently('openid address');
    const first = await refresh(one);
    const second = await refresh(two);
    t.deepEqual([first.status, second.status], [200, 200]);
    const scopes = (answer: typeof first) => String(claimsOf(String(answer.json.refresh_token)).scope).split(' ');
    t.false(scopes(first).includes('address'), 'each with the scope that it asked for');
    t.true(scopes(second).includes('address'));
    clock.forward(600);
    t.regex((await refresh(String(first.json.refresh_token))).text, /not active/);
    const three = await silently();
    t.is((await refresh(String(second.json.refresh_token))).status, 400);
    t.is((await refresh(three)).status, 200, 'a new login begins a new part');
  },
);

test.serial('single sign-on: a session that is used for other applications does not grow idle', async (t) => {
  const host = await inRealm(shared(), testRealm);
  const browser = new Browser();
  await signIn(browser, codeRequest(host).url);
  for (let i = 0; i < 3; i += 1) {
    clock.forward(1200);
    const { location } = await browser.open(codeRequest(host, { prompt: 'none' }).url);
    t.truthy(location?.searchParams.get('code'), `${i}`);
  }
  clock.forward(1900);
  const { location } = await browser.open(codeRequest(host, { prompt: 'none' }).url);
  t.is(location?.searchParams.get('error'), 'login_required');
});

test('single sign-on: a browser is never two users at once', async (t) => {
  const host = await inRealm(shared(), testRealm);
  const browser = new Browser();
  const one = await browser.open(codeRequest(host).url);
  const two = await browser.open(codeRequest(host).url);
  t.is((await browser.submit(one, { username: 'alice', password: 'Alice-pass-1!' })).status, 302);
  const refused = await browser.submit(two, { username: 'dave', password: 'Dave-pass-1!' });
  t.is(refused.status, 400);
  t.regex(refused.text, /already signed in as “alice”/);
  const errors = (await host.stored(host.defaultRealm)).flatMap(({ error }) => error ?? []);
  t.deepEqual(errors, ['different_user_authenticated']);
});

test('single sign-on: an outdated page reports that the user is signed in, and one without a session that it has expired', async (t) => {
  const host = await inRealm(shared(), testRealm);
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  const answer = { username: 'alice', password: 'Alice-pass-1!' };
  t.is((await browser.submit(page, answer)).status, 302);
  const late = await browser.submit(page, answer);
  t.is(late.status, 400);
  t.regex(late.text, /You are already signed in/);
  const nobody = await new Browser().submit(page, answer);
  t.is(nobody.status, 400);
  t.regex(nobody.text, /Login timeout/);
});
