import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { folder, remote, run } from '../helpers/process.js';
import { fileState, realmFile, replaceFile, states, steadyRequests, writeRealm } from '../helpers/realm-files.js';

const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };

function small(
  name: string,
  accessTokenLifespan: number,
  more: Partial<RealmRepresentation> = {},
): RealmRepresentation {
  const clients = [{ clientId: 'machine', secret: 'machine-secret', serviceAccountsEnabled: true }];
  return { realm: name, enabled: true, accessTokenLifespan, clients, ...more };
}

/** Waits until tokens of the realm have this lifetime. */
async function lives(host: TestHost, realm: string, seconds: number): Promise<void> {
  await eventually(async () => (await host.token(realm, MACHINE)).json.expires_in === seconds);
}

const told = (host: TestHost, text: RegExp) => host.log.filter(({ message }) => text.test(message));

test('realm files, live: however a file is changed, the realm follows it and no request fails', async (t) => {
  const host = await startHost(t, { realms: [small('demo', 100)] });
  const requests = steadyRequests(host, 'demo', MACHINE);
  const file = realmFile(host, 'demo.json');
  const text = (seconds: number) => JSON.stringify(small('demo', seconds), null, 2);
  for (const seconds of [101, 102, 103]) {
    await writeFile(file, text(seconds));
    await lives(host, 'demo', seconds);
  }
  for (const seconds of [201, 202]) {
    await replaceFile(file, text(seconds));
    await lives(host, 'demo', seconds);
  }
  // Deleted and written again, as some editors do.
  await rm(file);
  await writeFile(file, text(301));
  await lives(host, 'demo', 301);
  // In two pieces, with all the time in between to read the first one.
  const whole = text(401);
  await writeFile(file, whole.slice(0, whole.length / 2));
  await fileState(host, 'demo.json', ({ state }) => state === 'invalid');
  t.is((await host.token('demo', MACHINE)).json.expires_in, 301);
  await writeFile(file, whole.slice(whole.length / 2), { flag: 'a' });
  await lives(host, 'demo', 401);
  t.true((await requests.stop()) > 0);
  t.deepEqual(requests.failures, []);
  t.like((await states(host))['demo.json'], { state: 'applied', problems: [], realm: 'demo' });
});

test('realm files, live: a file with mistakes leaves the realm as it is, and all of them are at the management port and in the log', async (t) => {
  const host = await startHost(t, { realms: [small('demo', 100), small('other', 100)] });
  const before = (await states(host))['demo.json'];
  t.like(before, { state: 'applied', version: 1, realm: 'demo', path: realmFile(host, 'demo.json') });
  t.regex(before?.at ?? '', /^\d{4}-\d\d-\d\dT/);
  const bad = `{\n  "realm": "demo",\n  "enabled": "yes",\n  "acessTokenLifespan": 5\n}`;
  await replaceFile(realmFile(host, 'demo.json'), bad);
  const invalid = await fileState(host, 'demo.json', ({ state }) => state === 'invalid');
  t.like(invalid, { realm: 'demo', version: 1 });
  t.deepEqual(
    invalid.problems.map(({ line, column, message, suggestion }) => [line, column, message, suggestion]),
    [
      [3, 3, 'must be a boolean', undefined],
      [4, 3, 'unknown key', 'accessTokenLifespan'],
    ],
  );
  const [line] = told(host, /demo\.json was not applied/);
  t.regex(JSON.stringify(line), /demo\.json:3:3 enabled: must be a boolean/);
  t.regex(line?.message ?? '', /the realm demo is not changed/);
  t.is((await host.token('demo', MACHINE)).json.expires_in, 100);
  t.is(told(host, /the mistakes in .*demo\.json are fixed/).length, 0);
  await writeRealm(host, small('demo', 100));
  t.like(await fileState(host, 'demo.json', ({ state }) => state === 'applied'), { version: 1, problems: [] });
  t.is(told(host, /the mistakes in .*demo\.json are fixed/).length, 1, 'a file that is mended is told');
  await replaceFile(realmFile(host, 'demo.json'), bad);
  await fileState(host, 'demo.json', ({ state }) => state === 'invalid');
  // Other files are followed meanwhile.
  await writeRealm(host, small('other', 150));
  await lives(host, 'other', 150);
  await writeRealm(host, small('demo', 200));
  await lives(host, 'demo', 200);
  t.like(await fileState(host, 'demo.json', ({ state }) => state === 'applied'), { version: 2, problems: [] });
  t.is(told(host, /demo\.json was not applied/).length, 2, 'the same mistakes are told once each time they come');
});

