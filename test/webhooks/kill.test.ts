import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { ALICE_LOGIN, logIn } from '../helpers/login.js';
import { COMPILED, folder, remote, run } from '../helpers/process.js';
import { accept, startReceiver, verified } from './receiver.js';
import { hookedRealm, SECRET, WEBHOOKS } from './scene.js';

test('webhooks: what was queued when the host was killed is delivered after the next start', async (t) => {
  // The first request is never answered: the host is killed while it sends.
  const shop = await startReceiver(t, () => {});
  const dir = await folder(t, [hookedRealm({ shop: { url: shop.url, events: ['access.LOGIN'], timeout: 1 } })]);
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: WEBHOOKS }));
  const first = await run(t, dir, [], {}, '0', COMPILED);
  t.truthy(first.url, first.output());
  for (const username of ['u1', 'u1', 'u2']) await logIn(remote(first), { ...ALICE_LOGIN, username });
  await eventually(() => new Set(shop.received.map(({ body }) => String(body.data.userId))).size === 2);
  first.child.kill('SIGKILL');
  await first.ended;
  const before = new Set(shop.received.map(({ id }) => id));
  shop.answer = accept;
  const second = await run(t, dir, [], {}, '0', COMPILED);
  t.truthy(second.url, second.output());
  const count = shop.received.length;
  await eventually(() => new Set(shop.received.slice(count).map(({ id }) => id)).size === 3);
  const later = shop.received.slice(count);
  for (const id of before)
    t.true(
      later.some((one) => one.id === id),
      'the same id again',
    );
  for (const one of later) t.deepEqual(verified(SECRET, one), one.body);
  const times = later.filter(({ body }) => String(body.data.userId) === 'u1').map(({ body }) => Number(body.data.time));
  t.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
});
