import test from 'ava';
import { randomOctets, randomToken } from '../../core/model/random-token.js';

test('random tokens: random tokens are of the length that was asked for, and no octet is given twice', (t) => {
  const seen = new Set<string>();
  for (let count = 0; count < 5_000; count += 1) {
    const token = randomToken(18);
    t.is(token.length, 24);
    seen.add(token);
  }
  t.is(seen.size, 5_000);
  const one = randomOctets(4_096);
  const other = randomOctets(10_000);
  t.deepEqual([one.length, other.length], [4_096, 10_000]);
  const before = Buffer.from(one);
  randomOctets(4_096);
  t.deepEqual(one, before, 'what was given stays as it is');
});
