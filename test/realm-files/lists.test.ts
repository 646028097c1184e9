import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import type { RealmFileState } from '../../core/realm-files/realm-file-state.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { folder, remote, run } from '../helpers/process.js';
import { realmFile, replaceFile, writeRealm } from '../helpers/realm-files.js';

const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };

/** `accessTokenLifespan` shows in a token which file the realm follows. */
function small(realm: string, accessTokenLifespan: number, more: object = {}): RealmRepresentation {
  const clients = [{ clientId: 'machine', secret: 'machine-secret', serviceAccountsEnabled: true }];
  return { realm, enabled: true, accessTokenLifespan, clients, ...more };
}

/** Writes a list of realms, one to a line. */
async function writeList(host: Pick<TestHost, 'dir'>, realms: readonly unknown[], name = 'list.json'): Promise<void> {
  const lines = realms.map((realm) => (typeof realm === 'string' ? realm : JSON.stringify(realm)));
  await replaceFile(realmFile(host, name), `[\n${lines.join(',\n')}\n]`);
}

type Asked = Pick<TestHost, 'token'>;

/** The lifetime of each realm's tokens, or the status if there are none. */
async function lifetimes(host: Asked, realms: readonly string[]): Promise<unknown[]> {
  const answers = await Promise.all(realms.map((realm) => host.token(realm, MACHINE)));
  return answers.map(({ status, json }) => (status === 200 ? json.expires_in : status));
}

async function live(host: Asked, expected: Readonly<Record<string, number>>): Promise<void> {
  const realms = Object.keys(expected);
  const wanted = JSON.stringify(Object.values(expected));
  await eventually(async () => JSON.stringify(await lifetimes(host, realms)) === wanted);
}

/** The states on the management port, as `file realm state version`. */
async function stated(host: TestHost): Promise<string[]> {
  return (await statesOf(host)).map(({ path, realm, state, version }) =>
    [path.slice(path.lastIndexOf('/') + 1), realm, state, version].join(' '),
  );
}

async function statesOf({ managementUrl, managementSecret }: TestHost): Promise<RealmFileState[]> {
  const headers = { authorization: `Bearer ${managementSecret}` };
  return (await fetchAnswer(`${managementUrl}/realms`, { headers })).json as unknown as RealmFileState[];
}

/** Waits for these states on the management port. */
async function comes(host: TestHost, expected: readonly string[]): Promise<void> {
  await eventually(async () => JSON.stringify(await stated(host)) === JSON.stringify(expected));
}

const told = (host: TestHost, text: RegExp) => host.log.filter(({ message }) => text.test(message));

test('realm files, lists: each realm of a list is created, and follows additions, changes, moves and removals', async (t) => {
  const host = await startHost(t, { realms: [] });
  await writeList(host, [small('one', 101), small('two', 102)]);
  await live(host, { one: 101, two: 102 });
  await comes(host, ['list.json one applied 1', 'list.json two applied 1']);

  await writeList(host, [small('one', 101), small('two', 202), small('three', 103)]);
  await live(host, { one: 101, two: 202, three: 103 });
  await comes(host, ['list.json one applied 1', 'list.json two applied 2', 'list.json three applied 1']);

  await writeList(host, [small('three', 103), { $schema: './schema/realm.schema.json', ...small('one', 301) }]);
  await live(host, { one: 301 });
  await comes(host, ['list.json three applied 1', 'list.json one applied 2']);
  t.deepEqual(await lifetimes(host, ['two']), [202], 'a realm that the list does not name any more stays');
  t.is(told(host, /realm two: .*list\.json no longer defines it; the realm is not changed/).length, 1);

  // Realms that the list no longer defines may be in another file.
  await writeRealm(host, small('two', 402));
  await live(host, { two: 402 });
  await rm(realmFile(host, 'list.json'));
  await comes(host, ['two.json two applied 3']);
  t.deepEqual(await lifetimes(host, ['one', 'three']), [301, 103]);
  t.is(told(host, /list\.json was deleted; the realm is not changed/).length, 2);
});

test('realm files, lists: a realm with mistakes leaves the others of its list alone, and stays as it is itself', async (t) => {
  const host = await startHost(t, { realms: [] });
  await writeList(host, [small('one', 101), small('two', 102)]);
  await live(host, { one: 101, two: 102 });
  const bad = { ...small('two', 202), enabled: 'yes' };
  await writeList(host, [small('one', 201), bad]);
  await live(host, { one: 201, two: 102 });
  await comes(host, ['list.json one applied 2', 'list.json two invalid 1']);
  const { problems } = (await statesOf(host)).find(({ realm }) => realm === 'two') ?? t.fail();
  t.deepEqual(
    problems.map(({ line, column, path, message }) => [line, column, path, message]),
    [[3, JSON.stringify(bad).indexOf('"enabled"') + 1, '[1].enabled', 'must be a boolean']],
  );
  t.is(told(host, /realm two of .*list\.json was not applied: .*; the realm two is not changed/).length, 1);

  // A text that is no JSON hides them all.
  await replaceFile(realmFile(host, 'list.json'), '[{ "realm": "one" }, ');
  await comes(host, ['list.json one invalid 2', 'list.json two invalid 1']);
  t.is(told(host, /list\.json was not applied: .*; the realms one, two are not changed/).length, 1);
  await replaceFile(realmFile(host, 'list.json'), '[]');
  await eventually(async () => /list contains no realm/.test(JSON.stringify(await statesOf(host))));
  t.deepEqual(await lifetimes(host, ['one', 'two']), [201, 102]);

  // Without a name it may be any of them; the named one is followed.
  await writeList(host, [small('one', 301), { enabled: true }]);
  await live(host, { one: 301, two: 102 });
  await comes(host, ['list.json one applied 3', 'list.json two invalid 1']);
  await writeList(host, [small('one', 301), small('two', 302)]);
  await live(host, { one: 301, two: 302 });
  await comes(host, ['list.json one applied 3', 'list.json two applied 2']);
});

