import test from 'ava';
import { codecOf } from '../helpers/proto-codec.js';

const PROTO = `package test.codec;
enum Colour { NONE = 0; RED = 1; DARK_RED = -2; }
message Inner { string some_name = 1; Inner deeper = 2; }
message All {
  int32 an_int32 = 1; sint32 a_sint32 = 2; uint32 a_uint32 = 3; fixed32 a_fixed32 = 4; sfixed32 a_sfixed32 = 5;
  int64 an_int64 = 6; sint64 a_sint64 = 7; uint64 a_uint64 = 8; fixed64 a_fixed64 = 9; sfixed64 a_sfixed64 = 10;
  float a_float = 11; double a_double = 12; bool a_bool = 13; string a_string = 14; bytes some_bytes = 15;
  Colour a_colour = 16; Inner an_inner = 17;
  repeated int32 ints = 18; repeated string texts = 19; repeated Inner inners = 20; repeated Colour colours = 21;
  map<string, int64> counts = 22; map<int32, Inner> inner = 23; map<bool, Colour> by_bool = 24; map<int64, bytes> by_long = 25;
  optional int32 maybe_int = 26; optional string maybe_text = 27; optional Inner maybe_inner = 28; optional Colour maybe_colour = 29;
  oneof choice { string as_text = 30; int64 as_number = 31; Inner as_inner = 32; bytes as_bytes = 33; }
  oneof other_choice { bool yes = 34; bool no = 35; }
  message Nested { enum Kind { ZERO = 0; ONE = 1; } Kind inner = 1; repeated Nested nested = 2; }
  Nested nested = 36;
  repeated double doubles = 37; repeated bool bools = 38;
}
service S { rpc call (All) returns (All); }`;

const DEFAULTS = {
  an_int32: 0,
  a_sint32: 0,
  a_uint32: 0,
  a_fixed32: 0,
  a_sfixed32: 0,
  an_int64: 0n,
  a_sint64: 0n,
  a_uint64: 0n,
  a_fixed64: 0n,
  a_sfixed64: 0n,
  a_float: 0,
  a_double: 0,
  a_bool: false,
  a_string: '',
  some_bytes: new Uint8Array(),
  a_colour: 0,
  ints: [],
  texts: [],
  inners: [],
  colours: [],
  doubles: [],
  bools: [],
  counts: {},
  inner: {},
  by_bool: {},
  by_long: {},
};

const FULL = {
  an_int32: -2147483648,
  a_sint32: -1,
  a_uint32: 4294967295,
  a_fixed32: 1,
  a_sfixed32: -5,
  an_int64: -(2n ** 63n),
  a_sint64: -1n,
  a_uint64: 2n ** 64n - 1n,
  a_fixed64: 7n,
  a_sfixed64: -7n,
  a_float: 1.5,
  a_double: 0.1,
  a_bool: true,
  a_string: 'Größe 😀\0',
  some_bytes: new Uint8Array([0, 255]),
  a_colour: -2,
  an_inner: { some_name: 'a', deeper: { some_name: 'b', deeper: { some_name: '' } } },
  ints: [0, -1, 2],
  texts: ['', 'x'],
  inners: [{ some_name: 'c' }, { some_name: '' }],
  colours: [1, 0, 77],
  counts: { '': 0n, x: 2n ** 62n },
  inner: { '-1': { some_name: 'd' } },
  by_bool: { true: 1, false: 0 },
  by_long: { '9007199254740993': new Uint8Array([1]) },
  maybe_int: 0,
  maybe_text: '',
  maybe_inner: { some_name: '' },
  maybe_colour: 0,
  as_inner: { some_name: 'e' },
  no: false,
  nested: { inner: 1, nested: [{ inner: 0, nested: [] }] },
  doubles: [Number.NaN, Infinity, -0],
  bools: [true, false],
};

test('gRPC codec: a message without fields has every default and no absent field', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  t.deepEqual(decode(new Uint8Array()), DEFAULTS);
  t.is(encode({}).length, 0);
  t.is(encode(DEFAULTS).length, 0);
  t.is(encode({ an_int32: undefined, as_text: undefined, an_inner: undefined }).length, 0);
});

test('gRPC codec: every kind of field comes back as it was', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  t.deepEqual(decode(new Uint8Array(encode(FULL))), FULL);
  t.is(encode({ maybe_int: 0, as_text: '', an_int64: 1n }).toString('hex'), '3001d00100f20100');
  t.deepEqual(decode(encode({ as_text: 'x', as_number: 5n })).as_number, 5n);
  t.is(decode(encode({ as_text: 'x', as_number: 5n })).as_text, undefined);
});

