import test from 'ava';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';

const limitedPlugin = (
  id: string,
  limit = '{ requests: 3, seconds: 60 }',
) => `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(RealmResourceProvider, {
  id: '${id}',
  routes: {
    open: { method: 'GET', path: '/', authentication: 'none', rateLimit: ${limit} },
    other: { method: 'GET', path: '/other', authentication: 'none', rateLimit: { requests: 1, seconds: 10 } },
    shown: { method: 'POST', path: '/shown', authentication: 'bearer', body: { type: 'object' }, rateLimit: { requests: 2, seconds: 60 } },
    free: { method: 'GET', path: '/free', authentication: 'none', cors: 'any' },
  },
  open: () => ({ create: ({ logger }) => {
    const answer = async () => (logger.info('called ${id}'), { body: {} });
    return { open: answer, other: answer, shown: answer, free: answer };
  } }),
})] };`;

const realmWithPlugins = (name: string) =>
  testRealm(name, {
    sslRequired: 'none',
    providers: { 'realm-restapi-extension': { here: { enabled: true }, apart: { enabled: true } } },
  });
const options = (clock: TestClock) => ({
  clock,
  realms: [realmWithPlugins('demo'), realmWithPlugins('other')],
  argv: ['--proxy-headers', 'xforwarded'],
  plugins: [{ module: 'here' }, { module: 'apart', isolation: 'worker' }],
  packages: { here: limitedPlugin('here'), apart: limitedPlugin('apart') },
});

const callFrom = async (host: TestHost, path: string, ip = '198.51.100.7', init: RequestInit = {}) => {
  const answer = await fetchAnswer(`${host.realm('demo')}/${path}`, {
    ...init,
    headers: { 'x-forwarded-for': ip, ...(init.headers as object) },
  });
  return answer;
};
const statuses = async (host: TestHost, path: string, times: number, ip?: string) => {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) all.push((await callFrom(host, path, ip)).status);
  return all;
};

for (const id of ['here', 'apart']) {
  test(`limits of routes: a route limits calls per network and realm, and answers 429 with Retry-After (${id})`, async (t) => {
    const clock = new TestClock();
    const host = await startHost(t, options(clock));
    t.deepEqual(await statuses(host, id, 5), [200, 200, 200, 429, 429]);
    clock.forward(20);
    const refused = await callFrom(host, id, '198.51.100.7', { headers: { origin: 'http://127.0.0.1:9998' } });
    t.is(refused.status, 429);
    t.is(refused.headers.get('retry-after'), '40');
    t.is(refused.headers.get('access-control-allow-origin'), 'http://127.0.0.1:9998', 'a page reads the refusal');
    t.like(refused.json, { error: 'too_many_requests' });
    t.is(host.log.filter(({ message }) => message === `called ${id}`).length, 3, 'the plugin is not asked');
    // Each network, each realm and each route has a limit of its own.
    t.is((await callFrom(host, id, '198.51.100.8')).status, 200);
    t.is(
      (await fetchAnswer(`${host.realm('other')}/${id}`, { headers: { 'x-forwarded-for': '198.51.100.7' } })).status,
      200,
    );
    t.deepEqual(await statuses(host, `${id}/other`, 2), [200, 429]);
    t.deepEqual(await statuses(host, `${id}/free`, 6), [200, 200, 200, 200, 200, 200]);
    // Addresses of one /64 are one network.
    const six = (n: number) => callFrom(host, id, `2001:db8:1:2::${n}`);
    t.deepEqual(
      [(await six(1)).status, (await six(2)).status, (await six(3)).status, (await six(4)).status],
      [200, 200, 200, 429],
    );
    t.is((await callFrom(host, id, '2001:db8:1:3::1')).status, 200);
    clock.forward(41);
    t.is((await callFrom(host, id)).status, 200);
  });
}

test('limits of routes: HEAD counts as GET, preflight requests do not, and callers count before they are known', async (t) => {
  const host = await startHost(t, options(new TestClock()));
  t.is((await callFrom(host, 'here', '198.51.100.9', { method: 'HEAD' })).status, 200);
  for (let n = 0; n < 5; n += 1) {
    const headers = { origin: 'http://127.0.0.1:9998', 'access-control-request-method': 'GET' };
    t.is((await callFrom(host, 'here', '198.51.100.9', { method: 'OPTIONS', headers })).status, 204);
  }
  t.deepEqual(await statuses(host, 'here', 3, '198.51.100.9'), [200, 200, 429]);
  const post = async () => (await callFrom(host, 'here/shown', '198.51.100.9', { method: 'POST', body: '{}' })).status;
  t.deepEqual([await post(), await post(), await post()], [401, 401, 429]);
});

test('limits of routes: requests at once, over several nodes, share one limit', async (t) => {
  const { nodes } = await startNodes(t, { ...options(new TestClock()), count: 2 });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => callFrom(nodes[n % 2] as TestHost, 'here', '203.0.113.5')),
  );
  t.is(answers.filter(({ status }) => status === 200).length, 3);
  t.is(answers.filter(({ status }) => status === 429).length, 9);
});

test('limits of routes: a header that no proxy is trusted for gives no new limit', async (t) => {
  const host = await startHost(t, { ...options(new TestClock()), argv: [] });
  const all: number[] = [];
  for (let n = 0; n < 5; n += 1) all.push((await callFrom(host, 'here', `192.0.2.${n}`)).status);
  t.deepEqual(all, [200, 200, 200, 429, 429]);
});

test('limits of routes: a limit that cannot be kept is refused, at its place', async (t) => {
  for (const [limit, message] of [
    ['{ requests: 0, seconds: 60 }', /routes\.open\.rateLimit\.requests must be a whole number from 1 to 1000000/],
    ['{ requests: 5 }', /routes\.open\.rateLimit\.seconds must be a whole number from 1 to 86400/],
    ['{ requests: 5, seconds: 60, per: "user" }', /routes\.open\.rateLimit has no member per/],
    ['5', /routes\.open\.rateLimit\.requests must be/],
  ] as const) {
    const packages = { here: limitedPlugin('here', limit) };
    const error = await t.throwsAsync(startHost(t, { realms: [], plugins: [{ module: 'here' }], packages }));
    t.regex(String(error?.message), message);
  }
});
