import test from 'ava';
import { adminCaller, ROOT } from '../helpers/admin.js';
import { type Answer, TestClock } from '../helpers/host.js';
import { basic, introspect, logIn, post, SVC, WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const demo = testRealm('demo', {
  eventsListeners: [],
  attributes: {
    introspectionRequestsPerSecond: '2',
    parRequestsPerSecond: '1',
    deviceAuthorizationRequestsPerSecond: '1',
  },
});
const device = { 'oauth2.device.authorization.grant.enabled': 'true' };
const clients = (demo.clients ?? []).map((client) =>
  client.clientId === 'web' || client.clientId === 'spa'
    ? { ...client, attributes: { ...client.attributes, ...device } }
    : client,
);
const host = shareHost(test, {
  realms: [{ ...demo, clients }, testRealm('open', { attributes: { introspectionRequestsPerSecond: '0' } })],
  argv: [
    '--proxy-headers',
    'xforwarded',
    '--bootstrap-admin-username',
    ROOT.username,
    '--bootstrap-admin-password',
    ROOT.password,
  ],
  clock,
});
const from = (ip: string) => ({ 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' });
const REQUEST = { ...WEB, response_type: 'code', redirect_uri: 'http://127.0.0.1:9999/cb', scope: 'openid' };
const ASKS: Record<string, { most: number; ask: (ip: string, client?: Record<string, string>) => Promise<Answer> }> = {
  introspection: {
    most: 20,
    ask: (ip, client = WEB) => post(host(), 'token/introspect', { ...client, token: 'x' }, from(ip)),
  },
  PAR: { most: 10, ask: (ip) => post(host(), 'ext/par/request', REQUEST, from(ip)) },
  'device authorization': { most: 10, ask: (ip) => post(host(), 'auth/device', { ...WEB, scope: 'openid' }, from(ip)) },
};

test.serial(
  'T305 · limits of requests: PAR, device authorization and introspection answer one client at one address so often a second',
  async (t) => {
    for (const [name, { most, ask }] of Object.entries(ASKS)) {
      // Concurrent requests are counted too.
      const answers = await Promise.all(Array.from({ length: most + 5 }, () => ask('192.0.2.1')));
      const refused = answers.filter(({ status }) => status === 429);
      t.is(refused.length, 5, `${name} ${answers.map(({ status }) => status)}`);
      for (const { json, headers } of refused) {
        t.deepEqual([json.error, headers.get('retry-after')], ['too_many_requests', '1'], name);
      }
      t.true((await ask('192.0.2.2')).status < 300, `${name}: another address`);
      clock.forward(1);
      t.true((await ask('192.0.2.1')).status < 300, `${name}: a second later`);
      for (let n = 0; n < most; n += 1) await ask('2001:db8::1');
      t.is((await ask('2001:db8:0:0:ffff::2')).status, 429, `${name}: a network of one user`);
      t.true((await ask('2001:db8:0:1::1')).status < 300, name);
    }
    const other = ASKS.introspection?.ask('192.0.2.1', SVC);
    t.is((await other)?.status, 200, 'another client');
  },
);

test.serial('T305 · limits of requests: unauthenticated callers do not use up a client’s limit', async (t) => {
  clock.forward(60);
  for (let n = 0; n < 30; n += 1) {
    const answer = await post(
      host(),
      'token/introspect',
      { token: 'x' },
      { ...basic('web', 'wrong'), ...from('192.0.2.1') },
    );
    t.is(answer.status, 401);
  }
  t.is((await ASKS.introspection?.ask('192.0.2.1'))?.status, 200);
});

test.serial(
  'T305 · limits of requests: a realm sets its limits, or none, and an invalid number is refused',
  async (t) => {
    const { access_token } = await logIn(host(), {}, 'open');
    const answers = await Promise.all(Array.from({ length: 50 }, () => introspect(host(), access_token, {}, 'open')));
    t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const call = await adminCaller(host());
    for (const name of Object.keys(demo.attributes ?? {})) {
      const answer = await call('PUT', '/realms/demo', { attributes: { [name]: 'many' } });
      t.deepEqual([answer.status, answer.text.includes('a number of requests per second')], [400, true], answer.text);
    }
  },
);
