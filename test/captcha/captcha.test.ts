import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { Authenticator, FormAction } from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { answerWith, puzzleOf, solve, solved } from '../helpers/captcha.js';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { codeOf, complaints, fieldNames, heading } from '../helpers/read-page.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { NEWCOMER, storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const FAILED = 'The check against robots has not succeeded. Please try again.';
const KEY = 'a key of plugins.json with 32 characters';
const clock = new TestClock();
const shared = shareHost(test, { realms: [], plugins: [{ module: '@keyhost/captcha' }], clock });
const apart = shareHost(test, {
  realms: [],
  plugins: [
    {
      module: '@keyhost/captcha',
      isolation: 'worker',
      config: { 'form-action/registration-altcha-action': { key: KEY } },
    },
  ],
});

/** The realm that the package shows itself by, with tasks that are soon solved. */
async function captchaRealm(host: TestHost, config: Record<string, string> = {}): Promise<TestHost> {
  const realm: RealmRepresentation = await shownRealm('captcha');
  const authenticatorConfig = [{ alias: 'captcha', config: { complexity: '1000', ...config } }];
  return inRealm(host, (name) => ({ ...realm, realm: name, authenticatorConfig }));
}
const open = (host: TestHost, browser: Browser, changes: Record<string, string> = {}) =>
  browser.open(shownLogin(host, host.defaultRealm, changes).url);
