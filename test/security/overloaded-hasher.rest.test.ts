import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { PasswordQueueLimit } from '../../core/users/module.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { WEB } from '../helpers/login.js';
import { ALICE } from '../helpers/realms.js';
import { NEWCOMER, openRealm } from '../helpers/registration.js';

const PASSWORD = 'Alice-pass-1!';
/** So expensive that the queue remains full while the endpoints are tested. */
const passwordPolicy = 'hashAlgorithm(pbkdf2-sha512) and hashIterations(1500000)';

test('T307 · overloaded hasher: while too many passwords wait to be hashed all endpoints answer 503 with Retry-After, and nobody is locked out', async (t) => {
  const realm = openRealm({ passwordPolicy, bruteForceProtected: true, failureFactor: 3 });
  const busy = {
    username: 'busy',
    enabled: true,
    requiredActions: ['UPDATE_PASSWORD'],
    credentials: [{ type: 'password', value: PASSWORD }],
  };
  const host = await startAdministered(t, {
    realms: [{ ...realm, users: [...(realm.users ?? []), busy] }],
    replace: [replacing(PasswordQueueLimit, 2), realHashes],
  });
  const call = await adminCaller(host);
  const browsers = { login: new Browser(), action: new Browser(), registration: new Browser() };
  const login = await browsers.login.open(codeRequest(host).url);
  const action = await signIn(browsers.action, codeRequest(host).url, { username: 'busy', password: PASSWORD });
  const first = await browsers.registration.open(codeRequest(host).url);
  const link = /id="kc-registration"[\s\S]*?href="([^"]*)"/.exec(first.text)?.[1]?.replace(/&(amp|#38);/g, '&') ?? '';
  const registration = await browsers.registration.open(new URL(link, first.url).href);
  const guess = (username: string) =>
    host.token('demo', { ...WEB, grant_type: 'password', username, password: PASSWORD });
  let isOver = false;
  let isFull: () => void = () => {};
  const full = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  // Rejected guesses are repeated at once, so that the queue is full until all endpoints were tested.
  const flood = Array.from({ length: 16 }, async () => {
    while (!isOver) if ((await guess('nobody')).status === 503) isFull();
  });
  await full;
  const doors = {
    token: () => guess('alice'),
    login: () => browsers.login.submit(login, { username: 'alice', password: PASSWORD }),
    action: () => browsers.action.submit(action, { 'password-new': PASSWORD, 'password-confirm': PASSWORD }),
    registration: () => browsers.registration.submit(registration, NEWCOMER),
    'admin, password': () =>
      call('PUT', `/realms/demo/users/${ALICE}/reset-password`, { type: 'password', value: 'x' }),
    'admin, user': () =>
      call('POST', '/realms/demo/users', { username: 'zoe', credentials: [{ type: 'password', value: 'x' }] }),
  };
  for (const [name, door] of Object.entries(doors)) {
    // A slot may have been free for a moment.
    let answer = await door();
    for (let tries = 0; name === 'token' && answer.status !== 503 && tries < 5; tries += 1) answer = await door();
    t.is(answer.status, 503, `${name} ${answer.text.slice(0, 200)}`);
    t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, name);
    t.notRegex(answer.text, /FairQueue|at .*\.js/);
  }
  for (let n = 0; n < 6; n += 1) await guess('alice');
  const users = [{ username: 'zoe', enabled: true, credentials: [{ type: 'password', value: 'x' }] }];
  t.is((await call('POST', '/realms', { realm: 'made', enabled: true, users })).status, 201, 'another realm');
  isOver = true;
  await Promise.all(flood);
  t.is((await guess('alice')).status, 200, 'alice is not locked');
});
