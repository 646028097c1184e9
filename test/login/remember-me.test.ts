import test from 'ava';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { startHost, TestClock } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const ANSWER = { username: 'alice', password: 'Alice-pass-1!' };
const LONG = { rememberMe: true, ssoSessionIdleTimeoutRememberMe: 100_000, ssoSessionMaxLifespanRememberMe: 200_000 };

test('remember me: a remembered user stays signed in as long as the realm says, and others do not', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: [testRealm('demo', LONG)], clock });
  const remembered = new Browser();
  const other = new Browser();
  await signIn(remembered, codeRequest(host).url, { ...ANSWER, rememberMe: 'on' });
  await signIn(other, codeRequest(host).url);
  const silently = async (browser: Browser) => {
    const { location } = await browser.open(codeRequest(host, { prompt: 'none' }).url);
    return location?.searchParams.get('error') ?? 'logged in';
  };
  clock.forward(90_000);
  t.deepEqual([await silently(remembered), await silently(other)], ['logged in', 'login_required']);
  clock.forward(90_000);
  t.is(await silently(remembered), 'logged in');
  clock.forward(30_000);
  t.is(await silently(remembered), 'login_required', 'the longest time is over');
});

test('remember me: the remembered name is on the next login page, until the user unchecks it', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: [testRealm('demo', LONG), testRealm('other')], clock });
  const browser = new Browser();
  const username = async (changes = {}) =>
    /id="username"[^>]* value="([^"]*)"/.exec((await browser.open(codeRequest(host, changes).url)).text)?.[1];
  t.is(await username(), '');
  await signIn(browser, codeRequest(host).url, { ...ANSWER, rememberMe: 'on' });
  clock.forward(300_000);
  t.is(await username(), 'alice');
  t.is(await username({ login_hint: 'bob' }), 'bob', 'what the application knows is newer');
  await signIn(browser, codeRequest(host).url);
  clock.forward(300_000);
  t.is(await username(), '');
  browser.cookies.set('KEYCLOAK_REMEMBER_ME', 'username:%zz');
  t.is(await username(), '');
});
