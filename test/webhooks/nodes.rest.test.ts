import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { TestClock } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { accept, startReceiver } from './receiver.js';
import { hookedRealm, reach, type Scene, sceneOf, WEBHOOKS } from './scene.js';

/** Two hosts of one database. */
async function twoNodes(t: ExecutionContext, endpoint: object, clock?: TestClock) {
  const { nodes } = await startNodes(t, {
    realms: [hookedRealm({ shop: { events: ['access.LOGIN'], ...endpoint } })],
    plugins: WEBHOOKS,
    ...(clock === undefined ? {} : { clock }),
  });
  const [one, other] = nodes.map(sceneOf) as [Scene, Scene];
  return { one, other };
}

test('webhooks: of two nodes one delivers each event, in the order of its user', async (t) => {
  const shop = await startReceiver(t, (received, response) => void setImmediate(accept, received, response));
  // The clock moves with each login alone: no lease runs out on a slow machine, which would send an event again.
  const clock = new TestClock();
  const { one, other } = await twoNodes(t, { url: shop.url, concurrency: 8, timeout: 20 }, clock);
  // A node queues an event after it has answered the login: the order is that of the queue.
  let queued = 0;
  for (const name of ['u1', 'u2', 'u1', 'u3']) {
    for (const node of [one, other]) {
      clock.forward(1);
      await node.login(name);
      queued += 1;
      await eventually(async () => {
        const range = { realm: 'demo', namespace: '@keyhost/webhooks', prefix: 'q/shop/', first: 0, max: 100 };
        const waiting = await node.host.store.entries.list({ ...range, now: clock.now() });
        const ids = waiting.map(({ value }) => (JSON.parse(value) as { id: string }).id);
        return new Set([...ids, ...shop.received.map(({ id }) => id)]).size >= queued;
      });
    }
  }
  // Each node sees the messages that the other has queued.
  for (const { ask } of [one, other]) t.is((await ask('/endpoints/shop/test', 'POST')).status, 202);
  await reach(shop, 10);
  await eventually(async () => (await one.waiting('shop')).length === 0);
  t.is(new Set(shop.received.map(({ id }) => id)).size, 10);
  t.is(shop.received.length, 10);
  for (const name of ['u1', 'u2', 'u3']) {
    const times = shop.received
      .filter(({ body }) => String(body.data.userId) === name)
      .map(({ body }) => Number(body.data.time));
    t.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  }
});

test('webhooks: the events of a node that died are sent by another one after its lease has expired', async (t) => {
  const clock = new TestClock();
  const shop = await startReceiver(t);
  const { one, other } = await twoNodes(t, { url: shop.url, timeout: 10 }, clock);
  // A message that a killed node left behind during an attempt.
  const place = { realm: 'demo', namespace: '@keyhost/webhooks' };
  const now = clock.now();
  const left = {
    id: 'left-behind',
    type: 'access.LOGIN',
    endpoint: 'shop',
    lane: 'lane',
    body: '{"type":"access.LOGIN"}',
    queuedAt: now,
    attempts: 0,
    leasedUntil: now + 25_000,
    lease: 'of the dead',
  };
  await one.host.store.entries.put({ ...place, key: 'q/shop/lane/0001', value: JSON.stringify(left) });
  for (const { ask } of [one, other]) await ask('/endpoints/shop/test', 'POST');
  await reach(shop, 2);
  clock.forward(24);
  for (const { ask } of [one, other]) await ask('/endpoints/shop/test', 'POST');
  await reach(shop, 4);
  t.false(shop.received.some(({ id }) => id === 'left-behind'));
  clock.forward(2);
  await eventually(() => shop.received.some(({ id }) => id === 'left-behind'));
  await eventually(async () => (await other.waiting('shop')).length === 0);
  t.is(shop.received.filter(({ id }) => id === 'left-behind').length, 1);
});
