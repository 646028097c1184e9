import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ExecutionContext } from 'ava';
import { UserSketch } from '../../core/model/user-sketch.js';
import type {
  CommitStep,
  EventRecord,
  FamilyStore,
  JoinedSession,
  NameChange,
  Store,
  UserRecord,
} from '../../core/store/store.js';
import { clientSession, family, HOUR, key, NOW, onlineSessionKey, REALM, session, user } from './records.js';

/** The behaviour that every store must have, on every engine. */
const cases: { readonly title: string; readonly run: (t: ExecutionContext, store: Store) => Promise<void> }[] = [];

/** Registers the tests of a store. */
export function registerConformanceTests(
  test: (title: string, run: (t: ExecutionContext) => Promise<void>) => void,
  name: string,
  open: (t: ExecutionContext) => Promise<Store>,
): void {
  for (const { title, run } of cases) {
    test(`${name}: ${title}`, async (t) => {
      const store = await open(t);
      try {
        await run(t, store);
      } finally {
        await store.close();
      }
    });
  }
}

function conformanceCase(title: string, run: (t: ExecutionContext, store: Store) => Promise<void>): void {
  cases.push({ title, run });
}

const realm = { id: 'realm-id', name: REALM, representation: { realm: REALM, displayName: 'Bücherei' } };

conformanceCase('a realm is written with its users and keys and read back', async (t, store) => {
  t.is(await store.realms.get(REALM), undefined);
  const source = { files: [{ path: 'library.json', size: 10, mtimeMs: 1.5, inode: 7 }], hash: 'h' };
  const written = await store.realms.put(
    { ...realm, source },
    { expectedVersion: 0, users: [user('alice'), user('bob', { email: 'bob@example.org' })], keys: [key('k1')] },
  );
  t.deepEqual(written, { version: 1, usersCreated: 2 });
  t.deepEqual(await store.realms.get(REALM), { ...realm, version: 1, source });
  t.deepEqual(await store.realms.list(), [{ id: 'realm-id', name: REALM, version: 1, source }]);
  const summary = { id: 'realm-id', name: REALM };
  t.deepEqual(await store.realms.summaries(), [{ ...summary, displayName: 'Bücherei', enabled: false }]);
  await store.realms.put({ ...realm, representation: { realm: REALM, enabled: true } }, { expectedVersion: 1 });
  t.deepEqual(await store.realms.summaries(), [{ ...summary, enabled: true }]);
  t.deepEqual(await store.users.byUsername(REALM, 'alice'), user('alice'));
  t.deepEqual(await store.keys.list(REALM), [key('k1')]);
});

conformanceCase(
  'users are known by how long they have been away, as long as they are enabled and there',
  async (t, store) => {
    const enabled = (name: string, more: Partial<UserRecord> = {}) => {
      const made = user(name, more);
      return { ...made, representation: { ...made.representation, enabled: true } };
    };
    const before = Date.now();
    const robot = enabled('robot', { serviceAccountClientId: 'c' });
    const people = ['alice', 'bob', 'carol', 'dave'].map((name) => enabled(name));
    await store.realms.put(realm, { expectedVersion: 0, users: [...people, robot, user('off')] });
    const far = before + 100 * 24 * HOUR;
    const idle = async (query: Partial<Parameters<Store['users']['idle']>[1]> = {}) =>
      (await store.users.idle(REALM, { before: far, ...query })).map(({ user: { username } }) => username);
    t.deepEqual(
      [...(await idle())].sort(),
      ['alice', 'bob', 'carol', 'dave'],
      'no service accounts, and nobody disabled',
    );
    t.deepEqual(await idle({ before }), [], 'they came after that');
    const [first] = await store.users.idle(REALM, { before: far });
    t.is(first?.lastSignIn, undefined);
    t.true((first?.idleSince ?? 0) >= before - 1000 && (first?.idleSince ?? 0) <= Date.now() + 1000);
    for (const [id, at] of [
      ['id-bob', far - 3],
      ['id-alice', far - 2],
      ['id-alice', far - 9],
      ['id-carol', far],
      ['id-robot', far],
      ['id-nobody', far - 1],
    ] as const)
      store.users.signedIn(REALM, id, at);
    t.deepEqual(await idle(), ['dave', 'bob', 'alice']);
    const pages = [await store.users.idle(REALM, { before: far, max: 2 })];
    const last = pages[0]?.at(-1);
    t.like(last, { idleSince: far - 3, lastSignIn: far - 3 });
    t.deepEqual(await idle({ after: { idleSince: last?.idleSince ?? 0, id: last?.user.id ?? '' } }), ['alice']);
    const change = async (name: string, enabledNow: boolean) => {
      const record = (await store.users.byUsername(REALM, name)) as UserRecord;
      const representation = { ...record.representation, enabled: enabledNow };
      await store.users.put({ ...record, representation }, { expectedVersion: record.version });
    };
    // A sign-in that is written after its user was disabled does not enable the user again.
    store.users.signedIn(REALM, 'id-bob', far - 2);
    await change('bob', false);
    t.deepEqual(await idle(), ['dave', 'alice']);
    await change('bob', true);
    t.deepEqual(await idle(), ['dave', 'bob', 'alice']);
    t.like((await store.users.idle(REALM, { before: far }))[1], { lastSignIn: far - 2 });
    t.true(
      ((await store.users.idle(REALM, { before: far }))[1]?.idleSince ?? far) <= Date.now() + 1000,
      'counted anew',
    );
    await store.users.remove(REALM, 'id-dave');
    store.users.signedIn(REALM, 'id-dave', far - 1);
    t.deepEqual(await idle(), ['bob', 'alice']);
    await store.users.put(enabled('dave'), { expectedVersion: 0 });
    t.is(
      (await store.users.idle(REALM, { before: far })).find(({ user: { id } }) => id === 'id-dave')?.lastSignIn,
      undefined,
    );
    await store.realms.remove(REALM);
    t.deepEqual(await idle(), []);
  },
);

conformanceCase(
  'late pages of a long list begin where they should, with service accounts among the users or without',
  async (t, store) => {
    const count = 23_000;
    const name = (index: number) => `user-${String(index).padStart(5, '0')}`;
    const isService = (index: number) => index % 1000 === 7;
    const users = Array.from({ length: count }, (_, index) =>
      user(name(index), isService(index) ? { serviceAccountClientId: `client-${index}` } : {}),
    );
    await store.realms.put(realm, { expectedVersion: 0, users });
    const all = users.map(({ username }) => username);
    const people = all.filter((_, index) => !isService(index));
    t.is(await store.users.count(REALM, {}), people.length);
    t.is(await store.users.count(REALM, { serviceAccounts: true }), count);
    for (const first of [0, 1, 9_999, 10_000, 19_999, people.length - 2, people.length, count]) {
      const page = async (filter: object) =>
        (await store.users.find(REALM, { ...filter, first, max: 3 })).map(({ username }) => username);
      t.deepEqual(await page({}), people.slice(first, first + 3), `people from ${first}`);
      t.deepEqual(await page({ serviceAccounts: true }), all.slice(first, first + 3), `all from ${first}`);
    }
  },
);

conformanceCase('a realm is replaced only by who knows its version', async (t, store) => {
  await store.realms.put(realm, { expectedVersion: 0 });
  t.is(await store.realms.put(realm, { expectedVersion: 0, users: [user('alice')] }), 'conflict');
  t.is(await store.realms.put(realm, { expectedVersion: 2 }), 'conflict');
  t.is(await store.users.count(REALM), 0);
  const both = await Promise.all([1, 2].map(() => store.realms.put(realm, { expectedVersion: 1 })));
  t.deepEqual(both.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.version)).sort(), [2, 'conflict']);
  const source = { files: [], hash: 'other' };
  await store.realms.putSource(REALM, source);
  t.deepEqual(await store.realms.get(REALM), { ...realm, version: 2, source });
});

conformanceCase('no two realms have one id, and one that has it keeps it', async (t, store) => {
  const other = { id: 'other-id', name: 'other', representation: { realm: 'other' } };
  await store.realms.put(realm, { expectedVersion: 0 });
  t.is(await store.realms.put({ ...other, id: realm.id }, { expectedVersion: 0 }), 'idTaken');
  const shown = { ...other, representation: { realm: 'other', id: realm.id } };
  t.is(await store.realms.put(shown, { expectedVersion: 0 }), 'idTaken');
  t.like(await store.realms.put(other, { expectedVersion: 0 }), { version: 1 });
  t.is(await store.realms.put(shown, { expectedVersion: 1 }), 'idTaken');
  t.like(await store.realms.put(realm, { expectedVersion: 1 }), { version: 2 });
});

const manyUsers = (count: number) =>
  Array.from({ length: count }, (_, index) => user(`user-${String(index).padStart(5, '0')}`));
/** The entries of loads of users that have not ended. */
const loadEntries = async (store: Store) => {
  const range = { namespace: '/user-loads', prefix: '', first: 0, max: 1000, now: NOW };
  return [
    ...(await store.entries.list({ ...range, realm: REALM })),
    ...(await store.entries.list({ ...range, realm: '' })),
  ];
};

conformanceCase('many users are written with their realm, or none of them is', async (t, store) => {
  const users = manyUsers(120);
  const imported = (list: readonly UserRecord[]) => ({ users: list, removed: [], emailUnique: true });
  await store.realms.put(realm, { expectedVersion: 0, users: [user('alice')] });
  const taken = [...users, user('other', { username: 'alice' })];
  t.is(await store.realms.put(realm, { expectedVersion: 1, imported: imported(taken) }), 'conflict');
  t.is(await store.realms.put(realm, { expectedVersion: 2, imported: imported(users) }), 'conflict');
  const other = { id: 'other-id', name: 'other', representation: { realm: 'other' } };
  await store.realms.put(other, { expectedVersion: 0 });
  const withTakenId = { ...realm, representation: { ...realm.representation, id: other.id } };
  t.is(await store.realms.put(withTakenId, { expectedVersion: 1, users }), 'idTaken');
  const impossible = users.map((one, index) => (index === 70 ? { ...one, username: null as unknown as string } : one));
  await t.throwsAsync(store.realms.put(realm, { expectedVersion: 1, users: impossible }), { name: 'HostError' });
  t.is(await store.users.count(REALM), 1);
  t.like(await store.realms.get(REALM), { version: 1 });
  t.deepEqual(await loadEntries(store), []);
  const existing = [user('alice'), ...users];
  const written = await store.realms.put(realm, { expectedVersion: 1, users: existing });
  t.deepEqual(written, { version: 2, usersCreated: 120 });
  t.is(await store.users.count(REALM), 121);
  t.deepEqual(await loadEntries(store), []);
});

conformanceCase('of two writers that add many users to a realm at once, one conflicts', async (t, store) => {
  await store.realms.put(realm, { expectedVersion: 0 });
  const [some, others] = [manyUsers(120).slice(0, 60), manyUsers(120).slice(60)];
  const outcomes = await Promise.all(
    [some, others].map((users) => store.realms.put(realm, { expectedVersion: 1, users })),
  );
  t.deepEqual(outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.version)).sort(), [
    2,
    'conflict',
  ]);
  t.is(await store.users.count(REALM), 60);
  t.deepEqual(await loadEntries(store), []);
});

conformanceCase('a user is created although many users with the same name are written in vain', async (t, store) => {
  await store.realms.put(realm, { expectedVersion: 0, users: [user('alice')] });
  const users = [...manyUsers(120), user('other', { username: 'alice' })];
  const imported = { users, removed: [], emailUnique: true };
  const [inVain, written] = await Promise.all([
    store.realms.put(realm, { expectedVersion: 1, imported }),
    store.realms.put(realm, { expectedVersion: 1, users: [user('user-00003')] }),
  ]);
  t.is(inVain, 'conflict');
  t.deepEqual(written, { version: 2, usersCreated: 1 });
  t.is(await store.users.count(REALM), 2);
});