test('gRPC codec: packed and single elements of a list are both read, and the last of a field counts', async (t) => {
  const { decode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  t.deepEqual(decode(Buffer.from('9001019201020203', 'hex')).ints, [1, 2, 3]);
  t.is(decode(Buffer.from('08010802', 'hex')).an_int32, 2);
  t.is(decode(Buffer.from('f8ff7f01', 'hex')).an_int32, 0);
});

test('gRPC codec: a value that does not fit its field is refused with its name', async (t) => {
  const { encode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  const wrong: [object, RegExp][] = [
    [{ title: 'x' }, /test\.codec\.All has no field title/],
    [{ anInt32: 1 }, /no field anInt32/],
    [{ an_inner: { name: 'x' } }, /test\.codec\.Inner has no field name/],
    [{ an_inner: { deeper: { x: 1 } } }, /test\.codec\.Inner has no field x/],
    [{ inners: [{ x: 1 }] }, /test\.codec\.Inner has no field x/],
    [{ inner: { 1: { x: 1 } } }, /test\.codec\.Inner has no field x/],
    [{ an_int32: 2 ** 31 }, /an_int32/],
    [{ an_int32: 1.5 }, /an_int32/],
    [{ an_int32: '1' }, /an_int32/],
    [{ an_int32: null }, /an_int32/],
    [{ an_int32: Number.NaN }, /an_int32/],
    [{ a_uint32: -1 }, /a_uint32/],
    [{ an_int64: 2n ** 63n }, /an_int64/],
    [{ an_int64: '1' }, /an_int64/],
    [{ an_int64: 2 ** 60 }, /an_int64/],
    [{ a_uint64: -1n }, /a_uint64/],
    [{ a_float: 1e39 }, /a_float/],
    [{ a_double: '1' }, /a_double/],
    [{ a_bool: 1 }, /a_bool/],
    [{ a_string: 5 }, /a_string/],
    [{ some_bytes: 'x' }, /some_bytes/],
    [{ some_bytes: [1] }, /some_bytes/],
    [{ a_colour: 'RED' }, /a_colour/],
    [{ a_colour: 1.5 }, /a_colour/],
    [{ an_inner: 'x' }, /Inner/],
    [{ an_inner: null }, /Inner/],
    [{ an_inner: [] }, /Inner/],
    [{ ints: 1 }, /ints/],
    [{ ints: ['1'] }, /ints/],
    [{ texts: 'abc' }, /texts/],
    [{ texts: [undefined] }, /texts/],
    [{ inners: {} }, /inners/],
    [{ inners: [null] }, /Inner/],
    [{ counts: { x: '1' } }, /counts/],
    [{ counts: new Map([['x', 1n]]) }, /counts/],
    [{ inner: { x: {} } }, /inner/],
    [{ inner: [] }, /inner/],
    [{ as_number: 'x' }, /as_number/],
    [{ as_bytes: 'x' }, /as_bytes/],
    [{ nested: { inner: 'ONE' } }, /inner/],
  ];
  for (const [message, error] of wrong) {
    const shown = JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    t.throws(() => encode(message), { message: error }, shown);
  }
  for (const none of [null, undefined, 'x', 5, []]) t.throws(() => encode(none as never), undefined, String(none));
});

test('gRPC codec: bytes that are no such message are refused', async (t) => {
  const { decode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  const wrong = {
    'a cut varint': '0880',
    'an overlong varint': '0880808080808080808080808001',
    'a cut fixed32': '250000',
    'a cut fixed64': '4900000000',
    'a text cut short': '720541',
    'a text that is not UTF-8': '7202c328',
    'a text with half a surrogate pair': '7203eda080',
    'field number 0': '0001',
    'a text as a number': '7001',
    'a number as a text': '0a0101',
    'an int as fixed32': '0d01000000',
    'a message as a number': '880101',
    'an enum as a text': '82010100',
    'a message cut short': '8a01050a',
    'a message within one cut short': '8a010412050a00',
    'a number in the place of a text within a message': '8a01020801',
    'a packed list cut within an element': '92010180',
    'a text in a list as a number': '980101',
    'a map key of another type': 'b201040801100a',
    'a map value of another type': 'b201050a01781201',
    'an unknown field cut short': 'c2bb0105',
    'an end of a group': '0c',
  };
  for (const [name, hex] of Object.entries(wrong)) t.throws(() => decode(Buffer.from(hex, 'hex')), undefined, name);
});

test('gRPC codec: a deeply nested message is refused and breaks nothing', async (t) => {
  const { decode } = await codecOf(t, 'test.codec.Inner', { 'main.proto': PROTO });
  let bytes = Buffer.alloc(0);
  const size = (length: number) => {
    const head = [0x12];
    for (; length > 127; length >>>= 7) head.push((length & 127) | 128);
    return Buffer.from([...head, length]);
  };
  for (let depth = 0; depth < 20_000; depth += 1) bytes = Buffer.concat([size(bytes.length), bytes]);
  t.throws(() => decode(bytes));
  t.deepEqual(decode(new Uint8Array()), { some_name: '' });
});

test('gRPC codec: a map with the key __proto__ is a map with that key', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.codec.All', { 'main.proto': PROTO });
  const plain = decode(Buffer.from('b2010d0a095f5f70726f746f5f5f1005', 'hex'));
  t.deepEqual(Object.entries(plain.counts as object), [['__proto__', 5n]]);
  t.is(Object.getPrototypeOf(plain), Object.prototype);
  t.deepEqual(decode(encode(plain)), plain);
});
