import test from 'ava';
import { adminClient } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { accept, refuse, startReceiver, verified } from './receiver.js';
import { configure, hookedRealm, reach, type Scene, SECRET, startScene } from './scene.js';

const ONCE = { events: ['access.LOGIN'], maxAttempts: 1 };

interface Letter {
  readonly letter: string;
  readonly id: string;
  readonly endpoint: string;
  readonly why: string;
  readonly body: string;
}

const lettersOf = async ({ ask }: Scene, query = '') =>
  (await ask(`/dead-letters${query}`)).json as unknown as readonly Letter[];

const lettersOnce = (scene: Scene, count: number) =>
  eventually(async () => {
    const letters = await lettersOf(scene, '?max=1000');
    return letters.length >= count && letters;
  });

test('webhooks: dead letters are listed in pages, replayed one or all, and deleted', async (t) => {
  const shop = await startReceiver(t, refuse);
  const till = await startReceiver(t, refuse);
  const realm = hookedRealm({ shop: { url: shop.url, ...ONCE }, till: { url: till.url, ...ONCE } });
  const scene = await startScene(t, realm);
  const { ask, login } = scene;
  for (const name of ['u1', 'u2', 'u3']) await login(name);
  const letters = await lettersOnce(scene, 6);
  t.deepEqual(await lettersOf(scene, '?first=1&max=2'), letters.slice(1, 3));
  t.is((await ask('/dead-letters?max=many')).status, 400);
  t.is((await ask('/dead-letters?max=1001')).status, 400);
  t.like(letters[0], { why: 'attempts', type: 'access.LOGIN', attempts: 1 });

  shop.answer = accept;
  const mine = letters.find(({ endpoint }) => endpoint === 'shop');
  if (mine === undefined) throw new Error('no letter of the shop');
  const sent = shop.received.length;
  t.is((await ask(`/dead-letters/${mine.letter}/replay`, 'POST')).status, 202);
  const again = (await reach(shop, sent + 1)).at(-1);
  if (again === undefined) throw new Error('nothing came');
  t.deepEqual([again.id, again.text], [mine.id, mine.body]);
  t.deepEqual(verified(SECRET, again), again.body);
  t.is((await ask(`/dead-letters/${mine.letter}/replay`, 'POST')).status, 404);

  const forgotten = letters.find(({ endpoint }) => endpoint === 'till');
  t.is((await ask(`/dead-letters/${forgotten?.letter}`, 'DELETE')).status, 204);
  t.is((await ask(`/dead-letters/${forgotten?.letter}`, 'DELETE')).status, 404);
  till.answer = accept;
  t.like((await ask('/dead-letters/replay?endpoint=shop', 'POST')).json as object, { replayed: 2 });
  t.like(await ask('/dead-letters/replay?endpoint=none', 'POST'), { status: 404 });
  await eventually(async () => (await lettersOf(scene)).every(({ endpoint }) => endpoint === 'till'));
  t.like((await ask('/dead-letters/replay', 'POST')).json as object, { replayed: 2 });
  await reach(till, 5);
  await eventually(async () => (await lettersOf(scene)).length === 0);
});

test('webhooks: a full queue drops its oldest events, and counts them', async (t) => {
  const shop = await startReceiver(t, refuse);
  const realm = hookedRealm({ shop: { url: shop.url, events: ['access.*'] } }, { more: { maxPending: 100 } });
  const scene = await startScene(t, realm);
  for (let at = 0; at < 120; at += 1) await scene.clientLogin();
  const letters = await lettersOnce(scene, 11);
  t.deepEqual(new Set(letters.map(({ why }) => why)), new Set(['queue_full']));
  const shown = await eventually(async () => {
    const [one] = (await scene.ask('/endpoints')).json as unknown as {
      pending: number;
      deadLetters: number;
      dropped: number;
    }[];
    return one !== undefined && one.pending <= 102 && one.dropped === one.deadLetters && one;
  });
  t.true(shown.dropped >= 11);
  const times = letters.map(({ body }) => JSON.parse(body).data.time as number);
  t.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  t.true(scene.host.log.some(({ message }) => message.startsWith('the queue of webhooks is full')));
});

