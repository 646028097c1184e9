import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { TestClock } from '../helpers/host.js';
import { accept, type Receiver, refuse, startReceiver } from './receiver.js';
import { configure, hookedRealm, reach, type Scene, SECRET, startScene, waits } from './scene.js';

/** The fields of every log message of the plugin. */
const NAMED = { plugin: '@keyhost/webhooks', realm: 'demo' };
/** Keycloak's times, and the jitter of a tenth. */
const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

interface Timed extends Scene {
  readonly clock: TestClock;
  readonly shop: Receiver;
  /** Resolves when all that was due has been looked at. */
  settled(): Promise<void>;
}

async function timed(t: ExecutionContext, endpoint: object = {}, more: object = {}): Promise<Timed> {
  const clock = new TestClock();
  const shop = await startReceiver(t);
  const marker = await startReceiver(t);
  const endpoints = {
    shop: { url: shop.url, ...endpoint },
    marker: { url: marker.url, events: ['access.NEVER'] },
  };
  const argv = ['--bootstrap-admin-username', 'root', '--bootstrap-admin-password', 'root-password'];
  const scene = await startScene(t, hookedRealm(endpoints, { more }), { clock, argv });
  const settled = async () => {
    const before = marker.received.length;
    await scene.ask('/endpoints/marker/test', 'POST');
    await reach(marker, before + 1);
  };
  return { ...scene, clock, shop, settled };
}

const state = async ({ ask }: Scene) =>
  (JSON.parse((await ask('/endpoints')).text) as { name: string; [key: string]: unknown }[]).find(
    ({ name }) => name === 'shop',
  );

test('webhooks: a failed event is repeated by the schedule of Standard Webhooks, with the same ID, and dropped at its end', async (t) => {
  const scene = await timed(t, { events: ['access.LOGIN'] });
  const { clock, shop, ask, settled, login } = scene;
  shop.answer = refuse;
  await login('u1');
  for (const [index, wait] of SCHEDULE.entries()) {
    const attempts = index + 1;
    await waits(scene, 'shop', [attempts]);
    clock.forward(wait * 0.89);
    await settled();
    t.is(shop.received.length, attempts, `${wait} s are not over`);
    clock.forward(wait * 0.22);
    await reach(shop, attempts + 1);
  }
  await waits(scene, 'shop', []);
  const letters = (await ask('/dead-letters')).json as unknown as { last: object }[];
  t.is(letters.length, 1);
  t.like(letters[0], { type: 'access.LOGIN', why: 'attempts', attempts: 10 });
  t.like(letters[0]?.last, { reason: 'status 500', status: 500, answer: 'not today' });
  t.is(new Set(shop.received.map(({ id }) => id)).size, 1);
  t.is(new Set(shop.received.map(({ headers }) => headers['webhook-timestamp'])).size, 10);
});

test('webhooks: events of one user keep their order over failures, and others continue', async (t) => {
  const scene = await timed(t, { events: ['access.LOGIN'], concurrency: 8 });
  const { clock, shop, login } = scene;
  const user = ({ body }: { body: { data: Record<string, unknown> } }) => body.data.userId;
  shop.answer = (one, response) => (user(one) === 'u1' ? refuse : accept)(one, response);
  for (const name of ['u1', 'u1', 'u2', 'u1', 'u3', 'u2']) await login(name);
  await eventually(() => shop.received.filter((one) => user(one) !== 'u1').length === 3);
  t.is(shop.received.filter((one) => user(one) === 'u1').length, 1, 'the next waits for the one before');
  await waits(scene, 'shop', [1, 0, 0]);
  shop.answer = accept;
  clock.forward(6);
  await eventually(() => shop.received.filter((one) => user(one) === 'u1').length === 4);
  const times = shop.received.filter((one) => user(one) === 'u1').map(({ body }) => Number(body.data.time));
  t.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  const ids = shop.received.filter((one) => user(one) === 'u1').map(({ id }) => id);
  t.is(ids[0], ids[1]);
  t.is(new Set(ids).size, 3);
});

test('webhooks: the log says once that an endpoint fails, and once that it accepts events again', async (t) => {
  const scene = await timed(t, { events: ['access.LOGIN'] });
  const { clock, shop, login, host } = scene;
  shop.answer = refuse;
  await login('u1');
  await login('u2');
  await waits(scene, 'shop', [1, 1]);
  clock.forward(6);
  await waits(scene, 'shop', [2, 2]);
  shop.answer = accept;
  await login('u3');
  await reach(shop, 5);
  clock.forward(400);
  await reach(shop, 7);
  const told = () => host.log.filter(({ message }) => message.includes('webhook endpoint'));
  await eventually(() => told().length >= 2);
  t.deepEqual(told(), [
    {
      level: 'warn',
      message: 'a webhook endpoint fails: its events stay in the queue',
      fields: { ...NAMED, endpoint: 'shop', reason: 'status 500' },
    },
    { level: 'info', message: 'a webhook endpoint accepts events again', fields: { ...NAMED, endpoint: 'shop' } },
  ]);
});