conformanceCase(
  'of many users, the second with the same account at an identity provider is left out',
  async (t, store) => {
    const federatedIdentities = [{ identityProvider: 'partner', userId: '1', userName: 'one' }];
    const users = manyUsers(120).map((one, index) =>
      index === 5 || index === 100 ? { ...one, representation: { ...one.representation, federatedIdentities } } : one,
    );
    await store.realms.put(realm, { expectedVersion: 0 });
    const imported = { users, removed: [], emailUnique: true };
    t.deepEqual(await store.realms.put(realm, { expectedVersion: 1, imported }), { version: 2, usersCreated: 119 });
  },
);

conformanceCase('users of a realm file are created when missing and never overwritten', async (t, store) => {
  const stands = user('alice', { representation: { username: 'alice', firstName: 'first' } });
  await store.realms.put(realm, {
    expectedVersion: 0,
    users: [stands, user('robot', { serviceAccountClientId: 'c1' })],
  });
  const again = await store.realms.put(realm, {
    expectedVersion: 1,
    users: [
      user('alice', { id: 'another-id' }),
      user('renamed', { id: 'id-alice' }),
      user('robot-2', { serviceAccountClientId: 'c1' }),
      user('carol'),
    ],
  });
  t.deepEqual(again, { version: 2, usersCreated: 1 });
  t.deepEqual(await store.users.byId(REALM, 'id-alice'), stands);
  t.is((await store.users.byServiceAccountClient(REALM, 'c1'))?.username, 'robot');
});

conformanceCase(
  'what a realm’s files said stays with it until they say something else, and goes with it',
  async (t, store) => {
    const declared = {
      representation: { realm: REALM, displayName: '😀' },
      references: [[['clients', 0, 'secret'], '${env.X}'] as const],
      usernames: ['alice'],
    };
    t.is(await store.realms.withDeclaration(REALM), undefined);
    await store.realms.put(realm, { expectedVersion: 0 });
    t.deepEqual(await store.realms.withDeclaration(REALM), { ...realm, version: 1 });
    await store.realms.put(realm, { expectedVersion: 1, declared });
    await store.realms.put({ ...realm, id: 'new-id' }, { expectedVersion: 2 });
    t.deepEqual(await store.realms.withDeclaration(REALM), { ...realm, id: 'new-id', version: 3, declared });
    t.is(await store.realms.put(realm, { expectedVersion: 1, declared: { ...declared, usernames: [] } }), 'conflict');
    t.deepEqual((await store.realms.withDeclaration(REALM))?.declared, declared);
    await store.realms.remove(REALM);
    await store.realms.put(realm, { expectedVersion: 0 });
    t.is((await store.realms.withDeclaration(REALM))?.declared, undefined);
  },
);

conformanceCase(
  'a removed client takes its service account and its sessions along, and nothing of others',
  async (t, store) => {
    const accounts = ['c1', 'c2'].map((id) => user(`service-account-${id}`, { serviceAccountClientId: id }));
    await store.realms.put(realm, { expectedVersion: 0, users: [user('alice'), ...accounts] });
    await store.sessions.start(
      session('s'),
      clientSession('s', { clientUuid: 'c1' }),
      family('f1', 's', { clientUuid: 'c1' }),
    );
    await store.sessions.attach(clientSession('s', { clientUuid: 'c2' }), family('f2', 's', { clientUuid: 'c2' }));
    const machine = { userId: 'id-service-account-c1' };
    await store.sessions.start(session('own', machine), clientSession('own', { clientUuid: 'c1' }));
    // The username is free for the service account of the client that replaces the removed one.
    const successor = user('service-account-c1', { id: 'id-successor', serviceAccountClientId: 'c3' });
    t.deepEqual(
      await store.realms.put(realm, { expectedVersion: 1, removedClients: ['c1', 'c9'], users: [successor] }),
      {
        version: 2,
        usersCreated: 1,
      },
    );
    t.is(await store.users.byServiceAccountClient(REALM, 'c1'), undefined);
    t.deepEqual(await store.users.byServiceAccountClient(REALM, 'c3'), successor);
    t.is((await store.users.byServiceAccountClient(REALM, 'c2'))?.username, 'service-account-c2');
    t.is(await store.sessions.get(onlineSessionKey('own')), undefined);
    t.deepEqual(
      (await store.sessions.clientSessions(onlineSessionKey('s'))).map(({ clientUuid }) => clientUuid),
      ['c2'],
    );
    const { outcome } = await store.families.rotate(rotation('token-0', 'token-1', { family: 'f1' }));
    t.is(outcome, 'absent');
    t.is((await store.families.rotate(rotation('token-0', 'token-1', { family: 'f2' }))).outcome, 'rotated');
  },
);

conformanceCase(
  'action tokens that are out are listed, revoked in one commit, and go with their user or their time',
  async (t, store) => {
    await store.realms.put(realm, { expectedVersion: 0, users: [user('alice'), user('bob')] });
    const alice = user('alice').id;
    const bob = user('bob').id;
    const token = (id: string, issuedAt: number, more = {}) => ({
      realm: REALM,
      userId: alice,
      id,
      type: 'verify-email',
      issuedAt,
      expiresAt: issuedAt + 100,
      ...more,
    });
    const a = token('a', 10);
    const b = token('b', 20, { clientId: 'web' });
    const c = token('c', 30, { userId: bob });
    for (const one of [a, b, c]) await store.actionTokens.add(one);
    t.deepEqual(await store.actionTokens.list(REALM, alice, { now: 0, max: 10 }), [b, a]);
    t.deepEqual(await store.actionTokens.list(REALM, alice, { now: 110, max: 10 }), [b]);
    t.deepEqual(await store.actionTokens.list(REALM, alice, { now: 0, max: 1 }), [b]);
    const page = (filter: object) => store.actionTokens.page(REALM, { now: 0, max: 10, ...filter });
    t.deepEqual(await page({}), [c, b, a]);
    t.deepEqual(await page({ max: 2 }), [c, b]);
    t.deepEqual(await page({ before: c }), [b, a]);
    t.deepEqual(await page({ now: 110 }), [c, b]);
    t.deepEqual(await page({ userId: alice, max: 1 }), [b]);
    t.deepEqual(await page({ clientId: 'web' }), [b]);
    t.deepEqual(await page({ type: a.type, clientId: 'web', userId: alice }), [b]);
    t.deepEqual(await page({ type: 'another' }), []);
    t.deepEqual(await page({ type: 'a\0' }), []);
    t.deepEqual(await store.actionTokens.page('other', { now: 0, max: 10 }), []);
    t.deepEqual(await store.actionTokens.find({ realm: REALM, userId: alice, id: 'b' }), b);
    t.is(await store.actionTokens.find({ realm: REALM, userId: bob, id: 'b' }), undefined);
    const mark = { realm: REALM, kind: 'revoked', keyHash: 'b', expiresAt: 120, now: 0 };
    const revoke = () =>
      store.commit([
        { op: 'marks.claim', args: mark, require: true },
        { op: 'actionTokens.remove', args: { realm: REALM, userId: alice, id: 'b' }, require: true },
      ]);
    t.true((await revoke()).committed);
    t.false((await revoke()).committed);
    t.true(await store.marks.has({ ...mark, now: 1 }));
    t.true((await store.sweep({ now: 110 })).removed >= 1);
    t.deepEqual(await store.actionTokens.list(REALM, alice, { now: 0, max: 10 }), []);
    await store.users.remove(REALM, bob);
    t.is(await store.actionTokens.find({ realm: REALM, userId: bob, id: 'c' }), undefined);
  },
);

conformanceCase('a realm goes with everything in it, and its neighbour stays', async (t, store) => {
  for (const name of [REALM, 'other']) {
    await store.realms.put(
      { ...realm, id: name, name },
      { expectedVersion: 0, users: [user('alice', { realm: name })] },
    );
    await store.keys.add([key('k', { realm: name })]);
    const more = { realm: name };
    await store.sessions.start(session('s', more), clientSession('s', more), family('f', 's', more));
    await store.tickets.issue({ realm: name, kind: 'code', keyHash: 'h', payload: '', expiresAt: NOW + 1 });
    await store.marks.claim({ realm: name, kind: 'jti', keyHash: 'h', expiresAt: NOW + 1, now: NOW });
    await store.counters.bump({ realm: name, subject: 'x', now: NOW, windowMs: 10 });
    await store.entries.put({ realm: name, namespace: 'p', key: 'k', value: '1' });
    await store.events.append([event('e', NOW, { realm: name, position: 1 })]);
  }
  t.true(await store.realms.remove(REALM));
  t.false(await store.realms.remove(REALM));
  const left = async (name: string) => [
    await store.users.count(name),
    (await store.keys.list(name)).length,
    (await store.sessions.list(name, {})).length,
    (await store.sessions.clientSessions(onlineSessionKey('s', name))).length,
    (await store.families.rotate(rotation('token-0', 'token-1', { realm: name }))).outcome,
    (await store.tickets.redeem({ realm: name, kind: 'code', keyHash: 'h', now: NOW })).outcome,
    await store.marks.has({ realm: name, kind: 'jti', keyHash: 'h', now: NOW }),
    (await store.counters.get({ realm: name, subject: 'x', now: NOW }))?.count,
    await store.entries.get({ realm: name, namespace: 'p', key: 'k', now: NOW }),
    (await store.events.query(name, { kind: 'user' })).length,
    await store.eventOutbox.count(name, 10),
  ];
  t.deepEqual(await left(REALM), [0, 0, 0, 0, 'absent', 'absent', false, undefined, undefined, 0, 0]);
  t.deepEqual(await left('other'), [1, 1, 1, 1, 'rotated', 'first', true, 1, '1', 1, 1]);
});

conformanceCase(
  'a user is created, replaced by who knows the version, and removed with the sessions',
  async (t, store) => {
    const { version: _, ...alice } = user('alice', { email: 'alice@example.org' });
    t.deepEqual(await store.users.put(alice, { expectedVersion: 0 }), { version: 1 });
    t.deepEqual(await store.users.put(alice, { expectedVersion: 0 }), { exists: 'id' });
    t.is(await store.users.put(alice, { expectedVersion: 7 }), 'conflict');
    t.is(await store.users.put({ ...alice, id: 'unknown' }, { expectedVersion: 1 }), 'conflict');
    t.deepEqual(await store.users.put({ ...alice, username: 'alicia' }, { expectedVersion: 1 }), { version: 2 });
    t.deepEqual(await store.users.byEmail(REALM, 'alice@example.org'), { ...alice, username: 'alicia', version: 2 });
    await store.sessions.start(session('s'), clientSession('s'), family('f', 's'));
    t.true(await store.users.remove(REALM, alice.id));
    t.false(await store.users.remove(REALM, alice.id));
    t.is(await store.sessions.get(onlineSessionKey('s')), undefined);
    t.is((await store.families.rotate(rotation('token-0', 'token-1'))).outcome, 'absent');
  },
);

