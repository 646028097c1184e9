import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { Clock } from '../../core/di/host-tokens.js';
import type { EventRecord } from '../../core/store/store.js';
import { adminCaller, administered, administrator, ownRealm, ROOT, startAdministered } from '../helpers/admin.js';
import { type Listening, listen } from '../helpers/event-stream.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { figure } from '../helpers/metrics.js';
import { ALICE, idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEPT = { adminEventsEnabled: true, adminEventsDetailsEnabled: true };

async function tokenOf(host: TestHost, realm = 'master', who: { username: string; password: string } = ROOT) {
  const { json } = await host.token(realm, { grant_type: 'password', client_id: 'admin-cli', ...who });
  return String(json.access_token);
}

function logIn(host: TestHost, password = 'Alice-pass-1!') {
  return host.token(host.defaultRealm, { grant_type: 'password', client_id: 'spa', username: 'alice', password });
}

function eventAt(realm: string, time: number, changes: Partial<EventRecord> = {}): EventRecord {
  const id = randomUUID();
  const body = JSON.stringify({ id, time, type: 'LOGIN', realmId: realm, details: {} });
  return { id, realm, kind: 'user', time, type: 'LOGIN', body, ...changes };
}

/** A realm with user and admin events, and functions to listen to it. */
async function scene(t: ExecutionContext, query = '', lastEventId?: string) {
  const { host } = await ownRealm(shared(), KEPT);
  const token = await otherAdminToken(host);
  const stream = await listen(t, host, { realm: host.defaultRealm, token, query, ...(lastEventId && { lastEventId }) });
  await stream.heard('state');
  return { host, token, stream, realm: host.defaultRealm, call: await adminCaller(host) };
}

test('event stream: events of a realm arrive as they happen, in the form of /events and /admin-events', async (t) => {
  const { host, stream, realm, call } = await scene(t);
  t.is(stream.status, 200);
  t.is(stream.headers.get('content-type'), 'text/event-stream');
  t.is(stream.headers.get('cache-control'), 'no-store, no-transform');
  t.is(stream.headers.get('x-accel-buffering'), 'no');
  t.is(stream.headers.get('content-encoding'), null);
  t.true(stream.text().startsWith('retry: 2000\n\nevent: state\n'));
  t.deepEqual(stream.of('state')[0]?.data as object, {
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
  });
  await logIn(host);
  await logIn(host, 'wrong');
  await call('PUT', `/realms/${realm}`, { displayName: 'Renamed' });
  await Promise.all([stream.heard('user', 2), stream.heard('admin')]);
  const oldestFirst = '?direction=asc';
  const data = (kind: string) => stream.of(kind).map((message) => message.data as object);
  t.deepEqual(data('user'), (await call('GET', `/realms/${realm}/events${oldestFirst}`)).json as unknown as object[]);
  t.deepEqual(
    data('admin'),
    (await call('GET', `/realms/${realm}/admin-events${oldestFirst}`)).json as unknown as object[],
  );
  t.true(data('user').every((event) => 'id' in event));
});

test('event stream: earlier events, and those of other realms, are not sent', async (t) => {
  const { host } = await ownRealm(shared(), KEPT);
  const { host: other } = await ownRealm(shared(), KEPT);
  await logIn(host);
  await host.events.flush();
  const stream = await listen(t, host, { realm: host.defaultRealm, token: await otherAdminToken(host) });
  await stream.heard('state');
  await logIn(other);
  await logIn(host, 'wrong');
  await stream.heard('user');
  t.deepEqual(
    stream.of('user').map(({ data }) => data.type),
    ['LOGIN_ERROR'],
  );
});

const FILTERS: readonly [query: string, heard: string[]][] = [
  ['?kind=user', ['LOGIN', 'LOGIN_ERROR']],
  ['?kind=admin', ['UPDATE', 'CREATE']],
  ['?type=LOGIN_ERROR&kind=user', ['LOGIN_ERROR']],
  ['?kind=user&client=spa&user=$ALICE&ipAddress=127.0.0.1&type=login', ['LOGIN']],
  ['?kind=user&ipAddress=10.0.0.1', []],
  ['?type=LOGIN&operationTypes=CREATE', ['LOGIN', 'CREATE']],
  ['?kind=admin&resourceTypes=ROLE&resourceTypes=REALM_ROLE', ['CREATE']],
  ['?kind=admin&resourcePath=ro*s', []],
  ['?kind=admin&resourcePath=RO*s%2F*l*e', ['CREATE']],
  ['?kind=admin&authRealm=master', ['UPDATE', 'CREATE']],
  ['?kind=admin&authRealm=nobody', []],
];

test('event stream: the query filters as that of the lists does, live and after a reconnect', async (t) => {
  const { host } = await ownRealm(shared(), KEPT);
  const realm = host.defaultRealm;
  const token = await otherAdminToken(host);
  const began = Date.now();
  const queries = FILTERS.map(([query, heard]) => [query.replace('$ALICE', idIn(realm, ALICE)), heard] as const);
  const live: { query: string; heard: string[]; stream: Listening }[] = [];
  for (const [index, [query, heard]] of queries.entries()) {
    // An admin may have at most ten streams.
    const who = index < 9 ? token : await otherAdminToken(host);
    const stream = await listen(t, host, { realm, token: who, query });
    await stream.heard('state');
    live.push({ query, heard, stream });
  }
  await logIn(host);
  await logIn(host, 'wrong');
  const call = await adminCaller(host);
  await call('PUT', `/realms/${realm}`, { displayName: 'x' });
  await call('POST', `/realms/${realm}/roles`, { name: 'a role' });
  const all = await listen(t, host, { realm, token, lastEventId: String(began) });
  await Promise.all([all.heard('user', 2), all.heard('admin', 2)]);
  const said = (stream: Listening) =>
    ['user', 'admin'].flatMap((kind) => stream.of(kind).map(({ data }) => data.type ?? data.operationType));
  for (const { query, heard, stream } of live) {
    await eventually(() => said(stream).length >= heard.length);
    t.deepEqual(said(stream), heard, query);
    stream.stop();
  }
  all.stop();
  for (const [query, heard] of queries) {
    const again = await listen(t, host, {
      realm,
      token: await otherAdminToken(host),
      query,
      lastEventId: String(began),
    });
    await eventually(() => said(again).length >= heard.length && again.of('state').length > 0);
    t.deepEqual(said(again), heard, query);
    again.stop();
  }
});

/** A token of another admin of `master` with view-events. */
async function otherAdminToken(host: TestHost): Promise<string> {
  const call = await adminCaller(host);
  const username = `admin-${randomUUID()}`;
  const location = (
    await call('POST', '/realms/master/users', {
      username,
      enabled: true,
      credentials: [{ type: 'password', value: username }],
    })
  ).headers.get('location');
  const role = (await call('GET', '/realms/master/roles/admin')).json;
  await call('POST', `/realms/master/users/${location?.split('/').pop()}/role-mappings/realm`, [role]);
  return tokenOf(host, 'master', { username, password: username });
}

test('event stream: a reconnecting client gets what it missed', async (t) => {
  const { host, token, stream, realm } = await scene(t);
  await logIn(host);
  const [first] = await stream.heard('user');
  stream.stop();
  for (let count = 0; count < 5; count += 1) await logIn(host, 'wrong');
  const again = await listen(t, host, { realm, token, lastEventId: first?.id ?? '' });
  const ids = () => new Set(again.of('user').map(({ data }) => data.id));
  // Events of the last seconds may be sent again with the same IDs.
  const missed = () => [...ids()].filter((one) => one !== first?.data.id);
  await eventually(() => missed().length >= 5);
  await logIn(host, 'wrong too');
  await eventually(() => missed().length >= 6);
  t.is(again.of('gap').length, 0);
  t.is(ids().size, again.of('user').length, 'but none twice on one stream');
});

test('event stream: a client that missed more than a thousand events gets a gap, and continues from there', async (t) => {
  const { host } = await ownRealm(shared(), KEPT);
  const realm = host.defaultRealm;
  const token = await otherAdminToken(host);
  const now = Date.now();
  await host.store.events.append(Array.from({ length: 1_000 }, () => eventAt(realm, now - 30_000)));
  const whole = await listen(t, host, { realm, token, lastEventId: String(now - 60_000) });
  await whole.heard('user', 1_000);
  t.is(whole.of('gap').length, 0);
  await host.store.events.append([eventAt(realm, now - 30_000)]);
  const stream = await listen(t, host, { realm, token, lastEventId: String(now - 60_000) });
  const [gap] = await stream.heard('gap');
  t.true(Number(gap?.id) >= now);
  await logIn(host);
  await stream.heard('user');
  t.is(stream.of('user').length, 1);
});

test('event stream: events that are stored late are sent once, and the cursor never moves back', async (t) => {
  const clock = new TestClock();
  const realm = 'demo';
  const host = await startAdministered(t, { realms: [testRealm(realm, KEPT)], clock });
  const stream = await listen(t, host, { realm, token: await tokenOf(host) });
  await stream.heard('state');
  const now = clock.now();
  await host.store.events.append([eventAt(realm, now)]);
  await stream.heard('user');
  await host.store.events.append([eventAt(realm, now - 3_000), eventAt(realm, now - 1)]);
  await stream.heard('user', 3);
  await host.store.events.append([eventAt(realm, now + 1)]);
  const heard = await stream.heard('user', 4);
  t.is(new Set(heard.map(({ data }) => data.id)).size, 4);
  const cursors = heard.map(({ id }) => Number(id));
  t.deepEqual(
    cursors,
    cursors.toSorted((a, b) => a - b),
  );
});

test('event stream: the stream says whether the realm stores events, and when that changes', async (t) => {
  const { host } = await ownRealm(shared(), { eventsEnabled: false, adminEventsEnabled: false });
  const stream = await listen(t, host, { realm: host.defaultRealm, token: await otherAdminToken(host) });
  const [state] = await stream.heard('state');
  t.like(state?.data, { eventsEnabled: false, adminEventsEnabled: false });
  const call = await adminCaller(host);
  t.is((await call('PUT', `/realms/${host.defaultRealm}/events/config`, { eventsEnabled: true })).status, 204);
  const [, changed] = await stream.heard('state', 2);
  t.like(changed?.data, { eventsEnabled: true, adminEventsEnabled: false });
  await logIn(host);
  await stream.heard('user');
  t.pass();
});

test('event stream: invalid parameters are refused with their place', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/events/stream`;
  const refusals: [query: string, headers: Record<string, string>, text: RegExp][] = [
    ['?kind=other', {}, /kind: must be of user, admin/],
    ['?type=LOGIN_EROR', {}, /did you mean \\"LOGIN_ERROR\\"/],
    ['?operationTypes=CRAETE', {}, /operationTypes: must be of/],
    ['', { 'last-event-id': 'yesterday' }, /Last-Event-ID: must be the ID of an event of the stream/],
  ];
  for (const [query, headers, text] of refusals) {
    const answer = await call('GET', `${path}${query}`, undefined, headers);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
  }
  const head = await call('HEAD', path);
  t.is(head.status, 200);
  t.is(head.headers.get('content-type'), 'text/event-stream');
  t.is(head.text, '');
  const document = (await fetchAnswer(`${host.url}/admin/openapi.json`)).json as Record<string, Record<string, object>>;
  t.like(document.paths?.['/realms/{realm}/events/stream'], {
    get: { responses: { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } } },
  });
});

test('event stream: only callers who may see the realm’s events can listen, as long as that is so', async (t) => {
  const { host } = await ownRealm(shared(), (realm) => ({
    ...KEPT,
    users: [
      ...(realm.users ?? []),
      administrator('listener', 'view-events'),
      administrator('looker', 'view-users', 'view-realm'),
    ],
  }));
  const realm = host.defaultRealm;
  const path = `${host.url}/admin/realms/${realm}/events/stream`;
  t.is((await fetchAnswer(path)).status, 401);
  const looker = await tokenOf(host, realm, { username: 'looker', password: 'looker' });
  t.is((await fetchAnswer(path, { headers: { authorization: `Bearer ${looker}` } })).status, 403);
  const call = await adminCaller(host);
  const begin = async () => {
    const token = await tokenOf(host, realm, { username: 'listener', password: 'listener' });
    const stream = await listen(t, host, { realm, token });
    await stream.heard('state');
    return stream;
  };
  const [{ id }] = (await call('GET', `/realms/${realm}/users?username=listener`)).json as unknown as [{ id: string }];
  const signedOut = await begin();
  t.is((await call('POST', `/realms/${realm}/users/${id}/logout`)).status, 204);
  await signedOut.ended;
  t.deepEqual(signedOut.of('end')[0]?.data as object, { status: 401 });
  const stripped = await begin();
  const clients = (await call('GET', `/realms/${realm}/clients?clientId=realm-management`)).json;
  const [{ id: management }] = clients as unknown as [{ id: string }];
  const mapping = `/realms/${realm}/users/${id}/role-mappings/clients/${management}`;
  t.is((await call('DELETE', mapping, (await call('GET', mapping)).json)).status, 204);
  await stripped.ended;
  t.deepEqual(stripped.of('end')[0]?.data as object, { status: 403 });
  t.is(signedOut.messages.at(-1)?.event, 'end');
  t.is(stripped.messages.at(-1)?.event, 'end');
});

test('event stream: the stream ends with the token, and asks for another one', async (t) => {
  const clock = new TestClock();
  const host = await startAdministered(t, { realms: [testRealm('demo', KEPT)], clock });
  t.is(host.use(Clock), clock);
  const stream = await listen(t, host, { realm: 'demo', token: await tokenOf(host) });
  await stream.heard('state');
  clock.forward(30);
  await logIn(host);
  await stream.heard('user');
  clock.forward(31);
  await stream.ended;
  t.is(stream.messages.at(-1)?.event, 'renew');
});

test('event stream: an admin has ten streams, then 503 with Retry-After; metrics count the open ones', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo', KEPT)] });
  const token = await tokenOf(host);
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(t, host, { realm: 'demo', token })));
  t.true(streams.every(({ status }) => status === 200));
  const open = () => figure(host, 'keyhost_event_streams');
  t.is(await open(), 10);
  const refused = await fetchAnswer(`${host.url}/admin/realms/demo/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  t.is(refused.status, 429);
  t.is(refused.headers.get('retry-after'), '5');
  t.regex(refused.text, /You have 10 streams of events open/);
  streams[0]?.stop();
  await eventually(async () => (await open()) === 9);
  t.is((await listen(t, host, { realm: 'demo', token })).status, 200);
});