test('realm files, live: a new file creates a realm, and a realm whose file is removed stays', async (t) => {
  const host = await startHost(t, { realms: [small('demo', 100)] });
  t.is((await host.token('fresh', MACHINE)).status, 404);
  await writeRealm(host, small('fresh', 120));
  await lives(host, 'fresh', 120);
  t.is(told(host, /realm fresh: applied .*fresh\.json/).length, 1);
  await rm(realmFile(host, 'fresh.json'));
  await eventually(async () => (await states(host))['fresh.json'] === undefined);
  t.is((await host.token('fresh', MACHINE)).json.expires_in, 120);
  t.is(told(host, /realm fresh: .*fresh\.json was deleted; the realm is not changed/).length, 1);
  // The realm is defined by another file: the same realm, with the content of that file.
  await writeRealm(host, small('fresh', 130), 'renamed.json');
  await lives(host, 'fresh', 130);
  t.like((await states(host))['renamed.json'], { realm: 'fresh', state: 'applied', version: 2 });
});

test('realm files, live: a realm belongs to one file: a second one is reported, and takes over when the first is removed', async (t) => {
  const host = await startHost(t, { realms: [small('demo', 100)] });
  await writeRealm(host, small('demo', 500), 'a-copy.json');
  const second = await fileState(host, 'a-copy.json', ({ state }) => state === 'invalid');
  t.regex(second.problems[0]?.message ?? '', /the realm "demo" is also in .*demo\.json/);
  t.is((await host.token('demo', MACHINE)).json.expires_in, 100);
  await rm(realmFile(host, 'demo.json'));
  await lives(host, 'demo', 500);
  t.like(await fileState(host, 'a-copy.json', ({ state }) => state === 'applied'), { realm: 'demo' });
  // A renamed file still owns its realm, and applies nothing.
  const { version } = (await host.store.realms.get('demo')) ?? {};
  await rename(realmFile(host, 'a-copy.json'), realmFile(host, 'demo.json'));
  t.like(await fileState(host, 'demo.json', () => true), { realm: 'demo', state: 'applied', version });
});

test('realm files, live: a Kubernetes ConfigMap is swapped by one link, and all its realms follow without a failed request', async (t) => {
  const host = await startWithConfigMap(t, [small('one', 100), small('two', 100)]);
  const requests = steadyRequests(host, 'one', MACHINE);
  for (const [index, seconds] of [110, 120, 130].entries()) {
    await swapConfigMap(host, `..v${index + 2}`, [small('one', seconds), small('two', seconds)]);
    await lives(host, 'one', seconds);
    await lives(host, 'two', seconds);
  }
  t.true((await requests.stop()) > 0);
  t.deepEqual(requests.failures, []);
});

async function startWithConfigMap(t: ExecutionContext, realms: RealmRepresentation[]): Promise<TestHost> {
  const bare = await startHost(t);
  await bare.close();
  const dir = join(bare.dir, 'mounted');
  await mkdir(join(dir, '..v1'), { recursive: true });
  for (const realm of realms) {
    await writeFile(join(dir, '..v1', `${realm.realm}.json`), JSON.stringify(realm));
    await symlink(`..data/${realm.realm}.json`, join(dir, `${realm.realm}.json`));
  }
  await symlink('..v1', join(dir, '..data'));
  return { ...(await startHost(t, { argv: ['--realms-dir', dir] })), dir };
}

/**
 * Replaces the folder as the kubelet does: a new folder, a new link renamed over the old link, and then a delete of the
 * old folder.
 */