conformanceCase('names, addresses and service accounts are unique in their realm only', async (t, store) => {
  const put = (name: string, more: Parameters<typeof user>[1] = {}, emailUnique?: boolean) =>
    store.users.put(user(name, more), { expectedVersion: 0, ...(emailUnique === undefined ? {} : { emailUnique }) });
  const email = 'a@example.org';
  await put('alice', { email, serviceAccountClientId: 'c' });
  t.deepEqual(await put('alice', { id: 'x' }), { exists: 'username' });
  t.deepEqual(await put('bob', { email }), { exists: 'email' });
  t.deepEqual(await put('bob', { serviceAccountClientId: 'c' }), { exists: 'serviceAccount' });
  t.deepEqual(await put('alice', { realm: 'other', email, serviceAccountClientId: 'c' }), { version: 1 });
  t.deepEqual(await put('aaron', { id: '0-sorts-first', email }, false), { version: 1 });
  t.is((await store.users.byEmail(REALM, email))?.username, 'alice', 'the first created');
  const racers = await Promise.all(['1', '2', '3'].map((id) => put('racer', { id })));
  t.is(racers.filter((outcome) => typeof outcome === 'object' && 'version' in outcome).length, 1);
});

conformanceCase('what somebody must hold is held after every write, or the write is undone', async (t, store) => {
  const held = { kind: 'role', container: '', name: 'chief' } as const;
  const chief = (name: string, representation: object = {}) =>
    user(name, {
      representation: { ...user(name).representation, enabled: true, realmRoles: ['chief'], ...representation },
    });
  const kept = { before: [held], after: [held] };
  const users = [chief('one'), chief('two'), chief('off', { enabled: false }), chief('robot', {})];
  const robot = { ...(users[3] as (typeof users)[number]), serviceAccountClientId: 'c' };
  await store.realms.put(realm, { expectedVersion: 0, users: [...users.slice(0, 3), robot] });
  const [one, two] = ['one', 'two'].map((name) => user(name).id) as [string, string];
  const both = await Promise.all([one, two].map((id) => store.users.remove(REALM, id, undefined, kept)));
  t.deepEqual(both.map(String).sort(), ['true', 'unheld']);
  const left = both[0] === true ? 'two' : 'one';
  const without = chief(left, { realmRoles: [] });
  t.is(await store.users.put(without, { expectedVersion: 1, kept }), 'unheld');
  t.is(await store.users.put(chief(left, { enabled: false }), { expectedVersion: 1, kept }), 'unheld');
  t.is(await store.realms.put(realm, { expectedVersion: 1, kept: { before: [held], after: [] } }), 'unheld');
  const names = [{ what: 'role', from: 'chief' }] as const;
  t.is(await store.realms.put(realm, { expectedVersion: 1, names, kept }), 'unheld');
  t.is(await store.users.put(without, { expectedVersion: 1, kept: { ...kept, realmVersion: 7 } }), 'conflict');
  t.false(await store.users.remove(REALM, user(left).id, undefined, { ...kept, realmVersion: 7 }));
  t.is((await store.users.byId(REALM, user(left).id))?.version, 1, 'nothing was written');
  t.like(await store.users.put(without, { expectedVersion: 1, kept: { ...kept, before: [] } }), { version: 2 });
});

conformanceCase('users are found by the start of a name or address, by parts, and page by page', async (t, store) => {
  const users = ['dora', 'anna_b', 'annaxb', 'bruno'].map((name) => user(name, { email: `${name}@mail.example` }));
  await store.realms.put(realm, { expectedVersion: 0, users });
  const find = async (search?: string, more: { first?: number; max?: number } = {}) =>
    (await store.users.find(REALM, { ...(search === undefined ? {} : { search }), ...more })).map(
      ({ username }) => username,
    );
  t.deepEqual(await find(), ['anna_b', 'annaxb', 'bruno', 'dora']);
  t.deepEqual(await find(undefined, { first: 1, max: 2 }), ['annaxb', 'bruno']);
  t.deepEqual(await find('ANNA'), ['anna_b', 'annaxb']);
  t.deepEqual(await find('anna_'), ['anna_b'], 'what LIKE takes for a wildcard stands for itself');
  t.deepEqual(await find('nn'), []);
  t.deepEqual(await find('*nn'), ['anna_b', 'annaxb']);
  t.deepEqual(await find('bruno@mail'), ['bruno']);
});

conformanceCase(
  'users are found by members, attributes, roles, groups and links to providers, and counted so',
  async (t, store) => {
    const someone = (name: string, representation: object, more: object = {}) =>
      user(name, { ...more, representation: { ...user(name).representation, ...representation } });
    const users = [
      someone('anna', {
        firstName: 'Anna Lena',
        lastName: 'Österreich',
        enabled: true,
        attributes: { team: ['a', 'b'] },
      }),
      someone('bruno', { enabled: false, emailVerified: true, realmRoles: ['reader'], groups: ['/x', '/x/y'] }),
      someone('clara', { clientRoles: { web: ['editor'], 'a/b': ['reader'] }, groups: ['/x0'] }),
      someone('dora', { federatedIdentities: [{ identityProvider: 'other', userId: '7', userName: 'd' }] }),
      someone('service-account-web', { realmRoles: ['reader'] }, { serviceAccountClientId: 'web-uuid' }),
    ];
    await store.realms.put(realm, { expectedVersion: 0, users });
    const found = async (query: Parameters<Store['users']['find']>[1]) => {
      const names = (await store.users.find(REALM, query)).map(({ username }) => username);
      t.is(await store.users.count(REALM, query), names.length);
      return names.join(' ');
    };
    t.is(await found({ search: 'lena' }), '', 'a word begins a value');
    t.is(await found({ search: 'anna öst' }), 'anna', 'and every word counts');
    t.is(await found({ search: '"anna"' }), 'anna');
    t.is(await found({ search: '"ann"' }), '');
    t.is(await found({ username: 'RUN' }), 'bruno');
    t.is(await found({ username: 'brun', exact: true }), '');
    t.is(await found({ lastName: 'ÖSTERREICH', exact: true }), 'anna');
    t.is(await found({ enabled: true }), 'anna');
    t.is(await found({ emailVerified: true }), 'bruno');
    t.is(await found({ attributes: { team: 'b' } }), 'anna');
    t.is(await found({ attributes: { team: 'B' } }), 'anna', 'in any case');
    t.is(await found({ attributes: { team: '%' } }), '');
    t.is(await found({ attributes: { team: '' } }), '');
    t.is(await found({ attributes: { shelf: '' }, exact: false }), '');
    t.is(await found({ attributes: { team: '_' }, exact: false }), '');
    t.is(await found({ attributes: { team: 'a', shelf: 'É' } }), '');
    t.is(await found({ holds: { kind: 'role', name: 'reader' } }), 'bruno');
    t.is(await found({ holds: { kind: 'role', name: 'reader' }, serviceAccounts: true }), 'bruno service-account-web');
    t.is(await found({ holds: { kind: 'role', clientId: 'a/b', name: 'reader' } }), 'clara');
    t.is(await found({ holds: { kind: 'group', name: '/x' } }), 'bruno');
    const memberships = [
      { kind: 'role', container: 'a/b', name: 'reader' },
      { kind: 'group', container: '', name: '/x' },
      { kind: 'role', container: '', name: 'nobody"s' },
    ] as const;
    t.is(await found({ holdsAny: memberships }), 'bruno clara');
    t.is(await found({ holdsAny: memberships, search: 'clar' }), 'clara');
    t.is(await found({ holdsAny: [] }), '');
    t.is(await found({ identityProvider: { alias: 'other' } }), 'dora');
    t.is(await found({ identityProvider: { alias: 'other', userId: '8' } }), '');
    t.is(await found({ username: 'anna\0' }), '');
  },
);

conformanceCase('an account at an identity provider belongs to one user, whoever is first', async (t, store) => {
  const linked = (name: string, userId = '7') =>
    user(name, {
      representation: { username: name, federatedIdentities: [{ identityProvider: 'partner', userId }] },
    });
  await store.realms.put(realm, { expectedVersion: 0, users: [user('anna')] });
  const both = await Promise.all(
    ['bruno', 'clara'].map((name) => store.users.put(linked(name), { expectedVersion: 0 })),
  );
  t.deepEqual(both, [{ version: 1 }, { exists: 'federatedIdentity' }]);
  const holder = async (userId: string) => (await store.users.byFederatedIdentity(REALM, 'partner', userId))?.username;
  t.is(await holder('7'), 'bruno');
  t.is(await holder('7\0'), undefined);
  t.deepEqual(await store.users.put(linked('anna'), { expectedVersion: 1 }), { exists: 'federatedIdentity' });
  t.deepEqual(await store.users.put(linked('anna', '8'), { expectedVersion: 1 }), { version: 2 });
  t.deepEqual(
    await store.realms.put(realm, { expectedVersion: 1, users: [linked('dora'), linked('eva', '9')] }),
    { version: 2, usersCreated: 1 },
    'who comes with an account of somebody else is left out',
  );
  t.is(await store.users.byUsername(REALM, 'dora'), undefined);
  await store.realms.put(realm, { expectedVersion: 2, names: [{ what: 'identityProvider', from: 'partner' }] });
  t.deepEqual(await Promise.all(['7', '8', '9'].map(holder)), [undefined, undefined, undefined]);
  t.deepEqual((await store.users.byUsername(REALM, 'eva'))?.representation.federatedIdentities, []);
});

conformanceCase(
  'pages of a long list fit together, and others have their turn while it is gone through',
  async (t, store) => {
    const names = Array.from({ length: 2500 }, (_, index) => `u${String(index).padStart(4, '0')}`);
    const users = names.map((name, index) =>
      user(name, { representation: { id: `id-${name}`, username: name, enabled: index % 5 === 0, groups: ['/all'] } }),
    );
    await store.realms.put(realm, { expectedVersion: 0, users });
    const enabled = names.filter((_, index) => index % 5 === 0);
    const member = { kind: 'group', name: '/all' } as const;
    const found = async (query: Parameters<Store['users']['find']>[1]) =>
      (await store.users.find(REALM, query)).map(({ username }) => username);
    t.deepEqual(await found({ max: 3000 }), names);
    t.deepEqual(await found({ first: 990, max: 1020 }), names.slice(990, 2010));
    t.deepEqual(await found({ enabled: true, first: 199, max: 203 }), enabled.slice(199, 402));
    t.deepEqual(await found({ holds: member, enabled: true, first: 499 }), enabled.slice(499));
    t.deepEqual(await found({ first: 2500 }), []);
    t.deepEqual(await found({ max: 0 }), []);
    t.is(await store.users.count(REALM, { enabled: true, holds: member }), 500);
    const anyMember = [{ ...member, container: '' }];
    t.deepEqual(await found({ holdsAny: anyMember, enabled: true, first: 499 }), enabled.slice(499));
    t.is(await store.users.count(REALM, { enabled: true, holdsAny: anyMember }), 500);
    let turns = 0;
    const turn = () => {
      turns += 1;
      ticking = setImmediate(turn);
    };
    let ticking = setImmediate(turn);
    t.is(await store.users.count(REALM, { search: 'nobody' }), 0);
    clearImmediate(ticking);
    t.true(turns >= 2);
  },
);

conformanceCase('sessions are paged through and ended however many there are', async (t, store) => {
  const ids = Array.from({ length: 2100 }, (_, index) => `s${String(index).padStart(4, '0')}`);
  await Promise.all(ids.map((id) => store.sessions.start(session(id), clientSession(id))));
  const found = async (filter: Parameters<Store['sessions']['list']>[1]) =>
    (await store.sessions.list(REALM, filter)).map(({ id }) => id);
  t.deepEqual(await found({ first: 995, max: 1010 }), ids.slice(995, 2005));
  t.deepEqual(await found({ clientUuid: 'web-app', first: 1999 }), ids.slice(1999));
  t.deepEqual(await store.sessions.countByClient(REALM, {}), [
    { clientUuid: 'web-app', offline: false, sessions: 2100 },
  ]);
  await store.sessions.start(session('alone', { userId: 'id-bob' }));
  t.is(await store.sessions.endAll(REALM, { except: 's0007' }), 2100);
  t.deepEqual(await found({}), ['s0007']);
});

