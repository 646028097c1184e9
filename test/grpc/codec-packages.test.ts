import test from 'ava';
import { codecOf } from '../helpers/proto-codec.js';

const WELL_KNOWN = `package test.known;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message Known {
  google.protobuf.Timestamp at = 1;
  repeated google.protobuf.Duration lasts = 2;
  google.protobuf.Any any = 3;
  google.protobuf.Empty none = 4;
  google.protobuf.FieldMask mask = 5;
  google.protobuf.StringValue text = 6;
  google.protobuf.Int64Value long = 7;
  repeated google.protobuf.StringValue texts = 8;
  map<string, google.protobuf.BoolValue> flags = 9;
  oneof choice { google.protobuf.Int32Value number = 10; google.protobuf.Struct chosen = 11; }
  google.protobuf.Struct json = 12;
  google.protobuf.Value value = 13;
  repeated google.protobuf.Struct more = 14;
  map<string, google.protobuf.Struct> named = 15;
}
service S { rpc call (Known) returns (google.protobuf.Empty); }`;

test('gRPC codec: well-known types are messages like any other', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.known.Known', { 'main.proto': WELL_KNOWN });
  const known = {
    at: { seconds: 1_700_000_000n, nanos: 5 },
    lasts: [{ seconds: -1n, nanos: 0 }],
    any: { type_url: 'type.googleapis.com/x', value: new Uint8Array([1]) },
    none: {},
    mask: { paths: ['a.b'] },
    texts: [{ value: 'x' }, { value: '' }],
    flags: { yes: { value: true } },
    number: { value: 0 },
    value: { list_value: { values: [{ number_value: 1 }, { null_value: 0 }] } },
  };
  const rest = { more: [], named: {} };
  t.deepEqual(decode(new Uint8Array(encode(known))), { ...known, ...rest });
  t.deepEqual(decode(new Uint8Array()), { lasts: [], texts: [], flags: {}, ...rest });
  t.throws(() => encode({ at: new Date() }), { message: /at|Timestamp/ });
  t.throws(() => encode({ at: { seconds: 1n, millis: 1 } }), {
    message: /google\.protobuf\.Timestamp has no field millis/,
  });
});

test('gRPC codec: wrappers and Struct are messages with their fields in all positions', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.known.Known', { 'main.proto': WELL_KNOWN });
  const struct = {
    fields: {
      a: { string_value: 'x' },
      b: { struct_value: { fields: { c: { bool_value: false } } } },
      d: { list_value: { values: [{ struct_value: { fields: {} } }] } },
    },
  };
  const rest = { lasts: [], texts: [], flags: {} };
  for (const known of [
    { text: { value: 'x' }, more: [], named: {} },
    { text: { value: '' }, long: { value: 5n }, more: [], named: {} },
    { json: struct, more: [], named: {} },
    { chosen: struct, more: [], named: {} },
    { value: { struct_value: struct }, more: [], named: {} },
    { more: [struct, { fields: {} }], named: { x: struct } },
  ]) {
    t.deepEqual(decode(new Uint8Array(encode(known))), { ...known, ...rest });
  }
  t.is(encode({ text: { value: 'x' } }).toString('hex'), '32030a0178');
  t.throws(() => encode({ text: 'x' }), { message: /StringValue/ });
  t.throws(() => encode({ json: { a: 1 } }), { message: /google\.protobuf\.Struct has no field a/ });
});

test('gRPC codec: types of other packages and files are found by the names that protobuf allows', async (t) => {
  const { encode, decode } = await codecOf(t, 'a.b.main.Top', {
    'main.proto': `package a.b.main;
      import "other.proto"; import "plain.proto"; import "sibling.proto"; import public "shared.proto";
      message Top {
        a.b.other.Thing absolute = 1; .a.b.other.Thing rooted = 2; other.Thing relative = 3; b.other.Thing half = 4;
        Plain plain = 5; Sibling sibling = 6; Tree tree = 7; a.b.other.Thing.Part part = 8; other.Kind kind = 9;
        map<string, other.Thing> thing = 10; shared.Shared shared = 11; repeated Tree Trees = 12; repeated Tree trees = 13;
      }
      message Tree { Tree left = 1; Branch right = 2; map<int32, Tree> tree = 3; }
      message Branch { Tree tree = 1; }
      service S { rpc call (other.Thing) returns (Top); }`,
    'other.proto': `package a.b.other; import "plain.proto";
      enum Kind { K = 0; L = 1; }
      message Thing { message Part { Kind kind = 1; Thing whole = 2; } string name = 1; Part part = 2; Plain plain = 3; }`,
    'plain.proto': 'message Plain { int32 number = 1; }',
    'sibling.proto': 'package a.b.main; message Sibling { bool is = 1; }',
    'shared.proto': 'package a.shared; message Shared { bytes data = 1; }',
  });
  const thing = { name: 'x', part: { kind: 1, whole: { name: '' } }, plain: { number: 1 } };
  const top = {
    absolute: thing,
    rooted: thing,
    relative: thing,
    half: thing,
    plain: { number: 2 },
    sibling: { is: true },
    tree: { left: { tree: {} }, right: { tree: { tree: {} } }, tree: { 1: { tree: {} } } },
    part: { kind: 0 },
    kind: 1,
    thing: { a: thing },
    shared: { data: new Uint8Array([1]) },
    Trees: [{ tree: {} }],
    trees: [{ tree: {} }, { tree: {} }],
  };
  t.deepEqual(decode(new Uint8Array(encode(top))), top);
});

test('gRPC codec: field names that are special in JavaScript are fields like any other', async (t) => {
  const { encode, decode } = await codecOf(t, 'test.names.Names', {
    'main.proto': `package test.names;
      message Names {
        string constructor = 1; int32 toString = 2; bool hasOwnProperty = 3; string valueOf = 4; string case = 5;
        string snake_case_1 = 6; string camelCase = 7; string _leading = 8; string UPPER = 9; string value = 10;
        oneof constructor_choice { string prototype = 11; string name = 12; }
      }
      service S { rpc call (Names) returns (Names); }`,
  });
  const named = {
    constructor: 'a',
    toString: 5,
    hasOwnProperty: true,
    valueOf: 'b',
    case: 'c',
    snake_case_1: 'd',
    camelCase: 'e',
    _leading: 'f',
    UPPER: 'g',
    value: 'h',
    name: 'i',
  };
  t.deepEqual(decode(new Uint8Array(encode(named as object))), named);
});
