import test from 'ava';
import { stringifyYielding } from '../../core/admin/stringify-yielding.js';

const list = (length: number) => Array.from({ length }, (_, id) => ({ id, name: `n"${id}`, gone: undefined }));

const VALUES: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['a boolean', false],
  ['null', null],
  ['a text', 'a "text"'],
  ['an empty list', []],
  ['an empty object', {}],
  ['a short list', list(3)],
  ['one part', list(100)],
  ['two parts', list(101)],
  ['many parts', list(1234)],
  ['what JSON does not have, in a long list', [...list(150), undefined, () => 1, null, Number.NaN]],
  ['long lists in an object', { a: list(250), gone: undefined, b: { c: { d: list(150), e: [] } }, f: () => 1 }],
  ['an object of nothing', { gone: undefined, long: { gone: undefined }, list: list(101) }],
  ['a long list deep in an object', { a: { b: { c: { d: { e: list(200) } } } } }],
  ['a date', { list: list(101), at: new Date(0), own: { toJSON: () => 'own', list: list(101) } }],
  ['a list of long lists', [list(150), list(2)]],
];

test('JSON: a value is written in parts as it is in one piece', async (t) => {
  for (const [name, value] of VALUES) t.is(await stringifyYielding('demo', value), JSON.stringify(value), name);
});
