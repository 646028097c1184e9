import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { Realms } from '../../core/realms/realms.js';
import { RemoteChanges } from '../../core/realms/remote-changes.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { serviceToken } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';

test('nodes, changes: a node without notifications is not ready, then serves no realm, and is current when they are back', async (t) => {
  const store = await openMemoryStore({ isShared: true });
  const host = await startHost(t, { realms: [testRealm('demo')], replace: [replacing(Store, store)] });
  const { use } = host;
  let elapsed = 0;
  let isCut = false;
  const cut = new Proxy(store.changes, {
    get(changes, name) {
      if (isCut) return () => Promise.reject(new Error('the network is cut'));
      const value: unknown = Reflect.get(changes, name, changes);
      return typeof value === 'function' ? value.bind(changes) : value;
    },
  });
  const log: string[] = [];
  const say = (message: string) => void log.push(message);
  // A separate instance, whose clock the test moves, in place of the host's own; it suspends the same realms.
  await use(RemoteChanges).close();
  const changes = new RemoteChanges({
    store: Object.defineProperty(Object.create(store), 'changes', { value: cut }) as typeof store,
    realms: use(Realms),
    keys: use(KeyRing),
    logger: { debug: say, info: say, warn: say, error: say },
    elapsed: () => elapsed,
  });
  await changes.open();
  t.teardown(() => changes.close());
  const status = async () => (await fetchAnswer(host.realm('demo'))).status;
  isCut = true;
  await changes.poll();
  t.true(changes.isUpToDate);
  elapsed = 4_000;
  await changes.poll();
  t.false(changes.isUpToDate);
  t.is(await status(), 200);
  t.deepEqual(log, ['cannot read the changes of other nodes: after 30 seconds this node stops serving its realms']);
  // Meanwhile another node switches the realm off.
  const record = await store.realms.get('demo');
  t.not(record, undefined);
  if (record === undefined) return;
  await store.realms.put(
    { ...record, representation: { ...record.representation, enabled: false } },
    { expectedVersion: record.version },
  );
  t.not(await serviceToken(host), '');
  elapsed = 31_000;
  await changes.poll();
  t.is(await status(), 503);
  isCut = false;
  await changes.poll();
  t.true(changes.isUpToDate);
  t.is(log.at(-1), 'reading the changes of other nodes works again');
  t.is(await serviceToken(host), '');
});
