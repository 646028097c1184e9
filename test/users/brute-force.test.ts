import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, unescapeHtml } from '../helpers/form-browser.js';
import { inRealm, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** The settings of rows that do not set others. Times are in seconds. */
const SETTINGS: Partial<RealmRepresentation> = {
  bruteForceProtected: true,
  failureFactor: 3,
  waitIncrementSeconds: 4,
  maxFailureWaitSeconds: 100,
  maxDeltaTimeSeconds: 1000,
  quickLoginCheckMilliSeconds: 0,
  minimumQuickLoginWaitSeconds: 5,
};
const QUICK = { quickLoginCheckMilliSeconds: 100_000 };
const LINEAR = { bruteForceStrategy: 'LINEAR' };
const FOR_EVER = { permanentLockout: true };

/**
 * The steps, with the state of the user in Keycloak 26.7.3. A wrong password gives `failures/lock in seconds/lockouts`,
 * with `off` for a disabled user. `in` and `no` are a right password; `out` waits for the end of the lock, `3s` three
 * seconds.
 */
type Row = [title: string, settings: Partial<RealmRepresentation>, steps: string];

const COUNTED: Row[] = [
  ['MULTIPLE', {}, '1/0/0 2/0/0 3/4/1 out 4/4/2 out 5/4/3 out 6/8/4 out 7/8/5 out in 1/0/0'],
  ['LINEAR', LINEAR, '1/0/0 2/0/0 3/4/1 out 4/8/2 out 5/12/3 out in 1/0/0 2/0/0 3/4/1'],
  ['no increment', { waitIncrementSeconds: 0 }, '1/0/0 2/0/0 3/0/0 4/0/0 5/0/0 6/0/0 7/0/0 in'],
  ['no increment, LINEAR', { waitIncrementSeconds: 0, ...LINEAR }, '1/0/0 2/0/0 3/0/0 4/0/0 in'],
  ['quick', QUICK, '1/0/0 2/5/0 no out 3/4/1 out 4/4/2 out in'],
  ['quick, no wait', { ...QUICK, minimumQuickLoginWaitSeconds: 0 }, '1/0/0 2/0/0 3/4/1 3/4/1 no'],
  ['quick, longest', { ...QUICK, minimumQuickLoginWaitSeconds: 50, maxFailureWaitSeconds: 2 }, '1/0/0 2/2/0 no out in'],
  ['quick, no increment', { ...QUICK, waitIncrementSeconds: 0 }, '1/0/0 2/5/0 out 3/5/0 out 4/5/0'],
  ['permanent', FOR_EVER, '1/0/0 2/0/0 3/0/0/off no 3/0/0/off'],
  ['permanent, quick', { ...FOR_EVER, ...QUICK }, '1/0/0 2/5/0 no out 3/5/0/off no'],
  ['permanent after 2', { ...FOR_EVER, maxTemporaryLockouts: 2 }, '1/0/0 2/0/0 3/4/1 out 4/4/2 out 5/4/3/off no'],
  ['permanent after 1', { ...FOR_EVER, maxTemporaryLockouts: 1 }, '1/0/0 2/0/0 3/4/1 out 4/4/2/off no'],
  [
    'permanent after 1, no increment',
    { ...FOR_EVER, maxTemporaryLockouts: 1, waitIncrementSeconds: 0 },
    '1/0/0 2/0/0 3/0/0 4/0/0 5/0/0 6/0/0 7/0/0 in',
  ],
  [
    'permanent after 1, quick',
    { ...FOR_EVER, ...QUICK, maxTemporaryLockouts: 1 },
    '1/0/0 2/5/0 out 3/4/1 out 4/4/2/off no',
  ],
  ['temporary alone', { maxTemporaryLockouts: 2 }, '1/0/0 2/0/0 3/4/1 out 4/4/2 out 5/4/3 out 6/8/4 out in'],
  ['longest', { maxFailureWaitSeconds: 2 }, '1/0/0 2/0/0 3/2/1 out 4/2/2 out in'],
  ['longest 0', { maxFailureWaitSeconds: 0 }, '1/0/0 2/0/0 3/0/1 4/0/2 5/0/3 in'],
  ['forgotten', { maxDeltaTimeSeconds: 2 }, '1/0/0 2/0/0 3s 1/0/0 2/0/0 3/4/1 no'],
  [
    'lockouts forgotten',
    { ...FOR_EVER, maxDeltaTimeSeconds: 6, maxTemporaryLockouts: 1 },
    '1/0/0 2/0/0 3/4/1 7s 1/0/0 2/0/0 3/4/1 no',
  ],
  ['permanent, never forgotten', { ...FOR_EVER, maxDeltaTimeSeconds: 2 }, '1/0/0 2/0/0 3s 3/0/0/off no'],
  ['locked', { waitIncrementSeconds: 6 }, '1/0/0 2/0/0 3/6/1 3/6/1 3/6/1 no out 4/6/2 no'],
  ['forgiven', {}, '1/0/0 2/0/0 in 1/0/0 2/0/0 in 1/0/0 2/0/0'],
  ['after 1', { failureFactor: 1 }, '1/4/1 out 2/8/2 out in'],
  ['after 1, LINEAR', { failureFactor: 1, ...LINEAR }, '1/4/1 out 2/8/2 out in'],
  ['after 0, LINEAR', { failureFactor: 0, ...LINEAR }, '1/8/1 no'],
  ['without', { bruteForceProtected: false }, '0/0/0 0/0/0 0/0/0 0/0/0 in'],
];

const clock = new TestClock();
const shared = shareHost(test, administered({ realms: [], clock }), /ECONN|ESOCKET/);

for (const [title, settings, steps] of COUNTED) {
  test.serial(`brute force detection: brute force is counted as Keycloak counts it: ${title}`, async (t) => {
    const host = await inRealm(shared(), (name) => testRealm(name, { ...SETTINGS, ...settings }));
    const told = async () => {
      const admin = await adminCaller(host);
      const [{ json: state }, { json: user }] = await Promise.all([
        admin('GET', `/realms/${host.defaultRealm}/attack-detection/brute-force/users/${idIn(host.defaultRealm)}`),
        admin('GET', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`),
      ]);
      return { state: state as Record<string, number>, user: user as Record<string, unknown> };
    };
    const logIn = async (password: string) => {
      const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password };
      return (await host.token(host.defaultRealm, form)).status === 200;
    };
    const done: string[] = [];
    for (const step of steps.split(' ')) {
      if (step === 'out') {
        clock.forward(Math.max(0, ((await told()).state.failedLoginNotBefore ?? 0) - clock.now() / 1000) + 0.001);
        done.push(step);
      } else if (step.endsWith('s')) {
        clock.forward(Number.parseInt(step, 10));
        done.push(step);
      } else if (step === 'in' || step === 'no') {
        done.push((await logIn('Alice-pass-1!')) ? 'in' : 'no');
      } else {
        t.false(await logIn('wrong'));
        const { state, user } = await told();
        const { numFailures, failedLoginNotBefore = 0, lastFailure = 0, numTemporaryLockouts } = state;
        const wait = failedLoginNotBefore === 0 ? 0 : Math.floor(failedLoginNotBefore - lastFailure / 1000);
        const off = user.enabled === false ? '/off' : '';
        if (off) t.like(user.attributes, { disabledReason: ['permanentLockout'] });
        t.is(state.disabled as unknown, wait > 0 || off !== '');
        done.push(`${numFailures}/${wait}/${numTemporaryLockouts}${off}`);
      }
    }
    t.is(done.join(' '), steps);
  });
}

test.serial('brute force detection: an admin who enables a user ends a permanent lock', async (t) => {
  const host = await inRealm(shared(), (name) => testRealm(name, { ...SETTINGS, ...FOR_EVER }));
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice' };
  for (let i = 0; i < 3; i += 1) await host.token(host.defaultRealm, { ...form, password: 'wrong' });
  const admin = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  const { json: locked } = await admin('GET', path);
  t.is((await admin('PUT', path, { ...(locked as object), enabled: true })).status, 204);
  const { text } = await admin('GET', path);
  t.false(text.includes('disabledReason'));
  t.is((await host.token(host.defaultRealm, { ...form, password: 'Alice-pass-1!' })).status, 200);
});

test.serial(
  'brute force detection: a lock is reported as in Keycloak: by an event with its reason, temporary or permanent',
  async (t) => {
    for (const [settings, type, more] of [
      [{}, 'USER_DISABLED_BY_TEMPORARY_LOCKOUT', { not_before: iso(clock.now() + 4000) }],
      [FOR_EVER, 'USER_DISABLED_BY_PERMANENT_LOCKOUT', {}],
    ] as const) {
      const host = await inRealm(shared(), (name) => testRealm(name, { ...SETTINGS, ...settings }));
      const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'wrong' };
      for (let i = 0; i < 5; i += 1) await host.token(host.defaultRealm, form);
      const locks = (await host.stored(host.defaultRealm)).filter((event) => event.type.startsWith('USER_DISABLED'));
      t.deepEqual(
        locks.map(({ type, userId, ipAddress, details }) => ({ type, userId, ipAddress, details })),
        [
          {
            type,
            userId: idIn(host.defaultRealm),
            ipAddress: '127.0.0.1',
            details: { reason: 'brute_force_attack detected', ...more, num_failures: '3' },
          },
        ],
      );
    }
  },
);

test.serial(
  'brute force detection: a locked user gets in by a mailed link, which ends the lock, as in Keycloak',
  async (t) => {
    const server = await startMailServer(t);
    const host = await inRealm(shared(), (name) =>
      codeRealm(name, { ...SETTINGS, resetPasswordAllowed: true, smtpServer: server.settings, providers: {} }),
    );
    const locked = async () => {
      const page = await signIn(new Browser(), codeRequest(host).url, { username: 'alice', password: 'Alice-pass-1!' });
      return page.location === undefined;
    };
    for (let i = 0; i < 3; i += 1) {
      await signIn(new Browser(), codeRequest(host).url, { username: 'alice', password: 'wrong' });
    }
    t.true(await locked());
    const browser = new Browser();
    const login = await browser.open(codeRequest(host).url);
    const [, forgot = ''] = /href="([^"]*reset-credentials[^"]*)"/.exec(login.text) ?? [];
    const asked = await browser.open(new URL(unescapeHtml(forgot), host.url).href);
    await browser.submit(asked, { username: 'alice' });
    const page = await browser.open((await server.mail(0)).link);
    t.true(await locked(), 'a link that was opened proves nothing yet');
    const fresh = { 'password-new': 'Alice-pass-2!', 'password-confirm': 'Alice-pass-2!' };
    t.truthy((await browser.submit(page, fresh)).location?.searchParams.get('code'));
    const again = { username: 'alice', password: 'Alice-pass-2!' };
    t.truthy((await signIn(new Browser(), codeRequest(host).url, again)).location?.searchParams.get('code'));
  },
);

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
