import { createHmac } from 'node:crypto';
import test from 'ava';
import { UserSketch } from '../../core/model/user-sketch.js';

function sketchOf(from: number, to: number, key = 'key'): UserSketch {
  const sketch = new UserSketch();
  for (let user = from; user < to; user += 1) sketch.add(createHmac('sha256', key).update(`user-${user}`).digest());
  return sketch;
}

for (const users of [0, 1, 10, 1_000, 10_000, 100_000]) {
  test(`user sketch: ${users} users are counted within two percent, also in two parts that overlap`, (t) => {
    const within = (count: number) => t.true(Math.abs(count - users) <= users * 0.02, `${count}`);
    within(sketchOf(0, users).count());
    const parts = sketchOf(0, Math.ceil(users * 0.6));
    parts.merge(UserSketch.of(sketchOf(Math.floor(users * 0.4), users).toString()));
    within(parts.count());
    t.is(UserSketch.of(parts.toString()).toString(), parts.toString());
    t.deepEqual(parts.toString(), sketchOf(0, users).toString(), 'it does not matter where somebody was counted');
    t.true(parts.toString().length <= 1 + Math.min(users * 4, 21_848), 'few users take little room');
  });
}
