import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { inRealm, startHost, TestClock } from '../helpers/host.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { rememberingStep } from '../helpers/remembering-step.js';
import { shareHost, shareStarted } from '../helpers/shared-host.js';

const clock = new TestClock();
const PACKAGES = { packages: { remembers: rememberingStep('remembers') } };
const shared = shareStarted(
  test,
  async (scope) => ({
    host: await startHost(scope, { realms: [], clock, plugins: [{ module: 'remembers' }], ...PACKAGES }),
  }),
  /remembers set the cookie/,
);
const apart = shareHost(test, { realms: [], plugins: [{ module: 'remembers', isolation: 'worker' }], ...PACKAGES });

for (const isolation of ['none', 'worker']) {
  test(`cookies of steps: a step reads the browser, and keeps cookies of its own there: isolation ${isolation}`, async (t) => {
    const host = await inRealm(isolation === 'none' ? shared().host : apart(), (name) =>
      codeRealm(name, flowWith('remembers')),
    );
    const { url } = codeRequest(host);
    const browser = new Browser();
    const headers = { 'user-agent': 'Probe/1.0', 'x-device': 'kiosk', 'x-other': 'no' };
    const page = await browser.open(url, { headers });
    const told = (text: string) => text.replaceAll('&quot;', '"');
    t.true(
      told(page.text).includes('{"cookies":{},"headers":{"x-device":"kiosk"},"userAgent":"Probe/1.0"}'),
      page.text,
    );
    t.true(told((await browser.open(url)).text).includes('{"cookies":{"visits":"1"},"headers":{},'));

    const set = page.headers
      .getSetCookie()
      .filter((line) => line.startsWith('KEYHOST_STEP_%40test%2Fremembers_visits='));
    t.is(set.length, 1);
    t.regex(set[0] ?? '', new RegExp(`; Path=/realms/${host.defaultRealm}/; Max-Age=60; HttpOnly; SameSite=Lax$`));
    await browser.submit(await browser.open(url), { username: 'forget' });
    t.false(browser.cookies.has('KEYHOST_STEP_%40test%2Fremembers_visits'));

    t.truthy((await browser.submit(await browser.open(url), { username: 'alice' })).location?.searchParams.get('code'));
    const later = new Browser();
    later.cookies.set(
      'KEYHOST_STEP_%40test%2Fremembers_who',
      browser.cookies.get('KEYHOST_STEP_%40test%2Fremembers_who') ?? '',
    );
    t.truthy((await later.open(url)).location?.searchParams.get('code'), 'it is remembered');
  });
}

test.serial(
  'cookies of steps: a cookie is over when its time is, and one that the step did not declare, or a long one, is refused',
  async (t) => {
    const host = await inRealm(shared().host, (name) => codeRealm(name, flowWith('remembers')));
    const browser = new Browser();
    const page = await browser.open(codeRequest(host).url);
    await browser.submit(page, { username: 'alice' });
    const who = browser.cookies.get('KEYHOST_STEP_%40test%2Fremembers_who') ?? '';
    clock.forward(86_401);
    const later = new Browser();
    later.cookies.set('KEYHOST_STEP_%40test%2Fremembers_who', who);
    const again = await later.open(codeRequest(host).url);
    t.true(again.text.includes('cookies&quot;:{}'), again.text);
    for (const username of ['other', 'long']) {
      const fresh = new Browser();
      t.is((await fresh.submit(await fresh.open(codeRequest(host).url), { username })).status, 500, username);
    }
  },
);