async function swapConfigMap(host: TestHost, version: string, realms: RealmRepresentation[]): Promise<void> {
  const dir = join(host.dir);
  await mkdir(join(dir, version));
  for (const realm of realms) await writeFile(join(dir, version, `${realm.realm}.json`), JSON.stringify(realm));
  await symlink(version, join(dir, '..data_tmp'));
  await rename(join(dir, '..data_tmp'), join(dir, '..data'));
  await rm(join(dir, `..v${Number(version.slice(3)) - 1}`), { recursive: true });
}

test('realm files, live: a folder that is another one at once, behind a link, is followed', async (t) => {
  const host = await startWithConfigMap(t, [small('one', 100)]);
  const link = join(host.dir, 'link');
  await symlink(host.dir, link);
  await host.close();
  const second = await startHost(t, { argv: ['--realms-dir', link] });
  await lives(second, 'one', 100);
  const other = join(host.dir, 'other');
  await mkdir(other);
  await writeFile(join(other, 'one.json'), JSON.stringify(small('one', 200)));
  await symlink(other, `${link}.new`);
  await rename(`${link}.new`, link);
  await lives(second, 'one', 200);
  // Later changes in it are reported by the system again.
  await writeFile(join(other, 'two.json'), JSON.stringify(small('two', 300)));
  await lives(second, 'two', 300);
  t.deepEqual(Object.keys(await states(second)).sort(), ['one.json', 'two.json']);
});

test('realm files, live: files that a file refers to are watched too', async (t) => {
  const secret = (dir: string) => join(dir, 'realms', 'machine.secret');
  const host = await startHost(t, { realms: [small('demo', 100)] });
  await writeFile(secret(host.dir), 'first-secret\n');
  const clients = [{ clientId: 'machine', secret: '${file.machine.secret}', serviceAccountsEnabled: true }];
  await writeRealm(host, small('demo', 110, { clients }));
  const accepts = (client_secret: string) => async () =>
    (await host.token('demo', { ...MACHINE, client_secret })).status === 200;
  await eventually(accepts('first-secret'));
  await writeFile(secret(host.dir), 'second-secret\n');
  await eventually(accepts('second-secret'));
  t.is((await host.token('demo', { ...MACHINE, client_secret: 'first-secret' })).status, 401);
});

test('realm files, live: referenced files are watched after a start without changes, and changes meanwhile are found', async (t) => {
  const clients = [{ clientId: 'machine', secret: '${file.machine.secret}', serviceAccountsEnabled: true }];
  const dir = await folder(t, [small('demo', 100, { clients })]);
  const argv = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const write = (secret: string) => replaceFile(join(dir, 'realms', 'machine.secret'), `${secret}\n`);
  const accepts = (host: TestHost, client_secret: string) => async () =>
    (await host.token('demo', { ...MACHINE, client_secret })).status === 200;
  await write('first-secret');
  await (await startHost(t, { argv })).close();
  const second = await startHost(t, { argv });
  t.true(await accepts(second, 'first-secret')());
  await fileState(second, 'demo.json', ({ state, version }) => state === 'applied' && version === 1);
  await write('second-secret');
  await eventually(accepts(second, 'second-secret'));
  await second.close();
  await write('third-secret');
  const third = await startHost(t, { argv });
  t.true(await accepts(third, 'third-secret')());
});

