import test from 'ava';
import { adminClient } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { startReceiver, verified } from './receiver.js';
import { hookedRealm, newSecret, reach, SECRET, startScene, WEBHOOKS } from './scene.js';

for (const isolation of ['none', 'worker']) {
  test(`webhooks: an event is posted once, signed as Standard Webhooks prescribes (${isolation})`, async (t) => {
    const receiver = await startReceiver(t);
    const headers = { Authorization: 'Bearer of-the-receiver', 'X-Shop': 'north' };
    const realm = hookedRealm({ shop: { url: `${receiver.url}?a=b`, events: ['access.LOGIN'], headers } });
    const { login, host } = await startScene(t, realm, { plugins: [{ module: '@keyhost/webhooks', isolation }] });
    await login();
    const [one] = await reach(receiver, 1);
    if (one === undefined) throw new Error('nothing came');
    t.deepEqual(verified(SECRET, one), one.body);
    t.throws(() => verified(newSecret(), one));
    t.throws(() => verified(SECRET, { ...one, text: one.text.replace('alice', 'mallory') }));
    t.is(one.path, '/hook?a=b');
    t.like(one.headers, {
      authorization: 'Bearer of-the-receiver',
      'x-shop': 'north',
      'content-type': 'application/json',
      'user-agent': 'Keyhost-Webhooks',
    });
    const { type, timestamp, data } = one.body;
    t.is(type, 'access.LOGIN');
    t.like(data, { type: 'LOGIN', userId: ALICE, clientId: 'web', realmName: 'demo', id: one.id });
    t.is(timestamp, new Date(Number(data.time)).toISOString());
    t.like(data.details, { username: 'alice' });
    await host.events.flush();
    t.is(receiver.received.length, 1);
    t.deepEqual(
      host.log.filter(({ level }) => level === 'error' || level === 'warn'),
      [],
    );
  });
}

test('webhooks: each endpoint gets the types that it names, also those of admins and failures', async (t) => {
  const [all, failures, admins, none] = await Promise.all([1, 2, 3, 4].map(() => startReceiver(t)));
  if (!all || !failures || !admins || !none) throw new Error('no receivers');
  const realm = hookedRealm({
    all: { url: all.url, events: ['*'] },
    failures: { url: failures.url, events: ['access.*_ERROR', 'access.LOG*T'] },
    admins: { url: admins.url, events: ['admin.USER-*'] },
    none: { url: none.url, events: ['access', 'LOGIN', 'access.LOGIN_', 'admin.*-NONE'] },
    off: { url: none.url, events: ['*'], enabled: false },
  });
  const { host, login } = await startScene(t, realm, {
    argv: ['--bootstrap-admin-username', 'root', '--bootstrap-admin-password', 'root-password'],
  });
  await login();
  await host.token('demo', { grant_type: 'password', client_id: 'web2', client_secret: 'wrong', username: 'alice' });
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'demo' });
  const { id } = await admin.users.create({ username: 'new', enabled: true });
  await admin.users.update({ id }, { firstName: 'New' });
  const types = (received: readonly { body: { type: string } }[]) => received.map(({ body }) => body.type).sort();
  t.deepEqual(types(await reach(all, 4)), [
    'access.LOGIN',
    'access.LOGIN_ERROR',
    'admin.USER-CREATE',
    'admin.USER-UPDATE',
  ]);
  t.deepEqual(types(await reach(failures, 1)), ['access.LOGIN_ERROR']);
  const [created, updated] = await reach(admins, 2);
  t.deepEqual(
    [created, updated].map((one) => [one?.body.type, one?.body.data.resourcePath]),
    [
      ['admin.USER-CREATE', `users/${id}`],
      ['admin.USER-UPDATE', `users/${id}`],
    ],
  );
  t.is(new Set(all.received.map((one) => one.id)).size, 4);
  t.true(
    all.received.some((one) => one.id === created?.id),
    'one id at every endpoint',
  );
  t.is(none.received.length, 0);
});

test('webhooks: while a secret is changed both are valid', async (t) => {
  const receiver = await startReceiver(t);
  const secret = newSecret();
  const previousSecret = newSecret();
  const realm = hookedRealm({ shop: { url: receiver.url, secret, previousSecret } });
  const { login } = await startScene(t, realm);
  await login();
  const [one] = await reach(receiver, 1);
  if (one === undefined) throw new Error('nothing came');
  t.deepEqual([verified(secret, one), verified(previousSecret, one)], [one.body, one.body]);
  t.is(String(one.headers['webhook-signature']).split(' ').length, 2);
});

test('webhooks: an operator sends a test event, and sees the state of an endpoint', async (t) => {
  const receiver = await startReceiver(t);
  const realm = hookedRealm({
    shop: { url: `${receiver.url}?key=of-the-shop`, events: ['access.NEVER'] },
    off: { url: receiver.url, enabled: false },
  });
  const { ask, host } = await startScene(t, realm);
  const { status, json } = await ask('/endpoints/shop/test', 'POST');
  t.is(status, 202);
  const [one] = await reach(receiver, 1);
  if (one === undefined) throw new Error('nothing came');
  t.deepEqual(verified(SECRET, one), one.body);
  t.like(one.body, { type: 'webhooks.TEST' });
  t.like(one.body.data, { endpoint: 'shop', realmName: 'demo' });
  t.is(one.id, String(json.id));
  t.is((await ask('/endpoints/off/test', 'POST')).status, 409);
  t.is((await ask('/endpoints/constructor/test', 'POST')).status, 404);
  const shown = await eventually(async () => {
    const answer = await ask('/endpoints');
    return answer.text.includes('"pending":1') ? undefined : answer;
  });
  t.deepEqual(shown.json as object, [
    {
      name: 'off',
      state: 'disabled',
      url: receiver.url,
      events: ['access.*'],
      enabled: false,
      pending: 0,
      deadLetters: 0,
    },
    {
      name: 'shop',
      state: 'healthy',
      url: receiver.url,
      events: ['access.NEVER'],
      enabled: true,
      pending: 0,
      deadLetters: 0,
    },
  ]);
  t.notRegex(JSON.stringify(host.log) + shown.text, /whsec_|of-the-shop/);
});

test('webhooks: a realm without webhooks has no route, no entry and no work of theirs', async (t) => {
  const { host } = await startScene(t, testRealm('demo', { eventsListeners: [], providers: {} }), {
    plugins: WEBHOOKS,
  });
  await host.token('demo', { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' });
  t.is((await fetchAnswer(`${host.realm('demo')}/webhooks/endpoints`)).status, 404);
  const range = { realm: 'demo', namespace: '@keyhost/webhooks', prefix: '', first: 0, max: 10, now: Date.now() };
  t.deepEqual(await host.store.entries.list(range), []);
  t.is(host.sessions.calls.countsOf('events-listener/webhooks', 'demo'), undefined);
});
