import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store as HostStore } from '../../core/store/store.js';
import { PasswordHasher } from '../../core/users/passwords/password-hasher.js';
import { administrator, startAdministered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { bearer, SVC } from '../helpers/login.js';
import { enabledResources, pluginSource, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** The pages of users that a store was asked for. */
interface Asked {
  readonly realm: string;
  readonly max: number | undefined;
}

/** A store that delays the user lists of one realm until a gate opens. */
async function slowLists(realm: string, opened: Promise<void>) {
  const store = await openMemoryStore();
  const asked: Asked[] = [];
  const users = new Proxy(store.users, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      if (name !== 'find' && name !== 'countRoughly') return member.bind(target);
      return async (of: string, query: { max?: number }) => {
        asked.push({ realm: of, max: query.max });
        if (of === realm) await opened;
        return Reflect.apply(member, target, [of, query]) as unknown;
      };
    },
  });
  const slow = new Proxy(store, {
    get: (target, name) => {
      const member = name === 'users' ? users : (Reflect.get(target, name) as unknown);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { store: slow as HostStore, asked };
}

const reader = () => administrator('reader', 'view-users', 'view-realm');

function withReader(name: string) {
  const { users = [], ...rest } = testRealm(name);
  return { ...rest, users: [...users, reader()] };
}

async function readerOf(host: TestHost, realm: string) {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'reader', password: 'reader' };
  const headers = bearer(String((await host.token(realm, form)).json.access_token));
  return (path: string) => fetchAnswer(`${host.url}/admin/realms/${realm}${path}`, { headers });
}

test('T860 · turns of realms: while a realm waits for eight long lists, another one reads and gets tokens', async (t) => {
  const { opened, open } = gate();
  const { store, asked } = await slowLists('greedy', opened);
  const realms = ['greedy', 'modest'].map(withReader);
  const host = await startAdministered(t, { realms, replace: [replacing(Store, store)] });
  const greedy = await readerOf(host, 'greedy');
  const modest = await readerOf(host, 'modest');
  asked.length = 0;
  const paths = ['/users?max=10000', '/users?search=*a*', '/users/count?search=a', '/roles/reader/users?max=10000'];
  let left = 8;
  const lists = [...paths, ...paths].map(async (path) => {
    const answer = await greedy(path);
    left -= 1;
    return answer;
  });
  await eventually(() => asked.length === 2);
  t.is((await modest('/users?max=10000')).status, 200);
  t.is((await modest('/users/count')).status, 200);
  t.is((await host.token('modest', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  t.is((await host.token('greedy', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  t.deepEqual(
    asked.filter(({ realm }) => realm === 'greedy').length,
    2,
    'the others of the realm have not reached the store',
  );
  t.is(left, 8);
  open();
  t.deepEqual([...new Set((await Promise.all(lists)).map(({ status }) => status))], [200]);
});

test('T861 · turns of realms: a long list is read in parts, and is whole', async (t) => {
  const { store, asked } = await slowLists('', Promise.resolve());
  const names = Array.from({ length: 450 }, (_, index) => `user-${String(index).padStart(3, '0')}`);
  const { users = [], ...rest } = testRealm('long');
  const many = names.map((username) => ({ username, enabled: true, realmRoles: ['reader'] }));
  const realms = [{ ...rest, users: [...users, reader(), ...many] }];
  const host = await startAdministered(t, { realms, replace: [replacing(Store, store)] });
  const read = await readerOf(host, 'long');
  const usernames = async (path: string) => {
    const answer = await read(path);
    t.is(answer.status, 200, path);
    return (answer.json as unknown as { username: string }[]).map(({ username }) => username);
  };
  asked.length = 0;
  const all = await usernames('/users?max=10000');
  t.deepEqual(all, [...all].sort());
  t.is(all.filter((name) => names.includes(name)).length, names.length);
  t.true(asked.length >= 5 && asked.every(({ max = Number.POSITIVE_INFINITY }) => max <= 100));
  t.deepEqual(await usernames('/users?search=user-&max=10000'), names);
  t.deepEqual(await usernames('/users?username=user-&first=120&max=250'), names.slice(120, 370));
  t.deepEqual(await usernames('/users?max=-1&after=user-199'), all.slice(all.indexOf('user-199') + 1));
  t.deepEqual(await usernames('/users?max=0'), []);
  const holders = await usernames('/roles/reader/users?max=10000');
  t.deepEqual(
    holders.filter((name) => name.startsWith('user-')),
    names,
  );
});

test('T862 · turns of realms: a plugin that goes through all of its entries lets other requests in between', async (t) => {
  const operation = `
    for (let n = 0; n < 1000; n += 1) await session.store.put('entry/' + String(n).padStart(4, '0'), { n });
    let rounds = 0, isOver = false;
    const count = () => { rounds += 1; if (!isOver) setImmediate(count); };
    setImmediate(count);
    const listed = await session.store.list('entry/', { max: 1000 });
    const [whole, afterList] = [listed.every(({ value }, n) => value.n === n) && listed.length, rounds];
    for (const { key } of listed) await session.store.get(key);
    const part = await session.store.list('entry/', { first: 150, max: 250 });
    isOver = true;
    return { body: { whole, afterList, afterGets: rounds - afterList, part: part.map(({ value }) => value.n) } };`;
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['through']) })],
    plugins: [{ module: 'through' }],
    packages: { through: resourcePlugin('through', operation) },
  });
  const { status, json } = await fetchAnswer(`${host.realm('demo')}/through`);
  const { whole, afterList, afterGets, part } = json as unknown as Record<string, number> & { part: number[] };
  t.deepEqual([status, whole], [200, 1000]);
  t.true(Number(afterList) >= 8, `${afterList} rounds of the event loop for a list of ten parts`);
  t.true(Number(afterGets) >= 8, `${afterGets} rounds for a thousand reads`);
  t.deepEqual(
    part,
    Array.from({ length: 250 }, (_, index) => 150 + index),
  );
});

const SLOW_HASH = pluginSource(import.meta.url, 'plugins/slow.js');

test('T863 · turns of realms: hashes of a plugin take turns by realm, and no more run at once than of the host', async (t) => {
  const { opened, open } = gate();
  const [waiting, began]: [string[], string[]] = [[], []];
  const hasher = new PasswordHasher({ concurrency: 1, queueLimit: 9 });
  const inTurn = hasher.runQueued.bind(hasher);
  hasher.runQueued = (realm, ...task) => {
    waiting.push(realm);
    return inTurn(realm, ...task);
  };
  const hook = globalThis as { slowHash?: (realm: string, password: string) => Promise<void> };
  t.teardown(() => delete hook.slowHash);
  const realms = ['greedy', 'modest'].map((name) =>
    testRealm(name, { passwordPolicy: 'hashAlgorithm(slow)', providers: {} }),
  );
  const host = await startHost(t, {
    realms,
    plugins: [{ module: 'slow' }],
    packages: { slow: SLOW_HASH },
    replace: [replacing(PasswordHasher, hasher)],
  });
  const login = (realm: string, password = 'Alice-pass-1!') =>
    host.token(realm, { client_id: 'spa', grant_type: 'password', username: 'alice', password });
  // The hash of the realm file is by the host's default, and is replaced at the first login.
  for (const realm of ['greedy', 'modest']) t.is((await login(realm)).status, 200);
  hook.slowHash = async (realm) => {
    began.push(realm);
    if (began.length === 1) await opened;
  };
  waiting.length = 0;
  const greedy = Array.from({ length: 8 }, () => login('greedy'));
  await eventually(() => waiting.length === 8 && began.length === 1);
  const modest = login('modest');
  await eventually(() => waiting.length === 9);
  const service = await host.token('modest', { ...SVC, grant_type: 'client_credentials' });
  t.is(service.status, 200);
  t.deepEqual(began, ['greedy'], 'one at a time');
  open();
  t.is((await modest).status, 200);
  for (const { status } of await Promise.all(greedy)) t.is(status, 200);
  t.is(began.indexOf('modest'), 1, 'before the second of the other realm');
});

/** Returns large values: a string, a list of small objects, bytes, or an error. */
const LARGE = `
  const [kind = 'text'] = request.query.kind ?? [];
  // Characters of two bytes.
  const much = 9 * 1024 * 1024;
  if (kind === 'text') return { body: { text: 'x'.repeat(much) } };
  if (kind === 'list') return { body: Array.from({ length: 1500 }, (_, id) => ({ id, text: 'x'.repeat(6000) })) };
  if (kind === 'bytes') return { headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array(2 * much) };
  if (kind === 'error') throw new HostError('invalid_argument', 'x'.repeat(much), { status: 400, expose: true });
  if (kind === 'stored') {
    const refused = await session.store.put('large', 'x'.repeat(much)).catch((error) => error.code);
    return { body: { refused, stored: await session.store.get('large') === undefined } };
  }
  if (kind === 'logged') session.logger.info('x'.repeat(much), { field: 'x'.repeat(much) });
  return { body: { text: 'x'.repeat(1024 * 1024) } };`;

test('T864 · turns of realms: an answer of a worker that is too large does not reach the host, and the worker goes on', async (t) => {
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['large']) })],
    plugins: [{ module: 'large', isolation: 'worker', limits: { memory: 2048 } }],
    packages: { large: resourcePlugin('large', LARGE) },
  });
  const ask = (kind: string) => fetchAnswer(`${host.realm('demo')}/large?kind=${kind}`);
  for (const kind of ['text', 'list', 'bytes', 'error']) {
    const { status, text } = await ask(kind);
    t.is(status, 500, kind);
    t.true(text.length < 500, kind);
    const line = host.log.findLast(({ level }) => level === 'error');
    t.regex(JSON.stringify(line), /at most 16 MiB go from a worker to the host at once/, kind);
  }
  t.deepEqual((await ask('stored')).json, { refused: 'provider_shape', stored: true });
  const { status, text } = await ask('logged');
  t.deepEqual([status, text.length], [200, 1024 * 1024 + '{"text":""}'.length]);
  const logged = host.log.find(({ message }) => message.startsWith('xxx'));
  t.true(JSON.stringify(logged).length < 20_000);
  t.regex(JSON.stringify(logged), /fields of more than 64 KiB/);
});

