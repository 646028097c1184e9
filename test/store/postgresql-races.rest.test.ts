import type { ExecutionContext } from 'ava';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { CommitStep, Store } from '../../core/store/store.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { clientSession, family, HOUR, key, NOW, onlineSessionKey, REALM, session, user } from './records.js';

/**
 * Registers a test with two stores on one database. A store sends concurrent calls together, so the tests also make a
 * few calls at a time.
 */
function testWithTwoStores(
  title: string,
  run: (t: ExecutionContext, stores: readonly [Store, Store]) => Promise<void>,
): void {
  testPostgresql(title, async (t: ExecutionContext) => {
    const settings = await (await sharedPostgresql()).database();
    const stores = await Promise.all([openPostgresqlStore(settings), openPostgresqlStore(settings)]);
    try {
      await run(t, [stores[0], stores[1]]);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

/** Calls `ask` for both stores, `times` times each, all at once. */
async function callBothStores<T>(
  stores: readonly Store[],
  times: number,
  ask: (store: Store, n: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(stores.flatMap((store) => Array.from({ length: times }, (_, n) => ask(store, n))));
}

testWithTwoStores(
  'PostgreSQL races: of two hosts one redeems a ticket, claims a mark, and both count together',
  async (t, stores) => {
    const [store] = stores;
    for (let round = 0; round < 30; round++) {
      const ticket = { realm: REALM, kind: 'code', keyHash: `${round}` };
      await store.tickets.issue({ ...ticket, payload: 'p', expiresAt: NOW + HOUR });
      const redeemed = await callBothStores(stores, 4, (one) => one.tickets.redeem({ ...ticket, now: NOW }));
      t.is(redeemed.filter(({ outcome }) => outcome === 'first').length, 1);
      t.is(redeemed.filter(({ outcome }) => outcome === 'replayed').length, 7);
      const mark = { realm: REALM, kind: 'jti', keyHash: `${round}`, now: NOW, expiresAt: NOW + HOUR };
      t.is((await callBothStores(stores, 4, (one) => one.marks.claim(mark))).filter((claimed) => claimed).length, 1);
      t.true(await stores[1].marks.has(mark), 'each sees what the other claimed');
    }
    const window = { realm: REALM, subject: 'login alice', now: NOW, windowMs: HOUR };
    const counts = await callBothStores(stores, 50, (one) => one.counters.bump(window));
    t.deepEqual(
      counts.map(({ count }) => count).sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  },
);

testWithTwoStores(
  'PostgreSQL races: of two hosts one rotates a refresh token, and the family ends with the second use',
  async (t, stores) => {
    const [store, other] = stores;
    for (let round = 0; round < 20; round++) {
      const id = `s${round}`;
      await store.sessions.start(session(id), clientSession(id), family(id, id));
      const request = { realm: REALM, family: id, presented: 'token-0', maxReuse: 0, now: NOW, expiresAt: NOW + HOUR };
      const outcomes = await callBothStores(stores, 3, (one, n) =>
        one.families.rotate({ ...request, next: `${one === store ? 'a' : 'b'}${n}` }),
      );
      const told = outcomes.map(({ outcome }) => outcome).sort();
      t.deepEqual(told.slice(0, 4), ['absent', 'absent', 'absent', 'absent']);
      t.deepEqual(told.slice(4), ['reused', 'rotated']);
      t.is((await other.sessions.find(onlineSessionKey(id), 'web-app'))?.clientSession, undefined);
    }
  },
);

testWithTwoStores('PostgreSQL races: an address, a name and a version are taken once', async (t, stores) => {
  for (let round = 0; round < 10; round++) {
    const email = `${round}@example.org`;
    const outcomes = await callBothStores(stores, 3, (one, n) =>
      one.users.put(user(`${stores.indexOf(one)}-${round}-${n}`, { email }), { expectedVersion: 0 }),
    );
    t.is(outcomes.filter((outcome) => typeof outcome === 'object' && 'version' in outcome).length, 1);
    t.is(outcomes.filter((outcome) => typeof outcome === 'object' && 'exists' in outcome).length, 5);
  }
  const realm = { id: 'realm-id', name: REALM, representation: { realm: REALM } };
  for (let version = 0; version < 5; version++) {
    const put = await callBothStores(stores, 2, (one) => one.realms.put(realm, { expectedVersion: version }));
    t.is(put.filter((outcome) => outcome === 'conflict').length, 3);
  }
});

testWithTwoStores(
  'PostgreSQL races: users that are made at once, and realms, are not in each other’s way',
  async (t, stores) => {
    const made = await callBothStores(stores, 15, (one, n) => {
      const name = `${stores.indexOf(one)}-${n}`;
      return one.users.put(user(name, { email: `${name}@example.org` }), { expectedVersion: 0 });
    });
    t.deepEqual(made, Array(30).fill({ version: 1 }));
    const put = await callBothStores(stores, 3, (one, n) => {
      const name = `${stores.indexOf(one)}-${n}`;
      return one.realms.put({ id: name, name, representation: { realm: name } }, { expectedVersion: 0 });
    });
    t.deepEqual(put, Array(6).fill({ version: 1, usersCreated: 0 }));
  },
);

testWithTwoStores('PostgreSQL races: hosts that start at once agree on the first key of a realm', async (t, stores) => {
  for (let round = 0; round < 10; round++) {
    const realm = `realm-${round}`;
    const kids = await callBothStores(stores, 2, async (one, n) => {
      return (await one.keys.addFirst(key(`${stores.indexOf(one)}-${n}`, { realm }))).kid;
    });
    t.is(new Set(kids).size, 1);
    t.is((await stores[0].keys.list(realm)).length, 1);
  }
});

testWithTwoStores(
  'PostgreSQL races: a session that several clients join at once is there once, and nothing is added to one that ends',
  async (t, stores) => {
    for (let round = 0; round < 20; round++) {
      const id = `s${round}`;
      const join = (client: string): CommitStep => ({
        op: 'sessions.join',
        args: [
          session(id),
          clientSession(id, { clientUuid: client }),
          family(`${id}-${client}`, id, { clientUuid: client }),
        ],
      });
      const joined = await callBothStores(stores, 2, (one, n) => one.commit([join(`${stores.indexOf(one)}-${n}`)]));
      t.true(joined.every(({ committed }) => committed));
      t.is((await stores[0].sessions.clientSessions(onlineSessionKey(id))).length, 4);
      await Promise.all([
        stores[0].sessions.end(onlineSessionKey(id)),
        ...Array.from({ length: 4 }, (_, n) =>
          stores[1].sessions.attach(clientSession(id, { clientUuid: `late-${n}` }), family(`${id}-late-${n}`, id)),
        ),
      ]);
      t.is(await stores[0].sessions.get(onlineSessionKey(id)), undefined);
      t.deepEqual(await stores[0].sessions.clientSessions(onlineSessionKey(id)), []);
      t.is(await stores[0].families.revoke(REALM, { sessionId: id }), 0);
    }
  },
);

testWithTwoStores(
  'PostgreSQL races: an entry is replaced by one of those who saw the same value',
  async (t, stores) => {
    const place = { realm: REALM, namespace: 'n', key: 'k', now: NOW };
    const written = await callBothStores(stores, 4, (one) =>
      one.entries.replace({ ...place, expected: undefined, value: '0' }),
    );
    t.is(written.filter((isWritten) => isWritten).length, 1);
    for (let value = 0; value < 20; value++) {
      const replaced = await callBothStores(stores, 4, (one) =>
        one.entries.replace({ ...place, expected: `${value}`, value: `${value + 1}` }),
      );
      t.is(replaced.filter((isWritten) => isWritten).length, 1);
    }
  },
);
