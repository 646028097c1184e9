import test from 'ava';
import { answerWith, type Challenge, puzzleOf, solve, solved } from '../helpers/captcha.js';
import { type FormEntry, formOf } from '../helpers/form-actions.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { codeOf, complaints } from '../helpers/read-page.js';
import { eventErrors, NEWCOMER, openRealm, storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const CREATION = 'registration-user-creation';
const PASSWORD = 'registration-password-action';
const CAPTCHA = { authenticator: 'registration-altcha-action', config: { complexity: '1000' } };

const shared = shareHost(test, { realms: [], plugins: [{ module: '@keyhost/captcha' }] });

const inForm = (...executions: FormEntry[]): Promise<TestHost> =>
  inRealm(shared(), (name) => openRealm(formOf(...executions), name));
async function register(host: TestHost, browser = new Browser()): Promise<readonly [Browser, Visit]> {
  return [browser, await browser.open(codeRequest(host, { prompt: 'create' }).url)];
}
const isRefused = (page: Visit) =>
  complaints(page).join() === 'The check against robots has not succeeded. Please try again.';

test('T718 · captcha: without a solved captcha the form reveals no account', async (t) => {
  const host = await inForm(CREATION, PASSWORD, CAPTCHA);
  for (const change of [{ username: 'alice' }, { email: 'alice@example.test' }, {}, { username: '' }]) {
    const [browser, page] = await register(host);
    t.true(isRefused(await browser.submit(page, { ...NEWCOMER, ...change })), JSON.stringify(change));
  }
  t.deepEqual([...new Set(await eventErrors(host, 'REGISTER'))], ['invalid_registration']);
  const [browser, page] = await register(host);
  const answer = await browser.submit(page, { ...NEWCOMER, username: 'alice', ...solved(page) });
  t.deepEqual(complaints(answer), ['Username already exists.']);
});

test('T719 · captcha: a solved challenge is worth one form, also of forms that come at once', async (t) => {
  const host = await inForm(CREATION, PASSWORD, CAPTCHA);
  const [browser, page] = await register(host);
  const answer = solved(page);
  const first = await browser.submit(page, { ...NEWCOMER, username: 'a b', ...answer });
  t.deepEqual(complaints(first), ['Value contains an invalid character.']);
  t.true(isRefused(await browser.submit(first, { ...NEWCOMER, ...answer })));
  const [other, next] = await register(host);
  const once = solved(next);
  const ends = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      other.submit(next, { ...NEWCOMER, username: `new${index}`, email: `new${index}@comer.test`, ...once }),
    ),
  );
  t.true(ends.filter(codeOf).length <= 1);
  const made = await Promise.all(ends.map((_, index) => storedUser(host, `new${index}`)));
  t.is(made.filter((user) => user !== undefined).length, 1);
});

test('T720 · captcha: a solved challenge counts in its own login, step and realm alone', async (t) => {
  const secret = 'one secret of 32 characters for both realms';
  const captcha = { ...CAPTCHA, config: { ...CAPTCHA.config, secret } };
  const here = await inForm(CREATION, captcha);
  const there = await inForm(CREATION, captcha);
  const [, foreign] = await register(there);
  const [, elsewhere] = await register(here);
  const [browser, page] = await register(here);
  for (const answer of [solved(foreign), solved(elsewhere)]) {
    const [other, own] = await register(here);
    t.true(isRefused(await other.submit(own, { ...NEWCOMER, ...answer })));
  }
  t.truthy(codeOf(await browser.submit(page, { ...NEWCOMER, ...solved(page) })));
});

test('T721 · captcha: a challenge that is changed, made up, late, or split at another place solves nothing', async (t) => {
  const host = await inForm(CREATION, CAPTCHA);
  const forgeries: ((challenge: Challenge, number: number) => object)[] = [
    (one, number) =>
      answerWith({ ...one, salt: `${one.salt}${String(number)[0]}` }, Number(String(number).slice(1) || '0')),
    ({ salt, ...one }, number) => answerWith({ ...one, salt: salt.slice(0, -1) }, number),
    ({ salt, ...one }, number) => answerWith({ ...one, salt: salt.replace(/expires=\d/, 'expires=9') }, number),
    ({ signature, ...one }, number) => answerWith({ ...one, signature: signature.replace(/./g, '0') }, number),
    (one, number) => answerWith({ ...one, signature: '' }, number),
    (one, number) => answerWith({ ...one, algorithm: 'SHA-1' }, number),
    (one, number) => answerWith(one, -number),
    (one, number) => answerWith(one, number + 0.5),
    (one, number) => ({ altcha: Buffer.from(JSON.stringify({ ...one, number: `${number}` })).toString('base64') }),
    () => ({ altcha: Buffer.from('null').toString('base64') }),
    () => ({ altcha: Buffer.from('[]').toString('base64') }),
    () => ({ altcha: 'A'.repeat(100_000) }),
    () => ({ altcha: '{"__proto__":1}' }),
  ];
  for (const [index, forge] of forgeries.entries()) {
    const [browser, page] = await register(host);
    const { challenge } = puzzleOf(page);
    const answer = await browser.submit(page, { ...NEWCOMER, ...(forge(challenge, solve(challenge)) as object) });
    t.true(isRefused(answer), `${index}`);
  }
  t.is(await storedUser(host, 'newcomer'), undefined);
});
