import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { messageOf } from '../model/thrown.js';
import { describeType, INT32, SCALARS, type Scalar } from './scalars.js';

/** A message in the form in which handlers see it, with the field names of the proto file. */
export type PlainMessage = Record<string, unknown>;

/** Reads and writes one value of a field: a scalar, an enum or a message. */
interface Value {
  readonly wireType: WireType;
  /** @param before the current value of the field. If a message occurs several times, its occurrences are merged */
  read(reader: BinaryReader, depth: number, before: unknown): unknown;
  write(writer: BinaryWriter, value: never): unknown;
}

interface Field {
  readonly name: string;
  /**
   * Reads one occurrence of the field.
   * @throws Error if the wire type is not that of the field
   */
  read(reader: BinaryReader, wireType: WireType, plain: PlainMessage, depth: number): void;
  write(writer: BinaryWriter, value: unknown): void;
}

/** The maximum nesting depth of messages. */
const MAX_DEPTH = 100;
const { LengthDelimited } = WireType;

/** A writer to reuse, because creating one is expensive compared with a small message. */
let spareWriter: BinaryWriter | undefined;
const MAX_SPARE_BYTES = 64 * 1024;

/**
 * Reads and writes messages of one type as plain objects. It is stricter than protobufjs: it rejects truncated
 * messages, texts and numbers, texts that are not UTF-8, field number 0, and numbers that are out of range.
 */
export class Codec {
  readonly #name: string;
  readonly #codecs: Map<string, Codec>;
  readonly #byNumber = new Map<number, Field>();
  readonly #byName = new Map<string, Field>();
  /** The defaults of fields without presence. Lists and maps are created for each message. */
  readonly #defaults: PlainMessage = {};
  readonly #containerFactories: [name: string, make: () => object][] = [];

  private constructor(type: DescMessage, codecs: Map<string, Codec>) {
    this.#name = type.typeName;
    this.#codecs = codecs;
    codecs.set(type.typeName, this);
    // In the order of their numbers, in which all other implementations write them.
    for (const descriptor of [...type.fields].sort((a, b) => a.number - b.number)) {
      const field = this.#field(descriptor);
      this.#byNumber.set(descriptor.number, field);
      this.#byName.set(descriptor.name, field);
    }
  }

  /**
   * Returns the codec of a message type.
   * @param codecs the existing codecs by type name, because message types may be recursive
   */
  static of(type: DescMessage, codecs: Map<string, Codec>): Codec {
    return codecs.get(type.typeName) ?? new Codec(type, codecs);
  }

  /**
   * Decodes a message.
   * @throws Error if the bytes are not a message of this type
   */
  readonly decode = (bytes: Uint8Array): PlainMessage => {
    const plain = this.#empty();
    this.#read(new BinaryReader(bytes), bytes.length, plain, 0);
    return plain;
  };

  /**
   * Encodes a message.
   * @throws Error with the name of a field that does not exist, or whose value is invalid
   */
  readonly encode = (plain: object): Buffer => {
    const writer = spareWriter ?? new BinaryWriter();
    spareWriter = undefined;
    this.#write(writer, plain);
    const bytes = writer.finish();
    // Reuse the writer, unless it has grown. After an error it is dropped, because its state is undefined.
    if (bytes.length <= MAX_SPARE_BYTES) spareWriter = writer;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  #empty(): PlainMessage {
    const plain = { ...this.#defaults };
    for (const [name, make] of this.#containerFactories) plain[name] = make();
    return plain;
  }

  #read(reader: BinaryReader, end: number, plain: PlainMessage, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`${this.#name} has too many messages within each other`);
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = this.#byNumber.get(number);
      if (field === undefined) reader.skip(wireType, number);
      else field.read(reader, wireType, plain, depth);
    }
    if (reader.pos !== end) throw new Error(`${this.#name} is cut short`);
  }

  #write(writer: BinaryWriter, plain: object): void {
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
      throw new Error(`${this.#name} must be an object, not ${describeType(plain)}`);
    }
    const names = Object.keys(plain);
    // A Date, a Map or a promise has no own members either, but is not an empty message.
    if (names.length === 0 && !isPlain(plain)) throw new Error(`${this.#name} must be a plain object`);
    let found = 0;
    for (const field of this.#byName.values()) {
      const value = Object.hasOwn(plain, field.name) ? (plain as PlainMessage)[field.name] : undefined;
      if (value === undefined) continue;
      found += 1;
      try {
        field.write(writer, value);
      } catch (cause) {
        throw new Error(`${this.#name}.${field.name}: ${messageOf(cause)}`, { cause });
      }
    }
    if (found === names.length) return;
    const unknown = names.find((name) => !this.#byName.has(name));
    if (unknown !== undefined) throw new Error(`${this.#name} has no field ${unknown}`);
  }

  #field(descriptor: DescField): Field {
    const { name, number } = descriptor;
    if (descriptor.fieldKind === 'map') {
      this.#containerFactories.push([name, () => ({})]);
      const key = SCALARS[descriptor.mapKey];
      const value = descriptor.message
        ? this.#message(descriptor.message)
        : descriptor.scalar
          ? scalarValue(SCALARS[descriptor.scalar])
          : scalarValue(INT32);
      const zero = descriptor.message ? () => this.#codec(descriptor.message)?.decode(new Uint8Array(0)) : undefined;
      return createMapField(
        name,
        number,
        key,
        value,
        zero ?? (() => (descriptor.scalar ? SCALARS[descriptor.scalar].zero : 0)),
      );
    }
    if ('delimitedEncoding' in descriptor && descriptor.delimitedEncoding) {
      throw new Error(`${this.#name}.${name} is a group, which is not supported`);
    }
    const value = descriptor.message
      ? this.#message(descriptor.message)
      : scalarValue(descriptor.scalar ? SCALARS[descriptor.scalar] : INT32);
    if (descriptor.fieldKind === 'list') {
      this.#containerFactories.push([name, () => []]);
      return createListField(name, number, value, descriptor.packed);
    }
    const hasPresence = descriptor.message !== undefined || descriptor.presence !== IMPLICIT_PRESENCE;
    const zero = descriptor.scalar ? SCALARS[descriptor.scalar].zero : 0;
    if (!hasPresence) this.#defaults[name] = zero;
    const otherOneofFields = (descriptor.oneof?.fields ?? [])
      .map((field) => field.name)
      .filter((other) => other !== name);
    return createSingleField(name, number, value, hasPresence ? undefined : zero, otherOneofFields);
  }

  #message(type: DescMessage): Value {
    // Look up the codec on use, because a message type may contain itself.
    return {
      wireType: LengthDelimited,
      read: (reader, depth, before) => {
        const codec = Codec.of(type, this.#codecs);
        const plain = (before as PlainMessage | undefined) ?? codec.#empty();
        const length = reader.uint32();
        if (reader.pos + length > reader.len) throw new Error(`${type.typeName} is cut short`);
        codec.#read(reader, reader.pos + length, plain, depth + 1);
        return plain;
      },
      write: (writer, value) => {
        writer.fork();
        Codec.of(type, this.#codecs).#write(writer, value);
        writer.join();
      },
    };
  }

  #codec(type: DescMessage | undefined): Codec | undefined {
    return type && Codec.of(type, this.#codecs);
  }
}

