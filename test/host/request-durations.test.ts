import test from 'ava';
import { RequestDurations } from '../../core/http/request-durations.js';

const MINUTE = 60_000;

test('request durations: the bounds of the last minutes’ requests have the counts within them; older ones are dropped', (t) => {
  let now = 7 * MINUTE;
  const durations = new RequestDurations(() => now);
  const none = { 50: undefined, 95: undefined, 99: undefined };
  t.deepEqual(durations.recent(), { minutes: 15, count: 0, within: none });
  for (let n = 0; n < 90; n += 1) durations.count(4);
  for (let n = 0; n < 8; n += 1) durations.count(60);
  for (let n = 0; n < 2; n += 1) durations.count(60_000);
  t.deepEqual(durations.recent(), { minutes: 15, count: 100, within: { 50: 5, 95: 100, 99: undefined } });
  now += 14 * MINUTE;
  durations.count(1);
  t.is(durations.recent().count, 101);
  now += MINUTE;
  t.deepEqual(durations.recent(), { minutes: 15, count: 1, within: { 50: 1, 95: 1, 99: 1 } });
  now += 40 * MINUTE;
  t.deepEqual(durations.recent(), { minutes: 15, count: 0, within: none });
  t.is(
    durations.counts.reduce((sum, count) => sum + count, 0),
    101,
    'since the start',
  );
});
