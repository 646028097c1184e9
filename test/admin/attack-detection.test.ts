import test from 'ava';
import { adminClient, startAdministered } from '../helpers/admin.js';
import { TestClock } from '../helpers/host.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';

const realm = 'demo';

test('brute force detection: an admin sees which users are locked for wrong passwords, and unlocks them', async (t) => {
  const locks = {
    bruteForceProtected: true,
    failureFactor: 3,
    waitIncrementSeconds: 60,
    maxDeltaTimeSeconds: 3600,
    quickLoginCheckMilliSeconds: 0,
  };
  const clock = new TestClock(1_800_000_000_000);
  const host = await startAdministered(t, { realms: [testRealm('demo', locks)], clock });
  const admin = await adminClient(host);
  const logIn = async (password: string, username = 'alice') =>
    (await host.token(realm, { grant_type: 'password', client_id: 'spa', username, password })).status === 200;
  const state = (id = ALICE) => admin.attackDetection.findOne({ realm, id }) as Promise<object>;
  const nothing = {
    numFailures: 0,
    numTemporaryLockouts: 0,
    disabled: false,
    lastIPFailure: 'n/a',
    lastFailure: 0,
    failedLoginNotBefore: 0,
  };
  t.deepEqual(await state(), nothing);
  for (let i = 0; i < 2; i += 1) await logIn('wrong');
  t.like(await state(), { numFailures: 2, disabled: false, lastIPFailure: '127.0.0.1', lastFailure: clock.now() });
  t.true(await logIn('Alice-pass-1!'));
  t.deepEqual(await state(), nothing, 'a right password forgives');
  for (let i = 0; i < 4; i += 1) await logIn('wrong');
  t.false(await logIn('Alice-pass-1!'));
  const failedLoginNotBefore = Math.ceil(clock.now() / 1000) + 60;
  t.like(await state(), { numFailures: 3, numTemporaryLockouts: 1, disabled: true, failedLoginNotBefore });
  await admin.attackDetection.del({ realm, id: ALICE });
  t.deepEqual(await state(), nothing);
  t.true(await logIn('Alice-pass-1!'));
  for (let i = 0; i < 4; i += 1) {
    await logIn('wrong');
    await logIn('wrong', 'dave');
  }
  t.deepEqual([await logIn('Alice-pass-1!'), await logIn('Dave-pass-1!', 'dave')], [false, false]);
  await admin.attackDetection.delAll({ realm });
  t.deepEqual([await state(), await state(DAVE)], [nothing, nothing]);
  t.deepEqual([await logIn('Alice-pass-1!'), await logIn('Dave-pass-1!', 'dave')], [true, true]);
  for (let i = 0; i < 4; i += 1) await logIn('wrong');
  await admin.users.update({ realm, id: ALICE }, { enabled: true });
  t.true(await logIn('Alice-pass-1!'), 'enabling a user unlocks them, as in Keycloak');
  t.is<unknown, null>(await admin.attackDetection.findOne({ realm, id: 'nobody' }), null);
});
