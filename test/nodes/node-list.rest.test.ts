import test from 'ava';
import { findLiveNodes, NodeList } from '../../core/registry/nodes/node-list.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { TestClock } from '../helpers/host.js';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

test('list of nodes: a node without a heartbeat is gone by the reader’s clock, however far the clocks differ, and leaves the list', async (t) => {
  const { entries } = await openMemoryStore({ isShared: true });
  let elapsed = 0;
  const node = (clock: TestClock) =>
    new NodeList({ entries, clock, logger, version: '1', plugins: () => [], elapsed: () => elapsed });
  const here = node(new TestClock());
  const ahead = node(new TestClock(Date.now() + 3_600_000));
  await here.open();
  await ahead.open();
  t.teardown(() => here.close());
  await here.publish();
  t.is(here.listAlive().length, 2);
  t.true(ahead.isAlive(here.id));
  // A killed node sends no more heartbeats.
  const dead = node(new TestClock());
  await dead.open();
  t.teardown(() => dead.close());
  await here.publish();
  t.true(here.isAlive(dead.id));
  dead.publish = async () => {};
  for (elapsed = 2_000; elapsed <= 12_000; elapsed += 2_000) {
    await ahead.publish();
    await here.publish();
  }
  t.false(here.isAlive(dead.id));
  t.true(here.isAlive(ahead.id));
  const listed = async () =>
    (await entries.list({ realm: 'master', namespace: '/nodes', prefix: '', first: 0, max: 9, now: Date.now() }))
      .length;
  t.is(await listed(), 3);
  elapsed = 90_000;
  await ahead.publish();
  await here.publish();
  t.is(await listed(), 2);
  await ahead.close();
  t.is(await listed(), 1);
});

test('list of nodes: a command knows the serving nodes, however long killed ones stay listed', async (t) => {
  const { entries } = await openMemoryStore({ isShared: true });
  const node = () => new NodeList({ entries, clock: new TestClock(), logger, version: '1', plugins: () => [] });
  let waited = 0;
  const asking = (during: () => Promise<void>) =>
    findLiveNodes(entries, Date.now, async (ms) => {
      waited += ms;
      await during();
    });
  t.deepEqual(await asking(async () => {}), []);
  t.is(waited, 0, 'nobody is listed: nothing is waited for');
  const killed = node();
  await killed.open();
  t.teardown(() => killed.close());
  t.deepEqual(await asking(async () => {}), []);
  t.is(waited, 10_000);
  const living = node();
  await living.open();
  t.teardown(() => living.close());
  t.deepEqual(await asking(() => living.publish()), [living.listAlive()[0]?.name]);
  t.is(waited, 11_000);
});
