import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

interface Expected {
  readonly name: string;
  readonly wireType: WireType;
  readonly packed: WireType;
  readonly message: Shape | undefined;
}

type Shape = Map<number, Expected>;

const OF_SCALAR: Readonly<Partial<Record<ScalarType, WireType>>> = {
  [ScalarType.DOUBLE]: WireType.Bit64,
  [ScalarType.FIXED64]: WireType.Bit64,
  [ScalarType.SFIXED64]: WireType.Bit64,
  [ScalarType.FLOAT]: WireType.Bit32,
  [ScalarType.FIXED32]: WireType.Bit32,
  [ScalarType.SFIXED32]: WireType.Bit32,
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
};

const shapes = new WeakMap<DescMessage, Shape>();

/** @throws Error when a field has a wire type that is not its own: @bufbuild/protobuf reads it as if it had */
export function checkWireTypes(type: DescMessage, bytes: Uint8Array): void {
  checkMessage(shapeOf(type), new BinaryReader(bytes), bytes.length);
}

function checkMessage(shape: Shape, reader: BinaryReader, end: number): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = shape.get(number);
    if (field === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    if (wireType !== field.wireType && wireType !== field.packed) {
      throw new Error(`the field ${field.name} has the wire type ${wireType}`);
    }
    if (field.message === undefined || wireType !== WireType.LengthDelimited) reader.skip(wireType, number);
    else {
      const length = reader.uint32();
      if (reader.pos + length > end) throw new Error(`the field ${field.name} is cut short`);
      checkMessage(field.message, reader, reader.pos + length);
    }
  }
  if (reader.pos !== end) throw new Error('a field is longer than its message');
}

function shapeOf(type: DescMessage): Shape {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const shape: Shape = new Map();
  // Known before it is complete: message types may be recursive.
  shapes.set(type, shape);
  for (const field of type.fields) shape.set(field.number, expected(field));
  return shape;
}

function expected(field: DescField): Expected {
  const { name, message } = field;
  if (field.fieldKind === 'map') {
    const key = { name: `${name}.key`, wireType: ofScalar(field.mapKey), packed: ofScalar(field.mapKey) };
    const value = field.scalar === undefined ? WireType.Varint : ofScalar(field.scalar);
    const wireType = message === undefined ? value : WireType.LengthDelimited;
    const entry: Shape = new Map([
      [1, { ...key, message: undefined }],
      [2, { name: `${name}.value`, wireType, packed: wireType, message: message && shapeOf(message) }],
    ]);
    return { name, wireType: WireType.LengthDelimited, packed: WireType.LengthDelimited, message: entry };
  }
  if (message !== undefined) {
    const wireType = field.delimitedEncoding ? WireType.StartGroup : WireType.LengthDelimited;
    return { name, wireType, packed: wireType, message: shapeOf(message) };
  }
  const wireType = field.scalar === undefined ? WireType.Varint : ofScalar(field.scalar);
  const packed = field.fieldKind === 'list' ? WireType.LengthDelimited : wireType;
  return { name, wireType, packed, message: undefined };
}

function ofScalar(scalar: ScalarType): WireType {
  return OF_SCALAR[scalar] ?? WireType.Varint;
}