conformanceCase(
  'a name that changes with the realm changes in the users that hold it, and a name that goes, goes',
  async (t, store) => {
    const holder = {
      realmRoles: ['reader', 'writer'],
      clientRoles: { web: ['editor', 'viewer'], api: ['caller'] },
      groups: ['/a', '/a/b', '/a0', '/c'],
    };
    const alice = user('alice', { representation: { ...user('alice').representation, ...holder } });
    await store.realms.put(realm, { expectedVersion: 0, users: [alice, user('bob')] });
    const names = async (changes: readonly NameChange[], expectedVersion: number) => {
      await store.realms.put(realm, { expectedVersion, names: changes });
      const { realmRoles, clientRoles, groups } = (await store.users.byId(REALM, 'id-alice'))?.representation ?? {};
      return { realmRoles, clientRoles, groups };
    };
    t.deepEqual(
      await names(
        [
          { what: 'role', from: 'reader', to: 'student' },
          { what: 'role', clientId: 'web', from: 'editor' },
          { what: 'client', id: 'api-id', from: 'api', to: 'interface' },
          { what: 'group', from: '/a', to: '/z' },
        ],
        1,
      ),
      {
        realmRoles: ['student', 'writer'],
        clientRoles: { web: ['viewer'], interface: ['caller'] },
        groups: ['/z', '/z/b', '/a0', '/c'],
      },
    );
    t.is((await store.users.byId(REALM, 'id-bob'))?.version, 1, 'who does not hold the name is left alone');
    t.deepEqual(
      await names(
        [
          { what: 'role', from: 'writer' },
          { what: 'client', id: 'web-id', from: 'web' },
          { what: 'client', id: 'api-id', from: 'interface' },
          { what: 'group', from: '/z/b' },
        ],
        2,
      ),
      { realmRoles: ['student'], clientRoles: {}, groups: ['/z', '/a0', '/c'] },
    );
    t.is(await store.users.count(REALM, { holds: { kind: 'group', name: '/z' } }), 1);
    t.is(await store.users.count(REALM, { holds: { kind: 'group', name: '/z/b' } }), 0);
    const conflicting = await store.realms.put(realm, { expectedVersion: 9, names: [{ what: 'group', from: '/z' }] });
    t.is(conflicting, 'conflict');
    t.is(await store.users.count(REALM, { holds: { kind: 'group', name: '/z' } }), 1, 'nothing was written then');
  },
);

conformanceCase(
  'what users agreed to follows the names of clients and scopes, and goes with them',
  async (t, store) => {
    const consents = [
      { clientId: 'web', grantedClientScopes: ['email', 'phone'], createdDate: 7 },
      { clientId: 'api', grantedClientScopes: [] },
    ];
    const alice = user('alice', { representation: { id: 'id-alice', username: 'alice', clientConsents: consents } });
    await store.realms.put(realm, { expectedVersion: 0, users: [alice, user('bob')] });
    const after = async (changes: readonly NameChange[], expectedVersion: number) => {
      await store.realms.put(realm, { expectedVersion, names: changes });
      return (await store.users.byId(REALM, 'id-alice'))?.representation.clientConsents;
    };
    const renames: NameChange[] = [
      { what: 'client', id: 'web-id', from: 'web', to: 'site' },
      { what: 'clientScope', from: 'email', to: 'mail' },
    ];
    t.deepEqual(await after(renames, 1), [
      { clientId: 'site', grantedClientScopes: ['mail', 'phone'], createdDate: 7 },
      { clientId: 'api', grantedClientScopes: [] },
    ]);
    const removals: NameChange[] = [
      { what: 'clientScope', from: 'mail' },
      { what: 'client', id: 'api-id', from: 'api' },
    ];
    t.deepEqual(await after(removals, 2), [{ clientId: 'site', grantedClientScopes: ['phone'], createdDate: 7 }]);
    t.is((await store.users.byId(REALM, 'id-bob'))?.version, 1);
  },
);

conformanceCase(
  'a service account is renamed with its client, unless its new name is taken, and can go alone',
  async (t, store) => {
    const account = user('service-account-web', { serviceAccountClientId: 'web-app' });
    await store.realms.put(realm, { expectedVersion: 0, users: [account, user('service-account-taken')] });
    const rename = (from: string, to: string, expectedVersion: number) =>
      store.realms.put(realm, { expectedVersion, names: [{ what: 'client', id: 'web-app', from, to }] });
    t.is(await rename('web', 'Taken', 1), 'conflict');
    t.is((await store.realms.get(REALM))?.version, 1, 'nothing was written then');
    await rename('web', 'Site', 1);
    t.like(await store.users.byServiceAccountClient(REALM, 'web-app'), {
      id: account.id,
      username: 'service-account-site',
      representation: { username: 'service-account-site', serviceAccountClientId: 'Site' },
    });
    await store.sessions.start(session('s1'), clientSession('s1'));
    await store.realms.put(realm, { expectedVersion: 2, removedServiceAccounts: ['web-app'] });
    t.is(await store.users.byServiceAccountClient(REALM, 'web-app'), undefined);
    t.is((await store.sessions.clientSessions(onlineSessionKey('s1'))).length, 1);
  },
);

conformanceCase('users come with their realm also when another write of the same moment fails', async (t, store) => {
  const mark = { realm: REALM, kind: 'k', keyHash: 'h', expiresAt: NOW + HOUR, now: NOW };
  await store.marks.claim(mark);
  const put = store.realms.put(realm, { expectedVersion: 0, users: [user('alice')] });
  const failing = store.entries
    .delete({ realm: REALM, namespace: 'n', key: 'k' })
    .then(() => store.commit([{ op: 'marks.claim', args: mark, require: true }]));
  t.like(await failing, { committed: false });
  t.deepEqual(await put, { version: 1, usersCreated: 1 });
});

conformanceCase('with a removed client go its sessions, their tokens and its service account', async (t, store) => {
  const account = user('service-account-web', { serviceAccountClientId: 'web-app' });
  await store.realms.put(realm, { expectedVersion: 0, users: [user('alice'), account] });
  await store.sessions.start(session('s1'), clientSession('s1'), family('f1', 's1'));
  await store.sessions.attach(clientSession('s1', { clientUuid: 'other' }));
  await store.realms.put(realm, { expectedVersion: 1, removedClients: ['web-app'] });
  t.deepEqual(
    (await store.sessions.clientSessions(onlineSessionKey('s1'))).map(({ clientUuid }) => clientUuid),
    ['other'],
  );
  t.is(await store.users.byUsername(REALM, 'service-account-web'), undefined);
});

conformanceCase(
  'only one first key of an algorithm comes into being, and rotation leaves one that signs',
  async (t, store) => {
    const racers = await Promise.all(['a', 'b', 'c'].map((kid) => store.keys.addFirst(key(kid))));
    t.is(new Set(racers.map(({ kid }) => kid)).size, 1);
    t.is((await store.keys.addFirst(key('es', { algorithm: 'ES256' }))).kid, 'es');
    await store.keys.rotate(key('next'));
    const signing = (await store.keys.list(REALM)).filter(
      (one) => one.algorithm === 'RS256' && one.status === 'ACTIVE',
    );
    t.deepEqual(signing, [key('next')]);
    t.is((await store.keys.addFirst(key('instead'), ['next'])).kid, 'instead', 'next does not count');
    t.is((await store.keys.addFirst(key('once-more'), ['next'])).kid, 'instead');
    await store.keys.add([key('next', { material: 'other' }), key('passive', { status: 'PASSIVE' })]);
    t.true(await store.keys.setStatus(REALM, 'next', 'DISABLED'));
    t.false(await store.keys.setStatus(REALM, 'unknown', 'DISABLED'));
    await store.keys.putMaterial([{ realm: REALM, kid: 'passive', material: 'sealed' }]);
    const byKid = new Map((await store.keys.list(REALM)).map((one) => [one.kid, one]));
    t.deepEqual(byKid.get('next'), key('next', { status: 'DISABLED' }));
    t.is(byKid.get('passive')?.material, 'sealed');
  },
);

conformanceCase('a ticket is redeemed by exactly one caller, and the others learn that it was', async (t, store) => {
  const ticket = { realm: REALM, kind: 'authorization-code', keyHash: 'hash' };
  const issue = () => store.tickets.issue({ ...ticket, payload: 'payload', expiresAt: NOW + 60_000 });
  t.deepEqual(await Promise.all([issue(), issue()]), ['issued', 'exists']);
  t.deepEqual(await store.tickets.redeem({ ...ticket, kind: 'action-token', now: NOW }), { outcome: 'absent' });
  t.deepEqual(await store.tickets.redeem({ ...ticket, realm: 'other', now: NOW }), { outcome: 'absent' });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => store.tickets.redeem({ ...ticket, now: NOW + index })),
  );
  t.deepEqual(outcomes[0], { outcome: 'first', payload: 'payload' });
  for (const outcome of outcomes.slice(1)) {
    t.deepEqual(outcome, { outcome: 'replayed', payload: 'payload' });
  }
  t.is(await issue(), 'exists', 'a redeemed ticket cannot be issued again');
  t.deepEqual(await store.tickets.redeem({ ...ticket, now: NOW + 60_000 }), { outcome: 'absent' });
});

conformanceCase(
  'a ticket is read until it is redeemed or expires, and reading does not redeem it',
  async (t, store) => {
    const ticket = { realm: REALM, kind: 'device-code', keyHash: 'hash' };
    const read = (now: number, changes: Partial<typeof ticket> = {}) =>
      store.tickets.get({ ...ticket, ...changes, now });
    t.is(await read(NOW), undefined);
    await store.tickets.issue({ ...ticket, payload: 'payload', expiresAt: NOW + 10 });
    t.deepEqual([await read(NOW), await read(NOW + 9), await read(NOW + 10)], ['payload', 'payload', undefined]);
    t.is(await read(NOW, { kind: 'other' }), undefined);
    t.is(await read(NOW, { realm: 'other' }), undefined);
    t.is((await store.tickets.redeem({ ...ticket, now: NOW })).outcome, 'first');
    t.is(await read(NOW), undefined);
  },
);

conformanceCase('a ticket that has expired is not redeemed', async (t, store) => {
  const ticket = { realm: REALM, kind: 'k', keyHash: 'h' };
  await store.tickets.issue({ ...ticket, payload: '', expiresAt: NOW });
  t.deepEqual(await store.tickets.redeem({ ...ticket, now: NOW }), { outcome: 'absent' });
});

conformanceCase('a mark is claimed by exactly one caller until it expires', async (t, store) => {
  const mark = { realm: REALM, kind: 'jti', keyHash: 'hash' };
  const claim = (now: number, expiresAt: number) => store.marks.claim({ ...mark, now, expiresAt });
  t.false(await store.marks.has({ ...mark, now: NOW }));
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(NOW, NOW + 10)));
  t.is(claims.filter(Boolean).length, 1);
  t.true(await store.marks.has({ ...mark, now: NOW + 9 }));
  t.false(await claim(NOW + 9, NOW + 20));
  t.is(await store.marks.expiry({ ...mark, now: NOW + 9 }), NOW + 10);
  t.false(await store.marks.has({ ...mark, now: NOW + 10 }));
  t.true(await claim(NOW + 10, NOW + 20));
  await store.marks.release(mark);
  t.false(await store.marks.has({ ...mark, now: NOW }));
  t.true(await claim(NOW, NOW + 10));
  t.true(await store.marks.claim({ ...mark, kind: 'dpop', now: NOW, expiresAt: NOW + 10 }));
  t.true(await store.marks.claim({ ...mark, realm: 'other', now: NOW, expiresAt: NOW + 10 }));
  const late = { ...mark, keyHash: 'late', now: NOW, expiresAt: NOW };
  t.deepEqual([await store.marks.claim(late), await store.marks.claim(late)], [false, false]);
  await store.marks.releaseAll({ realm: REALM, kind: 'dpop' });
  t.false(await store.marks.has({ ...mark, kind: 'dpop', now: NOW }));
  t.true(await store.marks.has({ ...mark, now: NOW }));
});