/** A hash of `U*U` with this cost: for other passwords only the duration matters. */
const withCost = (cost: string) => `$2a$${cost}$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`;

test('T865 · turns of realms: the operator limits a realm’s bcrypt hashes', async (t) => {
  const stored = (username: string, cost: string) => ({
    username,
    enabled: true,
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({ value: withCost(cost), salt: '' }),
        credentialData: JSON.stringify({ algorithm: 'bcrypt', hashIterations: Number(cost) }),
      },
    ],
  });
  const { users = [], ...rest } = testRealm('dear', {
    passwordPolicy: 'hashAlgorithm(bcrypt) and hashIterations(15)',
    providers: {},
  });
  const realms = [{ ...rest, users: [...users, stored('within', '05'), stored('beyond', '07')] }];
  const config = { 'password-hashing/bcrypt': { cost: 4, maxCost: 6 } };
  const host = await startHost(t, { realms, plugins: [{ module: '@keyhost/bcrypt', config }] });
  const login = (username: string, password: string) =>
    host.token('dear', { client_id: 'spa', grant_type: 'password', username, password });
  const costOf = async (username: string) => {
    const [password] = (await host.store.users.byUsername('dear', username))?.representation.credentials ?? [];
    return (JSON.parse(password?.secretData ?? '{}') as { value: string }).value.slice(4, 6);
  };
  t.is((await login('alice', 'Alice-pass-1!')).status, 200);
  t.is(await costOf('alice'), '06');
  t.is((await login('within', 'U*U')).status, 200);
  t.is(await costOf('within'), '06');
  t.is((await login('beyond', 'U*U')).status, 400);
  const told = JSON.stringify(host.log);
  t.regex(told, /hashIterations of the realm is over the maxCost of the plugin/);
  t.regex(told, /its cost 7 is over 6/);
});