test('realm files, lists: a realm belongs to one file and occurs in it once', async (t) => {
  const host = await startHost(t, { realms: [small('one', 101)] });
  await writeList(host, [small('one', 201), small('two', 202)]);
  await live(host, { one: 101, two: 202 });
  await comes(host, ['list.json  invalid ', 'list.json two applied 1', 'one.json one applied 1']);
  t.regex(JSON.stringify(await statesOf(host)), /the realm \\"one\\" is also in .*one\.json/);
  await rm(realmFile(host, 'one.json'));
  await live(host, { one: 201, two: 202 });
  await comes(host, ['list.json one applied 2', 'list.json two applied 1']);

  await writeList(host, [small('one', 301), small('two', 302), small('one', 303)]);
  await live(host, { one: 201, two: 302 });
  await comes(host, ['list.json two applied 2', 'list.json one invalid 2']);
  const { problems } = (await statesOf(host)).find(({ realm }) => realm === 'one') ?? t.fail();
  t.deepEqual(
    problems.map(({ line, message }) => [line, message.replace(/ \/.*\//, ' ')]),
    [
      [2, 'the realm "one" is also in list.json:4:2'],
      [4, 'the realm "one" is also in list.json:2:2'],
    ],
  );
});

test('realm files, lists: a start applies what is not applied yet, and nothing twice', async (t) => {
  const users = [{ username: 'ann', enabled: true }];
  const realms = [small('one', 101, { users }), small('two', 102, { users }), small('three', 103, { users })];
  const dir = await folder(t, []);
  await writeList({ dir }, realms);
  const first = await run(t, dir, ['start-dev']);
  await live(remote(first), { one: 101, two: 102, three: 103 });
  first.child.kill('SIGKILL');
  await first.ended;
  // As a kill between two realms leaves it.
  const store = await openStore({ dataDir: join(dir, 'data') });
  await store.realms.remove('two');
  await store.close();
  const second = await run(t, dir, ['start-dev']);
  t.truthy(second.url, second.output());
  await live(remote(second), { one: 101, two: 102, three: 103 });
  // Killed in the midst of more realms.
  const more = Array.from({ length: 40 }, (_, index) => small(`more-${index}`, 200 + index, { users }));
  await writeList({ dir }, [...more, ...realms]);
  await live(remote(second), { 'more-0': 200 });
  second.child.kill('SIGKILL');
  await second.ended;
  const third = await run(t, dir, ['start-dev']);
  t.truthy(third.url, third.output());
  third.child.kill('SIGTERM');
  t.is(await third.ended, 0);
  const after = await openStore({ dataDir: join(dir, 'data') });
  t.teardown(() => after.close());
  for (const { realm } of [...more, ...realms]) {
    t.is((await after.realms.get(realm))?.version, 1, realm);
    t.is(await after.users.count(realm), 2, `${realm}: ann and the service account`);
  }
});

test('realm files, lists: a start with problems in a list reports all of them and starts nothing', async (t) => {
  const dir = await folder(t, []);
  await writeList({ dir }, [small('one', 101), { ...small('two', 102), enabled: 'yes' }, { enabled: true }]);
  const { url, output, ended } = await run(t, dir, ['start-dev']);
  t.is(url, undefined);
  t.is(await ended, 1);
  t.regex(output(), /list\.json:3:\d+ \[1]\.enabled: must be a boolean\n.*list\.json:4:1 \[2]: "realm" is missing/);
});

test('realm files, lists: users of a list are in it: separate users files are refused', async (t) => {
  const host = await startHost(t, { realms: [] });
  await replaceFile(realmFile(host, 'big-users-0.json'), JSON.stringify({ realm: 'one', users: [] }));
  await writeList(host, [small('one', 101)], 'big-realm.json');
  await eventually(async () => /must be part of the list of realms/.test(JSON.stringify(await statesOf(host))));
  await rm(realmFile(host, 'big-users-0.json'));
  await live(host, { one: 101 });
  t.deepEqual(await stated(host), ['big-realm.json one applied 1']);
});

test('realm files, lists: files that a realm refers to are watched, and production reports its defaults at their places', async (t) => {
  const host = await startHost(t, { realms: [] });
  const clients = (secret: string) => [{ clientId: 'machine', secret, serviceAccountsEnabled: true }];
  const referring = small('two', 102, { clients: clients('${file.machine.secret}') });
  await replaceFile(join(host.dir, 'realms', 'machine.secret'), 'machine-secret\n');
  await writeList(host, [small('one', 101), referring]);
  await live(host, { one: 101, two: 102 });
  await replaceFile(join(host.dir, 'realms', 'machine.secret'), 'another-secret\n');
  await eventually(async () => (await lifetimes(host, ['two']))[0] === 401);
  await comes(host, ['list.json one applied 1', 'list.json two applied 2']);
  const dir = await folder(t, []);
  await writeList({ dir }, [
    small('one', 101),
    small('two', 102, { clients: clients('${env.KEYHOST_UNSET:default}') }),
  ]);
  const production = ['start', '--hostname', 'https://id.example.test', '--http-enabled'];
  const { output, ended } = await run(t, dir, production);
  t.is(await ended, 1);
  t.regex(output(), /list\.json:3:\d+ \[1]\.clients\[0]\.secret: set KEYHOST_UNSET: production/);
});