test('event stream: streams end in order at once when the host stops, and do not delay it', async (t) => {
  // A stream that blocked the shutdown would do so until after AVA's timeout.
  const argv = ['--shutdown-timeout', '600s'];
  const host = await startAdministered(t, { realms: [testRealm('demo', KEPT)], argv });
  const token = await tokenOf(host);
  const stream = await listen(t, host, { realm: 'demo', token });
  await stream.heard('state');
  const deaf = await stalledClient(t, host, token);
  for (let count = 0; count < 4; count += 1) {
    const details = { representation: 'x'.repeat(200_000) };
    const body = JSON.stringify({ id: randomUUID(), time: Date.now(), type: 'LOGIN', details });
    await host.store.events.append([eventAt('demo', Date.now(), { body })]);
    await stream.heard('user', count + 1);
  }
  await host.close();
  await stream.ended;
  t.true(deaf.destroyed || deaf.readableEnded || (await closed(deaf)));
});

/** Requests the stream and never reads it. */
async function stalledClient(t: ExecutionContext, host: TestHost, token: string) {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname).pause();
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(
    `GET /admin/realms/demo/events/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await eventually(async () => (await figure(host, 'keyhost_event_streams')) === 2);
  return socket;
}

function closed(socket: Awaited<ReturnType<typeof stalledClient>>): Promise<boolean> {
  socket.resume();
  return new Promise((resolve) => socket.once('close', () => resolve(true)));
}

test('event stream: a slow client gets a gap, and delays nobody', async (t) => {
  const { host, token, stream, realm } = await scene(t);
  const response = await fetch(`${host.url}/admin/realms/${realm}/events/stream?kind=user`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = response.body?.getReader();
  t.teardown(() => reader?.cancel());
  const large = () => {
    const id = randomUUID();
    return eventAt(realm, Date.now(), { id, body: JSON.stringify({ id, type: 'LOGIN', text: 'x'.repeat(50_000) }) });
  };
  let count = 0;
  // The sockets in between buffer some megabytes.
  for (let round = 0; round < 20; round += 1) {
    const events = Array.from({ length: 20 }, large);
    await host.store.events.append(events);
    count += events.length;
    await stream.heard('user', count);
  }
  let text = '';
  const decoder = new TextDecoder();
  while (!text.includes('event: gap')) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text = text.slice(-100) + decoder.decode(value, { stream: true });
  }
  t.true(text.includes('event: gap'));
  t.is(stream.of('gap').length, 0);
});