test('webhooks: events for an endpoint that a realm removes become dead letters', async (t) => {
  const shop = await startReceiver(t, refuse);
  const realm = hookedRealm({ shop: { url: shop.url, events: ['access.LOGIN'] } });
  const scene = await startScene(t, realm, {
    argv: ['--bootstrap-admin-username', 'root', '--bootstrap-admin-password', 'root-password'],
  });
  await scene.login('u1');
  await reach(shop, 1);
  const admin = await adminClient(scene.host);
  const place = `${scene.host.url}/admin/realms/demo/providers/events-listener/webhooks`;
  const shown = await fetchAnswer(place, { headers: bearer((await admin.getAccessToken()) ?? '') });
  t.is(shown.status, 200);
  t.false(shown.text.includes(SECRET));
  t.like((shown.json as { config: { endpoints: object } }).config.endpoints, {
    shop: { secret: '**********' },
  });
  await configure(scene.host, {});
  const [letter] = await lettersOnce(scene, 1);
  t.like(letter, { why: 'endpoint_removed', endpoint: 'shop' });
  t.is((await scene.ask(`/dead-letters/${letter?.letter}/replay`, 'POST')).status, 404);
  t.deepEqual((await scene.ask('/endpoints')).json as object, []);
});

test('webhooks: actions of operators are events of the realm, with their user', async (t) => {
  const shop = await startReceiver(t, refuse);
  const realm = hookedRealm({ shop: { url: shop.url, ...ONCE } }, { realm: { eventsEnabled: true } });
  const scene = await startScene(t, realm);
  const { ask, login, host } = scene;
  for (const name of ['u1', 'u2']) await login(name);
  const [one, other] = await lettersOnce(scene, 2);
  await ask('/endpoints/shop/test', 'POST');
  await ask('/endpoints/shop/enable', 'POST');
  await ask(`/dead-letters/${one?.letter}/replay`, 'POST');
  await ask(`/dead-letters/${other?.letter}`, 'DELETE');
  await ask('/dead-letters/replay?endpoint=shop', 'POST');
  for (const path of ['/endpoints/none/enable', '/dead-letters/none/replay'])
    t.is((await ask(path, 'POST')).status, 404);
  const told = (await host.stored('demo')).filter(({ type }) => type.startsWith('WEBHOOK_')).reverse();
  t.deepEqual(
    told.map(({ type, clientId, details }) => [type, clientId, details]),
    [
      ['WEBHOOK_TEST', 'ops', { endpoint: 'shop' }],
      ['WEBHOOK_ENABLE', 'ops', { endpoint: 'shop' }],
      ['WEBHOOK_REPLAY', 'ops', { endpoint: 'shop', letter: one?.letter }],
      ['WEBHOOK_FORGET', 'ops', { endpoint: 'shop', letter: other?.letter }],
      ['WEBHOOK_REPLAY', 'ops', { endpoint: 'shop' }],
    ],
  );
  t.true(told.every(({ userId }) => typeof userId === 'string'));
});

test('webhooks: the routes are for callers who may manage events', async (t) => {
  const shop = await startReceiver(t);
  const { host, ask } = await startScene(t, hookedRealm({ shop: { url: shop.url } }));
  const { access_token } = await logIn(host, {});
  const routes: readonly [string, string][] = [
    ['GET', '/endpoints'],
    ['POST', '/endpoints/shop/test'],
    ['POST', '/endpoints/shop/enable'],
    ['GET', '/dead-letters'],
    ['POST', '/dead-letters/replay'],
    ['POST', '/dead-letters/x/replay'],
    ['DELETE', '/dead-letters/x'],
  ];
  for (const [method, path] of routes) {
    const url = `${host.realm('demo')}/webhooks${path}`;
    t.is((await fetchAnswer(url, { method })).status, 401, path);
    t.is((await fetchAnswer(url, { method, headers: bearer(access_token) })).status, 403, path);
    t.not((await ask(path, method)).status, 403, path);
  }
});
