import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { approve, beginDevice, deviceRealm, enterCode, poll, TV, toConsent } from '../helpers/device.js';
import { Browser, codeRequest, formAction, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
// Allows requests from public addresses without TLS.
const changes = { internationalizationEnabled: true, supportedLocales: ['en', 'de'], sslRequired: 'none' };
const host = shareHost(test, {
  realms: [deviceRealm('demo', changes), deviceRealm('other')],
  argv: ['--proxy-headers', 'xforwarded'],
  clock,
});

const device = (realm = 'demo') => `${host().realm(realm)}/device`;
const isPending = async (deviceCode: string, on = host()) => {
  clock.forward(5);
  return (await poll(on, deviceCode)).json.error === 'authorization_pending';
};
const asksForConsent = ({ status, text }: Visit) => status === 200 && text.includes('id="kc-consent"');
const INVALID = 'Invalid code. Please try again.';
const EXPIRED = 'The code has expired. Go back to your device and connect again.';

/** Enters a code from this IP address. */
const enterFrom = (address: string, code: string, on = host()) =>
  new Browser().open(`${on.realm('demo')}/device`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams({ device_user_code: code }),
  });

test.serial(
  'device verification: the code is read as people type it, and the user is asked about the device by name',
  async (t) => {
    const browser = new Browser();
    const page = await browser.open(device());
    t.is(page.status, 200);
    t.regex(page.text, /<label for="device_user_code">Code<\/label>/);
    t.regex(page.headers.get('cache-control') ?? '', /no-store/);
    for (const typed of [
      (code: string) => code,
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${[...code.toLowerCase()].join(' ')}\t`,
    ]) {
      const { device_code, user_code } = await beginDevice(host());
      const consent = await toConsent(browser, await enterCode(browser, host(), typed(user_code)));
      t.true(asksForConsent(consent), typed(user_code));
      t.regex(consent.text, /Grant access to Living Room TV/);
      t.true(consent.text.includes(`id="kc-user-code">${user_code}<`));
      t.true(await isPending(device_code));
      const done = await browser.submit(consent, { accept: 'Yes' });
      t.is(done.location?.href, `${device()}/status`);
      const status = await browser.open(done.location?.href ?? '');
      t.regex(status.text, /Device login successful/);
      clock.forward(5);
      t.is((await poll(host(), device_code)).status, 200);
    }
    const events = (await host().stored('demo')).filter(({ type }) => type.startsWith('OAUTH2_DEVICE_VERIFY'));
    t.like(events[0], { type: 'OAUTH2_DEVICE_VERIFY_USER_CODE', clientId: 'tv', details: { scope: 'openid' } });
  },
);

test.serial('device verification: a link with the code leads to the question, and no link is the answer', async (t) => {
  const browser = new Browser();
  await signIn(browser, codeRequest(host()).url);
  const { device_code, verification_uri_complete } = await beginDevice(host());
  const consent = await browser.open(verification_uri_complete);
  t.true(asksForConsent(consent), 'a browser that is logged in is asked all the same');
  const action = formAction(consent);
  const accept = (url: string, by = browser) =>
    by.open(url, { method: 'POST', body: new URLSearchParams({ accept: 'Yes' }) });
  for (const [what, visit] of [
    ['an address alone', () => browser.open(`${action}&accept=Yes`)],
    ['another browser', () => accept(action, new Browser())],
    ['a guessed secret', () => accept(action.replace(/session_code=[^&]*/, 'session_code=x'))],
    ['no secret', () => accept(action.replace(/session_code=[^&]*&/, ''))],
    ['the device’s own page', () => accept(verification_uri_complete)],
  ] as const) {
    const { location } = await visit();
    t.is(location, undefined, what);
    t.true(await isPending(device_code), what);
  }
  await browser.submit(await browser.open(verification_uri_complete), { accept: 'Yes' });
  t.false(await isPending(device_code));
});

test.serial(
  'device verification: the user is asked for every device, also where consent was given before',
  async (t) => {
    const browser = new Browser();
    for (const client_id of ['careful', 'careful', 'tv', 'tv']) {
      const { user_code } = await beginDevice(host(), { client_id });
      const consent = await toConsent(browser, await enterCode(browser, host(), user_code));
      t.true(asksForConsent(consent), client_id);
      await browser.submit(consent, { accept: 'Yes' });
    }
  },
);

test.serial(
  'device verification: a code that is unknown, of another realm, used, denied or expired leads nowhere',
  async (t) => {
    const used = await beginDevice(host());
    await approve(host(), used.user_code);
    const denied = await beginDevice(host());
    const browser = new Browser();
    await browser.submit(await toConsent(browser, await enterCode(browser, host(), denied.user_code)), {
      cancel: 'No',
    });
    const foreign = await beginDevice(host(), TV, 'other');
    for (const code of [used.user_code, denied.user_code, foreign.user_code, 'BBBB-BBBB', 'b', '0', 'ÄÖÜ', '<b>']) {
      const page = await enterCode(browser, host(), code);
      t.is(page.status, 400, code);
      t.true(page.text.includes(INVALID), code);
      t.regex(page.text, /id="device_user_code"[^>]*aria-invalid="true"/);
      t.is(unescapeHtml(/id="device_user_code"[^>]* value="([^"]*)"/.exec(page.text)?.[1] ?? ''), code);
    }
    t.is((await enterCode(browser, host(), foreign.user_code, 'other')).status, 200);
    t.is((await browser.open(`${device()}?user_code=${used.user_code}`)).status, 400);

    const late = await beginDevice(host());
    const consent = await toConsent(browser, await enterCode(browser, host(), late.user_code));
    clock.forward(600);
    const expired = await enterCode(browser, host(), late.user_code);
    t.is(expired.status, 400);
    t.true(expired.text.includes(EXPIRED));
    const missed = await browser.submit(consent, { accept: 'Yes' });
    t.is(missed.location?.href, `${device()}/status?error=expired_token`);
    const failed = (await host().stored('demo')).find(({ type }) => type === 'OAUTH2_DEVICE_VERIFY_USER_CODE_ERROR');
    t.is(failed?.error, 'invalid_oauth2_user_code');
  },
);

test.serial('device verification: of two answers about one device the first decides', async (t) => {
  const { device_code, user_code } = await beginDevice(host());
  const browsers = [new Browser(), new Browser()] as const;
  const pages: Visit[] = [];
  for (const browser of browsers) pages.push(await toConsent(browser, await enterCode(browser, host(), user_code)));
  await browsers[0].submit(pages[0] as Visit, { cancel: 'No' });
  const second = await browsers[1].submit(pages[1] as Visit, { accept: 'Yes' });
  t.is(second.location?.searchParams.get('error'), 'expired_token');
  t.is((await poll(host(), device_code)).json.error, 'access_denied');

  const racing = await beginDevice(host());
  const both = await Promise.all(
    browsers.map(async (browser) => {
      const page = await toConsent(browser, await enterCode(browser, host(), racing.user_code));
      return browser.submit(page, { accept: 'Yes' });
    }),
  );
  const errors = both.map(({ location }) => location?.searchParams.get('error') ?? '').sort();
  t.deepEqual(errors, ['', 'expired_token']);
  t.is((await poll(host(), racing.device_code)).status, 200);
});

test.serial('device verification: codes cannot be found by trying, one after another or all at once', async (t) => {
  const { user_code } = await beginDevice(host());
  const guesses = await Promise.all(Array.from({ length: 40 }, () => enterFrom('192.0.2.1', 'BCDF-GHJK')));
  t.is(guesses.filter(({ status }) => status === 400).length, 10);
  const tooMany = guesses.filter(({ status }) => status === 429);
  t.is(tooMany.length, 30);
  t.true(tooMany[0]?.text.includes('Too many invalid codes.'));
  t.is(Number(tooMany[0]?.headers.get('retry-after')), 600);
  t.is((await enterFrom('192.0.2.1', user_code)).status, 429, 'the right one is not looked at any more');
  const link = `${device()}?user_code=${user_code}`;
  t.is((await new Browser().open(link, { headers: { 'x-forwarded-for': '192.0.2.1' } })).status, 429);
  t.is((await enterFrom('192.0.2.2', user_code)).status, 200, 'others go on');
  for (let i = 0; i < 10; i += 1) await enterFrom(`2001:db8::${i}`, 'BCDF-GHJK');
  t.is((await enterFrom('2001:db8:0:0:ffff::1', user_code)).status, 429, 'a network of one user');
  t.is((await enterFrom('2001:db8:0:1::1', user_code)).status, 200);
  clock.forward(600);
  const fresh = await beginDevice(host());
  t.is((await enterFrom('192.0.2.1', fresh.user_code)).status, 200);
  for (let i = 0; i < 15; i += 1) t.is((await enterFrom('192.0.2.3', fresh.user_code)).status, 200);
});

test.serial(
  'device verification: an invalid code is harmless, and opening the page counts as no attempt',
  async (t) => {
    const browser = new Browser();
    t.is((await browser.submit(await browser.open(device()), { device_user_code: '' })).status, 200);
    t.is((await browser.open(`${device()}?user_code=`)).status, 200);
    t.is((await enterFrom('192.0.2.9', 'x'.repeat(100_000))).status, 400);
    for (const query of ['user_code=%00', 'user_code=a&user_code=b', 'user_code[]=a', 'user_code=%zz', 'x=1'])
      t.true((await browser.open(`${device()}?${query}`)).status <= 400, query);
    const { user_code } = await beginDevice(host());
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: user_code };
    t.is((await browser.open(device(), text)).status, 415);
    t.is((await browser.open(device(), { method: 'DELETE' })).status, 405);
    for (let i = 0; i < 20; i += 1) {
      const head = { method: 'HEAD', headers: { 'x-forwarded-for': '192.0.2.10' } };
      t.is((await browser.open(`${device()}?user_code=BCDF-GHJK`, head)).status, 200);
    }
    t.is((await enterFrom('192.0.2.10', user_code)).status, 200);
  },
);

test.serial('device verification: the pages have the user’s language and the result', async (t) => {
  const browser = new Browser();
  const german = await browser.open(device(), { headers: { 'accept-language': 'de' } });
  t.regex(german.text, /<html lang="de"/);
  t.regex(german.text, /Geben Sie den Code ein/);
  for (const [query, ...texts] of [
    ['', 'Device login successful', 'You may close this browser window and go back to your device.'],
    ['?error=access_denied', 'Device login failed', 'You did not allow the device to connect.'],
    ['?error=expired_token', 'Device login failed', EXPIRED],
    ['?error=%3Cscript%3E', 'Device login failed', 'Go back to your device and connect again.'],
  ] as const) {
    const page = await browser.open(`${device()}/status${query}`);
    t.is(page.status, 200);
    for (const text of texts) t.true(page.text.includes(text), text);
    t.is(page.text.includes(`href="${new URL(device()).pathname}"`), query !== '');
    t.false(page.text.includes('<script>'));
  }
});

test.serial(
  'device verification: a login for a device that the host has forgotten begins again, and ends well',
  async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'keyhost-device-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    const start = (realm = deviceRealm()) =>
      startHost(t, {
        realms: [realm],
        argv: ['--data-dir', dir, '--hostname', 'http://id.example.test'],
        clock,
      });
    const at = (on: TestHost, page: Visit) => {
      const { pathname, search } = new URL(formAction(page));
      return `${on.url}${pathname}${search}`;
    };
    const first = await start();
    const { device_code, user_code } = await beginDevice(first);
    const browser = new Browser();
    const link = (on: TestHost) => `${on.realm('demo')}/device?user_code=${user_code}`;
    const page = await browser.open(link(first));
    await first.close();

    const second = await start();
    const body = () => new URLSearchParams(ALICE_LOGIN);
    const again = await browser.open(at(second, page), { method: 'POST', body: body() });
    t.regex(again.text, /Your sign-in was interrupted/);
    const consent = await browser.open(at(second, again), { method: 'POST', body: body() });
    t.true(asksForConsent(consent));
    t.true(await isPending(device_code, second));
    const accept = { method: 'POST', body: new URLSearchParams({ accept: 'Yes' }) };
    const done = await browser.open(at(second, consent), accept);
    t.is(done.location?.href, 'http://id.example.test/realms/demo/device/status');
    clock.forward(5);
    t.is((await poll(second, device_code)).status, 200);

    const late = await beginDevice(second);
    await second.close();
    const clients = deviceRealm().clients?.map((one) => (one.clientId === 'tv' ? { ...one, attributes: {} } : one));
    const third = await start({ ...deviceRealm(), clients: clients ?? [] });
    const refused = await new Browser().open(`${third.realm('demo')}/device?user_code=${late.user_code}`);
    t.is(refused.status, 400);
    t.regex(refused.text, /The device grant is disabled for this client/);
  },
);
