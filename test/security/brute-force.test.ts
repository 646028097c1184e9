import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const RIGHT = 'Alice-pass-1!';
const LOCKS = {
  bruteForceProtected: true,
  failureFactor: 5,
  waitIncrementSeconds: 60,
  maxFailureWaitSeconds: 900,
  maxDeltaTimeSeconds: 3600,
  // The clock does not advance between guesses.
  quickLoginCheckMilliSeconds: 0,
};

/** The tests move it and load the host, so they run one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });
const locking = (changes: Partial<RealmRepresentation> = LOCKS) =>
  inRealm(shared(), (name) => codeRealm(name, changes));

const byForm = (host: TestHost, password: string, username = 'alice') =>
  signIn(new Browser(), codeRequest(host).url, { username, password });
const byGrant = async (host: TestHost, password: string) =>
  (await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, password })).status;
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const words = ({ text }: Visit) => /Invalid username or password\.|Account is disabled[^<]*/.exec(text)?.[0];

test.serial(
  'T166 · brute force detection: of many guesses at once few are looked at, and the right password is refused while it is locked',
  async (t) => {
    const host = await locking();
    const page = new Browser();
    const pending = await page.open(codeRequest(host).url);
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, i) => byForm(host, `wrong-${i}`)));
    for (const guess of guesses) t.is(words(guess), 'Invalid username or password.');
    const events = (await host.stored(host.defaultRealm)).filter(({ error }) => error !== undefined);
    const locked = events.filter(({ error }) => error === 'user_temporarily_disabled').length;
    t.true(locked >= 25, `${locked} of ${events.length}`);
    t.is(events.length, 30);
    const right = await byForm(host, RIGHT);
    t.deepEqual([right.status, isIn(right), words(right)], [200, false, 'Invalid username or password.']);
    t.false(isIn(await page.submit(pending, { username: 'alice', password: RIGHT })), 'nor on a page from before');
    t.is(await byGrant(host, RIGHT), 400 as number);
    t.true(isIn(await byForm(host, 'Dave-pass-1!', 'dave')), 'others log in');
    clock.forward(61);
    t.true(isIn(await byForm(host, RIGHT)));
  },
);

test.serial('T169 · brute force detection: every door counts for every other', async (t) => {
  const host = await locking();
  for (let i = 0; i < 6; i++) {
    if (i % 2 === 0) t.false(isIn(await byForm(host, `wrong-${i}`, i === 0 ? 'alice@example.test' : ' ALICE ')));
    else t.not(await byGrant(host, `wrong-${i}`), 200);
  }
  t.not(await byGrant(host, RIGHT), 200);
  t.false(isIn(await byForm(host, RIGHT)));
  t.false(isIn(await byForm(host, RIGHT, 'alice@example.test')));
  clock.forward(61);
  t.is(await byGrant(host, RIGHT), 200);
  t.true(isIn(await byForm(host, RIGHT)));
});

test.serial(
  'T169 · brute force detection: a second lock is longer, a right password in time forgives, and without the setting nothing locks',
  async (t) => {
    const host = await locking({ ...LOCKS, bruteForceStrategy: 'LINEAR' });
    const fail = async (times: number) => {
      for (let i = 0; i < times; i++) await byForm(host, 'wrong');
    };
    await fail(4);
    t.true(isIn(await byForm(host, RIGHT)));
    await fail(4);
    t.true(isIn(await byForm(host, RIGHT)), 'counted from the last success');
    await fail(6);
    clock.forward(61);
    await fail(6);
    clock.forward(61);
    t.false(isIn(await byForm(host, RIGHT)), 'twice as long');
    clock.forward(61);
    t.true(isIn(await byForm(host, RIGHT)));
    const open = await locking({ bruteForceProtected: false });
    for (let i = 0; i < 8; i++) await byForm(open, 'wrong');
    t.true(isIn(await byForm(open, RIGHT)));
  },
);

test.serial(
  'T166 T169 · brute force detection: a permanent lock stays, and is not revealed to an attacker',
  async (t) => {
    const host = await locking({ ...LOCKS, permanentLockout: true });
    for (let i = 0; i < 7; i++) t.is(words(await byForm(host, 'wrong')), 'Invalid username or password.');
    clock.forward(86_400);
    t.is(words(await byForm(host, 'wrong')), 'Invalid username or password.');
    t.false(isIn(await byForm(host, RIGHT)));
    t.not(await byGrant(host, RIGHT), 200);
  },
);

test.serial('T291 · brute force detection: the form takes passwords exactly, and too long ones as wrong', async (t) => {
  const prefix = 'p'.repeat(72);
  const passwords: Record<string, string> = {
    long: 'x'.repeat(256),
    prefix: `${prefix}A`,
    space: ' pass word ',
    nfc: 'zo\u00eb-pass',
    nul: 'pass\u0000word',
  };
  const more = Object.entries(passwords).map(([username, value]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value }],
  }));
  const host = await inRealm(shared(), (name) => {
    const { users = [], ...realm } = codeRealm(name);
    return { ...realm, users: [...users, ...more] };
  });
  for (const [username, password] of Object.entries(passwords))
    t.true(isIn(await byForm(host, password, username)), username);
  const wrong: [string, string][] = [
    ['long', 'x'.repeat(255)],
    ['prefix', `${prefix}B`],
    ['prefix', prefix],
    ['space', 'pass word'],
    ['nul', 'pass'],
    ['nul', 'password'],
    ['long', 'x'.repeat(5000)],
    ['long', 'x'.repeat(200_000)],
    ['x'.repeat(5000), 'x'],
    ['long\u0000', 'x'.repeat(256)],
    ['', ''],
  ];
  for (const [username, password] of wrong) {
    const page = await byForm(host, password, username);
    t.deepEqual([page.status, words(page)], [200, 'Invalid username or password.'], username.slice(0, 20));
  }
  t.is((await byForm(host, 'x'.repeat(300_000))).status, 413);
});

test.serial(
  'T237 · brute force detection: a storm of form logins is served or gets 503, and other requests continue',
  async (t) => {
    const host = await locking({});
    let over = false;
    const storm = Promise.all(
      Array.from({ length: 100 }, (_, i) => byForm(host, i % 4 === 0 ? 'wrong' : RIGHT)),
    ).finally(() => {
      over = true;
    });
    while (!over) t.is((await fetchAnswer(`${host.managementUrl}/health`)).status, 200);
    for (const [i, answer] of (await storm).entries()) {
      t.true([i % 4 === 0 ? 200 : 302, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 200)}`);
      t.is(isIn(answer), answer.status === 302);
    }
    t.true(isIn(await byForm(host, RIGHT)));
  },
);
