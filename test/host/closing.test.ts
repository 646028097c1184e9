import { status } from '@grpc/grpc-js';
import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { ShutdownDelay } from '../../core/host/module.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { addressOf, BEARER, booksRealm, readerToken, SERVICE } from '../grpc/clients/books-hosts.js';
import { clientFor, getAuthor, health as healthOfGrpc } from '../grpc/node-client.js';
import { gate } from '../helpers/gate.js';
import { HeldKeys } from '../helpers/held-keys.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

test('host shutdown: an idle keep-alive connection does not delay it', async (t) => {
  const store = await openMemoryStore();
  const held = new HeldKeys({ store: store.keys, clock: { now: () => Date.now() } });
  const realms = [testRealm('demo')];
  // With a defect, closing would take much longer than AVA's timeout.
  const argv = ['--shutdown-timeout', '600s'];
  const host = await startHost(t, { realms, argv, replace: [replacing(Store, store), replacing(KeyRing, held)] });
  await (await held.realm('demo')).active('RS256');
  const wanted = held.hold(1);
  const asked = host.token('demo', {
    grant_type: 'client_credentials',
    client_id: 'svc',
    client_secret: 'svc-secret',
  });
  await wanted;
  const closed = host.close();
  held.letGo();
  t.is((await asked).status, 200);
  await closed;
});

test('host shutdown: with a delay, the host serves while it is not ready, and closes connections', async (t) => {
  const realms = [booksRealm('demo')];
  const delay = gate();
  const waits = async (milliseconds: number) => {
    t.is(milliseconds, 3000);
    await delay.opened;
  };
  const argv = ['--shutdown-delay', '3s'];
  const host = await startHost(t, { realms, plugins: [BEARER], argv, replace: [replacing(ShutdownDelay, waits)] });
  const health = async (path: string) => (await fetchAnswer(`${host.managementUrl}/health/${path}`)).status;
  const client = await clientFor(t, addressOf(host));
  const token = await readerToken(host, 'books');
  t.deepEqual([await health('ready'), await healthOfGrpc(client, SERVICE)], [200, 'SERVING']);
  const closing = host.close();
  t.deepEqual([await health('ready'), await health('live')], [503, 200]);
  t.is(await healthOfGrpc(client, SERVICE), 'NOT_SERVING');
  const answer = await fetchAnswer(host.oidc('demo').replace(/protocol.*/, '.well-known/openid-configuration'));
  t.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
  t.is((await getAuthor(client, `Bearer ${token}`)).code, status.OK);
  delay.open();
  await closing;
  await t.throwsAsync(health('live'));
});
