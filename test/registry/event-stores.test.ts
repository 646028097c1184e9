import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { EventDelivery } from '../../core/registry/event-delivery/event-delivery.js';
import { OutboxLimit } from '../../core/registry/module.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { type EventService, eventStore, startEventService } from '../helpers/event-service.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const OUTBOX_LIMIT = 30;
const STORES = ['here', 'apart'];
/** Stores that can also be queried. */
const READABLE = ['shelf', 'shelf-apart'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    clock,
    replace: [replacing(OutboxLimit, OUTBOX_LIMIT)],
    plugins: [...STORES, ...READABLE].map((module) => ({
      module,
      isolation: module.endsWith('apart') ? 'worker' : 'none',
    })),
    packages: Object.fromEntries([
      ...STORES.map((name) => [name, eventStore(name)]),
      ...READABLE.map((name) => [name, eventStore(name, true)]),
    ]),
  }),
  /event store|events are left out|plugin worker ended|a call of a provider failed/,
);

const logFields = (line: { readonly fields: object }) => line.fields as { realm?: string; waiting?: number };

async function realmWithStore(
  t: ExecutionContext,
  name: string,
  changes: Partial<RealmRepresentation> = {},
  keepsBuiltInStore = true,
): Promise<{ host: TestHost; service: EventService; logIn(password?: string): Promise<void>; told(): string[] }> {
  const service = await startEventService(t);
  const { host } = await ownRealm(shared(), {
    eventsListeners: [],
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    providers: {
      eventsStore: {
        [name]: { enabled: true, config: { url: service.url } },
        ...(keepsBuiltInStore ? {} : { jpa: { enabled: false } }),
      },
    },
    ...changes,
  });
  return {
    host,
    service,
    async logIn(password) {
      const form = { client_id: 'spa', ...ALICE_LOGIN, ...(password && { password }) };
      await host.token(host.defaultRealm, form);
    },
    told: () =>
      host.log
        .filter((line) => logFields(line).realm === host.defaultRealm && /event store/.test(line.message))
        .map(({ message }) => message),
  };
}

/** Gets a new token for each call, because the test moves the clock and tokens expire. */
const callAsAdmin =
  (host: TestHost) =>
  async (...call: Parameters<Awaited<ReturnType<typeof adminCaller>>>) =>
    (await adminCaller(host))(...call);

/** Moves the clock until the condition holds: failed deliveries are retried after a pause. */
const retryUntil = (isDone: () => unknown) =>
  eventually(() => {
    clock.forward(2);
    return isDone();
  });

const storedEventTypes = ({ kept }: EventService) =>
  [...kept.values()].map((event) =>
    'operationType' in event ? `${event.operationType} ${event.resourceType}` : event.type,
  );

