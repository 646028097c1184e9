import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type { CredentialRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { DeriveHash } from '../../core/users/module.js';
import type { HashJob } from '../../core/users/passwords/hash-threads.js';
import { type PasswordFormat, writeCredential } from '../../core/users/passwords/password-format.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { deriveCheaply } from '../helpers/cheap-hashes.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { startHost, TestClock, type TestHost, type TestHostOptions } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const OLD = { algorithm: 'pbkdf2-sha512', hashIterations: 210_000, hashLength: 64 } as const;
const OLDER = { algorithm: 'pbkdf2-sha256', hashIterations: 27_500, hashLength: 64 } as const;

/** A password as another Keycloak has stored it. */
async function stored(format: PasswordFormat, password: string): Promise<CredentialRepresentation> {
  const salt = Buffer.from('0123456789abcdef');
  return writeCredential({ format, salt, hash: await deriveCheaply({ password, format, salt }) });
}

async function moved(): Promise<RealmRepresentation> {
  const { users = [], ...rest } = testRealm('demo', {
    bruteForceProtected: true,
    failureFactor: 1,
    maxFailureWaitSeconds: 900,
  });
  const user = async (username: string, format: PasswordFormat, more = {}) => ({
    username,
    enabled: true,
    credentials: [await stored(format, `${username}-password`)],
    ...more,
  });
  return {
    ...rest,
    users: [
      ...users,
      await user('old', OLD),
      await user('older', OLDER),
      await user('locked', OLD),
      await user('off', OLD, { enabled: false }),
      { username: 'bare', enabled: true },
    ],
  };
}

/** Records the derived hashes, as algorithm and iterations. */
function counted() {
  const jobs: string[] = [];
  const derive = (job: HashJob) => {
    jobs.push(`${job.format.algorithm} ${job.format.hashIterations}`);
    return deriveCheaply(job);
  };
  return { replace: [replacing(DeriveHash, derive)], take: () => jobs.splice(0).sort() };
}

const login = (host: TestHost, username: string, password = 'wrong') =>
  host.token('demo', { client_id: 'spa', grant_type: 'password', username, password });

async function start(t: ExecutionContext, options: TestHostOptions = {}) {
  const { replace, take } = counted();
  const host = await startHost(t, administered({ ...options, replace: [...replace, ...(options.replace ?? [])] }));
  take();
  return { host, take };
}

/** Passwords of realm files are hashed by the host's default first, and later by the realm's policy. */
const ALL = ['argon2 1', 'argon2 5', 'pbkdf2-sha256 27500', 'pbkdf2-sha512 210000'];
const OWN = ['argon2 1', 'argon2 5'];

test('T872 · timing of logins: a failed login does the same work for every user, and for none', async (t) => {
  const { host, take } = await start(t, { realms: [await moved()] });
  const realm = await host.realms.get('demo');
  const credentials = [{ type: 'password', secretData: '{}', credentialData: '{}' }];
  if (realm !== undefined)
    await host.users.create(realm, { id: 'unreadable', username: 'unreadable', enabled: true, credentials });
  await login(host, 'locked');
  take();
  for (const username of [
    'nobody',
    'alice',
    'old',
    'older',
    'locked',
    'off',
    'bare',
    'carol',
    'service-account-svc',
    'unreadable',
  ]) {
    t.is((await login(host, username)).status === 200, false, username);
    t.deepEqual(take(), ALL, username);
    t.is((await login(host, username, 'x'.repeat(5000))).status === 200, false, username);
    t.deepEqual(take(), ALL, `${username}, too long`);
  }
});

test('T873 · timing of logins: a successful login does only its own hash, and failed ones the work of the previous hashes', async (t) => {
  const { host, take } = await start(t, { realms: [await moved()] });
  t.is((await login(host, 'alice', 'Alice-pass-1!')).status, 200);
  t.deepEqual(take(), OWN, 'its own, and the new one');
  t.is((await login(host, 'alice', 'Alice-pass-1!')).status, 200);
  t.deepEqual(take(), ['argon2 1']);
  t.is((await login(host, 'old', 'old-password')).status, 200);
  t.deepEqual(take(), ['argon2 1', 'pbkdf2-sha512 210000'], 'its own, and the new one');
  t.is((await login(host, 'old', 'old-password')).status, 200);
  t.deepEqual(take(), ['argon2 1']);
  for (const username of ['old', 'nobody']) {
    await login(host, username);
    t.deepEqual(take(), ALL, username);
  }
});

test('T874 · timing of logins: the work of a failed login outlives a restart and a change of the policy', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-hashes-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const first = await start(t, { realms: [await moved()], argv: ['--data-dir', dir] });
  await first.host.close();
  const second = await start(t, { argv: ['--data-dir', dir] });
  await login(second.host, 'nobody');
  t.deepEqual(second.take(), ALL);
  const call = await adminCaller(second.host);
  t.is(
    (await call('PUT', '/realms/demo', { passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(10)' }))
      .status,
    204,
  );
  second.take();
  const wanted = [...ALL.slice(1), 'pbkdf2-sha256 10'].sort();
  for (const username of ['nobody', 'alice', 'old']) {
    await login(second.host, username);
    t.deepEqual(second.take(), wanted, username);
  }
});

test('T875 · timing of logins: hashes that come by the Admin API count, also at another node', async (t) => {
  const { replace, take } = counted();
  const clock = new TestClock();
  const { nodes } = await startNodes(t, administered({ realms: [testRealm('demo')], replace, clock }));
  const [one, other] = nodes as [TestHost, TestHost];
  take();
  for (const host of [one, other]) {
    await login(host, 'nobody');
    t.deepEqual(take(), OWN);
  }
  const call = await adminCaller(one);
  const user = async (username: string, format: PasswordFormat) => ({
    username,
    enabled: true,
    credentials: [await stored(format, 'p')],
  });
  t.is((await call('POST', '/realms/demo/users', await user('made', OLDER))).status, 201);
  const imported = { ifResourceExists: 'FAIL', users: [await user('imported', OLD)] };
  t.is((await call('POST', '/realms/demo/partialImport', imported)).status, 200);
  take();
  for (const username of ['nobody', 'made', 'imported']) {
    await login(one, username);
    t.deepEqual(take(), ALL, username);
  }
  clock.forward(61);
  await login(other, 'nobody');
  t.deepEqual(take(), ALL, 'another node');
});

const PLUGIN = pluginSource(import.meta.url, 'plugins/other.js');

test('T876 · timing of logins: the hash of a plugin counts as the host’s own, in every door of a login', async (t) => {
  const hook = globalThis as { hiddenHashes?: string[] };
  t.teardown(() => delete hook.hiddenHashes);
  const credential = {
    type: 'password',
    secretData: JSON.stringify({ value: 'other-other-other:p' }),
    credentialData: JSON.stringify({ algorithm: 'other', hashIterations: 9 }),
  };
  const { users = [], ...rest } = testRealm('demo', { providers: {} });
  const realm = { ...rest, users: [...users, { username: 'theirs', enabled: true, credentials: [credential] }] };
  const { host, take } = await start(t, {
    realms: [realm],
    plugins: [{ module: 'other' }],
    packages: { other: PLUGIN },
  });
  const calls: string[] = [];
  hook.hiddenHashes = calls;
  const all = () => [...take(), ...calls.splice(0)].sort();
  for (const username of ['nobody', 'theirs', 'alice', 'dave']) {
    await login(host, username);
    t.deepEqual(all(), [...OWN, 'other 9'], username);
    const browser = new Browser();
    await browser.submit(await browser.open(codeRequest(host).url), { username, password: 'wrong' });
    t.deepEqual(all(), [...OWN, 'other 9'], `${username}, in a browser`);
  }
  t.is((await login(host, 'theirs', 'p')).status, 200);
  t.deepEqual(all(), ['argon2 1', 'other 9']);
});
