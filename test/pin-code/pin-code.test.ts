import pinCode from '@keyhost/pin-code';
import { CredentialProvider, RequiredAction } from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import { hashRawSync } from '@node-rs/argon2';
import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'pin-code';
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const GERMAN = { internationalizationEnabled: true, supportedLocales: ['en', 'de'], defaultLocale: 'en' };

async function start(t: Parameters<typeof startAdministered>[0], isolation: string, changes: object = {}) {
  const clock = new TestClock();
  const realm = {
    ...(await shownRealm(NAME)),
    ...GERMAN,
    quickLoginCheckMilliSeconds: 0,
    eventsEnabled: true,
    ...changes,
  };
  const plugins = [{ module: '@keyhost/pin-code', isolation }];
  return { host: await startAdministered(t, { realms: [realm], plugins, clock }), clock };
}

async function begin(host: TestHost, changes: Record<string, string> = {}) {
  const browser = new Browser();
  const page = await browser.submit(await browser.open(shownLogin(host, NAME, changes).url), {
    username: 'ada',
    password: 'ada',
  });
  return { browser, page };
}

const storedOf = async (host: TestHost) =>
  (await host.store.users.byUsername(NAME, 'ada'))?.representation.credentials?.filter(({ type }) => type === NAME) ??
  [];

for (const isolation of ['none', 'worker']) {
  test(`PIN code: a user chooses a PIN, types it from then on, and is locked after wrong ones (${isolation})`, async (t) => {
    const { host, clock } = await start(t, isolation, { failureFactor: 3, waitIncrementSeconds: 60 });
    const { browser, page } = await begin(host);
    t.regex(page.text, /<h1[^>]*>Choose a PIN/);
    t.regex(page.text, /It has 6 digits/);
    for (const name of ['pin', 'pin-repeated']) {
      t.regex(page.text, new RegExp(`<input[^>]*name="${name}"[^>]*inputmode="numeric"`), 'phones show digits');
    }
    let asked = page;
    for (const [pin, repeated, told] of [
      ['1234', '1234', 'A PIN has 6 digits.'],
      ['12345a', '12345a', 'A PIN has 6 digits.'],
      ['111111', '111111', 'This PIN is easy to guess.'],
      ['345678', '345678', 'This PIN is easy to guess.'],
      ['987654', '987654', 'This PIN is easy to guess.'],
      ['471108', '471109', 'The two PINs are not the same.'],
    ] as const) {
      asked = await browser.submit(asked, { pin, 'pin-repeated': repeated });
      t.true(asked.text.includes(told), `${pin}: ${told}`);
    }
    t.deepEqual(await storedOf(host), []);
    t.truthy(code(await browser.submit(asked, { pin: ' 471108', 'pin-repeated': '471108' })));
    const [stored] = await storedOf(host);
    t.notRegex(JSON.stringify(stored), /471108/);
    t.like(JSON.parse(stored?.credentialData ?? ''), { algorithm: 'argon2', hashIterations: 5, pinFormat: '6-digits' });

    const next = await begin(host);
    const wrong = await next.browser.submit(next.page, { pin: '471109' });
    t.regex(wrong.text, /This is not your PIN\./);
    const [refusal] = (await host.stored(NAME)).filter(({ type }) => type === 'LOGIN_ERROR');
    t.like(refusal, { error: 'invalid_user_credentials', details: { credential_type: NAME } });
    t.truthy(code(await next.browser.submit(wrong, { pin: '471108' })));
    const german = await begin(host, { ui_locales: 'de' });
    t.regex((await german.browser.submit(german.page, { pin: '' })).text, /Das ist nicht Ihre PIN\./);

    // A changed PIN replaces the previous one.
    const change = await begin(host, { kc_action: 'pin-code-setup' });
    const setUp = await change.browser.submit(change.page, { pin: '471108' });
    t.truthy(code(await change.browser.submit(setUp, { pin: '902471', 'pin-repeated': '902471' })));
    t.is((await storedOf(host)).length, 1);

    for (const pin of ['1', '2', '3']) {
      const attempt = await begin(host);
      t.regex((await attempt.browser.submit(attempt.page, { pin })).text, /This is not your PIN\./);
    }
    t.regex((await begin(host)).page.text, /Invalid username or password/, 'the user is locked');
    clock.forward(61);
    const later = await begin(host);
    t.truthy(code(await later.browser.submit(later.page, { pin: '902471' })));
  });
}

/** As the extension of Keycloak stores one, with other work than a new one has. */
function elsewhere(pin: string, more: object = {}) {
  const salt = Buffer.from('sixteen bytes ok');
  const value = hashRawSync(pin, { memoryCost: 1024, timeCost: 2, parallelism: 1, outputLen: 32, salt, algorithm: 2 });
  return {
    type: NAME,
    secretData: JSON.stringify({ value: value.toString('base64'), salt: salt.toString('base64') }),
    credentialData: JSON.stringify({
      algorithm: 'argon2',
      hashIterations: 2,
      pinFormat: '4-digits',
      additionalParameters: { type: 'id', version: '1.3', hashLength: '32', memory: '1024', parallelism: '1', ...more },
    }),
  };
}

test('PIN code: PINs of another Keycloak work, and are rehashed; damaged or too expensive ones let nobody in', async (t) => {
  const { host } = await start(t, 'none', { bruteForceProtected: false });
  const call = await adminCaller(host);
  const id = (await host.store.users.byUsername(NAME, 'ada'))?.id;
  const give = async (credential: object) =>
    t.is((await call('PUT', `/realms/${NAME}/users/${id}`, { credentials: [credential] })).status, 204);
  await give(elsewhere('4711'));
  const { browser, page } = await begin(host);
  t.truthy(code(await browser.submit(page, { pin: '4711' })));
  const [renewed] = await storedOf(host);
  t.like(JSON.parse(renewed?.credentialData ?? ''), { hashIterations: 5, additionalParameters: { memory: '7168' } });
  const again = await begin(host);
  t.truthy(code(await again.browser.submit(again.page, { pin: '4711' })));

  for (const bad of [
    elsewhere('4711', { memory: '4000000' }),
    elsewhere('4711', { parallelism: 'many' }),
    elsewhere('4711', { hashLength: '16' }),
    { ...elsewhere('4711'), credentialData: '{"algorithm":"sha-256"}' },
    { ...elsewhere('4711'), secretData: '{}' },
  ]) {
    await give(bad);
    const attempt = await begin(host);
    const answer = await attempt.browser.submit(attempt.page, { pin: '4711' });
    t.regex(answer.text, /This is not your PIN\./, JSON.stringify(bad));
  }
  t.true(host.log.some(({ message }) => message.startsWith('a PIN cannot be verified')));
});

// Before other hosts of this process: they run the compiler's output, and this one the bundle, which redefines Reflect.
test.serial('PIN code: it keeps the rules of its SPIs', async (t) => {
  t.deepEqual(await conforms(t, CredentialProvider, pinCode), ['pin-code create', 'pin-code verify']);
  await conforms(t, RequiredAction, pinCode);
});