for (const name of STORES) {
  test.serial(
    `event stores of plugins: events go to the store of a plugin, in order, and to the host’s as far as the realm says (${name})`,
    async (t) => {
      const { host, service, logIn } = await realmWithStore(t, name, {
        eventsExpiration: 60,
        enabledEventTypes: ['LOGIN'],
      });
      const call = callAsAdmin(host);
      await logIn();
      await logIn('wrong');
      t.is((await call('POST', `/realms/${host.defaultRealm}/roles`, { name: 'one' })).status, 201);
      await host.events.flush();
      await eventually(() => service.kept.size === 2);
      t.deepEqual(storedEventTypes(service), ['LOGIN', 'CREATE REALM_ROLE']);
      const [login, role] = service.batches.flat();
      t.like(login, { kind: 'user', event: { type: 'LOGIN', realmName: host.defaultRealm, clientId: 'spa' } });
      t.is(login?.expiresAt, (login?.event.time ?? 0) + 60_000);
      t.like(role, { kind: 'admin', event: { resourcePath: 'roles/one', representation: { name: 'one' } } });
      const own = (await call('GET', `/realms/${host.defaultRealm}/events`)).json as unknown as { id: string }[];
      t.deepEqual(
        own.map(({ id }) => id),
        [login?.event.id],
      );
      await eventually(async () => (await host.store.eventOutbox.count(host.defaultRealm, 9)) === 0);
    },
  );

  test.serial(
    `event stores of plugins: a store that is away for an hour misses nothing and gets nothing twice (${name})`,
    async (t) => {
      const { host, service, logIn, told } = await realmWithStore(t, name, {}, false);
      const neighbour = await realmWithStore(t, name);
      const call = callAsAdmin(host);
      service.state = 'away';
      const created: string[] = [];
      for (let minute = 0; minute < 12; minute += 1) {
        const role = `role-${minute}`;
        created.push(`roles/${role}`);
        t.is((await call('POST', `/realms/${host.defaultRealm}/roles`, { name: role })).status, 201);
        await logIn();
        await host.events.flush();
        clock.forward(300);
        // The store of the other realm is not affected.
        await neighbour.logIn();
        await host.events.flush();
        await eventually(() => neighbour.service.kept.size === minute + 1);
      }
      t.deepEqual(told(), ['the event store is away: events wait']);
      const up = await figures(host, 'keyhost_event_store_up');
      t.deepEqual([up[`realm=${host.defaultRealm}`], up[`realm=${neighbour.host.defaultRealm}`]], [0, 1]);
      t.true(((await figures(host, 'keyhost_event_store_waiting'))[`realm=${host.defaultRealm}`] ?? 0) > 20);
      const { json: health } = await fetchAnswer(`${host.managementUrl}/health/ready`);
      const stores = (health.checks as unknown as { name: string }[]).find((check) => check.name === 'event stores');
      t.like(stores, { status: 'UP', data: { away: 1 } });
      // The clock moved only twelve times, so there is no retry in between.
      t.true(service.asked > 1 && service.asked <= 13, `${service.asked} tries`);
      service.state = 'up';
      await retryUntil(() => service.kept.size === 24);
      t.deepEqual(
        service.batches.flat().map(({ kind }) => kind),
        created.flatMap(() => ['admin', 'user']),
      );
      t.deepEqual(
        [...service.kept.values()].flatMap((event) => ('resourcePath' in event ? [event.resourcePath] : [])),
        created,
      );
      t.is(service.batches.flat().length, 24);
      await eventually(() => told().length === 2);
      t.deepEqual(told(), ['the event store is away: events wait', 'the event store is back']);
      t.deepEqual((await call('GET', `/realms/${host.defaultRealm}/admin-events`)).json, []);
      t.deepEqual(neighbour.told(), []);
    },
  );
}

test.serial(
  'event stores of plugins: a store that is away is tried at longer and longer intervals, whatever happens meanwhile',
  async (t) => {
    const { host, service, logIn } = await realmWithStore(t, 'here');
    const call = callAsAdmin(host);
    const delivery = host.use(EventDelivery);
    let open = () => {};
    service.gate = new Promise((resolve) => {
      open = resolve;
    });
    service.state = 'away';
    await logIn();
    await host.events.flush();
    await eventually(() => service.asked === 1);
    // Another event during the first attempt.
    await logIn();
    await host.events.flush();
    open();
    const tries: number[] = [];
    for (let second = 0; second < 8; second += 1) {
      await logIn();
      await host.events.flush();
      await delivery.settled();
      tries.push(service.asked);
      clock.forward(1);
    }
    t.deepEqual(tries, [1, 2, 2, 3, 3, 3, 3, 4]);

    // Different settings make it another store, so its delivery does not wait for a retry.
    const other = await startEventService(t);
    const path = `/realms/${host.defaultRealm}/providers/eventsStore/here`;
    t.is((await call('PUT', path, { enabled: true, config: { url: other.url } })).status, 204);
    await delivery.settled();
    t.true(other.kept.size >= 10);
  },
);

test.serial(
  'event stores of plugins: a worker that is killed after the store took a batch: it comes again, and nothing else',
  async (t) => {
    const { host, service, logIn } = await realmWithStore(t, 'apart');
    service.state = 'die';
    await logIn();
    await logIn();
    await host.events.flush();
    await retryUntil(async () => (await host.store.eventOutbox.count(host.defaultRealm, 9)) === 0);
    const ids = service.batches.flat().map(({ event }) => event.id);
    t.deepEqual([service.kept.size, new Set(ids).size], [2, 2]);
    t.true(ids.length > 2);
  },
);

