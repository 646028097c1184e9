import test from 'ava';
import { copyStore } from '../../core/store/open-store.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import type { Store } from '../../core/store/store.js';
import { NOW, REALM, user } from './records.js';
import { temporaryDirectory } from './temporary-directory.js';

const NAMESPACE = '/user-loads';
const realm = { id: REALM, name: REALM, representation: { realm: REALM } };
const manyUsers = (count: number) => Array.from({ length: count }, (_, index) => user(`user-${index}`));
const loads = (store: Store, of = '') =>
  store.entries.list({ realm: of, namespace: NAMESPACE, prefix: '', first: 0, max: 1000, now: NOW });

/** Makes a store as a process leaves it that is killed after 120 users of an import. The realm has one user more. */
async function abandonLoad(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir });
  const ids = manyUsers(120).map(({ id }) => id);
  await store.realms.put(realm, { expectedVersion: 0, users: [user('alice'), ...manyUsers(120)] });
  await store.entries.put({ realm: '', namespace: NAMESPACE, key: REALM, value: 'true' });
  for (const first of [0, 50, 100]) {
    const value = JSON.stringify(ids.slice(first, first + 50));
    await store.entries.put({ realm: REALM, namespace: NAMESPACE, key: `${first}`, value });
  }
  await store.close();
}

test('import of users: those that a killed process has left are removed when the store is opened', async (t) => {
  const dataDir = await temporaryDirectory(t);
  await abandonLoad(dataDir);
  const store = await openStore({ dataDir });
  t.is(await store.users.count(REALM), 1);
  t.deepEqual([...(await loads(store)), ...(await loads(store, REALM))], []);
  await store.close();
});

test('import of users: those that a killed process has left are not copied', async (t) => {
  const [from, to] = [await temporaryDirectory(t), await temporaryDirectory(t)];
  await abandonLoad(from);
  await copyStore({ dataDir: from, postgresql: undefined }, { dataDir: to, postgresql: undefined });
  const store = await openStore({ dataDir: to });
  t.is(await store.users.count(REALM), 1);
  await store.close();
});

test('import of users: another process that tries to open the store removes none of them', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const store = await openStore({ dataDir });
  const importing = store.realms.put(realm, { expectedVersion: 0, users: manyUsers(1000) });
  while ((await loads(store)).length === 0)
    await store.marks.claim({ realm: REALM, kind: 'k', keyHash: 'k', now: NOW, expiresAt: NOW + 1 });
  await t.throwsAsync(openStore({ dataDir }), { code: 'store_locked' });
  t.like(await importing, { usersCreated: 1000 });
  t.is(await store.users.count(REALM), 1000);
  await store.close();
});

test('import of users: one that a stop interrupts leaves none', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const store = await openStore({ dataDir });
  await store.realms.put(realm, { expectedVersion: 0 });
  const importing = t.throwsAsync(store.realms.put(realm, { expectedVersion: 1, users: manyUsers(1000) }), {
    code: 'store_unavailable',
  });
  while ((await store.users.count(REALM)) === 0)
    await store.marks.claim({ realm: REALM, kind: 'k', keyHash: 'k', now: NOW, expiresAt: NOW + 1 });
  await store.close();
  await importing;
  const again = await openStore({ dataDir });
  t.is(await again.users.count(REALM), 0);
  t.deepEqual(await loads(again), []);
  await again.close();
});