const register = (host: TestHost, browser: Browser) => open(host, browser, { prompt: 'create' });
const scripts = ({ text }: Visit) => [...text.matchAll(/src="[^"]*\/([\w.]+\.js)"/g)].map(([, name]) => name);

for (const [isolation, host] of [
  ['none', shared],
  ['worker', apart],
] as const) {
  test(`captcha: nobody registers before the browser has solved the task, and the form is kept (${isolation})`, async (t) => {
    const realm = await captchaRealm(host());
    const browser = new Browser();
    const page = await register(realm, browser);
    t.deepEqual(fieldNames(page).slice(-5), [
      'password',
      'password-confirm',
      'altcha-challenge',
      'altcha',
      'altcha-status',
    ]);
    t.deepEqual(scripts(page), ['form.js', 'captcha.js']);
    t.regex(page.headers.get('content-security-policy') ?? '', /worker-src \S+\/solver\.js;/);
    t.regex(page.text, /This check needs JavaScript/);
    const unsolved = await browser.submit(page, NEWCOMER);
    t.deepEqual([unsolved.status, complaints(unsolved)], [200, [FAILED]]);
    t.regex(unsolved.text, /value="new@comer.test"/);
    const { challenge } = puzzleOf(unsolved);
    const wrong = await browser.submit(unsolved, { ...NEWCOMER, ...answerWith(challenge, solve(challenge) + 1) });
    t.deepEqual(complaints(wrong), [FAILED]);
    // Each page has its own task, which any submit uses up, even one with a mistake in another field.
    const mistaken = await browser.submit(wrong, { ...NEWCOMER, username: '', ...solved(wrong) });
    t.deepEqual(complaints(mistaken), ['Please enter a username.']);
    t.not(puzzleOf(mistaken).challenge.challenge, puzzleOf(wrong).challenge.challenge);
    t.deepEqual(complaints(await browser.submit(mistaken, { ...NEWCOMER, ...solved(wrong) })), [FAILED]);
    const last = await register(realm, browser);
    t.truthy(codeOf(await browser.submit(last, { ...NEWCOMER, ...solved(last) })));
    t.truthy(await storedUser(realm, 'newcomer'));
  });

  test(`captcha: a login requires the task before the password, by a page that submits itself (${isolation})`, async (t) => {
    const realm = await captchaRealm(host());
    const browser = new Browser();
    const page = await open(realm, browser);
    t.is(heading(page), 'Checking your browser');
    t.true(puzzleOf(page).sends);
    const again = await browser.submit(page, { altcha: 'bm90aGluZw==' });
    t.deepEqual([heading(again), puzzleOf(again).sends], ['Checking your browser', false]);
    t.true(again.text.includes(FAILED));
    const password = await browser.submit(again, solved(again));
    t.is(heading(password), 'Sign in to your account');
    t.truthy(codeOf(await browser.submit(password, { username: 'ada', password: 'ada' })));
  });
}

test.serial('captcha: a task is valid for as long as the realm says', async (t) => {
  const realm = await captchaRealm(shared(), { expires: '30' });
  const browser = new Browser();
  const page = await register(realm, browser);
  clock.forward(31);
  const late = await browser.submit(page, { ...NEWCOMER, ...solved(page) });
  t.deepEqual(complaints(late), [FAILED]);
  clock.forward(29);
  t.truthy(codeOf(await browser.submit(late, { ...NEWCOMER, ...solved(late) })));
});

test('captcha: tasks are signed with the key of the realm, of plugins.json, or one that is generated per realm', async (t) => {
  const secret = 'a secret of the realm with 32 characters';
  const isBy = (key: string, { challenge, signature }: { challenge: string; signature: string }) =>
    createHmac('sha256', key).update(challenge).digest('hex') === signature;
  const pages = async (realm: TestHost) => puzzleOf(await register(realm, new Browser())).challenge;
  t.true(isBy(secret, await pages(await captchaRealm(apart(), { secret }))));
  t.true(isBy(KEY, await pages(await captchaRealm(apart()))));
  const kept = async (realm: TestHost) =>
    realm.store.entries.get({ realm: realm.defaultRealm, namespace: '@keyhost/captcha', key: 'key', now: 0 });
  const one = await captchaRealm(shared());
  const other = await captchaRealm(shared());
  const made = await Promise.all([pages(one), pages(one), pages(other)]);
  const keys = [JSON.parse((await kept(one)) ?? ''), JSON.parse((await kept(other)) ?? '')] as [string, string];
  t.not(keys[0], keys[1]);
  t.deepEqual([isBy(keys[0], made[0]), isBy(keys[0], made[1]), isBy(keys[1], made[2])], [true, true, true]);
});

test('captcha: the page speaks German, its script too', async (t) => {
  const realm = await captchaRealm(shared());
  const page = await open(realm, new Browser(), { ui_locales: 'de' });
  t.is(heading(page), 'Ihr Browser wird geprüft');
  t.regex(page.text, /Diese Prüfung braucht JavaScript/);
  t.is(puzzleOf(page).texts.done, 'Die Prüfung ist fertig.');
});

test('captcha: settings that are out of range or unknown are refused at their places', async (t) => {
  for (const [config, told] of [
    [{ complexity: '1' }, /config\.complexity/],
    [{ expires: 'soon' }, /config\.expires/],
    [{ secret: 'short' }, /config\.secret/],
    [{ floating: 'true' }, /config\.floating/],
  ] as const) {
    const error = await t.throwsAsync(captchaRealm(shared(), config));
    t.regex(JSON.stringify(error), told);
  }
});

for (const spi of [FormAction, Authenticator]) {
  test(`captcha: the plugin keeps the rules of the SPI ${spi.name}`, async (t) => {
    const { default: plugin } = await import('@keyhost/captcha');
    await conforms(t, spi, plugin, { directory: `${ROOT}/providers/captcha` });
    t.pass();
  });
}

test('captcha: the worker of the page finds every number, as SHA-256 has it', async (t) => {
  const source = await readFile(`${ROOT}/providers/captcha/resources/solver.js`, 'utf8');
  let solver: (event: { data: object }) => void = () => {};
  let found: unknown;
  const scope = {
    TextEncoder,
    addEventListener(_: string, listener: typeof solver) {
      solver = listener;
    },
    postMessage(number: unknown) {
      found = number;
    },
  };
  runInContext(source, createContext(scope));
  // Around the ends of blocks of 64 bytes.
  for (const length of [1, 44, 53, 54, 55, 56, 63, 64, 81, 119]) {
    for (const number of [0, 9, 10, 1234]) {
      const salt = 's'.repeat(length);
      const challenge = createHash('sha256').update(`${salt}${number}`).digest('hex');
      solver({ data: { challenge, salt, maxnumber: 1234 } });
      t.is(found, number, `${length} ${number}`);
    }
  }
  solver({ data: { challenge: '0'.repeat(64), salt: 's', maxnumber: 10 } });
  t.is(found, undefined);
});
