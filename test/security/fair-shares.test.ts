import test from 'ava';
import { StreamSlots } from '../../core/admin/events/stream-slots.js';
import { replacing } from '../../core/di/module.js';
import { administrator, clientUuid, startAdministered } from '../helpers/admin.js';
import { keystoreFixture, uploader } from '../helpers/certificates.js';
import { listen } from '../helpers/event-stream.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

/** The realms of two tenants, each with its own admins. */
function tenants(t: Parameters<typeof startAdministered>[0], options = {}): Promise<TestHost> {
  const realms = ['greedy', 'modest'].map((name) => {
    const { users = [], ...rest } = testRealm(name);
    const admins = ['a', 'b', 'c'].map((one) =>
      administrator(`admin-${one}`, 'manage-clients', 'view-events', 'view-realm'),
    );
    return { ...rest, users: [...users, ...admins] };
  });
  return startAdministered(t, { realms, ...options });
}

async function tokenOf(host: TestHost, realm: string, username: string): Promise<string> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username, password: username };
  return String((await host.token(realm, form)).json.access_token);
}

test('T481 · fair shares: while one realm uploads keystores that take long, those of another one are read', async (t) => {
  const host = await tenants(t);
  const uploadIn = async (realm: string) => {
    const home = { ...host, defaultRealm: realm } as TestHost;
    const token = await tokenOf(host, realm, 'admin-a');
    return uploader(home, token, await clientUuid(host, 'web', realm));
  };
  const greedy = await uploadIn('greedy');
  const modest = await uploadIn('modest');
  const keystore = await keystoreFixture('keycloak.p12');
  const texts = { keystoreFormat: 'PKCS12', storePassword: 'wrong' };
  let left = 40;
  const flood = Array.from({ length: left }, async () => {
    const answer = await greedy('jwt.credential/upload', keystore, texts);
    left -= 1;
    return answer;
  });
  await Promise.race(flood);
  const { status } = await modest('jwt.credential/upload', await keystoreFixture('openssl.p12'), {
    ...texts,
    storePassword: 'store-pass',
  });
  t.is(status, 200);
  t.true(left > 0, 'the other realm was not through');
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 503);
  t.true(refused.length > 0 && refused.every(({ headers }) => headers.get('retry-after') === '1'));
  t.true(answers.every(({ status }) => status === 400 || status === 503));
});

test('T482 · fair shares: a realm that listens to all the streams of events there are leaves room for another one', async (t) => {
  const host = await tenants(t, { replace: [replacing(StreamSlots, new StreamSlots(6))] });
  const tokens = await Promise.all(['a', 'b'].map((one) => tokenOf(host, 'greedy', `admin-${one}`)));
  const greedy = [];
  for (let n = 0; n < 6; n += 1) greedy.push(await listen(t, host, { realm: 'greedy', token: tokens[n % 2] ?? '' }));
  for (const stream of greedy) await stream.heard('state');
  const refusedOf = (realm: string, token: string) =>
    fetchAnswer(`${host.url}/admin/realms/${realm}/events/stream`, { headers: { authorization: `Bearer ${token}` } });
  const another = await refusedOf('greedy', await tokenOf(host, 'greedy', 'admin-c'));
  t.is(another.status, 429, 'it has its share');
  t.is(another.headers.get('retry-after'), '5');
  const token = await tokenOf(host, 'modest', 'admin-a');
  const modest = [];
  for (let n = 0; n < 3; n += 1) {
    modest.push(await listen(t, host, { realm: 'modest', token }));
    t.is(modest[n]?.status, 200);
    const gone = greedy[5 - n];
    await gone?.ended;
    t.deepEqual(gone?.of('end')[0]?.data, { status: 429 });
  }
  t.is((await refusedOf('modest', token)).status, 429, 'both have half of it');
  for (const stream of [...modest, ...greedy.slice(0, 3)]) t.false(stream.isEnded());
  for (const stream of modest) stream.stop();
  await eventually(async () => (await listen(t, host, { realm: 'greedy', token: tokens[0] ?? '' })).status === 200);
});
