import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { DRAIN_MS } from '../../core/host/http-servers.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { HeldKeys } from '../helpers/held-keys.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

test('a connection that is kept after its last answer does not hold up the end', async (t) => {
  const store = await openMemoryStore();
  const held = new HeldKeys({ store: store.keys, clock: { now: () => Date.now() } });
  const realms = [testRealm('demo')];
  const host = await startHost(t, { realms, replace: [replacing(Store, store), replacing(KeyRing, held)] });
  await (await held.realm('demo')).active('RS256');
  const wanted = held.hold(1);
  const asked = host.token('demo', {
    grant_type: 'client_credentials',
    client_id: 'svc',
    client_secret: 'svc-secret',
  });
  await wanted;
  const closed = host.close().then(() => performance.now());
  held.letGo();
  t.is((await asked).status, 200);
  const answered = performance.now();
  t.true((await closed) - answered < DRAIN_MS / 2);
});
