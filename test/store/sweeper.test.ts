import test from 'ava';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store } from '../../core/store/store.js';
import { startSweeper } from '../../core/store/sweeper.js';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';
import { TestClock } from '../helpers/host.js';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const OFTEN = { every: 5 };

/** Returns a store that counts the calls of its sweeper. */
function countSweeperCalls(store: Store, beforeSweep: () => Promise<void> = async () => {}) {
  const calls = { sweeps: 0, claims: 0 };
  const marks = new Proxy(store.marks, {
    get(target, name) {
      if (name === 'claim') calls.claims += 1;
      return Reflect.get(target, name).bind(target);
    },
  });
  const countingStore = new Proxy(store, {
    get(target, name) {
      if (name === 'marks') return marks;
      if (name !== 'sweep') return Reflect.get(target, name);
      return async (options: Parameters<Store['sweep']>[0]) => {
        calls.sweeps += 1;
        await beforeSweep();
        return target.sweep(options);
      };
    },
  });
  return { store: countingStore, asked: calls };
}

async function issueTickets(store: Store, count: number, expiresAt: number): Promise<void> {
  const tickets = Array.from({ length: count }, (_, n) => ({ realm: 'r', kind: 'k', keyHash: `${n}`, payload: '' }));
  await Promise.all(tickets.map((ticket) => store.tickets.issue({ ...ticket, expiresAt })));
}

test('sweeper: all that has expired goes in one round, in pieces', async (t) => {
  const inner = await openMemoryStore();
  const clock = new TestClock();
  await issueTickets(inner, 5000, clock.now());
  const { store, asked } = countSweeperCalls(inner);
  const stop = startSweeper(store, clock, QUIET, OFTEN);
  await eventually(async () => asked.sweeps > 1 && (await inner.sweep({ now: clock.now() })).removed === 0);
  await stop();
  t.is(asked.claims, 0, 'nobody else has the store');
  await inner.close();
});

test('sweeper: of two nodes the one sweeps that comes first, and the other once that is gone', async (t) => {
  const inner = await openMemoryStore({ isShared: true });
  const clock = new TestClock();
  const one = countSweeperCalls(inner);
  const other = countSweeperCalls(inner);
  const stop = startSweeper(one.store, clock, QUIET, OFTEN);
  await eventually(() => one.asked.sweeps === 1 && one.asked.claims > 2);
  const stopOther = startSweeper(other.store, clock, QUIET, OFTEN);
  await eventually(() => other.asked.claims > 2);
  t.deepEqual([one.asked.sweeps, other.asked.sweeps], [1, 0]);
  await stop();
  clock.forward(60);
  await eventually(() => other.asked.sweeps > 0);
  await stopOther();
  await inner.close();
});

test('sweeper: a sweeper that is ended leaves the rest to the next', async (t) => {
  const inner = await openMemoryStore();
  const clock = new TestClock();
  await issueTickets(inner, 5000, clock.now());
  const begun = gate();
  const held = gate();
  const { store, asked } = countSweeperCalls(inner, () => {
    begun.open();
    return held.opened;
  });
  const stop = startSweeper(store, clock, QUIET, OFTEN);
  await begun.opened;
  const stopped = stop();
  held.open();
  await stopped;
  t.is(asked.sweeps, 1);
  t.true((await inner.sweep({ now: clock.now() })).removed > 0);
  await inner.close();
});
