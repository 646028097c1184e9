import test, { type ExecutionContext } from 'ava';
import { withStartupLock } from '../../core/host/startup-lock.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { gate } from '../helpers/gate.js';

const LOCK = { realm: 'master', namespace: '/starts', key: 'master' };
const LIFETIME_MS = 20_000;

async function open(t: ExecutionContext) {
  const store = await openMemoryStore({ isShared: true });
  t.teardown(() => store.close());
  const time = { now: 0 };
  const events: string[] = [];
  /** Starts a node, whose work ends when its gate is opened. */
  const start = (name: string) => {
    const { opened, open: finish } = gate();
    const begun = gate();
    const ended = withStartupLock({ store, clock: { now: () => time.now } }, async () => {
      events.push(name);
      begun.open();
      await opened;
    });
    return { begun: begun.opened, finish, ended };
  };
  return { store, time, events, start };
}

test('startup lock: nodes that start at once work one after the other', async (t) => {
  const { events, start } = await open(t);
  const first = start('first');
  await first.begun;
  const second = start('second');
  first.finish();
  await first.ended;
  await second.begun;
  second.finish();
  await second.ended;
  t.deepEqual(events, ['first', 'second']);
});

test('startup lock: a node whose lock has expired does not release that of the next node', async (t) => {
  const { store, time, events, start } = await open(t);
  const slow = start('slow');
  await slow.begun;
  time.now += LIFETIME_MS + 1;
  const next = start('next');
  await next.begun;
  slow.finish();
  await slow.ended;
  t.truthy(await store.entries.get({ ...LOCK, now: time.now }), 'the next node still has its lock');
  next.finish();
  await next.ended;
  t.is(await store.entries.get({ ...LOCK, now: time.now }), undefined);
  t.deepEqual(events, ['slow', 'next']);
});
