import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { Store } from '../../core/store/store.js';
import { eventually } from '../helpers/eventually.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { clientSession, HOUR, key, NOW, onlineSessionKey, REALM, session, user } from './records.js';

interface Scene {
  /** Two stores on one database. */
  readonly stores: readonly [Store, Store];
  /** A connection that holds the locks for which the stores must wait. */
  readonly lockHolder: pg.Client;
  /** Resolves when at least `count` statements of the database wait for a lock. */
  readonly waitForBlocked: (count: number) => Promise<unknown>;
  /**
   * The number of deadlocks that the server has resolved. Closes the stores, because PostgreSQL counts the deadlocks of
   * a connection when the connection ends.
   */
  readonly countDeadlocks: () => Promise<number>;
}

/** Registers a test in which one connection holds rows, so that operations meet at a defined moment. */
function testWithLockHolder(title: string, run: (t: ExecutionContext, scene: Scene) => Promise<void>): void {
  testPostgresql(title, async (t: ExecutionContext) => {
    t.timeout(60_000);
    const server = await sharedPostgresql();
    const settings = await server.database();
    const stores = await Promise.all([openPostgresqlStore(settings), openPostgresqlStore(settings)]);
    const holder = await server.client(settings.database);
    const ofDatabase = `datname = '${settings.database}'`;
    const waiting = (count: number) =>
      eventually(async () => {
        const sql = `SELECT 1 FROM pg_stat_activity WHERE ${ofDatabase} AND wait_event_type = 'Lock'`;
        return (await server.run(sql)).rows.length >= count;
      });
    const deadlocks = async () => {
      await Promise.all(stores.map((store) => store.close()));
      await eventually(async () => {
        const sql = `SELECT 1 FROM pg_stat_activity WHERE ${ofDatabase} AND application_name = 'keyhost'`;
        return (await server.run(sql)).rows.length === 0;
      });
      return Number((await server.run(`SELECT deadlocks FROM pg_stat_database WHERE ${ofDatabase}`)).rows[0].deadlocks);
    };
    try {
      await run(t, {
        stores: [stores[0], stores[1]],
        lockHolder: holder,
        waitForBlocked: waiting,
        countDeadlocks: deadlocks,
      });
    } finally {
      await holder.end();
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

const realm = (name: string) => ({ id: `id of ${name}`, name, representation: { realm: name } });

testWithLockHolder(
  'PostgreSQL locks: a mark that is claimed anew while it is swept stays claimed',
  async (t, scene) => {
    const { stores, lockHolder, waitForBlocked } = scene;
    const [store] = stores;
    const mark = { realm: REALM, kind: 'jti', keyHash: 'h' };
    await store.marks.claim({ ...mark, now: NOW, expiresAt: NOW + 1 });
    // The first half of a claim by another node.
    await lockHolder.query(`BEGIN; UPDATE marks SET expires_at = ${NOW + HOUR} WHERE kind = 'jti'`);
    const sweeping = store.sweep({ now: NOW + 2 });
    await Promise.race([sweeping, waitForBlocked(1)]);
    await lockHolder.query('COMMIT');
    await sweeping;
    t.true(await store.marks.has({ ...mark, now: NOW + 2 }));
  },
);

testWithLockHolder(
  'PostgreSQL locks: rows that others keep do not keep the sweeper from the rest',
  async (t, { stores, lockHolder }) => {
    const marks = Array.from({ length: 300 }, (_, n) => ({ realm: REALM, kind: 'jti', keyHash: `${n}` }));
    for (const mark of marks) await stores[0].marks.claim({ ...mark, now: NOW, expiresAt: NOW + 1 });
    await stores[0].sessions.start(session('s', { expiresAt: NOW + 1 }), clientSession('s'));
    await lockHolder.query("BEGIN; SELECT * FROM marks WHERE key_hash = '0' FOR UPDATE");
    await lockHolder.query("SELECT * FROM user_sessions WHERE id = 's' FOR UPDATE");
    const sweepAll = async (store: Store) => {
      let swept = await store.sweep({ now: NOW + 2 });
      let { removed } = swept;
      while (swept.rest !== undefined) {
        swept = await store.sweep({ now: NOW + 2, from: swept.rest });
        removed += swept.removed;
      }
      return removed;
    };
    // Two sweeps run at the same time, and neither waits for the other.
    const removed = await Promise.all(stores.map(sweepAll));
    t.is(
      removed.reduce((sum, count) => sum + count),
      299,
    );
    t.is(
      (await stores[0].sessions.find(onlineSessionKey('s'), 'web-app'))?.clientSession?.sessionId,
      's',
      'with what it owns',
    );
    await lockHolder.query('ROLLBACK');
    t.is(await sweepAll(stores[0]), 3);
    t.is(await stores[0].sessions.get(onlineSessionKey('s')), undefined);
  },
);

testWithLockHolder(
  'PostgreSQL locks: what a sweep looks at grows with what it removes, and not with each deletion',
  async (t, { stores, lockHolder }) => {
    const [store] = stores;
    const expired = `'${REALM}', 'n-' || n`;
    await lockHolder.query(
      `INSERT INTO marks (realm, kind, key_hash, expires_at) SELECT ${expired}, 'h', n FROM generate_series(1, 20000) n`,
    );
    await lockHolder.query(
      'INSERT INTO user_sessions (realm, id, offline, user_id, started_at, last_refresh, expires_at, remember_me, auth_method, notes) ' +
        `SELECT ${expired}, 0, 'u', 0, 0, n, 0, 'm', '{}' FROM generate_series(1, 20000) n`,
    );
    await lockHolder.query(
      'INSERT INTO client_sessions (realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes) ' +
        `SELECT ${expired}, 0, 'c', 0, 0, '', '{}' FROM generate_series(1, 20000) n`,
    );
    await lockHolder.query(
      'INSERT INTO families (realm, id, session_id, client_uuid, user_id, pending, uses, expires_at) ' +
        `SELECT ${expired}, 'n-' || n, 'c', 'u', '[]', 0, 0 FROM generate_series(1, 20000) n`,
    );
    await lockHolder.query('ANALYZE');
    const read = async () => {
      const sql =
        "SELECT sum(seq_tup_read)::int AS rows, sum(n_tup_del)::int AS gone FROM pg_stat_user_tables WHERE relname IN ('marks', 'user_sessions', 'client_sessions', 'families')";
      return (await lockHolder.query(sql)).rows[0] as { rows: number; gone: number };
    };
    const before = await read();
    let rest = (await store.sweep({ now: NOW, limit: 1000 })).rest;
    while (rest !== undefined) rest = (await store.sweep({ now: NOW, limit: 1000, from: rest })).rest;
    // PostgreSQL counts the work of a connection when the connection ends.
    await store.close();
    const after = await eventually(async () => {
      const now = await read();
      return now.gone >= 80_000 ? now : undefined;
    });
    // PostgreSQL may read a small table as a whole if this costs less than its index.
    t.true(after.rows - before.rows < 4 * 80_000, `${after.rows - before.rows} rows`);
  },
);

testWithLockHolder(
  'PostgreSQL locks: a realm that is removed while it is written leaves no user behind',
  async (t, scene) => {
    const { stores, lockHolder, waitForBlocked } = scene;
    await stores[0].realms.put(realm(REALM), { expectedVersion: 0, keys: [key('k')] });
    await lockHolder.query('BEGIN; SELECT * FROM revisions FOR UPDATE');
    const put = stores[0].realms.put(realm(REALM), { expectedVersion: 1, users: [user('alice')] });
    await waitForBlocked(1);
    const removed = stores[1].realms.remove(REALM);
    await waitForBlocked(2);
    await lockHolder.query('ROLLBACK');
    t.deepEqual([await put, await removed], [{ version: 2, usersCreated: 1 }, true]);
    t.is(await stores[0].realms.get(REALM), undefined);
    t.is(await stores[0].users.byUsername(REALM, 'alice'), undefined);
  },
);

testWithLockHolder(
  'PostgreSQL locks: a service account that is changed while its client is renamed keeps the change',
  async (t, scene) => {
    const { stores, lockHolder, waitForBlocked } = scene;
    const account = user('service-account-old', { serviceAccountClientId: 'c' });
    await stores[0].realms.put(realm(REALM), { expectedVersion: 0, users: [account] });
    const changed = JSON.stringify({ ...account.representation, firstName: 'changed' });
    await lockHolder.query(`BEGIN; UPDATE users SET representation = '${changed}', version = version + 1`);
    const put = stores[1].realms.put(realm(REALM), {
      expectedVersion: 1,
      names: [{ what: 'client', id: 'c', from: 'old', to: 'new' }],
    });
    await waitForBlocked(1);
    await lockHolder.query('COMMIT');
    t.deepEqual(await put, { version: 2, usersCreated: 0 });
    t.like((await stores[0].users.byUsername(REALM, 'service-account-new'))?.representation, { firstName: 'changed' });
  },
);

testWithLockHolder(
  'PostgreSQL locks: who changes a key does not wait for a realm that is written, nor for one that is removed',
  async (t, scene) => {
    const { stores, lockHolder, waitForBlocked } = scene;
    const [store, other] = stores;
    await store.realms.put(realm(REALM), { expectedVersion: 0, keys: [key('k')] });
    await lockHolder.query('BEGIN');
    await lockHolder.query(
      'INSERT INTO users (realm, id, username, email_order, version, representation) ' +
        `VALUES ('${REALM}', 'id-alice', 'alice', 1, 1, '{}')`,
    );
    const keyStates = [{ kid: 'k', status: 'PASSIVE', priority: 1 }] as const;
    const put = store.realms.put(realm(REALM), { expectedVersion: 1, keyStates, users: [user('alice')] });
    await waitForBlocked(1);
    t.true(await other.keys.setStatus(REALM, 'k', 'DISABLED'));
    await lockHolder.query('ROLLBACK');
    t.deepEqual(await put, { version: 2, usersCreated: 1 });
    const token = { realm: REALM, userId: 'id-alice', id: 'a', type: 't', issuedAt: NOW, expiresAt: NOW + HOUR };
    await store.actionTokens.add(token);
    await lockHolder.query('BEGIN; SELECT * FROM action_tokens FOR UPDATE');
    const removed = store.realms.remove(REALM);
    await waitForBlocked(1);
    t.true(await other.keys.setStatus(REALM, 'k', 'ACTIVE'));
    await lockHolder.query('ROLLBACK');
    t.true(await removed);
    t.deepEqual(await store.keys.list(REALM), []);
  },
);

testWithLockHolder('PostgreSQL locks: a user that is removed while it is written is no circle', async (t, scene) => {
  const { stores, lockHolder, waitForBlocked, countDeadlocks } = scene;
  const [store, other] = stores;
  const alice = user('alice', { representation: { username: 'alice', realmRoles: ['reader'] } });
  await store.users.put(alice, { expectedVersion: 0 });
  const token = { realm: REALM, userId: alice.id, id: 'a', type: 't', issuedAt: NOW, expiresAt: NOW + HOUR };
  await store.actionTokens.add(token);
  await lockHolder.query('BEGIN; SELECT * FROM action_tokens FOR UPDATE');
  const removed = store.users.remove(REALM, alice.id);
  await waitForBlocked(1);
  const put = other.users.put(alice, { expectedVersion: 1 });
  await waitForBlocked(2);
  await lockHolder.query('ROLLBACK');
  t.deepEqual([await removed, await put], [true, 'conflict']);
  t.is(await countDeadlocks(), 0);
});

testWithLockHolder(
  'PostgreSQL locks: hosts that write uses of the same sessions at once are no circle',
  async (t, scene) => {
    const { stores, lockHolder, waitForBlocked, countDeadlocks } = scene;
    const ids = ['a', 'm', 'z'];
    for (const id of ids) await stores[0].sessions.start(session(id), clientSession(id));
    await lockHolder.query("BEGIN; SELECT * FROM user_sessions WHERE id = 'm' FOR UPDATE");
    const orders = [ids, [...ids].reverse()];
    // Pending uses of sessions are written before a sweep deletes anything.
    const swept = stores.map((store, index) => {
      for (const id of orders[index] ?? [])
        store.sessions.touch(onlineSessionKey(id), 'web-app', NOW + 1 + index, NOW + HOUR);
      return store.sweep({ now: NOW });
    });
    await waitForBlocked(2);
    await lockHolder.query('ROLLBACK');
    await Promise.all(swept);
    for (const id of ids) t.is((await stores[0].sessions.get(onlineSessionKey(id)))?.lastRefresh, NOW + 2);
    t.is(await countDeadlocks(), 0);
  },
);
