import plugin from '@keyhost/events-to-postgres';
import type { EventStoreProvider, HostContext, Session, StoredEvent } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { testPostgresqlSerially as testPostgresql } from '../helpers/postgresql.js';
import { type PostgresqlServer, startPostgresql } from '../helpers/postgresql-server.js';
import { shownRealm } from '../helpers/shown-realm.js';

const REALM = 'events-to-postgres';
let made: Promise<PostgresqlServer> | undefined;
/** One of this file, since it is stopped and started. */
const server = () => {
  made ??= startPostgresql();
  return made;
};

interface Started {
  readonly host: TestHost;
  readonly clock: TestClock;
  readonly call: Awaited<ReturnType<typeof adminCaller>>;
  readonly database: string;
  readonly logIn: (password?: string) => Promise<void>;
  /** The rows of the table, in order of insertion. */
  readonly rows: () => Promise<{ readonly type: string; readonly resource_path: string | null; readonly id: string }[]>;
  /** Moves the clock until the condition holds. */
  readonly later: (isDone: () => unknown) => Promise<unknown>;
}

async function started(t: ExecutionContext, isolation: string, more: object = {}): Promise<Started> {
  const clock = new TestClock();
  const { host: address, port, database, username, password } = await (await server()).database();
  const config = { host: address, port, database, username, password, tls: 'disabled', ...more };
  const host = await startAdministered(t, {
    realms: [await shownRealm(REALM)],
    plugins: [{ module: '@keyhost/events-to-postgres', isolation, config: { 'eventsStore/postgres': config } }],
    clock,
  });
  return {
    host,
    clock,
    database,
    call: async (...asked) => (await adminCaller(host))(...asked),
    async logIn(given = 'ada') {
      const form = { grant_type: 'password', client_id: 'app', username: 'ada', password: given };
      await host.token(REALM, form);
      await host.events.flush();
    },
    async rows() {
      const sql = 'SELECT type, resource_path, id FROM keyhost_events.events ORDER BY ctid';
      return (await (await server()).run(sql, database)).rows;
    },
    later: (isDone) =>
      eventually(() => {
        clock.forward(5);
        return isDone();
      }),
  };
}

for (const isolation of ['none', 'worker']) {
  testPostgresql(
    `events to PostgreSQL: events are rows of the table, and admins find and delete them there (${isolation})`,
    async (t: ExecutionContext) => {
      const { host, clock, call, logIn, rows, later } = await started(t, isolation);
      const path = `/realms/${REALM}`;
      const list = async (asked: string) =>
        (await call('GET', `${path}/${asked}`)).json as unknown as Record<string, string>[];
      await logIn();
      clock.forward(1);
      await logIn('wrong');
      t.is((await call('POST', `${path}/roles`, { name: 'a_b' })).status, 201);
      clock.forward(1);
      t.is((await call('POST', `${path}/roles`, { name: 'axb', description: '\0 100 % ’' })).status, 201);
      await later(async () => (await host.store.eventOutbox.count(REALM, 9)) === 0);
      t.deepEqual(
        (await rows()).map(({ type, resource_path }) => `${type} ${resource_path ?? ''}`.trim()),
        ['LOGIN', 'LOGIN_ERROR', 'CREATE roles/a_b', 'CREATE roles/axb'],
      );
      t.deepEqual(await host.stored(REALM), [], 'the host keeps none of its own');

      const typesOf = async (query: string) => (await list(`events?${query}`)).map(({ type }) => type);
      t.deepEqual(await typesOf(''), ['LOGIN_ERROR', 'LOGIN']);
      t.deepEqual(await typesOf('direction=asc&max=1'), ['LOGIN']);
      t.deepEqual(await typesOf('first=1'), ['LOGIN']);
      t.deepEqual(await typesOf('type=LOGIN&client=app&dateFrom=1'), ['LOGIN']);
      t.deepEqual(await typesOf('client=another'), []);
      t.deepEqual(await typesOf(`dateTo=${clock.now() - 86_400_000}`), []);
      const [error, login] = await list('events');
      t.deepEqual(await typesOf(`user=${error?.userId}&session=${login?.sessionId}`), ['LOGIN']);
      t.deepEqual((await call('GET', `${path}/events/${login?.id}`)).json, login);
      const pathsOf = async (query: string) => (await list(`admin-events?${query}`)).map((one) => one.resourcePath);
      t.deepEqual(await pathsOf('resourcePath=roles/A_*&operationTypes=CREATE&resourceTypes=REALM_ROLE'), [
        'roles/a_b',
      ]);
      t.deepEqual(await pathsOf('authRealm=master&direction=asc'), ['roles/a_b', 'roles/axb']);
      t.like((await list('admin-events'))[0], { representation: '{"name":"axb","description":"\\u0000 100 % ’"}' });

      t.is((await call('DELETE', `${path}/events`)).status, 204);
      t.deepEqual([await typesOf(''), (await pathsOf('')).length], [[], 2]);
      await logIn();
      await later(async () => (await rows()).length === 3);
      clock.forward(31_536_001);
      t.deepEqual(await typesOf(''), []);
      await later(async () => (await rows()).length === 2);
    },
  );
}

