import test from 'ava';
import { FairQueue } from '../../core/model/fair-queue.js';
import { gate } from '../helpers/gate.js';

/** A queue that runs one task, which waits for a gate, and who ran after that. */
function busyQueue(limit: number) {
  const queue = new FairQueue({ concurrency: 1, limit });
  const ran: string[] = [];
  const { opened, open } = gate();
  const held = queue.run('first', () => opened);
  const task = (realm: string, cost?: number) => queue.run(realm, async () => void ran.push(realm), cost);
  const finish = () => {
    open();
    return held;
  };
  return { ran, task, finish };
}

test('fair queue: a realm that sends much has its turn beside one that sends little', async (t) => {
  const { ran, task, finish } = busyQueue(10);
  const all = ['much', 'much', 'much', 'much', 'little', 'little'].map((realm) => task(realm));
  await finish();
  await Promise.all(all);
  t.deepEqual(ran, ['much', 'little', 'much', 'little', 'much', 'much']);
});

test('fair queue: turns are shared by cost', async (t) => {
  const { ran, task, finish } = busyQueue(20);
  const all = [...Array(3).fill('dear'), ...Array(6).fill('cheap')].map((realm) =>
    task(realm, realm === 'dear' ? 3 : 1),
  );
  await finish();
  await Promise.all(all);
  t.deepEqual(ran, ['dear', 'cheap', 'cheap', 'cheap', 'dear', 'cheap', 'cheap', 'cheap', 'dear']);
});

test('fair queue: in a full queue the realm that has the most waiting makes room, and is refused itself', async (t) => {
  const { ran, task, finish } = busyQueue(4);
  const much = Array.from({ length: 4 }, () => task('much'));
  const overflow = { code: 'temporarily_unavailable', message: /too many requests are waiting/ };
  await t.throwsAsync(task('much'), overflow);
  const little = [task('little'), task('little')];
  for (const evicted of much.slice(2)) await t.throwsAsync(evicted, overflow);
  await t.throwsAsync(task('little'), overflow, 'both have half of it');
  await finish();
  await Promise.all([...much.slice(0, 2), ...little]);
  t.deepEqual(ran, ['much', 'little', 'much', 'little']);
  await task('much');
  t.is(ran.length, 5, 'places are given back');
});

test('fair queue: a realm that used much while it was alone waits no longer for that', async (t) => {
  const queue = new FairQueue({ concurrency: 1, limit: 10 });
  for (let n = 0; n < 5; n += 1) await queue.run('a', async () => {}, 1000);
  const { opened, open } = gate();
  const held = queue.run('a', () => opened, 1000);
  const ran: string[] = [];
  const rest = ['b', 'a', 'b'].map((realm) => queue.run(realm, async () => void ran.push(realm), 1000));
  open();
  await Promise.all([held, ...rest]);
  t.deepEqual(ran, ['b', 'a', 'b']);
});

test('fair queue: a task that fails gives its turn on', async (t) => {
  const queue = new FairQueue({ concurrency: 1, limit: 2 });
  const failed = queue.run('a', () => Promise.reject(new Error('failed')));
  const next = queue.run('b', async () => 'next');
  await t.throwsAsync(failed, { message: 'failed' });
  t.is(await next, 'next');
});
