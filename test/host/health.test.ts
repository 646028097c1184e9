import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store as HostStore } from '../../core/store/store.js';
import { freePort } from '../helpers/free-port.js';
import { gate } from '../helpers/gate.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

interface Told {
  readonly status: string;
  readonly checks: readonly { name: string; status: string; data?: Record<string, number> }[];
}

const told = async (url: string): Promise<readonly [number, Told]> => {
  // A reused connection may be closed by the host at the same moment.
  const { status, json } = await fetchAnswer(url, { headers: { connection: 'close' } });
  return [status, json as unknown as Told];
};

/** The store with a part of it in another form. */
function withPart<K extends 'realms' | 'entries'>(
  store: HostStore,
  part: K,
  changed: Partial<HostStore[K]>,
): HostStore {
  const other = new Proxy(store[part], {
    get(target, name) {
      const value: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return new Proxy(store, {
    get(target, name) {
      if (name === part) return other;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('health: it names what the host needs, and no address or secret', async (t) => {
  const store = await openMemoryStore({ isShared: true });
  const host = await startHost(t, { realms: [testRealm('demo')], replace: [replacing(Store, store)] });
  for (const path of ['health', 'health/ready']) {
    const [status, { checks, ...more }] = await told(`${host.managementUrl}/${path}`);
    t.is(status, 200);
    t.is(more.status, 'UP');
    t.deepEqual(
      checks.map(({ name, status }) => [name, status]),
      [
        ['host', 'UP'],
        ['store', 'UP'],
        ['changes', 'UP'],
        ['keys', 'UP'],
        ['threads', 'UP'],
      ],
    );
    t.deepEqual(
      checks.flatMap(({ data }) => Object.keys(data ?? {})),
      ['silentSeconds', 'failingProviders', 'stuck'],
    );
  }
  t.deepEqual(await told(`${host.managementUrl}/health/live`), [200, { status: 'UP', checks: [] }]);
  t.deepEqual(await told(`${host.managementUrl}/health/started`), [
    200,
    { status: 'UP', checks: [{ name: 'host', status: 'UP' }] },
  ]);
});

test('health: a store that does not answer is reported in time, and is asked once for many requests', async (t) => {
  const inner = await openMemoryStore();
  const answer = gate();
  let isHeld = false;
  let asked = 0;
  const store = withPart(inner, 'realms', {
    async get(name) {
      asked += 1;
      if (isHeld) await answer.opened;
      return inner.realms.get(name);
    },
  });
  const host = await startHost(t, { realms: [testRealm('demo')], replace: [replacing(Store, store)] });
  isHeld = true;
  asked = 0;
  const all = await Promise.all([1, 2, 3].map(() => told(`${host.managementUrl}/health/ready`)));
  for (const [status, { checks }] of all) {
    t.is(status, 503);
    t.deepEqual(
      checks.filter(({ status }) => status === 'DOWN').map(({ name }) => name),
      ['store'],
    );
  }
  t.is(asked, 1);
  t.is((await told(`${host.managementUrl}/health/live`))[0], 200);
  answer.open();
  t.is((await told(`${host.managementUrl}/health/ready`))[0], 200);
});

test('health: a host is alive before it has started, and ready only after that', async (t) => {
  const inner = await openMemoryStore({ isShared: true });
  const said = gate();
  const answer = gate();
  const store = withPart(inner, 'entries', {
    async put(entry) {
      // The last of a start: this node makes itself known to others.
      if (entry.namespace === '/nodes') {
        said.open();
        await answer.opened;
      }
      return inner.entries.put(entry);
    },
  });
  const url = `http://127.0.0.1:${await freePort()}`;
  const argv = ['--management-port', new URL(url).port];
  const starting = startHost(t, { realms: [testRealm('demo')], replace: [replacing(Store, store)], argv });
  await said.opened;
  const statuses = async () =>
    Promise.all(['live', 'started', 'ready'].map(async (path) => (await told(`${url}/health/${path}`))[0]));
  t.deepEqual(await statuses(), [200, 503, 503]);
  answer.open();
  await starting;
  t.deepEqual(await statuses(), [200, 200, 200]);
});
