import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { pinStep } from '../helpers/pin-step.js';
import { idIn } from '../helpers/realms.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

const MODES = ['pin', 'apart'] as const;
const PASSWORD = 'Alice-pass-1!';
const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [{ module: 'pin' }, { module: 'apart', isolation: 'worker' }],
    packages: { pin: pinStep('pin'), apart: pinStep('apart') },
  }),
);

const LIMITS = {
  bruteForceProtected: true,
  failureFactor: 3,
  quickLoginCheckMilliSeconds: 0,
  waitIncrementSeconds: 600,
};

const realm = (steps: readonly string[], changes: object = {}): Promise<TestHost> =>
  inRealm(shared(), (name) => codeRealm(name, { ...LIMITS, ...flowWith(...steps), ...changes }));

/** A login up to the page for the PIN; `before` are the answers to earlier pages. */
async function atPin(
  host: TestHost,
  ...before: Record<string, string>[]
): Promise<(pin: string, more?: object) => Promise<Visit>> {
  const browser = new Browser();
  let page = await browser.open(codeRequest(host).url);
  for (const fields of before) page = await browser.submit(page, fields);
  return async (pin, more = {}) => browser.submit(page, { pin, ...more });
}

const ALICE = { username: 'alice' };
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const isWrong = ({ text }: Visit) => text.includes('That PIN is wrong.');

async function failuresOf(host: TestHost): Promise<number> {
  const call = await adminCaller(host);
  const { json } = await call(
    'GET',
    `/realms/${host.defaultRealm}/attack-detection/brute-force/users/${idIn(host.defaultRealm)}`,
  );
  return Number(json.numFailures);
}

const shapeOf = ({ status, location, text }: Visit) => ({
  status,
  location: location?.href,
  text: text.replaceAll(/(session_code|tab_id|execution|client_data|nonce|content)="?[^"&\s]+/g, '$1'),
});

for (const id of MODES) {
  test(`T906 · counted answers: wrong answers to a step count, and a locked user is refused alike, right or wrong (${id})`, async (t) => {
    const host = await realm(['auth-username-form', id]);
    t.false(isWrong(await (await atPin(host, ALICE))('later')), 'an error that the step does not name counts nothing');
    t.is(await failuresOf(host), 0);
    t.true(isWrong(await (await atPin(host, ALICE))('1')));
    t.is((await (await atPin(host, ALICE))('stop')).status, 400);
    t.is(await failuresOf(host), 2);
    t.true(isIn(await (await atPin(host, ALICE))('2468')));
    t.is(await failuresOf(host), 0, 'a login that ends well forgets them');
    for (const pin of ['1', '2', 'twice']) t.true(isWrong(await (await atPin(host, ALICE))(pin)), pin);
    t.is(await failuresOf(host), 3, 'what the host has counted itself counts once');
    const right = await (await atPin(host, ALICE))('2468');
    const wrong = await (await atPin(host, ALICE))('9');
    t.false(isIn(right));
    t.deepEqual(shapeOf(right), shapeOf(wrong));
    const events = await host.stored(host.defaultRealm);
    const ofLock = events.find(({ error }) => error === 'user_temporarily_disabled');
    t.like(ofLock, { type: 'LOGIN_ERROR', error: 'user_temporarily_disabled', userId: idIn(host.defaultRealm) });
    // The lock applies to the user, so the password is refused too.
    const form = { client_id: 'spa', grant_type: 'password', username: 'alice', password: PASSWORD };
    await (await adminCaller(host))('PUT', `/realms/${host.defaultRealm}`, { directGrantFlow: 'direct grant' });
    t.is((await host.token(host.defaultRealm, form)).json.error, 'invalid_grant');
    await (await adminCaller(host))(
      'DELETE',
      `/realms/${host.defaultRealm}/attack-detection/brute-force/users/${idIn(host.defaultRealm)}`,
    );
    t.true(isIn(await (await atPin(host, ALICE))('2468')));
  });

  test(`T907 · counted answers: guesses at once, with a known password between them, and by a step that finds its user itself (${id})`, async (t) => {
    const host = await realm(['auth-username-password-form', id]);
    const known = { ...ALICE, password: PASSWORD };
    for (const pin of ['1', '2', '3']) t.true(isWrong(await (await atPin(host, known))(pin)), pin);
    t.false(isIn(await (await atPin(host, known))('2468')), 'a known password takes no guess back');

    const burst = await realm(['auth-username-form', id]);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => atPin(burst, ALICE)));
    const answers = await Promise.all(tabs.map((type, n) => type(String(n))));
    t.is(answers.filter(isWrong).length, 3);
    t.false(isIn(await (await atPin(burst, ALICE))('2468')));

    const named = await realm([`${id}-named`]);
    for (const pin of ['1', '2', '3']) t.true(isWrong(await (await atPin(named))(pin, { name: 'alice' })), pin);
    const right = await (await atPin(named))('2468', { name: 'alice' });
    const wrong = await (await atPin(named))('4', { name: 'alice' });
    t.false(isIn(right));
    t.deepEqual(shapeOf(right), shapeOf(wrong));
    t.true(isWrong(await (await atPin(named))('1', { name: 'nobody' })));
    t.true(isIn(await (await atPin(named))('2468', { name: 'dave' })));
  });

  test(`T908 · counted answers: wrong answers in a password grant, and for good (${id})`, async (t) => {
    const host = await realm(['direct-grant-validate-username', 'direct-grant-validate-password', id], {
      permanentLockout: true,
    });
    const ask = async (pin: string) => {
      const form = { client_id: 'spa', grant_type: 'password', username: 'alice', password: PASSWORD, pin };
      return (await host.token(host.defaultRealm, form)).status;
    };
    for (const pin of ['1', '2', '2468', '1', '2']) t.is(await ask(pin), pin === '2468' ? 200 : 400, pin);
    t.is(await failuresOf(host), 2, 'the login between them forgot the first');
    t.is(await ask('3'), 400);
    t.is(await ask('2468'), 400);
    const user = (
      await (
        await adminCaller(host)
      )('GET', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`)
    ).json;
    t.is(user.enabled, false);
  });
}