conformanceCase('a counter starts anew once its window is over', async (t, store) => {
  const counter = { realm: REALM, subject: 'alice' };
  const bump = (now: number) => store.counters.bump({ ...counter, now, windowMs: 100 });
  const together = await Promise.all([bump(NOW), bump(NOW), bump(NOW)]);
  t.deepEqual(
    together.map(({ count }) => count),
    [1, 2, 3],
  );
  t.deepEqual(await bump(NOW + 99), { count: 4, firstAt: NOW });
  t.deepEqual(await store.counters.get({ ...counter, now: NOW + 99 }), { count: 4, firstAt: NOW });
  t.is(await store.counters.get({ ...counter, now: NOW + 100 }), undefined);
  t.deepEqual(await bump(NOW + 100), { count: 1, firstAt: NOW + 100 });
  t.is((await bump(NOW + 100)).count, 2);
  await store.counters.release(counter);
  t.is((await bump(NOW + 100)).count, 2, 'one bump was taken back');
  for (let i = 0; i < 5; i += 1) await store.counters.release(counter);
  t.is((await bump(NOW + 100)).count, 1, 'and never more than there were');
  await store.counters.release({ ...counter, subject: 'nobody' });
  await store.counters.clear(counter);
  t.is(await store.counters.get({ ...counter, now: NOW + 100 }), undefined);
  const window = { realm: REALM, now: NOW, windowMs: 100 };
  for (const subject of ['login a', 'login b', 'other']) await store.counters.bump({ ...window, subject });
  await store.counters.clearAll({ realm: REALM, prefix: 'login ' });
  const left = await Promise.all(
    ['login a', 'login b', 'other'].map((subject) => store.counters.get({ realm: REALM, subject, now: NOW })),
  );
  t.deepEqual(
    left.map((count) => count?.count),
    [undefined, undefined, 1],
  );
});

conformanceCase('entries are kept by realm and namespace, and claimed once while they live', async (t, store) => {
  const entry = { realm: REALM, namespace: 'plugin', key: 'k' };
  await store.entries.put({ ...entry, value: '1' });
  await store.entries.put({ ...entry, value: '2', expiresAt: NOW + 5 });
  t.is(await store.entries.get({ ...entry, now: NOW + 4 }), '2');
  t.is(await store.entries.get({ ...entry, namespace: 'other', now: NOW }), undefined);
  t.is(await store.entries.get({ ...entry, realm: 'other', now: NOW }), undefined);
  const claim = (now: number) => store.entries.claim({ ...entry, value: 'c', now, expiresAt: NOW + 9 });
  t.false(await claim(NOW + 4));
  t.is(await store.entries.get({ ...entry, now: NOW + 5 }), undefined);
  t.deepEqual((await Promise.all([claim(NOW + 5), claim(NOW + 5)])).sort(), [false, true]);
  await store.entries.delete(entry);
  t.is(await store.entries.get({ ...entry, now: NOW + 5 }), undefined);
  await store.entries.put({ ...entry, value: 'for ever' });
  const behindNul = { ...entry, key: `${entry.key}\0x` };
  t.is(await store.entries.get({ ...behindNul, now: NOW }), undefined, 'NUL ends no text');
  await store.entries.put({ ...behindNul, value: 'another' });
  t.is(await store.entries.get({ ...entry, now: NOW }), 'for ever');
  t.false(await claim(NOW + 8));
  await store.entries.put({ ...entry, namespace: 'other', value: 'theirs' });
  await store.entries.clear({ realm: REALM, namespace: 'plugin' });
  t.is(await store.entries.get({ ...entry, now: NOW }), undefined);
  t.is(await store.entries.get({ ...entry, namespace: 'other', now: NOW }), 'theirs');
});

conformanceCase(
  'entries are listed by the beginning of their keys, and replaced by one of those who know their value',
  async (t, store) => {
    const place = { realm: REALM, namespace: 'plugin' };
    for (const key of ['b/2', 'a', 'b/10', 'b', 'b/\u{1f600}', 'c'])
      await store.entries.put({ ...place, key, value: '1' });
    await store.entries.put({ ...place, key: 'b/0', value: '1', expiresAt: NOW });
    await store.entries.put({ ...place, namespace: 'other', key: 'b/9', value: '1' });
    const list = async (prefix: string, first = 0, max = 9, after?: string) =>
      (await store.entries.list({ ...place, prefix, after, first, max, now: NOW })).map(({ key }) => key);
    t.deepEqual(await list('b/'), ['b/10', 'b/2', 'b/\u{1f600}']);
    t.deepEqual(await list('b/', 0, 9, 'b/10'), ['b/2', 'b/\u{1f600}']);
    t.deepEqual(await list('b/', 0, 1, 'b/11'), ['b/2'], 'one that is not there any more');
    t.deepEqual(await list('b/', 0, 9, 'b/\u{1f600}'), []);
    t.deepEqual(await list('b/', 1, 1), ['b/2']);
    t.is((await list('')).length, 6);
    const expiring = { ...place, key: 'd', value: '2', expiresAt: NOW + 1 };
    await store.entries.put(expiring);
    const whole = await store.entries.listWhole({
      ...place,
      prefix: '',
      after: 'b/\u{1f600}',
      first: 0,
      max: 9,
      now: NOW,
    });
    t.deepEqual(whole, [
      { key: 'c', value: '1' },
      { key: 'd', value: '2', expiresAt: NOW + 1 },
    ]);
    const replace = (expected: object | undefined, value: unknown, key = 'count') =>
      store.entries.replace({
        ...place,
        key,
        now: NOW,
        value: JSON.stringify(value),
        expected: expected && JSON.stringify(expected),
      });
    t.false(await replace({ n: 0 }, 1));
    t.deepEqual((await Promise.all([replace(undefined, { n: 1, m: 1 }), replace(undefined, 2)])).sort(), [false, true]);
    t.false(await replace(undefined, 3));
    const bid = { m: 1, n: 1 };
    t.is((await Promise.all(Array.from({ length: 20 }, () => replace(bid, 'won')))).filter(Boolean).length, 1);
    t.is(await store.entries.get({ ...place, key: 'count', now: NOW }), '"won"');
    t.true(await replace(undefined, 4, 'b/0'), 'what has expired is absent');
  },
);

function event(id: string, time: number, more: Partial<EventRecord> = {}): EventRecord {
  return { id, realm: REALM, kind: 'user', time, type: 'LOGIN', body: `{"id":"${id}"}`, ...more };
}

conformanceCase(
  'an event is written by the first change of the work that it is about, and by no refusal',
  async (t, store) => {
    await store.realms.put(realm, { expectedVersion: 0 });
    const ids = async () => (await store.events.query(REALM, { kind: 'user', oldestFirst: true })).map(({ id }) => id);
    const seen: (boolean | readonly string[])[] = [];
    const answer = await store.withEvents(
      () => [event('grant', NOW)],
      async (isWritten) => {
        t.is(await store.realms.put(realm, { expectedVersion: 7 }), 'conflict');
        t.false(await store.users.remove(REALM, 'nobody'));
        await store.events.append([event('beside', NOW)]);
        seen.push(isWritten(), await ids());
        await Promise.all([store.users.put(user('alice'), { expectedVersion: 0 }), store.sessions.start(session('s'))]);
        seen.push(isWritten(), await ids());
        return 'done';
      },
    );
    t.is(answer, 'done');
    t.deepEqual(seen, [false, ['beside'], true, ['beside', 'grant']]);
    await store.withEvents(
      () => [event('nothing', NOW)],
      () => store.users.remove(REALM, 'nobody'),
    );
    t.deepEqual(await ids(), ['beside', 'grant'], 'work that changes nothing writes none');
    const gate = new EventEmitter();
    const after = store.withEvents(
      () => [event('over', NOW)],
      async () => once(gate, 'open').then(() => store.sessions.end({ realm: REALM, id: 's', offline: false })),
    );
    const unrelated = store.users.put(user('bob'), { expectedVersion: 0 });
    await unrelated;
    t.deepEqual(await ids(), ['beside', 'grant'], 'what others write at the same time carries nothing');
    gate.emit('open');
    await after;
    t.deepEqual(await ids(), ['beside', 'grant', 'over']);
  },
);

conformanceCase(
  'an event that goes to another store waits from its change on, in order, until it is taken there',
  async (t, store) => {
    await store.realms.put(realm, { expectedVersion: 0 });
    const waiting = async (rows = 10, characters = 1000) =>
      (await store.eventOutbox.waiting(REALM, { rows, characters })).map(({ id }) => id);
    await store.events.append([
      event('b', NOW, { position: 5, expiresAt: NOW + 1 }),
      event('a', NOW, { position: 3, isKept: false }),
      event('admin', NOW, { position: 6, kind: 'admin' }),
      event('own', NOW),
    ]);
    t.deepEqual(
      (await store.events.query(REALM, { kind: 'user', oldestFirst: true })).map(({ id }) => id),
      ['b', 'own'],
    );
    t.deepEqual(await store.eventOutbox.waiting(REALM, { rows: 2, characters: 1000 }), [
      { position: 3, id: 'a', kind: 'user', body: '{"id":"a"}' },
      { position: 5, id: 'b', kind: 'user', body: '{"id":"b"}', expiresAt: NOW + 1 },
    ]);
    await store.withEvents(
      () => [event('change', NOW, { position: 7, isKept: false })],
      async () => {
        await store.eventOutbox.remove(REALM, [{ position: 3, id: 'a' }]);
        t.is(await store.realms.put(realm, { expectedVersion: 7 }), 'conflict');
        t.deepEqual(await waiting(), ['b', 'admin']);
        await store.users.put(user('alice'), { expectedVersion: 0 });
      },
    );
    t.deepEqual(await waiting(), ['b', 'admin', 'change']);
    // The event was extended: a plugin that already has the first version gets this one too.
    await store.events.append([event('change', NOW, { position: 8, isKept: false, body: '{"more":1}' })]);
    t.deepEqual([await waiting(), await store.eventOutbox.count(REALM, 3)], [['b', 'admin', 'change', 'change'], 3]);
    // Bodies of 10, 14, 15 and 10 characters. As many as fit into the limit are returned, but always at least one.
    t.deepEqual(
      await Promise.all([1, 10, 23, 24, 38, 39, 1000].map(async (most) => (await waiting(10, most)).length)),
      [1, 1, 1, 2, 2, 3, 4],
    );
    await store.events.append([event('x', NOW, { realm: 'another', position: 1 })]);
    t.deepEqual(await store.eventOutbox.realms(), ['another', REALM].sort());
    t.is(await store.eventOutbox.clear(REALM, 'admin'), 1);
    t.deepEqual(await waiting(), ['b', 'change', 'change']);
    await store.eventOutbox.remove(REALM, [
      { position: 5, id: 'b' },
      { position: 7, id: 'change' },
      { position: 8, id: 'change' },
      { position: 9, id: 'nobody' },
    ]);
    t.deepEqual(await store.eventOutbox.realms(), ['another']);
  },
);

