import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { EventDelivery } from '../../core/registry/event-delivery/event-delivery.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes in use after garbage collection. */
async function usedHeapBytes(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

const RELOADS = 110;
/** Bytes that each version holds. Its compiled schema takes about as much again. */
const BYTES_PER_VERSION = 100_000;
const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { type: 'integer' }]));
const schema = { $id: 'https://schemas.example/a', type: 'object', properties, additionalProperties: false };

test('memory of reloads: replaced versions leave nothing behind: neither their objects nor their schemas', async (t) => {
  const { host, list, get } = await reloadScene(t, ({ recorded }) => ({
    // The getter makes new definitions for every version, as each worker does.
    a: `import { provide, RealmResourceProvider } from '@keyhost/spi';
const record = ${recorded};
export default { name: 'a', api: 1, get providers() { return [provide(RealmResourceProvider, {
  id: 'a', config: ${JSON.stringify(schema)}, routes: { run: { method: 'GET', path: '/' } },
  open(config) {
    const held = new Array(${BYTES_PER_VERSION / 8}).fill(0.5);
    return { create: () => ({ run: async () => ({ body: [config.p1, held.length] }) }), close: () => record.events.push('close') };
  },
})]; } };`,
  }));
  const swap = async (size: number) => {
    await list({ module: 'a', config: { 'realm-restapi-extension/a': { p1: size } } });
    await host.plugins.reload();
    t.is((await get('a')).text, `[${size},${BYTES_PER_VERSION / 8}]`);
  };
  const drained = () => eventually(() => host.plugins.status().draining.length === 0);
  for (let size = 0; size < RELOADS; size += 1) await swap(size);
  await drained();
  const growth: number[] = [];
  const isLittle = (grown: number) => grown < (RELOADS * BYTES_PER_VERSION) / 3;
  // Code that is compiled and cached once may show in one round. A leak would show in every round.
  for (let attempt = 1; attempt <= 3 && !growth.some(isLittle); attempt += 1) {
    const before = await usedHeapBytes();
    for (let size = attempt * RELOADS; size < (attempt + 1) * RELOADS; size += 1) await swap(size);
    await drained();
    growth.push((await usedHeapBytes()) - before);
  }
  const told = growth.map((grown) => Math.round(grown / 1000)).join(', ');
  t.true(growth.some(isLittle), `${told} KB in ${RELOADS} swaps each`);
  t.log(`${told} KB in ${RELOADS} swaps each`);
});

test('memory of reloads: an event store that was away for a while is let go with its plugin, and so are its figures', async (t) => {
  const clock = new TestClock();
  const config = { type: 'object', properties: { shelf: { type: 'integer' } } };
  const { host, record, list } = await reloadScene(
    t,
    ({ recorded }) => ({
      a: `import { EventStore, provide } from '@keyhost/spi';
const record = ${recorded};
export default { name: 'a', api: 1, get providers() { return [provide(EventStore, {
  id: 'a', config: ${JSON.stringify(config)},
  open({ shelf }) {
    const held = {};
    (record.held ??= []).push(new WeakRef(held));
    const store = async () => {
      record.events.push(held && 'store ' + shelf);
      if (record.events.length === 1) throw new Error('away');
    };
    return { create: () => ({ store }) };
  },
})]; } };`,
    }),
    {
      clock,
      plugins: [{ module: 'a', config: { 'eventsStore/a': { shelf: 1 } } }],
      realm: { providers: { eventsStore: { a: { enabled: true } } } },
    },
  );
  const delivered = async () => {
    await host.events.flush();
    await host.use(EventDelivery).settled();
  };
  const logIn = () => host.token('demo', { client_id: 'spa', ...ALICE_LOGIN });
  const remaining = async () => {
    await eventually(() => host.plugins.status().draining.length === 0);
    await usedHeapBytes();
    const { held } = record as unknown as { held: readonly WeakRef<object>[] };
    return held.map((one) => one.deref() !== undefined);
  };
  await logIn();
  await delivered();
  clock.forward(1);
  await delivered();
  t.deepEqual(record.events, ['store 1', 'store 1']);
  await list({ module: 'a', config: { 'eventsStore/a': { shelf: 2 } } });
  await host.plugins.reload();
  await delivered();
  t.deepEqual(await remaining(), [false, true]);
  t.deepEqual(await figures(host, 'keyhost_event_store_up'), { 'realm=demo': 1 });
  // The plugin is removed together with its settings in the realm file.
  await writeFile(join(host.dir, 'realms/demo.json'), JSON.stringify(testRealm('demo', { providers: {} })));
  await list();
  await host.plugins.reload();
  await delivered();
  t.deepEqual(await remaining(), [false, false]);
  t.deepEqual(await figures(host, 'keyhost_event_store_up'), {});
});
