import test from 'ava';
import { patternSize } from '../../core/model/pattern-size.js';
import { Patterns } from '../../core/model/patterns.js';
import { RegexBudget } from '../../core/model/regex-budget.js';
import { TestClock } from '../helpers/host.js';

/** Nothing waits, since the clock does not move. */
function patternsOf(realm = 'demo', clock = new TestClock(), shared = new RegexBudget(() => clock.now())) {
  return { patterns: new Patterns(realm, shared), next: (name = realm) => new Patterns(name, shared), clock };
}

const SOUND: readonly [pattern: string, fits: string, fitsNot: string][] = [
  ['^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$', 'alice@example.org', 'alice'],
  ["^[\\p{L}\\p{N} .'-]{1,255}$", 'Zoë O’Neil'.replace('’', "'"), 'a<b'],
  ['.{1,1000}', 'x'.repeat(1000), ''],
  ['^[A-Z]{2}\\d{2}[A-Z0-9]{4}\\d{7}([A-Z0-9]?){0,16}$', 'DE44500105175407324931', 'DE'],
  ['^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.|$)){4}$', '127.0.0.1', '1.2.3'],
  ['(?i)[à-ÿ]+', 'é', 'e'],
  ['(a|b|c)*', 'abcabc', 'd'],
  ['[\\w-]{1,63}(\\.[\\w-]{1,63}){0,10}', 'www.example.org', '.'],
];

test('patterns: patterns as realms have them are matched', (t) => {
  for (const [pattern, fits, fitsNot] of SOUND) {
    const { patterns } = patternsOf();
    t.is(patterns.problemWith(pattern), undefined, pattern);
    t.deepEqual([patterns.matches(pattern, fits), patterns.matches(pattern, fitsNot)], [true, false], pattern);
  }
  t.is(patternsOf().patterns.matches('a(?=b)', 'ab'), undefined);
  t.regex(patternsOf().patterns.problemWith('a(?=b)') ?? '', /is not a regular expression of RE2/);
  t.is(patternsOf().patterns.costProblemWith('a(?=b)'), undefined);
});

/** Short, and long when they are compiled. */
const DEAR: readonly string[] = [
  '(a?){1000}',
  '((a?){31}){31}',
  '(?:(?:a{10}){10}b?){9}(?:a?){1000}',
  `(${'a'.repeat(100)}){40}`,
  `(${'a'.repeat(1000)})(?i){3}`,
  `(${'a'.repeat(1000)})\\Q\\E{3}`,
  `(\\Q)\\E${'a'.repeat(1000)}){3}`,
  `([)]${'a'.repeat(1000)}){3}`,
  `([]a)]${'a'.repeat(1000)}){3}`,
  `([[:alpha:])]${'a'.repeat(1000)}){3}`,
  `(\\)${'a'.repeat(1000)}){3}`,
  '(a?){100}'.repeat(10),
  'a'.repeat(2001),
];

test('patterns: a pattern that compiles to too much is refused before it is compiled, and never matched', (t) => {
  for (const pattern of DEAR) {
    const { patterns } = patternsOf();
    t.regex(patterns.problemWith(pattern) ?? '', /takes too long|at most 2000 characters/, pattern.slice(0, 40));
    t.throws(() => patterns.matches(pattern, 'a'), { code: 'pattern_too_expensive' }, pattern.slice(0, 40));
  }
});

test('patterns: tables of Unicode and ranges without case count too', (t) => {
  t.like(patternSize('\\pL[\\p{N}\\P{Z}]'), { tables: 3, folds: 0 });
  t.like(patternSize('[a-\\x{1ffff}]'), { folds: 0 });
  t.is(patternSize(`(?i)${'[a-\\x{1ffff}]'.repeat(100)}`).folds, 100);
  t.regex(patternsOf().patterns.problemWith(`(?i)${'[a-\\x{1ffff}]'.repeat(100)}`) ?? '', /take too long/);
});

test('patterns: the cost of one evaluation is bounded over all of its patterns and values', (t) => {
  const { patterns } = patternsOf();
  const pattern = '(?:a?){500}';
  t.throws(
    () => {
      for (let n = 0; n < 20; n += 1) patterns.matches(pattern, 'a'.repeat(2000));
    },
    { code: 'pattern_too_expensive' },
  );
});

test('patterns: the cost of a realm over many evaluations is bounded, recovers with time, and affects no other realm', (t) => {
  const { next, clock } = patternsOf();
  const judge = (realm: string) => next(realm).matches('(?:a?){500}', 'a'.repeat(3800));
  t.false(judge('greedy'));
  const refused = t.throws(() => judge('greedy'), { code: 'temporarily_unavailable' });
  t.deepEqual((refused as unknown as { headers: object }).headers, { 'retry-after': '1' });
  t.false(judge('modest'));
  clock.forward(1);
  t.false(judge('greedy'));
});

test('patterns: small patterns are never counted', (t) => {
  const { next } = patternsOf();
  for (let n = 0; n < 10_000; n += 1) t.true(next().matches('[a-z]{1,64}', 'alice') === true);
});
