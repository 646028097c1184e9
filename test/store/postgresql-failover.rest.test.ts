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
    await t.throwsAsync(store.realms.list(), { message: /is read-only/ });
    const refusal = await t.throwsAsync(openPostgresqlStore(settings));
    t.regex(refusal?.message ?? '', /is a standby, or read-only by its settings/);
  },
);
