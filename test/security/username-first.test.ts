import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, isOutside, refusal, step, storeDirectly } from '../helpers/weak-flows.js';

/** The tests move it, one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock }, /no step verified the user/);

const NAME = step('auth-username-form');
const OWN = { browserFlow: 'own', authenticationFlows: [flow('own', NAME, step('auth-password-form'))] };
const LOCKS = { bruteForceProtected: true, failureFactor: 3, waitIncrementSeconds: 60, quickLoginCheckMilliSeconds: 0 };
const startRealm = (changes = {}) =>
  inRealm(shared(), (name) => codeRealm(name, { providers: {}, ...OWN, ...changes }));

const told = ({ text }: Visit) => /class="alert-text">([^<]*)/.exec(text)?.[1];
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;

async function named(host: TestHost, username: string) {
  const browser = new Browser();
  const page = await browser.submit(await browser.open(codeRequest(host).url), { username });
  return { page, answer: (from: Visit, password: string) => browser.submit(from, { password }) };
}

const signIn = async (host: TestHost, username: string, password: string) => {
  const { page, answer } = await named(host, username);
  return answer(page, password);
};

test.serial(
  'T696 · username first: a name alone signs nobody in, whatever its step declares about passkeys',
  async (t) => {
    const host = await startRealm();
    const alone = [flow('weak', NAME), flow('weaker', NAME, step('auth-password-form', 'DISABLED'))];
    for (const browserFlow of ['weak', 'weaker']) {
      const realm = testRealm('file', { browserFlow, authenticationFlows: alone });
      t.regex(await refusal(t, host, realm), /anyone can sign in as any user.*auth-username-form/);
      await storeDirectly(host, () => ({ browserFlow, authenticationFlows: alone }));
      const { page } = await named(host, 'alice');
      isOutside(t, page, browserFlow);
    }
  },
);

test.serial(
  'T697 · username first: wrong passwords on two pages are counted together, and neither page reveals a lock',
  async (t) => {
    const host = await startRealm(LOCKS);
    const { page, answer } = await named(host, 'alice');
    let at = page;
    for (let i = 0; i < 3; i++) at = await answer(at, `wrong-${i}`);
    t.is(told(at), 'Invalid password.');
    t.is(told(await answer(at, 'Alice-pass-1!')), 'Invalid password.', 'the right one is refused as a wrong one');
    t.is(told(await signIn(host, 'alice', 'Alice-pass-1!')), 'Invalid password.', 'and the name is taken as before');
    t.is((await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN })).status, 400);
    const errors = (await host.stored(host.defaultRealm)).map(({ error }) => error);
    t.is(errors.filter((error) => error === 'user_temporarily_disabled').length, 3);
    t.true(isIn(await signIn(host, 'dave', 'Dave-pass-1!')));
    clock.forward(61);
    t.true(isIn(await signIn(host, 'alice', 'Alice-pass-1!')));
  },
);

test.serial(
  'T698 · username first: a disabled account is revealed after its password, and not by its name',
  async (t) => {
    const host = await startRealm();
    const { page, answer } = await named(host, 'carol');
    t.deepEqual([page.status, told(page)], [200, undefined]);
    const wrong = await answer(page, 'wrong');
    t.is(told(wrong), 'Invalid password.');
    t.regex(told(await answer(wrong, 'Carol-pass-1!')) ?? '', /account is disabled/);
  },
);
