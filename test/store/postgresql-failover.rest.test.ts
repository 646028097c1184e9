import type { ExecutionContext } from 'ava';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { Store } from '../../core/store/store.js';
import { eventually } from '../helpers/eventually.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { startPostgresql } from '../helpers/postgresql-server.js';
import { synchronousStandby } from '../helpers/postgresql-standby.js';
import { HOUR, NOW, REALM } from './records.js';

const UNAVAILABLE = { name: 'HostError', code: 'store_unavailable', status: 503 };

const claimKey = (store: Store, keyHash: string) =>
  store.marks.claim({ realm: REALM, kind: 'k', keyHash, now: NOW, expiresAt: NOW + HOUR });
/**
 * Claims the key once the store is available again. Until then every error must be a 503.
 * @returns true if the key is new
 */
const claimOnceAvailable = async (t: ExecutionContext, store: Store, keyHash: string) => {
  const answer = await eventually(() =>
    claimKey(store, keyHash).then(
      (isNew) => ({ isNew }),
      (error: unknown) => {
        t.like(error, UNAVAILABLE);
        return undefined;
      },
    ),
  );
  return answer.isNew;
};

testPostgresql(
  'PostgreSQL failover: of several hosts the one that takes writes is taken, also when that becomes another one, and nothing is lost',
  async (t: ExecutionContext) => {
    t.timeout(120_000);
    const first = await startPostgresql({ isDurable: true });
    const settings = await first.database();
    const second = await synchronousStandby(first);
    const otherHosts = [{ host: '127.0.0.1', port: first.port }];
    // The standby is named first: it answers, but takes no writes.
    const store = await openPostgresqlStore({ ...settings, port: second.port, otherHosts });
    t.teardown(() => store.close());
    t.true(await claimKey(store, 'before'));
    await first.kill();
    t.like(await t.throwsAsync(claimKey(store, 'away')), UNAVAILABLE);
    await second.run('SELECT pg_promote()');
    t.false(await claimOnceAvailable(t, store, 'before'), 'what was acknowledged is there');
    t.true(await claimOnceAvailable(t, store, 'after'));
    // The first server returns as a standby of the second, and is promoted again.
    const back = await synchronousStandby(second, first.port);
    t.true(await claimKey(store, 'followed'));
    await second.kill();
    t.like(await t.throwsAsync(claimKey(store, 'away again')), UNAVAILABLE);
    await back.run('SELECT pg_promote()');
    for (const keyHash of ['before', 'after', 'followed'])
      t.false(await claimOnceAvailable(t, store, keyHash), keyHash);
  },
);

testPostgresql(
  'PostgreSQL failover: the only host is no standby, neither at the start nor after it became one',
  async (t: ExecutionContext) => {
    t.timeout(120_000);
    const server = await startPostgresql();
    const settings = await server.database();
    const store = await openPostgresqlStore(settings);
    t.teardown(() => store.close());
    t.true(await claimKey(store, 'before'));
    await server.run('ALTER SYSTEM SET default_transaction_read_only = on');
    await server.stop();
    await server.start();
    t.like(await t.throwsAsync(claimKey(store, 'read-only')), UNAVAILABLE);
    await t.throwsAsync(store.realms.list(), { message: /is a standby, or read-only by its settings/ });
    const refusal = await t.throwsAsync(openPostgresqlStore(settings));
    t.regex(refusal?.message ?? '', /is a standby, or read-only by its settings/);
  },
);

testPostgresql(
  'PostgreSQL failover: a former primary that still accepts writes is not used any more',
  async (t: ExecutionContext) => {
    t.timeout(120_000);
    const first = await startPostgresql({ isDurable: true });
    const settings = await first.database();
    const second = await startPostgresql({ isDurable: true, standbyOf: first });
    const store = await openPostgresqlStore({ ...settings, otherHosts: [{ host: '127.0.0.1', port: second.port }] });
    t.teardown(() => store.close());
    t.true(await claimKey(store, 'before'));
    const replayed =
      "SELECT 1 FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn() AND state = 'streaming'";
    await eventually(async () => (await first.run(replayed)).rows.length === 1);
    await second.run('SELECT pg_promote()');
    // Both accept writes now. Only a new connection can notice it, and gets the new primary.
    await first.run(`ALTER DATABASE ${settings.database} ALLOW_CONNECTIONS false`);
    const connections = async (server: typeof first) =>
      (await server.run("SELECT 1 FROM pg_stat_activity WHERE application_name = 'keyhost'")).rows.length;
    await eventually(async () => {
      await Promise.allSettled(Array.from({ length: 20 }, () => store.sessions.list(REALM, {})));
      return (await connections(second)) > 0 && (await connections(first)) === 0;
    });
    t.true(await claimKey(store, 'after'));
    const claimed = async (server: typeof first) =>
      (await server.run("SELECT key_hash FROM marks WHERE kind = 'k' ORDER BY key_hash", settings.database)).rows;
    t.deepEqual(await claimed(second), [{ key_hash: 'after' }, { key_hash: 'before' }]);
    await first.run(`ALTER DATABASE ${settings.database} ALLOW_CONNECTIONS true`);
    t.deepEqual(await claimed(first), [{ key_hash: 'before' }], 'the connection to the former primary was closed');
    await second.kill();
    for (let attempt = 1; attempt <= 3; attempt += 1)
      t.like(await t.throwsAsync(claimKey(store, 'at the former primary')), UNAVAILABLE);
    await eventually(async () =>
      /is a former primary|refuses connections/.test((await t.throwsAsync(claimKey(store, 'again')))?.message ?? ''),
    );
    t.deepEqual(await claimed(first), [{ key_hash: 'before' }]);
    await second.start();
    t.false(await claimOnceAvailable(t, store, 'after'));
  },
);
