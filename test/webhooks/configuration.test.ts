import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { startHost } from '../helpers/host.js';
import { startReceiver, verified } from './receiver.js';
import { hookedRealm, newSecret, reach, SECRET, startScene, WEBHOOKS } from './scene.js';

const URL = 'https://shop.example/hook';

/** The invalid endpoint, the path of the mistake, and its message. */
const MISTAKES: readonly [endpoint: object, path: string, message: RegExp][] = [
  [{ url: 'ftp://shop.example' }, 'endpoints.shop.url', /^must match/],
  [{ url: 'https://user:word@shop.example/' }, 'endpoints.shop.url', /^must match/],
  [{ url: URL, secret: 'short' }, 'endpoints.shop.secret', /^must match/],
  [{ url: URL, events: [] }, 'endpoints.shop.events', /fewer than 1/],
  [{ url: URL, timeout: 60 }, 'endpoints.shop.timeout', /^must be at most 20$/],
  [{ url: URL, enabeld: true }, 'endpoints.shop.enabeld', /unknown key/],
  [{ url: URL, headers: { Host: 'other' } }, 'endpoints.shop.headers', /^must match/],
];

for (const [endpoint, path, message] of MISTAKES) {
  test(`webhooks: a problem in a realm file is reported at its place: ${JSON.stringify(endpoint)}`, async (t) => {
    const realms = [hookedRealm({ shop: endpoint })];
    const error = await t.throwsAsync<Error & { problems: readonly { path: string; line: number; message: string }[] }>(
      startHost(t, { realms, plugins: WEBHOOKS }),
    );
    const [problem] = error?.problems ?? [];
    t.true(problem?.path.startsWith(`providers.events-listener.webhooks.config.${path}`), JSON.stringify(problem));
    t.regex(problem?.message ?? '', message);
    t.true((problem?.line ?? 0) > 1);
    t.false(JSON.stringify(error?.problems).includes(SECRET));
  });
}

test('webhooks: a secret comes from the environment', async (t) => {
  const shop = await startReceiver(t);
  const secret = newSecret();
  const realm = hookedRealm({ shop: { url: shop.url, secret: '${env.SHOP_SECRET}' } });
  const { login } = await startScene(t, realm, { env: { SHOP_SECRET: secret } });
  await login();
  const [one] = await reach(shop, 1);
  if (one === undefined) throw new Error('nothing came');
  t.deepEqual(verified(secret, one), one.body);
});

test('webhooks: an endpoint in a private network that the operator does not allow is not called', async (t) => {
  const shop = await startReceiver(t);
  const realm = hookedRealm({ shop: { url: shop.url, events: ['access.NEVER'], maxAttempts: 1 } });
  const { ask } = await startScene(t, realm, { argv: ['--outbound-private-networks', '10.0.0.0/8'] });
  await ask('/endpoints/shop/test', 'POST');
  const letter = await eventually(
    async () => ((await ask('/dead-letters')).json as unknown as { last: { reason: string } }[])[0],
  );
  t.regex(letter.last.reason, /^outbound_refused: 127\.0\.0\.1 is not a public address/);
  t.is(shop.received.length, 0);
});
