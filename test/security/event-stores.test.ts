import test, { type ExecutionContext } from 'ava';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { type EventService, eventStore, startEventService } from '../helpers/event-service.js';
import { eventually } from '../helpers/eventually.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const NAMES = ['shelf', 'apart'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: NAMES.map((module) => ({ module, isolation: module === 'apart' ? 'worker' : 'none' })),
    packages: Object.fromEntries(NAMES.map((name) => [name, eventStore(name, true)])),
  }),
  /a call of a provider failed|the event store/,
);

async function realmOf(t: ExecutionContext, name = 'shelf') {
  const service = await startEventService(t);
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    eventsListeners: [],
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    providers: { eventsStore: { [name]: { enabled: true, config: { url: service.url } } } },
    users: [...users, administrator('boss', 'realm-admin')],
  }));
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'boss', password: 'boss' });
  await host.events.flush();
  return { host, service, call, path: `/realms/${host.defaultRealm}` };
}

const seen = async (service: EventService, type: string) =>
  eventually(() => [...service.kept.values()].find((event) => event.type === type));

for (const name of NAMES) {
  test(`T723 · event stores of plugins: a store shows no events of another realm, and no invalid ones (${name})`, async (t) => {
    const own = await realmOf(t, name);
    const other = await realmOf(t, name);
    await other.host.token(other.host.defaultRealm, { client_id: 'spa', ...ALICE_LOGIN });
    const theirs = await seen(other.service, 'LOGIN');
    const mine = await seen(own.service, 'LOGIN');
    for (const events of [
      [theirs],
      [mine, theirs],
      [{ ...mine, type: undefined, operationType: 'CREATE', authDetails: {} }],
      [{ ...mine, id: 7 }],
      [{ realmId: mine?.realmId }],
      'all',
      undefined,
    ]) {
      own.service.found = { events };
      for (const list of ['events', `events/${theirs?.id}`]) {
        const { status, text } = await own.call('GET', `${own.path}/${list}`);
        t.is(status, 503, JSON.stringify(events));
        t.false(text.includes(other.host.defaultRealm));
      }
    }
    // Events beyond the requested number are cut off.
    own.service.found = { events: Array.from({ length: 50 }, () => mine) };
    t.is((await own.call('GET', `${own.path}/events?max=3`)).json.length, 3);
  });
}

test('T724 · event stores of plugins: a store that hangs delays no login and no other realm', async (t) => {
  const hanging = await realmOf(t);
  const other = await realmOf(t);
  hanging.service.state = 'hang';
  for (let count = 0; count < 5; count += 1) {
    const { status } = await hanging.host.token(hanging.host.defaultRealm, { client_id: 'spa', ...ALICE_LOGIN });
    t.is(status, 200);
    t.is((await hanging.call('POST', `${hanging.path}/roles`, { name: `role-${count}` })).status, 201);
    await other.host.token(other.host.defaultRealm, { client_id: 'spa', ...ALICE_LOGIN });
  }
  await eventually(() => [...other.service.kept.values()].filter(({ type }) => type === 'LOGIN').length >= 6);
  t.true((await hanging.host.store.eventOutbox.count(hanging.host.defaultRealm, 99)) >= 10);
  hanging.service.state = 'up';
});

test('T725 · event stores of plugins: realm admins do not see errors of a store', async (t) => {
  const { service, call, path } = await realmOf(t);
  service.state = 'away';
  for (const [method, of] of [
    ['GET', 'events'],
    ['GET', 'admin-events'],
    ['DELETE', 'events'],
  ] as const) {
    const { status, text } = await call(method, `${path}/${of}`);
    t.is(status, 503);
    t.false(/service|answered/.test(text), text);
  }
});

test('T726 · event stores of plugins: no store gets a secret that an admin has set', async (t) => {
  const { service, call, path } = await realmOf(t);
  const secret = 'a-secret-that-nobody-sees';
  t.is((await call('POST', `${path}/clients`, { clientId: 'new', secret })).status, 201);
  const created = await eventually(() =>
    [...service.kept.values()].find((event) => 'resourceType' in event && event.resourceType === 'CLIENT'),
  );
  t.regex(JSON.stringify(created), /"clientId":"new"/);
  t.false(JSON.stringify([...service.kept.values()]).includes(secret));
});

test('T727 · event stores of plugins: an admin of a realm adds no second store that reads its events, and cannot read without the role', async (t) => {
  const { service, call, path, host } = await realmOf(t);
  const put = await call('PUT', `${path}/providers/eventsStore/apart`, { enabled: true, config: { url: service.url } });
  t.is(put.status, 400, put.text);
  const user = { username: 'peeping', enabled: true, credentials: [{ type: 'password', value: 'peeping' }] };
  t.is((await call('POST', `${path}/users`, user)).status, 201);
  const peeping = await adminCaller(host, { realm: host.defaultRealm, username: 'peeping', password: 'peeping' });
  const before = service.queries.length;
  for (const method of ['GET', 'DELETE']) t.is((await peeping(method, `${path}/events`)).status, 403);
  t.is(service.queries.length, before);
});