conformanceCase('a change whose event cannot be written is not made', async (t, store) => {
  await store.realms.put(realm, { expectedVersion: 0 });
  const broken = { ...event('e', NOW), body: undefined as never };
  const neighbour = store.users.put(user('bob'), { expectedVersion: 0 });
  await t.throwsAsync(
    store.withEvents(
      () => [broken],
      () => store.users.put(user('alice'), { expectedVersion: 0 }),
    ),
    { code: 'store_conflict' },
  );
  t.is(await store.users.byUsername(REALM, 'alice'), undefined);
  t.is(await store.users.byUsername(REALM, 'bob').then((found) => found?.id), 'id-bob');
  t.like(await neighbour, { version: 1 });
});

conformanceCase(
  'a recording within another one: the change carries what both have, as far as it counts',
  async (t, store) => {
    await store.realms.put(realm, { expectedVersion: 0 });
    const ids = async () => (await store.events.query(REALM, { kind: 'user', oldestFirst: true })).map(({ id }) => id);
    await store.withEvents(
      () => [event('outer', NOW)],
      async () => {
        await store.withEvents(
          () => [event('inner', NOW)],
          async () => {
            await store.sessions.start(session('s'));
            t.deepEqual(await ids(), ['outer']);
            await store.users.put(user('alice'), { expectedVersion: 0 });
          },
          { of: 'users' },
        );
      },
    );
    t.deepEqual(await ids(), ['inner', 'outer']);
  },
);

conformanceCase('events are found newest first by what they say, page by page', async (t, store) => {
  const complete = { clientId: 'web-app', userId: 'u1', ipAddress: '::1', expiresAt: NOW + HOUR };
  await store.events.append([event('a', NOW), event('c', NOW + 1, complete), event('b', NOW + 1, { type: 'LOGOUT' })]);
  await store.events.append([event('a', NOW + 9), event('admin', NOW, { kind: 'admin', type: 'USER-CREATE' })]);
  const ids = async (filter: Omit<Parameters<Store['events']['query']>[1], 'kind'> = {}) =>
    (await store.events.query(REALM, { kind: 'user', ...filter })).map(({ id }) => id);
  t.deepEqual(await store.events.query(REALM, { kind: 'user', max: 1 }), [event('c', NOW + 1, complete)]);
  t.deepEqual(await ids(), ['c', 'b', 'a']);
  t.deepEqual(await ids({ types: ['LOGOUT', 'REGISTER'] }), ['b']);
  t.deepEqual(await ids({ clientId: 'web-app', userId: 'u1', ipAddress: '::1' }), ['c']);
  t.deepEqual(await ids({ from: NOW + 1 }), ['c', 'b']);
  t.deepEqual(await ids({ to: NOW }), ['a']);
  t.deepEqual(await ids({ first: 1, max: 1 }), ['b']);
  t.deepEqual(await ids({ before: { time: NOW + 1, id: 'c' } }), ['b', 'a']);
  t.deepEqual(await ids({ oldestFirst: true, first: 1 }), ['b', 'c']);
  t.deepEqual(await ids({ clientId: 'web-app\0' }), []);
  await store.events.append([
    event('s', NOW + 2, { body: JSON.stringify({ sessionId: 'one', details: { token_id: 'two' } }) }),
  ]);
  t.deepEqual([await ids({ sessionId: 'one' }), await ids({ sessionId: 'two' })], [['s'], []]);
  t.deepEqual([await ids({ tokenId: 'two' }), await ids({ tokenId: 'one' })], [['s'], []]);
  t.is(await store.events.clear(REALM, 'user'), 4);
  t.is((await store.events.query(REALM, { kind: 'admin' })).length, 1);
});

conformanceCase(
  'who looks for new events gets the heads of the newest of both kinds, and then those that it asks for',
  async (t, store) => {
    const many = Array.from({ length: 120 }, (_, index) => event(`e${String(index).padStart(3, '0')}`, NOW + index));
    await store.events.append([...many, event('admin', NOW + 200, { kind: 'admin', type: 'CREATE' })]);
    t.deepEqual(await store.events.heads(REALM, NOW + 118, 10), [
      { id: 'admin', time: NOW + 200 },
      { id: 'e119', time: NOW + 119 },
      { id: 'e118', time: NOW + 118 },
    ]);
    t.deepEqual(
      (await store.events.heads(REALM, 0, 2)).map(({ id }) => id),
      ['admin', 'e119'],
    );
    t.deepEqual(await store.events.heads('another', 0, 10), []);
    t.deepEqual(await store.events.byIds(REALM, ['e001', 'gone', 'e000']), [
      event('e000', NOW),
      event('e001', NOW + 1),
    ]);
    const all = many.map(({ id }) => id);
    t.deepEqual(
      (await store.events.byIds(REALM, all)).map(({ id }) => id),
      all,
    );
    t.deepEqual(await store.events.byIds(REALM, []), []);
  },
);

conformanceCase(
  'events that hold a text are found among as many as may be looked at, oldest first',
  async (t, store) => {
    const holding = (text: string) => ({ body: JSON.stringify({ details: { text } }) });
    await store.events.append([
      event('a', NOW, { userId: 'u1', ...holding('one_id') }),
      event('b', NOW + 1, { userId: 'u1', ...holding('oneXid') }),
      event('c', NOW + 2, { userId: 'u2', ...holding('one_id') }),
      event('d', NOW + 3, { userId: 'u1', ...holding('a one_id of many') }),
      event('e', NOW + 3, { kind: 'admin', type: 'ACTION', userId: 'boss', ...holding('users/50%/one_id') }),
      event('f', NOW + 4, { kind: 'admin', type: 'ACTION', userId: 'boss', ...holding('users/50\\/two') }),
    ]);
    const found = async (more: object) => {
      const asked = { text: 'one_id', of: { userId: 'u1' }, from: NOW, among: 10, max: 10, ...more };
      const { events, isCut } = await store.events.naming(REALM, asked);
      return [events.map(({ id }) => id).join(''), isCut];
    };
    t.deepEqual(await found({}), ['ad', false]);
    t.deepEqual(await found({ from: NOW + 1 }), ['d', false]);
    t.deepEqual(await found({ max: 1 }), ['a', true]);
    t.deepEqual(await found({ among: 2 }), ['a', true], 'the third is not looked at');
    t.deepEqual(await found({ among: 3 }), ['ad', false]);
    t.deepEqual(await found({ of: { kind: 'admin' } }), ['e', false]);
    t.deepEqual(await found({ of: { kind: 'admin' }, text: '50%' }), ['e', false]);
    t.deepEqual(await found({ of: { kind: 'user' } }), ['acd', false]);
    t.deepEqual(await found({ of: { userId: 'u1\0' }, text: 'a\0' }), ['', false]);
  },
);

conformanceCase('imported users come after others have gone, all of them or none', async (t, store) => {
  await store.realms.put(realm, {
    expectedVersion: 0,
    users: [user('alice', { email: 'a@example.org' }), user('bob')],
  });
  await store.sessions.start(session('s', { userId: 'id-alice' }), clientSession('s'));
  const put = (users: UserRecord[], removed: string[] = [], emailUnique = true) =>
    store.realms.put(realm, { expectedVersion: 1, imported: { users, removed, emailUnique } });
  const newcomer = user('carol');
  for (const taken of [
    user('alice', { id: 'new' }),
    user('x', { id: 'id-bob' }),
    user('y', { email: 'a@example.org' }),
  ]) {
    t.is(await put([newcomer, taken]), 'conflict', taken.username);
  }
  t.is(await store.users.byUsername(REALM, 'carol'), undefined);
  const again = user('alice', { id: 'new', email: 'a@example.org' });
  t.deepEqual(await put([newcomer, again], ['id-alice']), { version: 2, usersCreated: 2 });
  t.deepEqual(await store.users.byUsername(REALM, 'alice'), again);
  t.is(await store.sessions.get(onlineSessionKey('s')), undefined);
});

conformanceCase('keys change their state and go with the realm, or not at all', async (t, store) => {
  const keys = [key('a'), key('b'), key('c')];
  await store.realms.put(realm, { expectedVersion: 0, keys });
  await store.keys.add([key('a', { realm: 'other' })]);
  const changes = { keyStates: [{ kid: 'a', status: 'PASSIVE' as const, priority: 7 }], removedKeys: ['b', 'unknown'] };
  t.is(await store.realms.put(realm, { expectedVersion: 0, ...changes }), 'conflict');
  const states = async (name: string) =>
    (await store.keys.list(name)).map(({ kid, status, priority }) => [kid, status, priority]).sort();
  t.is((await states(REALM)).length, 3);
  await store.realms.put(realm, { expectedVersion: 1, ...changes, keys: [key('d')] });
  t.deepEqual(await states(REALM), [
    ['a', 'PASSIVE', 7],
    ['c', 'ACTIVE', 100],
    ['d', 'ACTIVE', 100],
  ]);
  t.deepEqual(await states('other'), [['a', 'ACTIVE', 100]]);
});

conformanceCase('admin events are found by what was changed, and whose admin changed it', async (t, store) => {
  const admin = (id: string, resourceType: string, resourcePath: string, realmId = 'master-id') => {
    const body = JSON.stringify({ id, resourceType, resourcePath, authDetails: { realmId } });
    return event(id, NOW, { kind: 'admin', type: 'UPDATE', body });
  };
  await store.events.append([
    admin('a', 'USER', 'users/1'),
    admin('b', 'USER', 'users/1_/role-mappings', 'demo-id'),
    admin('c', 'CLIENT', 'clients/1'),
  ]);
  const ids = async (filter: Omit<Parameters<Store['events']['query']>[1], 'kind'>) =>
    (await store.events.query(REALM, { kind: 'admin', ...filter })).map(({ id }) => id);
  t.deepEqual(await ids({ resourceTypes: ['CLIENT', 'GROUP'] }), ['c']);
  t.deepEqual(await ids({ authRealmId: 'demo-id' }), ['b']);
  t.deepEqual(await ids({ resourcePath: 'users/1' }), ['a']);
  t.deepEqual(await ids({ resourcePath: 'users/*' }), ['b', 'a']);
  t.deepEqual(await ids({ resourcePath: 'users/__*' }), []);
  t.deepEqual(await ids({ resourcePath: '%' }), []);
});

conformanceCase('a session keeps when its user proved who they are, until they prove it again', async (t, store) => {
  await store.sessions.start(session('s', { authTime: 70 }), clientSession('s'));
  await store.sessions.attach(clientSession('s', { clientUuid: 'spa' }));
  t.is((await store.sessions.get(onlineSessionKey('s')))?.authTime, 70);
  await store.sessions.attach(clientSession('s', { clientUuid: 'spa' }), undefined, { authTime: 77 });
  t.is((await store.sessions.get(onlineSessionKey('s')))?.authTime, 77);
});

