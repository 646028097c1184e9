// biome-ignore lint/plugin: the server is killed at a random moment of the work
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { Store } from '../../core/store/store.js';
import { Wire } from '../faults/wire.js';
import { eventually } from '../helpers/eventually.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql, startPostgresql } from '../helpers/postgresql-server.js';
import { clientSession, family, HOUR, NOW, onlineSessionKey, REALM, session, user } from './records.js';

const UNAVAILABLE = { name: 'HostError', code: 'store_unavailable', status: 503, expose: false };

/**
 * Makes calls one after the other. If each waited five seconds for a connection, all together would exceed the test's
 * timeout.
 */
async function expectImmediateErrors(t: ExecutionContext, store: Store): Promise<void> {
  for (let n = 0; n < 100; n += 1) t.like(await t.throwsAsync(claimKey(store, `at-once-${n}`)), UNAVAILABLE);
}

const waitUntilAvailable = (store: Store) =>
  eventually(() =>
    store.realms.list().then(
      () => true,
      () => false,
    ),
  );
const claimKey = (store: Store, keyHash: string) =>
  store.marks.claim({ realm: REALM, kind: 'k', keyHash, now: NOW, expiresAt: NOW + HOUR });

testPostgresql(
  'PostgreSQL faults: while the server is away everyone is refused at once, and served when it is back',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const server = await startPostgresql({ isDurable: true });
    const store = await openPostgresqlStore(await server.database());
    t.teardown(() => store.close());
    t.true(await claimKey(store, 'before'));
    await store.sessions.start(session('s'), clientSession('s'));
    for (const end of [server.stop, server.kill]) {
      await end();
      await Promise.allSettled([claimKey(store, 'noticed'), store.sessions.get(onlineSessionKey('s'))]);
      const asked = [
        ...Array.from({ length: 200 }, (_, n) => claimKey(store, `away-${n}`)),
        ...Array.from({ length: 200 }, () => store.sessions.get(onlineSessionKey('s'))),
        store.users.put(user('alice'), { expectedVersion: 0 }),
        store.sessions.list(REALM, {}),
      ];
      for (const outcome of await Promise.allSettled(asked))
        t.like(outcome, { status: 'rejected', reason: UNAVAILABLE });
      await expectImmediateErrors(t, store);
      await server.start();
      await waitUntilAvailable(store);
    }
    t.false(await claimKey(store, 'before'), 'what was granted stays granted');
    t.true(await claimKey(store, 'after'));
  },
);

testPostgresql(
  'PostgreSQL faults: what was acknowledged before the server was killed is there when it is back',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const server = await startPostgresql({ isDurable: true });
    const store = await openPostgresqlStore(await server.database());
    t.teardown(() => store.close());
    const claimed: string[] = [];
    const rotated = new Map<string, number>();
    for (let round = 0; round < 3; round++) {
      let isOver = false;
      const work = Array.from({ length: 8 }, async (_, caller) => {
        const id = `${round}-${caller}`;
        try {
          await store.sessions.start(session(id), clientSession(id), family(id, id));
          for (let n = 0; !isOver; n++) {
            if (await claimKey(store, `${id}-${n}`)) claimed.push(`${id}-${n}`);
            const request = { realm: REALM, family: id, presented: `token-${n}`, next: `token-${n + 1}` };
            const { outcome } = await store.families.rotate({
              ...request,
              maxReuse: 0,
              now: NOW,
              expiresAt: NOW + HOUR,
            });
            t.is(outcome, 'rotated');
            rotated.set(id, n + 1);
          }
        } catch (error) {
          t.like(error, UNAVAILABLE);
        }
      });
      await sleep(300);
      await server.kill();
      isOver = true;
      await Promise.all(work);
      await server.start();
      await waitUntilAvailable(store);
    }
    for (const mark of claimed) t.false(await claimKey(store, mark), mark);
    for (const [id, n] of rotated) {
      const request = { realm: REALM, family: id, presented: `token-${n - 1}`, next: 'x' };
      const { outcome } = await store.families.rotate({ ...request, maxReuse: 0, now: NOW, expiresAt: NOW + HOUR });
      t.true(['reused', 'stale'].includes(outcome), `${id} ${outcome}`);
    }
    t.log(`${claimed.length} claims, ${rotated.size} families`);
    t.true(claimed.length > 0 && rotated.size > 0, 'the rounds did something');
  },
);

/** Returns a proxy between the store and the server that can simulate network faults. */
async function proxyTo(t: ExecutionContext, to: PostgresqlSettings) {
  const wire = await Wire.to(to);
  t.teardown(() => wire.close());
  return { settings: { ...to, port: wire.port }, wire };
}

testPostgresql(
  'PostgreSQL faults: what a lost answer to COMMIT was about is not granted and not tried again',
  async (t: ExecutionContext) => {
    const direct = await (await sharedPostgresql()).database();
    const { settings, wire } = await proxyTo(t, direct);
    const [store, witness] = await Promise.all([openPostgresqlStore(settings), openPostgresqlStore(direct)]);
    t.teardown(() => Promise.all([store.close(), witness.close()]));
    const ticket = { realm: REALM, kind: 'code', keyHash: 'h' };
    await store.tickets.issue({ ...ticket, payload: 'p', expiresAt: NOW + HOUR });
    wire.cutAt = 'COMMIT';
    const commit = store.commit([
      { op: 'tickets.redeem', args: { ...ticket, now: NOW }, require: 'first' },
      { op: 'sessions.start', args: [session('s')] },
    ]);
    t.like(await t.throwsAsync(commit), UNAVAILABLE);
    t.is(wire.cuts, 1);
    wire.cutAt = undefined;
    t.is((await witness.tickets.redeem({ ...ticket, now: NOW })).outcome, 'replayed', 'it was carried out, once');
    t.truthy(await witness.sessions.get(onlineSessionKey('s')));
  },
);