/** FeatureSet.FieldPresence: proto3 fields without `optional`. */
const IMPLICIT_PRESENCE = 2;

function scalarValue({ wireType, read, write }: Scalar): Value {
  return { wireType, read, write };
}

/**
 * @param zero the value that is not written; undefined for a field with presence
 * @param otherOneofFields the other fields of its oneof, which reading this one deletes
 */
function createSingleField(
  name: string,
  number: number,
  value: Value,
  zero: unknown,
  otherOneofFields: readonly string[],
): Field {
  return {
    name,
    read(reader, wireType, plain, depth) {
      if (wireType !== value.wireType) throw wireTypeError(name, wireType);
      plain[name] = value.read(reader, depth, plain[name]);
      for (const other of otherOneofFields) delete plain[other];
    },
    write(writer, given) {
      // -0 must be written, and only Object.is distinguishes it from 0.
      if (zero !== undefined && (Object.is(given, zero) || isEmptyBytes(given))) return;
      writer.tag(number, value.wireType);
      value.write(writer, given as never);
    },
  };
}

function wireTypeError(name: string, wireType: WireType): Error {
  return new Error(`${name} does not have the wire type ${wireType}`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function isEmptyBytes(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

function createListField(name: string, number: number, value: Value, packed: boolean): Field {
  return {
    name,
    read(reader, wireType, plain, depth) {
      const list = plain[name] as unknown[];
      if (wireType === value.wireType) list.push(value.read(reader, depth, undefined));
      else if (wireType === LengthDelimited) {
        const length = reader.uint32();
        const end = reader.pos + length;
        if (end > reader.len) throw new Error(`${name} is cut short`);
        while (reader.pos < end) list.push(value.read(reader, depth, undefined));
        if (reader.pos !== end) throw new Error(`${name} is cut short`);
      } else throw wireTypeError(name, wireType);
    },
    write(writer, given) {
      if (!Array.isArray(given)) throw new Error(`it must be an array, not ${describeType(given)}`);
      if (given.length === 0) return;
      if (packed) {
        writer.tag(number, LengthDelimited).fork();
        for (const item of given) value.write(writer, item as never);
        writer.join();
        return;
      }
      for (const item of given) {
        writer.tag(number, value.wireType);
        value.write(writer, item as never);
      }
    },
  };
}

/** On the wire, a map is a list of messages with a key (1) and a value (2). */
function createMapField(name: string, number: number, key: Scalar, value: Value, zero: () => unknown): Field {
  return {
    name,
    read(reader, wireType, plain, depth) {
      if (wireType !== LengthDelimited) throw wireTypeError(name, wireType);
      const end = reader.uint32() + reader.pos;
      if (end > reader.len) throw new Error(`${name} is cut short`);
      let entryKey: unknown = key.zero;
      let entryValue: unknown;
      while (reader.pos < end) {
        const [member, memberType] = reader.tag();
        if (member === 1 && memberType === key.wireType) entryKey = key.read(reader);
        else if (member === 2 && memberType === value.wireType) entryValue = value.read(reader, depth, entryValue);
        else if (member === 1 || member === 2) throw wireTypeError(name, memberType);
        else reader.skip(memberType, member);
      }
      if (reader.pos !== end) throw new Error(`${name} is cut short`);
      // A key may be "__proto__": define it as an ordinary member.
      const entry = { value: entryValue ?? zero(), configurable: true, enumerable: true, writable: true };
      Object.defineProperty(plain[name], String(entryKey), entry);
    },
    write(writer, given) {
      if (typeof given !== 'object' || given === null || !isPlain(given)) {
        throw new Error(`it must be a plain object, not ${describeType(given)}`);
      }
      for (const [entryKey, entryValue] of Object.entries(given)) {
        writer.tag(number, LengthDelimited).fork().tag(1, key.wireType);
        key.write(writer, key.fromKey(entryKey) as never);
        writer.tag(2, value.wireType);
        value.write(writer, entryValue as never);
        writer.join();
      }
    },
  };
}
