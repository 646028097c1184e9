import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { BloomFilter } from '../../core/users/passwords/bloom-filter.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { TestClock } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const FILE = 'Password1\nletmein\nGEHEIM\ncrlfword\r\n\nspaced word  \n#comment\nSTRASSE\ntail';
/** The statuses of Keycloak 26.7.3 with this file: 400 is invalidPasswordBlacklistedMessage. */
const MEASURED: Readonly<Record<string, number>> = {
  Password1: 400,
  password1: 400,
  PASSWORD1: 400,
  letmein: 400,
  LetMeIn: 400,
  geheim: 400,
  GEHEIM: 400,
  other: 204,
  ' letmein': 204,
  'letmein ': 204,
  crlfword: 400,
  straße: 204,
  STRASSE: 400,
  'spaced word': 204,
  tail: 400,
};

test('password blacklists: passwords of the file are refused as Keycloak refuses them, also after the file has changed', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-blacklists-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'words.txt'), FILE);
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: {}, passwordPolicy: 'passwordBlacklist(words.txt)', users: [] })],
    plugins: [],
    argv: ['--password-blacklists-dir', dir],
  });
  const call = await adminCaller(host);
  const user = { username: 'alice', enabled: true };
  const id = (await call('POST', '/realms/demo/users', user)).headers.get('location')?.split('/').pop();
  const reset = (value: string) =>
    call('PUT', `/realms/demo/users/${id}/reset-password`, { type: 'password', value }).then(
      ({ status, json }) => [status, json?.error, json?.error_description] as unknown[],
    );
  for (const [password, status] of Object.entries(MEASURED)) t.is((await reset(password))[0], status, password);
  t.deepEqual(await reset('letmein'), [
    400,
    'invalidPasswordBlacklistedMessage',
    'Invalid password: password is not allowed.',
  ]);

  await writeFile(join(dir, 'next'), 'other\n');
  await rename(join(dir, 'next'), join(dir, 'words.txt'));
  t.deepEqual([(await reset('other'))[0], (await reset('letmein'))[0]], [400, 204]);
  // Without its file, passwords cannot be checked.
  await rm(join(dir, 'words.txt'));
  t.deepEqual((await reset('fine enough')).slice(0, 2), [503, 'temporarily_unavailable']);
  const reasons = host.log.filter(({ message }) => message === 'a call of a provider failed');
  t.regex(JSON.stringify(reasons), /password blacklist words\.txt cannot be read/);

  // Errors when the realm is edited.
  await writeFile(join(dir, 'words.txt'), 'back\n');
  const policies: readonly [policy: string, message: RegExp][] = [
    ['passwordBlacklist(missing.txt)', /--password-blacklists-dir has no file "missing\.txt"/],
    ['passwordBlacklist(../words.txt)', /requires the name of a file, such as passwords\.txt, not "\.\.\/words\.txt"/],
    ['passwordBlacklist(/etc/passwd)', /requires the name of a file.* not "\/etc\/passwd"/],
    ['passwordBlacklist(..)', /requires the name of a file.* not "\.\."/],
    ['passwordBlacklist()', /passwordBlacklist requires the name of a file/],
    ['passwordBlacklist', /passwordBlacklist requires the name of a file/],
  ];
  for (const [passwordPolicy, message] of policies) {
    const { status, text } = await call('PUT', '/realms/demo', { passwordPolicy });
    t.is(status, 400, passwordPolicy);
    t.regex(text.replaceAll('\\"', '"'), message, passwordPolicy);
    t.false(text.includes(dir), 'no place of the host is told');
  }
  t.is((await call('PUT', '/realms/demo', { passwordPolicy: 'passwordBlacklist(words.txt)' })).status, 204);
  const { passwordPolicies } = (await call('GET', '/serverinfo')).json as unknown as {
    passwordPolicies: { id: string }[];
  };
  t.like(
    passwordPolicies.find((one) => one.id === 'passwordBlacklist'),
    { displayName: 'Password Blacklist', configType: 'String', multipleSupported: false },
  );
});

test.serial('password blacklists: a file that cannot be read is not read for each password', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-blacklists-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'words.txt'), 'x'.repeat(1_000_001));
  const clock = new TestClock();
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: {}, passwordPolicy: 'passwordBlacklist(words.txt)', users: [] })],
    plugins: [],
    argv: ['--password-blacklists-dir', dir],
    clock,
  });
  const call = await adminCaller(host);
  const path = '/realms/demo/users';
  const user = (await call('POST', path, { username: 'alice' })).headers.get('location')?.split('/').pop();
  const reset = async () =>
    (await call('PUT', `${path}/${user}/reset-password`, { type: 'password', value: 'fine enough' })).status;
  const threads: unknown[] = [];
  const count = (worker: unknown) => threads.push(worker);
  process.on('worker', count);
  t.teardown(() => process.off('worker', count));
  const answers = async (expected: readonly number[]) => {
    for (const status of expected) t.is(await reset(), status);
    return threads.splice(0).length;
  };
  t.is(await answers([503, 503, 503]), 1);
  clock.forward(9);
  t.is(await answers([503]), 0);
  clock.forward(1);
  t.is(await answers([503, 503]), 1);
  const told = host.log.filter(({ fields }) => /words\.txt cannot be read: it has a line/.test(JSON.stringify(fields)));
  t.is(told.length, 1, 'the same reason is told once');
  // Mended, it is read at once.
  await writeFile(join(dir, 'words.txt'), 'letmein');
  t.is(await reset(), 204);
});

test('password blacklists: a realm file that names a missing list is refused at its place', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-blacklists-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'x.json');
  await writeFile(file, '{\n  "realm": "x",\n  "passwordPolicy": "passwordBlacklist(words.txt)"\n}');
  const check = () => keyhost(['realm', 'check', file, '--password-blacklists-dir', dir]);
  const refused = await check();
  t.is(refused.code, 1);
  t.regex(`${refused.stderr}${refused.stdout}`, /x\.json:3:\d+ .*has no file "words\.txt"/);
  await writeFile(join(dir, 'words.txt'), 'letmein');
  t.is((await check()).code, 0);
});

test('password blacklists: a filter knows all of its texts, and takes hardly any others for them', (t) => {
  const filter = BloomFilter.forCapacity(20_000);
  for (let index = 0; index < 20_000; index += 1) filter.add(`text ${index}`);
  const known = Array.from({ length: 20_000 }, (_, index) => filter.has(`text ${index}`));
  t.true(known.every(Boolean));
  const others = Array.from({ length: 100_000 }, (_, index) => filter.has(`another ${index}`));
  t.true(others.filter(Boolean).length <= 2);
  t.true(filter.bits.length < 20_000 * 4);
});