testPostgresql(
  'PostgreSQL faults: one statement whose answer is lost is not tried again either',
  async (t: ExecutionContext) => {
    const direct = await (await sharedPostgresql()).database();
    const { settings, wire } = await proxyTo(t, direct);
    const [store, witness] = await Promise.all([openPostgresqlStore(settings), openPostgresqlStore(direct)]);
    t.teardown(() => Promise.all([store.close(), witness.close()]));
    wire.cutAt = 'INSERT INTO counters';
    const bump = { realm: REALM, subject: 'login alice', now: NOW, windowMs: HOUR };
    t.like(await t.throwsAsync(store.counters.bump(bump)), UNAVAILABLE);
    wire.cutAt = undefined;
    t.is(wire.cuts, 1);
    await eventually(() => witness.counters.get(bump));
    t.deepEqual(await witness.counters.get(bump), { count: 1, firstAt: NOW });
  },
);

testPostgresql(
  'PostgreSQL faults: a connection that is lost before the end was asked for costs nobody anything',
  async (t: ExecutionContext) => {
    const direct = await (await sharedPostgresql()).database();
    const { settings, wire } = await proxyTo(t, direct);
    const store = await openPostgresqlStore(settings);
    t.teardown(() => store.close());
    await store.sessions.start(session('s'), clientSession('s'));
    wire.cutAt = 'SELECT version, username, email';
    const put = store.users.put(user('alice'), { expectedVersion: 0 });
    await eventually(() => wire.cuts === 1);
    wire.cutAt = undefined;
    t.deepEqual(await put, { version: 1 });
  },
);

testPostgresql(
  'PostgreSQL faults: a row that stays locked is given up, and others go on meanwhile',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const server = await sharedPostgresql();
    const settings = await server.database();
    const store = await openPostgresqlStore({ ...settings, poolSize: 3 });
    t.teardown(() => store.close());
    await store.sessions.start(session('s'), clientSession('s'));
    const holder = await server.client(settings.database);
    t.teardown(() => holder.end());
    await holder.query("BEGIN; SELECT * FROM user_sessions WHERE id = 's' FOR UPDATE");
    const error = await t.throwsAsync(store.sessions.attach(clientSession('s'), undefined, { notes: { a: 'b' } }));
    t.like(error, UNAVAILABLE);
    t.true(await claimKey(store, 'others go on'));
    await holder.query('ROLLBACK');
    t.true(await store.sessions.attach(clientSession('s'), undefined, { notes: { a: 'b' } }));
  },
);

testPostgresql(
  'PostgreSQL faults: a server that falls silent is given up before its connections would be, then refuses at once, and serves when it is back',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const { settings, wire } = await proxyTo(t, await (await sharedPostgresql()).database());
    const store = await openPostgresqlStore(settings);
    t.teardown(() => store.close());
    await store.sessions.start(session('s'), clientSession('s'));
    await Promise.all(Array.from({ length: 20 }, () => store.sessions.list(REALM, {})));
    wire.fallSilent();
    const asked = [
      ...Array.from({ length: 50 }, (_, n) => claimKey(store, `silent-${n}`)),
      ...Array.from({ length: 50 }, () => store.sessions.get(onlineSessionKey('s'))),
      store.users.put(user('alice'), { expectedVersion: 0 }),
      store.sessions.list(REALM, {}),
    ];
    for (const outcome of await Promise.allSettled(asked)) t.like(outcome, { status: 'rejected', reason: UNAVAILABLE });
    await expectImmediateErrors(t, store);
    wire.mend();
    await waitUntilAvailable(store);
    t.true(await claimKey(store, 'after'));
  },
);

testPostgresql(
  'PostgreSQL faults: a connection that never becomes ready is not waited for without end',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const { settings, wire } = await proxyTo(t, await (await sharedPostgresql()).database());
    const store = await openPostgresqlStore({ ...settings, poolSize: 2 });
    t.teardown(() => store.close());
    wire.refuse();
    t.like(await t.throwsAsync(claimKey(store, 'refused')), UNAVAILABLE);
    // New connections reach the server, but get no answer while the store prepares them.
    wire.mend();
    wire.cutAt = 'set_config';
    wire.cutsSilently = true;
    await eventually(() => wire.cuts > 0);
    wire.mend();
    await waitUntilAvailable(store);
  },
);

testPostgresql(
  'PostgreSQL faults: a store is closed in bounded time while its network is gone',
  async (t: ExecutionContext) => {
    t.timeout(180_000);
    const { settings, wire } = await proxyTo(t, await (await sharedPostgresql()).database());
    const store = await openPostgresqlStore(settings);
    await store.sessions.list(REALM, {});
    wire.fallSilent();
    const waiting = t.throwsAsync(claimKey(store, 'silent'));
    await store.close();
    t.like(await waiting, UNAVAILABLE);
  },
);
