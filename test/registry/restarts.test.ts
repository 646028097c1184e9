import test from 'ava';
import { RestartPolicy } from '../../core/registry/worker/restart-policy.js';

test('restarts of workers: a worker is started again at once, then ever later, and broken after six failures in a row', (t) => {
  const restarts = new RestartPolicy();
  const delays = [1, 2, 3, 4, 5].map((now) => {
    const delay = restarts.recordFailure(now, 1);
    restarts.recordStart(now);
    return delay;
  });
  t.deepEqual(delays, [0, 100, 200, 400, 800]);
  t.false(restarts.isBroken);
  t.is(restarts.recordFailure(6, 1), 60_000);
  t.true(restarts.isBroken);
  restarts.recordStart(60_006);
  t.is(restarts.recordFailure(119_000, 1), 60_000, 'a probe that fails leaves it broken');
  restarts.recordStart(200_000);
  t.is(restarts.recordFailure(260_000, 1), 0, 'a minute without a failure makes it sound again');
});

test('restarts of workers: plugins that fail together do not come back together', (t) => {
  const delay = (random: number) => {
    const restarts = new RestartPolicy();
    restarts.recordFailure(1, random);
    return restarts.recordFailure(2, random);
  };
  t.deepEqual([delay(0), delay(0.5), delay(1)], [50, 75, 100]);
});