test.serial(
  'event stores of plugins: too many events wait: logins are left out, changes are not, and the host’s own store has all',
  async (t) => {
    const { host, service, logIn } = await realmWithStore(t, 'here');
    const call = callAsAdmin(host);
    service.state = 'away';
    for (let count = 0; count < OUTBOX_LIMIT + 5; count += 1) {
      await logIn();
      await host.events.flush();
    }
    t.is((await call('POST', `/realms/${host.defaultRealm}/roles`, { name: 'late' })).status, 201);
    const full = host.log.filter(({ message }) => /events are left out/.test(message)).map(logFields);
    t.deepEqual(full, [{ realm: host.defaultRealm, waiting: OUTBOX_LIMIT }]);
    const lost = await figures(host, 'keyhost_event_store_lost_total');
    t.is(lost[`realm=${host.defaultRealm},reason=full`], 5);
    service.state = 'up';
    await retryUntil(() => service.kept.size === OUTBOX_LIMIT + 1);
    t.is(storedEventTypes(service).at(-1), 'CREATE REALM_ROLE');
    const own = (await callAsAdmin(host)('GET', `/realms/${host.defaultRealm}/events?max=100`))
      .json as unknown as object[];
    t.is(own.length, OUTBOX_LIMIT + 5);
  },
);

test.serial(
  'event stores of plugins: events that the store never accepts, and those that expired while waiting, delay no others',
  async (t) => {
    const { host, service, logIn } = await realmWithStore(t, 'here', { eventsExpiration: 60 });
    service.state = 'away';
    await logIn();
    await host.events.flush();
    clock.forward(61);
    await logIn();
    await host.events.flush();
    service.answer = ([first]) => ({ refused: [{ id: first?.event.id, reason: 'too\nlong' }] });
    service.state = 'up';
    await retryUntil(async () => (await host.store.eventOutbox.count(host.defaultRealm, 9)) === 0);
    t.is(service.kept.size, 1);
    const refused = host.log.find(({ message }) => message === 'the event store refused events');
    t.like(refused?.fields, { realm: host.defaultRealm, count: 1, first: [...service.kept.keys()][0] });
  },
);

test.serial(
  'event stores of plugins: waiting events of a realm that disabled the store continue when it is enabled',
  async (t) => {
    const { host, service, logIn, told } = await realmWithStore(t, 'here');
    const call = callAsAdmin(host);
    const put = (enabled: boolean) =>
      call('PUT', `/realms/${host.defaultRealm}/providers/eventsStore/here`, { enabled, config: { url: service.url } });
    service.state = 'away';
    await logIn();
    await host.events.flush();
    await eventually(() => told().length === 1);
    t.is((await put(false)).status, 204);
    service.state = 'up';
    clock.forward(300);
    await logIn();
    await host.events.flush();
    await host.use(EventDelivery).settled();
    t.is(service.kept.size, 0);
    t.is((await put(true)).status, 204);
    await retryUntil(() => service.kept.size >= 2);
    t.deepEqual(storedEventTypes(service).slice(0, 1), ['LOGIN']);
    t.is(storedEventTypes(service).filter((type) => type === 'LOGIN').length, 1);
  },
);

test.serial('event stores of plugins: a realm without its store has no metrics of it', async (t) => {
  const { host, service, logIn } = await realmWithStore(t, 'here');
  const call = callAsAdmin(host);
  const shown = async () => {
    const metrics = ['up', 'waiting', 'lost_total'].map((name) => figures(host, `keyhost_event_store_${name}`));
    return Object.keys(Object.assign({}, ...(await Promise.all(metrics)))).filter((labels) =>
      labels.includes(`realm=${host.defaultRealm}`),
    );
  };
  service.answer = ([first]) => ({ refused: [{ id: first?.event.id, reason: 'no' }] });
  await logIn();
  await host.events.flush();
  await eventually(() => service.kept.size === 1);
  service.state = 'away';
  for (let count = 0; count < OUTBOX_LIMIT + 1; count += 1) await logIn();
  await host.events.flush();
  const lost = ['full', 'refused'].map((reason) => `realm=${host.defaultRealm},reason=${reason}`);
  t.deepEqual(await shown(), [`realm=${host.defaultRealm}`, ...lost]);
  const path = `/realms/${host.defaultRealm}/providers/eventsStore/here`;
  t.is((await call('PUT', path, { enabled: false, config: { url: service.url } })).status, 204);
  await host.use(EventDelivery).settled();
  t.deepEqual(await shown(), []);
});