test('realm files, live: a referenced file that changes while its realm is read is read again', async (t) => {
  // The variable is read after the secret, so a read of it means that the secret was read and has changed meanwhile.
  const client = { clientId: 'machine', secret: '${file.machine.secret}', description: '${env.ASKED}' };
  const dir = await folder(t, [small('demo', 100, { clients: [{ ...client, serviceAccountsEnabled: true }] })]);
  let changes = 0;
  let left = 0;
  const write = () => {
    changes += 1;
    writeFileSync(join(dir, 'realms', 'machine.secret'), `secret-${changes}\n`);
  };
  const env = {
    get ASKED() {
      if (left > 0) write();
      left -= 1;
      return 'yes';
    },
  };
  const start = async (changesMeanwhile: number) => {
    left = changesMeanwhile;
    return startHost(t, { argv: ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')], env });
  };
  const latest = (host: TestHost) => async () =>
    (await host.token('demo', { ...MACHINE, client_secret: `secret-${changes}` })).status === 200;
  write();
  // Files that are new are read twice, to be checked and to be applied.
  const first = await start(2);
  t.is(changes, 3);
  await eventually(latest(first));
  await first.close();
  const second = await start(1);
  t.is(changes, 4);
  await eventually(latest(second));
});

test('realm files, live: production refuses a default that equals the variable’s value', async (t) => {
  const clients = [{ clientId: 'machine', secret: '${env.KEYHOST_TEST_SECRET:same}', serviceAccountsEnabled: true }];
  const dir = await folder(t, [small('demo', 100, { clients })]);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const argv = ['start', '--hostname', 'https://id.example.test', '--http-enabled'];
  const start = (env: Record<string, string>) => run(t, dir, argv, env);
  for (const name of ['first', 'second']) {
    const host = await start({ KEYHOST_TEST_SECRET: 'same' });
    t.not(host.url, undefined, `${name}: ${host.output()}`);
    host.child.kill('SIGTERM');
    t.is(await host.ended, 0);
  }
  const unset = await start({});
  t.is(await unset.ended, 1);
  t.regex(unset.output(), /set KEYHOST_TEST_SECRET: production does not allow default values/);
});

test('realm files, live: users in files of their own are followed: a new file of them brings new users', async (t) => {
  const host = await startHost(t);
  await writeRealm(host, small('big', 100), 'big-realm.json');
  await lives(host, 'big', 100);
  const users = [{ username: 'late', enabled: true }];
  await writeFile(realmFile(host, 'big-users-0.json'), JSON.stringify({ realm: 'big', users }));
  await eventually(async () => (await host.store.users.byUsername('big', 'late')) !== undefined);
  t.deepEqual(Object.keys(await states(host)), ['big-realm.json']);
});

test('realm files, live: a closed host watches nothing, and the next start finds changes', async (t) => {
  const first = await startHost(t, { realms: [small('demo', 100)] });
  const dataDir = join(first.dir, 'data');
  const realmsDir = join(first.dir, 'realms');
  await first.close();
  const argv = ['--data-dir', dataDir, '--realms-dir', realmsDir];
  const second = await startHost(t, { argv });
  await second.close();
  await writeRealm(first, small('demo', 200));
  const third = await startHost(t, { argv });
  t.is((await third.token('demo', MACHINE)).json.expires_in, 200);
  await rm(join(realmsDir, 'demo.json'));
  await third.close();
  const fourth = await startHost(t, { argv });
  t.is((await fourth.token('demo', MACHINE)).json.expires_in, 200);
  t.is(told(fourth, /realm demo: .*demo\.json was deleted; the realm is not changed/).length, 1);
  t.deepEqual(await states(fourth), {});
});

test('realm files, live: a file that is added at run time is held to the rules of production', async (t) => {
  const dir = await folder(t, [small('demo', 100)]);
  const argv = ['start', '--hostname', 'https://id.example.test', '--http-enabled'];
  const host = await run(t, dir, argv);
  const managementUrl = /management=(\S+)/.exec(host.output())?.[1] ?? '';
  const clients = [{ clientId: 'machine', secret: '${env.KEYHOST_TEST_UNSET:written-default}' }];
  const providers = {
    'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'none' } } },
  };
  await writeRealm({ dir }, small('demo', 100, { clients, providers }));
  const access = await readFile(join(dir, 'data', 'management.json'), 'utf8');
  const managed = { managementUrl, managementSecret: (JSON.parse(access) as { secret: string }).secret };
  const { problems, version } = await fileState(managed, 'demo.json', ({ state }) => state === 'invalid');
  t.is(version, 1);
  t.deepEqual(
    problems.map(({ line, message }) => [line > 0, message]),
    [
      [true, 'set KEYHOST_TEST_UNSET: production does not allow default values in realm files'],
      [true, 'realm-restapi-extension/newsletter answers without authentication in realm demo'],
    ],
  );
  t.is((await remote(host).token('demo', MACHINE)).status, 200);
  t.is((await fetchAnswer(`${managementUrl}/realms`, { method: 'POST' })).status, 405);
  await writeRealm({ dir }, small('demo', 110));
  await lives(remote(host), 'demo', 110);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
});
