import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { readingStep } from '../helpers/reading-step.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

const RIGHT = { '*': ['read-typed-password'] };
const shared = shareHost(
  test,
  {
    realms: [],
    plugins: [
      { module: 'reads', grants: RIGHT },
      { module: 'apart', isolation: 'worker', grants: RIGHT },
      { module: 'bare', grants: RIGHT },
      { module: 'elsewhere', grants: { other: ['read-typed-password'] } },
    ],
    packages: {
      reads: readingStep('reads', true),
      apart: readingStep('apart', true),
      bare: readingStep('bare', false),
      elsewhere: readingStep('elsewhere', true),
    },
  },
  /plugins.json grants bare rights/,
);

const PASSWORD = 'auth-username-password-form';
const WRONG = { username: 'alice', password: 'wrong' };
const RIGHT_ONE = { username: 'alice', password: 'Alice-pass-1!' };

function realm(...steps: string[]) {
  const names = ['reads', 'apart', 'bare', 'elsewhere'];
  const providers = { 'realm-restapi-extension': Object.fromEntries(names.map((name) => [name, { enabled: true }])) };
  return inRealm(shared(), (name) => ({ ...codeRealm(name, flowWith(...steps)), providers }));
}

const seen = async (host: TestHost, id: string) =>
  (await fetchAnswer(`${host.realm(host.defaultRealm)}/${id}`)).json as unknown;

test('T690 · typed password: the typed password reaches a step with its grant alone, once, and after it was right', async (t) => {
  const cases = [
    ['reads', 'Alice-pass-1!'],
    ['apart', 'Alice-pass-1!'],
    ['bare', null],
    ['elsewhere', null],
  ] as const;
  for (const [id, expected] of cases) {
    const host = await realm(PASSWORD, id);
    const browser = new Browser();
    const wrong = await browser.submit(await browser.open(codeRequest(host).url), WRONG);
    t.deepEqual(await seen(host, id), [], `${id}: a wrong one reaches nobody`);
    const page = await browser.submit(wrong, RIGHT_ONE);
    const done = await browser.submit(page, { password: 'typed later' });
    t.truthy(done.location?.searchParams.get('code'), done.text);
    t.deepEqual(
      await seen(host, id),
      [
        [expected, null, false],
        [null, null, false],
      ],
      id,
    );
  }
});

test('T691 · typed password: a step before the password, and another login, cannot read it', async (t) => {
  const host = await realm('reads', PASSWORD);
  const browser = new Browser();
  const first = await browser.submit(await browser.open(codeRequest(host).url), {});
  const done = await browser.submit(first, RIGHT_ONE);
  t.truthy(done.location?.searchParams.get('code'), done.text);
  // Its session satisfies the password step, so no password is typed.
  await browser.open(codeRequest(host).url);
  const all = (await seen(host, 'reads')) as readonly (readonly unknown[])[];
  t.true(all.length >= 3);
  t.true(all.every(([typed]) => typed === null));
});

test('T692 · typed password: the password grant hands no password on without the grant', async (t) => {
  const direct = ['direct-grant-validate-username', 'direct-grant-validate-password'];
  for (const [id, typed] of [
    ['bare', null],
    ['elsewhere', null],
    ['reads', 'Alice-pass-1!'],
    ['apart', 'Alice-pass-1!'],
  ] as const) {
    const host = await realm(...direct, id);
    t.is((await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN })).status, 200, id);
    t.deepEqual(await seen(host, id), [[typed, typed, false]], id);
    const before = await realm(id, ...direct);
    t.is((await before.token(before.defaultRealm, { ...WEB, ...ALICE_LOGIN })).status, 200, id);
    t.deepEqual(await seen(before, id), [[null, typed, false]], id);
  }
});

test('T693 · typed password: no line of the log and no event has the typed password', async (t) => {
  const host = await realm(PASSWORD, 'reads');
  const browser = new Browser();
  await browser.submit(await browser.open(codeRequest(host).url), RIGHT_ONE);
  const told = JSON.stringify([host.log, await host.stored(host.defaultRealm)]);
  t.false(told.includes('Alice-pass-1!'));
});