testPostgresql(
  'a database that is away: each event is there once, in order, when it is back',
  async (t: ExecutionContext) => {
    const { host, call, logIn, rows, later, database } = await started(t, 'none', {
      username: 'archive',
      password: 'a-secret',
      timeout: 2,
    });
    const running = await server();
    const told = () => host.log.filter(({ message }) => message.startsWith('the event store'));
    await logIn();
    await later(() => told().length === 1);
    t.regex(JSON.stringify(told()[0]?.fields), /password authentication failed/);
    t.false(JSON.stringify(host.log).includes('a-secret'));
    t.is((await call('GET', `/realms/${REALM}/events`)).status, 503);
    await running.run(`CREATE ROLE archive LOGIN PASSWORD 'a-secret'; GRANT CREATE ON DATABASE ${database} TO archive`);
    await later(async () => (await rows().catch(() => [])).length === 1);
    await running.stop();
    t.is((await call('POST', `/realms/${REALM}/roles`, { name: 'one' })).status, 201);
    await logIn();
    await later(() => told().length === 3);
    await running.start();
    await later(async () => (await host.store.eventOutbox.count(REALM, 9)) === 0);
    t.deepEqual(
      (await rows()).map(({ type }) => type),
      ['LOGIN', 'CREATE', 'LOGIN'],
    );
    t.deepEqual(
      told().map(({ message }) => message.replace('the event store is ', '')),
      ['away: events wait', 'back', 'away: events wait', 'back'],
    );
  },
);

testPostgresql(
  'events to PostgreSQL: a database behind a Unix socket needs no word about TLS',
  async (t: ExecutionContext) => {
    const { folder } = await server();
    const { logIn, rows, later } = await started(t, 'none', { host: folder, tls: undefined });
    await logIn();
    await later(async () => (await rows().catch(() => [])).length === 1);
    t.deepEqual(
      (await rows()).map(({ type }) => type),
      ['LOGIN'],
    );
  },
);

testPostgresql(
  'events to PostgreSQL: two hosts make the tables at once; those of a later version are left alone',
  async (t: ExecutionContext) => {
    const { host: address, port, database, username, password } = await (await server()).database();
    const [definition] = plugin.providers;
    const config = { host: address, port, database, username, password, tls: 'disabled' };
    const session = { realm: { id: 'r1', name: 'r' }, clock: { now: () => 0 } } as unknown as Session;
    const open = async () => {
      const factory = await definition?.open(config, {} as HostContext);
      t.teardown(() => factory?.close?.());
      return factory?.create(session, {}) as EventStoreProvider;
    };
    const event = (id: string, more: object = {}) =>
      ({
        kind: 'user',
        event: { id, time: 1, type: 'LOGIN', realmId: 'r1', realmName: 'r', details: {}, ...more },
      }) as StoredEvent;
    const one = await open();
    const other = await open();
    await Promise.all([one.store({ events: [event('a')] }), other.store({ events: [event('b')] })]);
    // The same event with more data, and one that no row can hold.
    const again = await other.store({
      events: [event('a', { error: 'late' }), event('c', { time: 2 ** 70 }), event('d')],
    });
    t.deepEqual(
      again?.refused?.map(({ id }) => id),
      ['c'],
    );
    const found = await one.query?.({ kind: 'user', first: 0, max: 9, oldestFirst: true });
    t.deepEqual(
      found?.events.map(({ id, error }) => [id, error]),
      [
        ['a', 'late'],
        ['b', undefined],
        ['d', undefined],
      ],
    );
    await (await server()).run('UPDATE keyhost_events.version SET version = 99', database);
    const newer = await open();
    await t.throwsAsync(newer.store({ events: [event('e')] }), { message: /has version 99; this plugin knows 1/ });
  },
);
