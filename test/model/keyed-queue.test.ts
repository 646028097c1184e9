import test from 'ava';
import { KeyedQueue } from '../../core/model/keyed-queue.js';

test('keyed queue: tasks of one key run in turn, those of another independently, and excess ones are refused', async (t) => {
  const queue = new KeyedQueue(2);
  const ran: string[] = [];
  let finish = () => {};
  const held = queue.run('a', () => new Promise<void>((resolve) => (finish = resolve)));
  const task = (key: string, name: string) => queue.run(key, async () => void ran.push(name));
  const first = task('a', 'first');
  const second = task('a', 'second');
  await t.throwsAsync(task('a', 'third'), { code: 'temporarily_unavailable' });
  await task('b', 'other');
  t.deepEqual(ran, ['other']);
  finish();
  await Promise.all([held, first, second]);
  t.deepEqual(ran, ['other', 'first', 'second']);
  await t.throwsAsync(
    queue.run('a', () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  await task('a', 'after a failure');
  t.is(ran.at(-1), 'after a failure');
});