for (const name of READABLE) {
  test.serial(
    `event stores of plugins: queries go to a store that supports them, and so do deletions (${name})`,
    async (t) => {
      const { host, service, logIn } = await realmWithStore(t, name, {}, false);
      const call = callAsAdmin(host);
      const list = async (path: string) =>
        (await call('GET', `/realms/${host.defaultRealm}/${path}`)).json as unknown as Record<string, unknown>[];
      await logIn();
      await logIn('wrong');
      t.is((await call('POST', `/realms/${host.defaultRealm}/roles`, { name: 'one' })).status, 201);
      await eventually(() => service.kept.size === 3);
      const events = await list('events?type=LOGIN&type=LOGIN_ERROR&first=0&max=7&dateFrom=1&client=spa&direction=asc');
      t.deepEqual(
        events.map(({ type, realmName }) => [type, realmName]),
        [
          ['LOGIN_ERROR', undefined],
          ['LOGIN', undefined],
        ],
      );
      t.deepEqual(service.queries.at(-1), {
        kind: 'user',
        types: ['LOGIN', 'LOGIN_ERROR'],
        first: 0,
        max: 7,
        from: 1,
        clientId: 'spa',
        oldestFirst: true,
      });
      const [created] = await list('admin-events?operationTypes=create&resourceTypes=REALM_ROLE&resourcePath=roles/*');
      t.like(created, { operationType: 'CREATE', representation: '{"name":"one"}' });
      t.like(service.queries.at(-1), {
        kind: 'admin',
        types: ['CREATE'],
        resourceTypes: ['REALM_ROLE'],
        resourcePath: 'roles/*',
      });
      service.found = { events: [...service.kept.values()].filter((event) => event.type === 'LOGIN') };
      const id = String(events[1]?.id);
      t.like((await call('GET', `/realms/${host.defaultRealm}/events/${id}`)).json, { id });
      t.is((await call('GET', `/realms/${host.defaultRealm}/events/another`)).status, 404);
      service.found = undefined;

      t.is((await call('DELETE', `/realms/${host.defaultRealm}/events`)).status, 204);
      t.deepEqual([await list('events'), service.kept.size], [[], 1]);

      service.state = 'away';
      await logIn();
      await host.events.flush();
      for (const [method, path] of [
        ['GET', 'events'],
        ['GET', 'admin-events'],
        ['GET', `events/${id}`],
        ['DELETE', 'admin-events'],
      ] as const) {
        const { status, json, headers } = await call(method, `/realms/${host.defaultRealm}/${path}`);
        t.deepEqual([status, headers.get('retry-after')], [503, '5'], path);
        t.regex(JSON.stringify(json), /event store of the realm is not available/);
      }
      service.state = 'up';
      // Events that wait for delivery are deleted together with the stored ones.
      t.is((await call('DELETE', `/realms/${host.defaultRealm}/events`)).status, 204);
      clock.forward(60);
      await logIn('wrong');
      await eventually(() => service.kept.size === 2);
      t.deepEqual(
        (await list('events')).map(({ type }) => type),
        ['LOGIN_ERROR'],
      );
    },
  );
}

test.serial(
  'event stores of plugins: a write-only store answers no queries, and keeps what is deleted here',
  async (t) => {
    const { host, service, logIn } = await realmWithStore(t, 'here');
    const call = callAsAdmin(host);
    await logIn();
    await eventually(() => service.kept.size === 1);
    t.is((await call('GET', `/realms/${host.defaultRealm}/events`)).json.length, 1);
    t.is((await call('DELETE', `/realms/${host.defaultRealm}/events`)).status, 204);
    t.deepEqual((await call('GET', `/realms/${host.defaultRealm}/events`)).json, []);
    t.is(service.kept.size, 1);
  },
);