for (const [status, header] of [
  [429, () => '100'],
  [503, (clock: TestClock) => new Date(clock.now() + 100_000).toUTCString()],
] as const) {
  test(`webhooks: Retry-After of a ${status} holds for the whole endpoint`, async (t) => {
    const scene = await timed(t, { events: ['access.LOGIN'] });
    const { clock, shop, login, settled } = scene;
    shop.answer = (_, response) => void response.writeHead(status, { 'retry-after': header(clock) }).end();
    await login('u1');
    await waits(scene, 'shop', [1]);
    await login('u2');
    await waits(scene, 'shop', [1, 0]);
    clock.forward(90);
    await settled();
    t.is(shop.received.length, 1);
    shop.answer = accept;
    clock.forward(11);
    const [, ...later] = await reach(shop, 3);
    t.deepEqual(later.map(({ body }) => String(body.data.userId)).sort(), ['u1', 'u2']);
  });
}

for (const how of ['is enabled', 'moves'] as const) {
  test(`webhooks: the pause that an endpoint requested ends when it ${how}`, async (t) => {
    const scene = await timed(t, { events: ['access.LOGIN'] });
    const { shop, login, settled, ask, host } = scene;
    shop.answer = (_, response) => void response.writeHead(429, { 'retry-after': '80000' }).end();
    await login('u1');
    await waits(scene, 'shop', [1]);
    await login('u2');
    await settled();
    await settled();
    t.is(shop.received.length, 1);
    if (how === 'is enabled') {
      shop.answer = accept;
      t.is((await ask('/endpoints/shop/enable', 'POST')).status, 204);
      await reach(shop, 2);
    } else {
      const elsewhere = await startReceiver(t);
      await configure(host, { shop: { url: elsewhere.url, secret: SECRET, events: ['access.LOGIN'] } });
      const [one] = await reach(elsewhere, 1);
      t.is(String(one?.body.data.userId), 'u2');
    }
  });
}

test('webhooks: events behind those that a full queue dropped do not wait for them', async (t) => {
  const scene = await timed(t, { events: ['access.CLIENT_LOGIN'] }, { maxPending: 100 });
  const { shop, clientLogin } = scene;
  shop.answer = refuse;
  await clientLogin();
  await waits(scene, 'shop', [1]);
  for (let at = 0; at < 105; at += 1) await clientLogin();
  const [first, second] = await reach(shop, 2);
  t.not(second?.id, first?.id);
});

test('webhooks: an endpoint that answers 410 is disabled until an admin enables it', async (t) => {
  const scene = await timed(t, { events: ['access.LOGIN'] });
  const { shop, login, ask, host, settled } = scene;
  shop.answer = (_, response) => void response.writeHead(500).end();
  await login('u1');
  await login('u1');
  await waits(scene, 'shop', [1, 0]);
  shop.answer = (_, response) => void response.writeHead(410).end();
  await login('u2');
  const gone = await eventually(async () => {
    const now = await state(scene);
    return now?.state === 'gone' && now.pending === 0 && now;
  });
  t.is(typeof gone.goneSince, 'number');
  const letters = (await ask('/dead-letters')).json as unknown as { why: string }[];
  t.deepEqual(new Set(letters.map(({ why }) => why)), new Set(['endpoint_gone']));
  t.is(letters.length, 3);
  const asked = shop.received.length;
  await login('u3');
  await settled();
  t.is(shop.received.length, asked);
  t.is((await ask('/endpoints/shop/test', 'POST')).status, 409);
  const told = host.log.filter(({ message }) => message.includes('410'));
  t.deepEqual(
    told.map(({ level, fields }) => [level, fields]),
    [['warn', { ...NAMED, endpoint: 'shop' }]],
  );
  shop.answer = accept;
  t.is((await ask('/endpoints/shop/enable', 'POST')).status, 204);
  await eventually(async () => {
    await login('u3');
    return shop.received.length > asked;
  });
});

test('webhooks: a redirect is not followed', async (t) => {
  const elsewhere = await startReceiver(t);
  const scene = await timed(t, { events: ['access.LOGIN'] });
  const { shop, login, clock } = scene;
  shop.answer = (_, response) => void response.writeHead(307, { location: elsewhere.url }).end();
  await login();
  await waits(scene, 'shop', [1]);
  shop.answer = accept;
  clock.forward(6);
  const [first, second] = await reach(shop, 2);
  t.is(first?.id, second?.id);
  t.is(elsewhere.received.length, 0);
});

test('webhooks: an endpoint that does not answer, or endlessly, delays no other one', async (t) => {
  const other = await startReceiver(t);
  const endless = await startReceiver(t);
  const silent = await startReceiver(t, () => {});
  endless.answer = (_, response) => {
    response.writeHead(500);
    // biome-ignore lint/plugin: an answer that goes on
    const timer = setInterval(() => response.write('x'.repeat(5000)), 1);
    response.on('close', () => clearInterval(timer));
  };
  const events = ['access.LOGIN'];
  const realm = hookedRealm({
    silent: { url: silent.url, events, timeout: 1, maxAttempts: 1 },
    endless: { url: endless.url, events, maxAttempts: 1 },
    other: { url: other.url, events, timeout: 20 },
  });
  const { login, ask } = await startScene(t, realm);
  await login('u1');
  await reach(silent, 1);
  await login('u2');
  await reach(other, 2);
  const letters = await eventually(async () => {
    const all = (await ask('/dead-letters')).json as unknown as {
      endpoint: string;
      last: { reason: string; answer?: string };
    }[];
    return all.length >= 4 && all;
  });
  const last = (name: string) => letters.find(({ endpoint }) => endpoint === name)?.last;
  t.is(last('silent')?.reason, 'outbound_timeout: no complete response within 1 s');
  t.is(last('endless')?.reason, 'status 500');
  t.is(last('endless')?.answer?.length, 2048);
});
