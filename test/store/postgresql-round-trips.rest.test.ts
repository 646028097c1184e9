import type { ExecutionContext } from 'ava';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { Store } from '../../core/store/store.js';
import { startWireCounter } from '../bench/scale/wire-counter.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { clientSession, family, HOUR, NOW, onlineSessionKey, REALM, session } from './records.js';

interface Scene {
  readonly store: Store;
  /** Returns the number of round trips during the work: messages whose answer the store waits for. */
  readonly countRoundTrips: (work: () => Promise<unknown>) => Promise<number>;
}

function testRoundTrips(title: string, run: (t: ExecutionContext, scene: Scene) => Promise<void>): void {
  testPostgresql(title, async (t: ExecutionContext) => {
    const settings = await (await sharedPostgresql()).database();
    const wire = await startWireCounter(settings);
    const store = await openPostgresqlStore({ ...settings, port: wire.port, poolSize: 1 });
    const trips = async (work: () => Promise<unknown>) => {
      const before = wire.counts().roundTrips;
      await work();
      return wire.counts().roundTrips - before;
    };
    try {
      // The first use of a connection costs an additional round trip. The pool has one connection, so later work has
      // none.
      await store.users.count(REALM);
      await run(t, { store, countRoundTrips: trips });
    } finally {
      await store.close();
      await wire.close();
    }
  });
}

const ticket = { realm: REALM, kind: 'code', keyHash: 'h' };
const entry = { realm: REALM, namespace: 'n', key: 'k' };

testRoundTrips(
  'PostgreSQL round trips: what one statement does is one round trip',
  async (t, { store, countRoundTrips }) => {
    const put = { ...entry, value: '"a"', expiresAt: NOW + HOUR };
    t.is(await countRoundTrips(() => store.entries.put(put)), 1);
    t.is(await countRoundTrips(() => store.entries.replace({ ...put, expected: '"a"', value: '"b"', now: NOW })), 1);
    t.is(await countRoundTrips(() => store.entries.delete(entry)), 1);
    t.is(await countRoundTrips(() => store.tickets.issue({ ...ticket, payload: 'p', expiresAt: NOW + HOUR })), 1);
    t.is(await countRoundTrips(() => store.tickets.redeem({ ...ticket, now: NOW })), 1);
    t.is(await countRoundTrips(() => store.sessions.start(session('s'), clientSession('s'), family('f', 's'))), 1);
  },
);

testRoundTrips(
  'PostgreSQL round trips: what is decided by a row that is locked is two',
  async (t, { store, countRoundTrips }) => {
    await store.sessions.start(session('s'), clientSession('s'));
    const options = { onlyExisting: true };
    t.is(await countRoundTrips(() => store.sessions.attach(clientSession('s'), family('f', 's'), options)), 2);
    t.is(await countRoundTrips(() => store.sessions.end(onlineSessionKey('s'))), 2);
  },
);

testRoundTrips(
  'PostgreSQL round trips: steps of a commit are asked together, and its end goes with what ends them',
  async (t, { store, countRoundTrips }) => {
    await store.sessions.start(session('s'), clientSession('s'));
    const offline = { offline: true };
    const join = () =>
      store.commit([
        { op: 'sessions.attach', args: [clientSession('s'), undefined, { onlyExisting: true }], require: true },
        { op: 'sessions.join', args: [session('s', offline), clientSession('s', offline), family('f', 's', offline)] },
      ]);
    t.is(await countRoundTrips(join), 2);
    const issue = { op: 'tickets.issue', require: 'issued' } as const;
    const both = () =>
      store.commit([
        { ...issue, args: { ...ticket, kind: 'a', payload: 'p', expiresAt: NOW + HOUR } },
        { ...issue, args: { ...ticket, kind: 'b', payload: 'p', expiresAt: NOW + HOUR } },
      ]);
    t.is(await countRoundTrips(both), 2, 'what a guard decides by is not committed before it has decided');
    t.is(await countRoundTrips(async () => t.false((await both()).committed)), 2);
  },
);

testRoundTrips(
  'PostgreSQL round trips: events that a change carries are in its transaction',
  async (t, { store, countRoundTrips }) => {
    await store.sessions.start(session('s'), clientSession('s'));
    const told = { id: 'e', realm: REALM, kind: 'user' as const, time: NOW, type: 'LOGOUT', body: '{}' };
    const end = () =>
      store.withEvents(
        () => [told],
        async () => store.sessions.end(onlineSessionKey('s')),
      );
    t.is(await countRoundTrips(end), 3);
    t.is((await store.events.query(REALM, { kind: 'user' })).length, 1);
    t.is(await countRoundTrips(end), 3, 'nothing is changed, and nothing told');
    t.is((await store.events.query(REALM, { kind: 'user' })).length, 1);
  },
);
