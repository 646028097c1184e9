import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import type { Store } from '../../core/store/store.js';
import { eventually } from '../helpers/eventually.js';
import { PGBOUNCER, startPgbouncer } from '../helpers/pgbouncer.js';
import { postgresqlPrograms, sharedPostgresql } from '../helpers/postgresql-server.js';
import { clientSession, family, HOUR, NOW, REALM, session } from './records.js';

const testPooler =
  postgresqlPrograms() === undefined || PGBOUNCER === undefined
    ? (title: string, _run: unknown) => test.skip(`${title} (PostgreSQL or PgBouncer is not installed)`, () => {})
    : test;

async function throughPgbouncer(t: ExecutionContext, ...lines: readonly string[]) {
  const direct = await (await sharedPostgresql()).database();
  const pooler = await startPgbouncer(direct, lines);
  t.teardown(() => pooler.stop());
  return { direct, settings: { ...direct, port: pooler.port } };
}

const claimKey = (store: Store, keyHash: string) =>
  store.marks.claim({ realm: REALM, kind: 'k', keyHash, now: NOW, expiresAt: NOW + HOUR });

testPooler('PgBouncer: pool_mode session carries a store', async (t: ExecutionContext) => {
  t.timeout(120_000);
  const { settings } = await throughPgbouncer(t, 'pool_mode = session');
  const [store, witness] = await Promise.all([openPostgresqlStore(settings), openPostgresqlStore(settings)]);
  await store.sessions.start(session('s'), clientSession('s'), family('f', 's'));
  const claims = await Promise.all(
    Array.from({ length: 60 }, (_, n) => claimKey(n % 2 === 0 ? store : witness, `key-${n % 20}`)),
  );
  t.is(claims.filter((isFirst) => isFirst).length, 20, 'each key once, over both');
  const rotate = (presented: string) =>
    witness.families.rotate({
      realm: REALM,
      family: 'f',
      presented,
      next: 'n',
      maxReuse: 0,
      now: NOW,
      expiresAt: NOW + HOUR,
    });
  t.is((await rotate('token-0')).outcome, 'rotated');
  await Promise.all([store.close(), witness.close()]);
});

for (const mode of ['transaction', 'statement'])
  testPooler(`PgBouncer: pool_mode ${mode} is refused at the start`, async (t: ExecutionContext) => {
    t.timeout(120_000);
    const { direct, settings } = await throughPgbouncer(t, `pool_mode = ${mode}`);
    // The second start finds what the first one has left on the connections of the pooler.
    for (let start = 1; start <= 3; start += 1) {
      const error = (await t.throwsAsync(openPostgresqlStore(settings), {
        name: 'BootError',
        code: 'store_failed',
        message: /is behind a connection pooler that gives each transaction another connection$/,
      })) as BootError;
      t.regex(error.hint ?? '', /^set pool_mode = session \(PgBouncer\), or set --db-url to the server itself/);
    }
    const store = await openPostgresqlStore(direct);
    t.true(await claimKey(store, 'direct'), 'nothing was written meanwhile');
    await store.close();
  });

testPooler('PgBouncer: a pooler that is restarted is found again', async (t: ExecutionContext) => {
  t.timeout(120_000);
  const direct = await (await sharedPostgresql()).database();
  const first = await startPgbouncer(direct, ['pool_mode = session']);
  const store = await openPostgresqlStore({ ...direct, port: first.port });
  t.teardown(() => store.close());
  t.true(await claimKey(store, 'before'));
  await first.stop();
  await t.throwsAsync(claimKey(store, 'away'), { code: 'store_unavailable' });
  const second = await startPgbouncer(direct, ['pool_mode = session'], first.port);
  t.teardown(() => second.stop());
  const answer = await eventually(() =>
    claimKey(store, 'before').then(
      (isFirst) => ({ isFirst }),
      () => undefined,
    ),
  );
  t.false(answer.isFirst, 'what was acknowledged is there');
});
