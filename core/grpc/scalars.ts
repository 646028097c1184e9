import { ScalarType } from '@bufbuild/protobuf';
import { type BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Reads and writes one scalar type. */
export interface Scalar {
  readonly wireType: WireType;
  readonly zero: unknown;
  read(reader: BinaryReader): unknown;
  /** @throws Error if the value is of another type, or out of range */
  write(writer: BinaryWriter, value: never): unknown;
  /** Converts the key of a map, which is a text in a plain object, to a value of this type. */
  fromKey(key: string): unknown;
}

const { Varint, Bit32, Bit64, LengthDelimited } = WireType;

const numberScalar = (wireType: WireType, read: Scalar['read'], write: Scalar['write']): Scalar => ({
  wireType,
  zero: 0,
  read,
  write: (writer, value) => write(writer, requireType(value, 'number') as never),
  fromKey: Number,
});
const bigintScalar = (wireType: WireType, read: Scalar['read'], write: Scalar['write']): Scalar => ({
  wireType,
  zero: 0n,
  read,
  write: (writer, value) =>
    write(writer, (Number.isSafeInteger(value) ? BigInt(value) : requireType(value, 'bigint')) as never),
  fromKey: BigInt,
});

const BYTES: Scalar = {
  wireType: LengthDelimited,
  zero: new Uint8Array(0),
  // Copy the bytes: a view would keep the whole frame in memory, and change with it.
  read: (reader) => reader.bytes().slice(),
  write: (writer, value: unknown) => {
    if (!(value instanceof Uint8Array)) throw new Error(`it must be a Uint8Array, not ${describeType(value)}`);
    return writer.bytes(value);
  },
  fromKey: (key) => key,
};

/** Strings must be UTF-8 (https://protobuf.dev/programming-guides/proto3/#scalar). */
const STRING: Scalar = {
  wireType: LengthDelimited,
  zero: '',
  read: (reader) => reader.string(true),
  write: (writer, value) => writer.string(requireType(value, 'string') as string),
  fromKey: (key) => key,
};

const BOOL: Scalar = {
  wireType: Varint,
  zero: false,
  read: (reader) => reader.bool(),
  write: (writer, value) => writer.bool(requireType(value, 'boolean') as boolean),
  fromKey: (key) => key === 'true',
};

export const INT32 = numberScalar(
  Varint,
  (r) => r.int32(),
  (w, v) => w.int32(v),
);

export const SCALARS: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.DOUBLE]: numberScalar(
    Bit64,
    (r) => r.double(),
    (w, v) => w.double(v),
  ),
  [ScalarType.FLOAT]: numberScalar(
    Bit32,
    (r) => r.float(),
    (w, v) => w.float(v),
  ),
  [ScalarType.INT32]: INT32,
  [ScalarType.UINT32]: numberScalar(
    Varint,
    (r) => r.uint32(),
    (w, v) => w.uint32(v),
  ),
  [ScalarType.SINT32]: numberScalar(
    Varint,
    (r) => r.sint32(),
    (w, v) => w.sint32(v),
  ),
  [ScalarType.FIXED32]: numberScalar(
    Bit32,
    (r) => r.fixed32(),
    (w, v) => w.fixed32(v),
  ),
  [ScalarType.SFIXED32]: numberScalar(
    Bit32,
    (r) => r.sfixed32(),
    (w, v) => w.sfixed32(v),
  ),
  [ScalarType.INT64]: bigintScalar(
    Varint,
    (r) => r.int64(),
    (w, v) => w.int64(v),
  ),
  [ScalarType.UINT64]: bigintScalar(
    Varint,
    (r) => r.uint64(),
    (w, v) => w.uint64(v),
  ),
  [ScalarType.SINT64]: bigintScalar(
    Varint,
    (r) => r.sint64(),
    (w, v) => w.sint64(v),
  ),
  [ScalarType.FIXED64]: bigintScalar(
    Bit64,
    (r) => r.fixed64(),
    (w, v) => w.fixed64(v),
  ),
  [ScalarType.SFIXED64]: bigintScalar(
    Bit64,
    (r) => r.sfixed64(),
    (w, v) => w.sfixed64(v),
  ),
  [ScalarType.BOOL]: BOOL,
  [ScalarType.STRING]: STRING,
  [ScalarType.BYTES]: BYTES,
};

function requireType(value: unknown, type: string): unknown {
  if (typeof value !== type) throw new Error(`it must be a ${type}, not ${describeType(value)}`);
  return value;
}

export function describeType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