conformanceCase(
  'a session is found with its client session, listed, and ended with everything in it',
  async (t, store) => {
    const alice = session('s1', {
      ipAddress: '10.0.0.1',
      authTime: 1_800_000_000,
      notes: { a: 'ä' },
      rememberMe: true,
    });
    await store.sessions.start(alice, clientSession('s1', { notes: { n: '1' } }), family('f1', 's1'));
    t.true(await store.sessions.attach(clientSession('s1', { clientUuid: 'spa', startedAt: NOW + 1 })));
    t.false(await store.sessions.attach(clientSession('gone')));
    await store.sessions.start(session('s2', { startedAt: NOW + 5 }), clientSession('s2'));
    await store.sessions.start(
      session('s3', { userId: 'id-bob', offline: true }),
      clientSession('s3', { offline: true }),
    );
    t.deepEqual(await store.sessions.get(onlineSessionKey('s1')), alice);
    t.deepEqual(await store.sessions.find(onlineSessionKey('s1'), 'web-app'), {
      session: alice,
      clientSession: clientSession('s1', { notes: { n: '1' } }),
    });
    t.deepEqual(await store.sessions.find(onlineSessionKey('s1'), 'unknown'), {
      session: alice,
      clientSession: undefined,
    });
    t.is(await store.sessions.find(onlineSessionKey('s1', 'other'), 'web-app'), undefined);
    const clients = (await store.sessions.clientSessions(onlineSessionKey('s1'))).map(({ clientUuid }) => clientUuid);
    t.deepEqual(clients, ['web-app', 'spa']);
    const ids = async (filter: Parameters<Store['sessions']['list']>[1]) =>
      (await store.sessions.list(REALM, filter)).map(({ id }) => id);
    t.deepEqual(await ids({ userId: 'id-alice' }), ['s1', 's2']);
    t.deepEqual(await ids({ clientUuid: 'spa' }), ['s1']);
    t.deepEqual(await ids({ first: 1, max: 1 }), ['s2']);
    t.deepEqual(await ids({ offline: true }), ['s3']);
    t.deepEqual(await ids({ clientUuid: 'web-app', offline: false, max: 1 }), ['s1']);
    t.deepEqual(await ids({ userId: 'id-alice', aliveAt: NOW + HOUR }), []);
    t.is((await ids({ aliveAt: NOW + HOUR - 1 })).length, 3);
    const counts = async (filter: Parameters<Store['sessions']['countByClient']>[1]) =>
      (await store.sessions.countByClient(REALM, filter)).map((count) => Object.values(count).join(' ')).sort();
    t.deepEqual(await counts({}), ['spa false 1', 'web-app false 2', 'web-app true 1']);
    t.deepEqual(await counts({ clientUuid: 'web-app', offline: true }), ['web-app true 1']);
    t.deepEqual(await counts({ aliveAt: NOW + HOUR }), []);
    t.is(await store.sessions.endAll(REALM, { userId: 'id-alice', except: 's2' }), 1);
    t.is(await store.sessions.endAll(REALM, { userId: 'id-alice' }), 1);
    t.is((await store.families.rotate(rotation('token-0', 'token-1', { family: 'f1' }))).outcome, 'absent');
    t.deepEqual(await ids({}), ['s3']);
    t.false(await store.sessions.end(onlineSessionKey('s3')), 'it is an offline one');
    t.true(await store.sessions.end({ ...onlineSessionKey('s3'), offline: true }));
    t.false(await store.sessions.end({ ...onlineSessionKey('s3'), offline: true }));
  },
);

conformanceCase(
  'detaching a client revokes its refresh tokens and ends the session with the last one',
  async (t, store) => {
    await store.sessions.start(session('s'), clientSession('s'), family('f1', 's'));
    await store.sessions.attach(clientSession('s', { clientUuid: 'spa' }), family('f2', 's', { clientUuid: 'spa' }));
    t.true(await store.sessions.detach(onlineSessionKey('s'), 'web-app', { endIfLast: true }));
    t.false(await store.sessions.detach(onlineSessionKey('s'), 'web-app', { endIfLast: true }));
    t.is((await store.families.rotate(rotation('token-0', 'x', { family: 'f1' }))).outcome, 'absent');
    t.is((await store.families.rotate(rotation('token-0', 'x', { family: 'f2' }))).outcome, 'rotated');
    t.true(await store.sessions.detach(onlineSessionKey('s'), 'spa'));
    t.not(await store.sessions.get(onlineSessionKey('s')), undefined);
    await store.sessions.detach(onlineSessionKey('s'), 'spa', { endIfLast: true });
    t.is(await store.sessions.get(onlineSessionKey('s')), undefined);
  },
);

conformanceCase('a login and its offline session have one id and live apart', async (t, store) => {
  const offline = { ...onlineSessionKey('s'), offline: true };
  const away = { userId: 'id-alice', offline: true, startedAt: NOW + 10, lastRefresh: NOW + 10 };
  const join = async (at: number, more: object = {}, familyId = `f-${at}`) => {
    const [outcome] = await commitOutcomes(store, [
      {
        op: 'sessions.join',
        args: [
          session('s', { ...away, startedAt: NOW + at, lastRefresh: NOW + at, expiresAt: NOW + at + HOUR }),
          clientSession('s', { offline: true, startedAt: NOW + at, lastRefresh: NOW + at, ...more }),
          family(familyId, 's', { offline: true }),
        ],
      },
    ]);
    const { session: user, clientSession: client } = outcome as JoinedSession;
    return [user.startedAt - NOW, client.startedAt - NOW];
  };
  await store.sessions.start(session('s'), clientSession('s'), family('f', 's'));
  t.deepEqual(await join(10), [10, 10]);
  t.deepEqual(await join(20), [10, 10], 'who joins again goes on');
  t.deepEqual(await join(30, { clientUuid: 'spa' }), [10, 30]);
  t.is((await store.sessions.get(onlineSessionKey('s')))?.offline, false);
  const kept = await store.sessions.find(offline, 'web-app');
  t.deepEqual([kept?.session.lastRefresh, kept?.clientSession?.offline], [NOW + 30, true]);
  t.is((await store.sessions.clientSessions(onlineSessionKey('s'))).length, 1);
  t.is((await store.sessions.clientSessions(offline)).length, 2);
  const listed = (await store.sessions.list(REALM, {})).map(({ id, offline: away }) => [id, away]);
  t.deepEqual(listed, [
    ['s', false],
    ['s', true],
  ]);
  t.is((await store.sessions.list(REALM, { clientUuid: 'spa' })).length, 1);
  const counts = await store.sessions.countByClient(REALM, { clientUuid: 'web-app' });
  t.deepEqual(counts.map((count) => [count.offline, count.sessions]).sort(), [
    [false, 1],
    [true, 1],
  ]);
  store.sessions.touch(offline, 'web-app', NOW + 50, NOW + 50 + HOUR);
  t.is((await store.sessions.get(onlineSessionKey('s')))?.lastRefresh, NOW);
  t.true(await store.sessions.detach(onlineSessionKey('s'), 'web-app', { endIfLast: true }));
  t.is(await store.sessions.get(onlineSessionKey('s')), undefined);
  t.is((await store.families.rotate(rotation('token-0', 'x'))).outcome, 'absent');
  t.is((await store.families.rotate(rotation('token-0', 'x', { family: 'f-10' }))).outcome, 'rotated');
  t.is((await store.families.rotate(rotation('token-0', 'y', { family: 'f-10' }))).outcome, 'reused');
  t.is((await store.sessions.find(offline, 'web-app'))?.clientSession, undefined);
  const after = 2 * HOUR;
  t.deepEqual(await join(after), [after, after], 'one that has expired is begun anew');
  t.is((await store.sessions.find(offline, 'spa'))?.clientSession, undefined);
  await store.sessions.start(session('s', { expiresAt: NOW }), clientSession('s'));
  await store.sweep({ now: NOW + 1 });
  t.is(await store.sessions.get(onlineSessionKey('s')), undefined);
  t.is((await store.sessions.clientSessions(offline)).length, 1, 'the offline one is not swept with it');
  t.is(await store.sessions.endAll(REALM, { except: 's' }), 0, 'a login stays with its offline session');
});

async function commitOutcomes(store: Store, steps: readonly CommitStep[]): Promise<readonly unknown[]> {
  const result = await store.commit(steps);
  if (!result.committed) throw new Error('a step was not taken');
  return result.outcomes;
}

conformanceCase('a use of a session is seen at once, and the newest use wins', async (t, store) => {
  await store.sessions.start(session('s'), clientSession('s'));
  store.sessions.touch(onlineSessionKey('s'), 'web-app', NOW + 50, NOW + 50 + HOUR);
  store.sessions.touch(onlineSessionKey('s'), 'web-app', NOW + 20, NOW + 20 + HOUR);
  store.sessions.touch(onlineSessionKey('gone'), 'web-app', NOW, NOW);
  const check = async () => {
    const found = await store.sessions.find(onlineSessionKey('s'), 'web-app');
    t.is(found?.session.lastRefresh, NOW + 50);
    t.is(found?.session.expiresAt, NOW + 50 + HOUR);
    t.is(found?.clientSession?.lastRefresh, NOW + 50);
  };
  await check();
  t.is((await store.sweep({ now: NOW + HOUR })).removed, 0, 'a session in use is not swept');
  await check();
});

function rotation(presented: string, next: string, more: Partial<Parameters<FamilyStore['rotate']>[0]> = {}) {
  return { realm: REALM, family: 'f', presented, next, maxReuse: 0, now: NOW, expiresAt: NOW + HOUR, ...more };
}

conformanceCase('of many that present one refresh token one is served, and then nobody', async (t, store) => {
  await store.sessions.start(session('s'), clientSession('s'), family('f', 's'));
  await store.sessions.attach(clientSession('s'), family('second-login', 's'));
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) => store.families.rotate(rotation('token-0', `next-${index}`))),
  );
  t.deepEqual(outcomes[0], { outcome: 'rotated', uses: 1 });
  t.deepEqual(outcomes[1], { outcome: 'reused' });
  for (const outcome of outcomes.slice(2)) t.deepEqual(outcome, { outcome: 'absent' });
  t.deepEqual(await store.families.rotate(rotation('next-0', 'x')), { outcome: 'absent' });
  t.deepEqual(await store.families.rotate(rotation('token-0', 'x', { family: 'second-login' })), { outcome: 'absent' });
  const found = await store.sessions.find(onlineSessionKey('s'), 'web-app');
  t.is(found?.clientSession, undefined);
  t.is(found?.session.id, 's', 'the user session stays');
});

conformanceCase('a refresh token is good for the allowed reuses until a newer one is used', async (t, store) => {
  await store.sessions.start(session('s'), clientSession('s'), family('f', 's'));
  const rotate = async (presented: string, next: string) =>
    store.families.rotate(rotation(presented, next, { maxReuse: 2 }));
  t.deepEqual(await rotate('token-0', 'a1'), { outcome: 'rotated', uses: 1 });
  t.deepEqual(await rotate('token-0', 'a2'), { outcome: 'rotated', uses: 2 });
  t.deepEqual(await rotate('token-0', 'a3'), { outcome: 'rotated', uses: 3 });
  t.deepEqual(await rotate('a2', 'b1'), { outcome: 'rotated', uses: 1 }, 'each token that a reuse brought is good');
  t.deepEqual(await rotate('a2', 'b2'), { outcome: 'rotated', uses: 2 });
  t.deepEqual(await rotate('a1', 'x'), { outcome: 'stale' }, 'its sibling was used since');
  t.deepEqual(await rotate('b1', 'x'), { outcome: 'absent' });
  t.is((await store.sessions.find(onlineSessionKey('s'), 'web-app'))?.clientSession, undefined);
});

conformanceCase('one use too many and an older token end the family', async (t, store) => {
  for (const id of ['f1', 'f2']) {
    await store.sessions.start(session(id), clientSession(id), family(id, id));
  }
  const rotate = (id: string, presented: string, next: string) =>
    store.families.rotate(rotation(presented, next, { family: id, maxReuse: 1 }));
  await rotate('f1', 'token-0', 'token-1');
  await rotate('f1', 'token-0', 'token-2');
  t.deepEqual(await rotate('f1', 'token-0', 'token-3'), { outcome: 'reused' });
  t.deepEqual(await rotate('f1', 'token-2', 'x'), { outcome: 'absent' });
  await rotate('f2', 'token-0', 'token-1');
  await rotate('f2', 'token-1', 'token-2');
  t.deepEqual(await rotate('f2', 'token-0', 'x'), { outcome: 'stale' });
});

