import test from 'ava';
import { OutboxCapacity } from '../../core/registry/events/outbox-capacity.js';
import { TestClock } from '../helpers/host.js';

test('outbox capacity: an outbox is counted where it may be full, and once a second while it is', async (t) => {
  const clock = new TestClock();
  let waiting = 4;
  let counted = 0;
  const outbox = {
    async count(_: string, max: number) {
      counted += 1;
      return Math.min(waiting, max);
    },
  };
  const capacity = new OutboxCapacity(outbox, 10, clock);
  const take = async (wanted: number) => {
    const { granted, isNewlyFull: isNews } = await capacity.reserve('demo', wanted);
    waiting += granted;
    return [granted, isNews, counted];
  };
  t.deepEqual(await take(3), [3, false, 1]);
  t.deepEqual(await take(3), [3, false, 1]);
  t.deepEqual(await take(1), [0, true, 2]);
  for (let batch = 0; batch < 20; batch += 1) t.deepEqual(await take(5), [0, false, 2]);
  clock.forward(1);
  t.deepEqual(await take(5), [0, false, 3]);
  t.deepEqual(await take(5), [0, false, 3]);
  // All waiting events are delivered now. The next count notices it.
  waiting = 0;
  t.deepEqual(await take(2), [0, false, 3]);
  clock.forward(1);
  t.deepEqual(await take(2), [2, false, 4]);
  t.deepEqual(await take(2), [2, false, 4]);
  t.is(capacity.leftOutCounts.get('demo'), 1 + 20 * 5 + 5 + 5 + 2);
  // A clock that is set back does not prevent the next count.
  t.deepEqual(await take(9), [6, true, 5]);
  clock.forward(-3600);
  waiting = 0;
  t.deepEqual(await take(2), [2, false, 6]);
});