conformanceCase('a family is good until it expires or is revoked', async (t, store) => {
  for (const id of ['a', 'b', 'c']) await store.sessions.start(session(id), clientSession(id), family(id, id));
  t.is((await store.families.rotate(rotation('token-0', 'n', { family: 'a', now: NOW + HOUR }))).outcome, 'absent');
  t.is(await store.families.revoke(REALM, { family: 'a' }), 1);
  t.is(await store.families.revoke(REALM, { sessionId: 'b' }), 1);
  t.is(await store.families.revoke(REALM, { userId: 'id-alice' }), 1);
  t.is((await store.families.rotate(rotation('token-0', 'n', { family: 'c' }))).outcome, 'absent');
});

conformanceCase('an entry is claimed together with another one, or neither is written', async (t, store) => {
  const of = (key: string) => ({ realm: REALM, namespace: 'n', key });
  const both = (value: string) =>
    store.commit([
      { op: 'entries.claim', args: { ...of('claim'), value, expiresAt: NOW + 10, now: NOW }, require: true },
      { op: 'entries.put', args: { ...of(value), value } },
    ]);
  const taken = await Promise.all(['1', '2', '3'].map(both));
  t.is(taken.filter(({ committed }) => committed).length, 1);
  const winner = await store.entries.get({ ...of('claim'), now: NOW });
  t.deepEqual(
    (await store.entries.list({ realm: REALM, namespace: 'n', prefix: '', first: 0, max: 9, now: NOW })).map(
      ({ key }) => key,
    ),
    [winner, 'claim'],
  );
});

conformanceCase('several writes happen together or not at all', async (t, store) => {
  const code = { realm: REALM, kind: 'authorization-code', keyHash: 'code' };
  await store.tickets.issue({ ...code, payload: 'p', expiresAt: NOW + 10 });
  const login = (id: string) =>
    store.commit([
      { op: 'events.append', args: [event(id, NOW)] },
      { op: 'sessions.start', args: [session(id), clientSession(id), family(id, id)] },
      { op: 'tickets.redeem', args: { ...code, now: NOW }, require: 'first' },
    ]);
  const [first, second] = await Promise.all([login('one'), login('two')]);
  t.deepEqual(first, { committed: true, outcomes: [undefined, undefined, { outcome: 'first', payload: 'p' }] });
  t.deepEqual(second, {
    committed: false,
    failed: 2,
    outcome: { outcome: 'replayed', payload: 'p' },
  });
  t.deepEqual(
    (await store.sessions.list(REALM, {})).map(({ id }) => id),
    ['one'],
  );
  t.is((await store.events.query(REALM, { kind: 'user' })).length, 1);
  const mark = { realm: REALM, kind: 'jti', keyHash: 'm', now: NOW, expiresAt: NOW + 1 };
  const attach = await store.commit([
    { op: 'marks.claim', args: mark, require: true },
    { op: 'sessions.attach', args: [clientSession('gone')], require: true },
  ]);
  t.deepEqual(attach, { committed: false, failed: 1, outcome: false });
  t.true(await store.marks.claim(mark), 'the claim was undone');
  const answer = { ...code, kind: 'answer', payload: 'yes', expiresAt: NOW + 10 };
  const say = (payload: string) =>
    store.commit([
      { op: 'marks.claim', args: { ...mark, keyHash: payload }, require: true },
      { op: 'tickets.issue', args: { ...answer, payload }, require: 'issued' },
    ]);
  const answers = ['yes', 'no'] as const;
  const said = await Promise.all(answers.map(say));
  // The engine decides which of the two is first, because each may have its own connection.
  const [given, refused] = said[0]?.committed === true ? answers : [answers[1], answers[0]];
  t.deepEqual(said[answers.indexOf(given)], { committed: true, outcomes: [true, 'issued'] });
  t.deepEqual(said[answers.indexOf(refused)], { committed: false, failed: 1, outcome: 'exists' });
  t.is(await store.tickets.get({ ...answer, now: NOW }), given);
  t.true(await store.marks.claim({ ...mark, keyHash: refused }));
});

conformanceCase('a write that fails leaves what was asked for beside it alone', async (t, store) => {
  await store.sessions.start(session('s'), clientSession('s'));
  const claim = (keyHash: string) =>
    store.marks.claim({ realm: REALM, kind: 'k', keyHash, now: NOW, expiresAt: NOW + 1 });
  const [before, failed, uncopyable, unsayable, after] = await Promise.allSettled([
    claim('before'),
    store.sessions.start(session('s'), clientSession('s')),
    store.entries.put({ realm: REALM, namespace: 'n', key: 'k', value: (() => '') as unknown as string }),
    store.sessions.start(session('t', { notes: { n: 1n as unknown as string } })),
    claim('after'),
  ]);
  t.deepEqual(
    [before, after],
    [
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: true },
    ],
  );
  t.like(failed, { status: 'rejected', reason: { name: 'HostError', code: 'store_conflict', status: 500 } });
  for (const outcome of [uncopyable, unsayable])
    t.like(outcome, { status: 'rejected', reason: { name: 'HostError', code: 'store_error', status: 500 } });
});

conformanceCase(
  'counts of events add up and sketches of users are merged; both go with their realm and when they expire',
  async (t, store) => {
    const other = { id: 'other-id', name: 'other', representation: { realm: 'other' } };
    await store.realms.put(realm, { expectedVersion: 0 });
    await store.realms.put(other, { expectedVersion: 0 });
    const count = (of: string, hour: number, total: number, about = '') =>
      ({ realm: of, hour, type: 'LOGIN', clientId: 'web', about, total }) as const;
    const users = (...names: string[]) => {
      const sketch = new UserSketch();
      for (const name of names) sketch.add(createHash('sha256').update(name).digest());
      return sketch.toString();
    };
    const add = (counts: Parameters<typeof store.statistics.add>[0], ...sketches: [string, number, string][]) =>
      store.statistics.add(
        counts,
        sketches.map(([of, day, sketch]) => ({ realm: of, day, sketch })),
        { expireAfter: HOUR },
      );
    await Promise.all([
      add([count(REALM, 0, 2), count(REALM, HOUR, 1)], [REALM, 0, users('alice', 'bob')]),
      add(
        [count(REALM, 0, 3), count(REALM, 0, 1, 'x')],
        [REALM, 0, users('bob', 'carol')],
        ['other', 0, users('alice')],
      ),
      add([count('other', 0, 7), count('gone', 0, 7)], ['gone', 0, users('alice')]),
    ]);
    const all = { from: 0, to: 2 * HOUR };
    const told = async (of?: string, within = all) =>
      (await store.statistics.counts(of, within)).map(({ hour, about, total }) => [hour, about, total]);
    t.deepEqual(await told(REALM), [
      [0, '', 5],
      [0, 'x', 1],
      [HOUR, '', 1],
    ]);
    t.deepEqual(await told(REALM, { from: 0, to: HOUR }), [
      [0, '', 5],
      [0, 'x', 1],
    ]);
    t.deepEqual((await told())[0], [0, '', 12], 'of all realms, and not of one that is gone');
    const active = async (of?: string) =>
      (await store.statistics.actives(of, all)).map(({ sketch }) => UserSketch.of(sketch).count());
    t.deepEqual(await active(REALM), [3]);
    t.deepEqual((await active()).sort(), [1, 3]);
    const failure = { ...count('other', 0, 4, 'invalid_user_credentials'), type: 'LOGIN_ERROR' };
    await add([failure, count('other', HOUR, 9, 'impersonation'), { ...count('other', HOUR, 9), type: 'LOGOUT' }]);
    await add([{ ...count('other', HOUR, 9, 'session'), clientId: 'keyhost-desk' }]);
    const [most, second] = [
      { realm: 'other', signIns: 7, failures: 4 },
      { realm: REALM, signIns: 7, failures: 0 },
    ];
    t.deepEqual(await store.statistics.busiestRealms(all, 2), [most, second]);
    t.deepEqual(await store.statistics.busiestRealms(all, 1), [most]);
    t.deepEqual(await store.statistics.busiestRealms({ from: HOUR, to: 2 * HOUR }, 2), [
      { realm: REALM, signIns: 1, failures: 0 },
    ]);
    await store.sweep({ now: HOUR + 1 });
    t.deepEqual([await told(REALM), await active()], [[[HOUR, '', 1]], []]);
    await store.realms.remove(REALM);
    t.deepEqual(await told(REALM), []);
  },
);

conformanceCase('sweeping removes what has expired, a bounded number at a time, and nothing else', async (t, store) => {
  const tickets = Array.from({ length: 1450 }, (_, index) => ({
    realm: REALM,
    kind: 'k',
    keyHash: `${index}`,
    payload: '',
    expiresAt: NOW,
  }));
  await Promise.all(tickets.map((ticket) => store.tickets.issue(ticket)));
  await store.tickets.issue({ realm: REALM, kind: 'k', keyHash: 'alive', payload: '', expiresAt: NOW + 1 });
  for (const [id, expiresAt] of [
    ['old', NOW],
    ['alive', NOW + 1],
  ] as const) {
    await store.sessions.start(session(id, { expiresAt }), clientSession(id), family(id, id));
    await store.marks.claim({ realm: REALM, kind: 'm', keyHash: id, now: 0, expiresAt });
    await store.entries.put({ realm: REALM, namespace: 'n', key: id, value: '1', expiresAt });
    await store.counters.bump({ realm: REALM, subject: id, now: 0, windowMs: expiresAt });
    await store.events.append([event(id, NOW, { expiresAt, position: expiresAt })]);
  }
  await store.events.append([event('kept', NOW, { position: NOW })]);
  await store.entries.put({ realm: REALM, namespace: 'n', key: 'kept', value: '1' });
  let swept = await store.sweep({ now: NOW });
  const calls = [swept.removed];
  t.true(swept.removed <= 200);
  while (swept.rest !== undefined) {
    swept = await store.sweep({ now: NOW, limit: 10_000, from: swept.rest });
    calls.push(swept.removed);
  }
  t.true(calls.every((removed) => removed <= 1000));
  t.is(
    calls.reduce((sum, removed) => sum + removed),
    1450 + 3 + 5,
  );
  t.is(await store.sessions.get(onlineSessionKey('old')), undefined);
  t.deepEqual(await store.sessions.clientSessions(onlineSessionKey('old')), []);
  t.not((await store.sessions.find(onlineSessionKey('alive'), 'web-app'))?.clientSession, undefined);
  t.is((await store.families.rotate(rotation('token-0', 'n', { family: 'alive' }))).outcome, 'rotated');
  t.is((await store.tickets.redeem({ realm: REALM, kind: 'k', keyHash: 'alive', now: NOW })).outcome, 'first');
  t.deepEqual(
    (await store.events.query(REALM, { kind: 'user' })).map(({ id }) => id),
    ['kept', 'alive'],
  );
  const waiting = await store.eventOutbox.waiting(REALM, { rows: 10, characters: 1000 });
  t.deepEqual(
    waiting.map(({ id }) => id),
    ['kept', 'alive'],
  );
});

conformanceCase('what was asked for before closing is done, and what comes later is refused', async (t, store) => {
  const issued = store.tickets.issue({ realm: REALM, kind: 'k', keyHash: 'h', payload: '', expiresAt: NOW });
  const closed = store.close();
  t.is(await issued, 'issued');
  await closed;
  const refused = { name: 'HostError', code: 'store_unavailable' };
  await t.throwsAsync(store.marks.claim({ realm: REALM, kind: 'k', keyHash: 'h', now: 0, expiresAt: 1 }), refused);
  await t.throwsAsync(store.users.count(REALM), refused);
});
