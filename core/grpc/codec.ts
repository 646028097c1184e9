import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type Message,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { checkWireTypes } from './wire-types.js';

/** A message as handlers see it: field names of the proto file. */
export type PlainMessage = Record<string, unknown>;

type Members = Record<string, unknown>;

interface Field {
  readonly name: string;
  readonly localName: string;
  readonly read: (value: unknown) => unknown;
  readonly write: (value: unknown) => unknown;
}

interface OneofField extends Field {
  readonly oneof: string;
}

/**
 * Reads and writes messages of one type. Strict where protobufjs is not: a text cut short or not UTF-8, a wrong wire
 * type, an overlong varint and a number out of its range are errors.
 */
export class Codec {
  readonly #type: DescMessage;
  readonly #fields: readonly Field[];
  readonly #oneofs: readonly OneofField[];
  readonly #byName = new Map<string, Field | OneofField>();

  private constructor(type: DescMessage, codecs: Map<string, Codec>) {
    codecs.set(type.typeName, this);
    this.#type = type;
    const fields: Field[] = [];
    const oneofs: OneofField[] = [];
    for (const descriptor of type.fields) {
      const field = { name: descriptor.name, localName: descriptor.localName, ...conversion(descriptor, codecs) };
      const { oneof } = descriptor;
      if (oneof === undefined) fields.push(field);
      else oneofs.push({ ...field, oneof: oneof.localName });
    }
    for (const field of [...fields, ...oneofs]) this.#byName.set(field.name, field);
    this.#fields = fields;
    this.#oneofs = oneofs;
  }

  /** @param codecs those made so far, by type name: message types may be recursive */
  static of(type: DescMessage, codecs: Map<string, Codec>): Codec {
    return codecs.get(type.typeName) ?? new Codec(type, codecs);
  }

  /** @throws Error when the bytes are no such message */
  readonly decode = (bytes: Uint8Array): PlainMessage => {
    checkWireTypes(this.#type, bytes);
    return this.toPlain(fromBinary(this.#type, bytes, { readUnknownFields: false }) as unknown as Members);
  };

  /** @throws Error naming the field that the message does not have, or whose value does not fit */
  readonly encode = (plain: object): Buffer => {
    const bytes = toBinary(this.#type, this.toMessage(plain));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  toPlain(message: Members): PlainMessage {
    const plain: PlainMessage = {};
    for (const { name, localName, read } of this.#fields) {
      const value = message[localName];
      if (value !== undefined) plain[name] = read(value);
    }
    for (const { name, localName, oneof, read } of this.#oneofs) {
      const chosen = message[oneof] as { case?: string; value?: unknown };
      if (chosen.case === localName) plain[name] = read(chosen.value);
    }
    return plain;
  }

  toMessage(plain: object): Message {
    const entries =
      typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? Object.entries(plain) : undefined;
    // A Date, a Map or a promise has no fields: it was not meant as an empty message.
    if (entries === undefined || (entries.length === 0 && !isPlain(plain))) {
      throw new Error(`this is no ${this.#type.typeName}`);
    }
    const message = create(this.#type);
    const members = message as unknown as Members;
    for (const [name, value] of entries) {
      const field = this.#byName.get(name);
      if (field === undefined) throw new Error(`${this.#type.typeName} has no field ${name}`);
      if (value === undefined) continue;
      if ('oneof' in field) members[field.oneof] = { case: field.localName, value: field.write(value) };
      else members[field.localName] = field.write(value);
    }
    return message;
  }
}

const same = (value: unknown) => value;

function conversion(field: DescField, codecs: Map<string, Codec>): Pick<Field, 'read' | 'write'> {
  if (field.message === undefined) return { read: same, write: checked(field) };
  const { readOne, writeOne } = oneMessage(field, field.message, codecs);
  if (field.fieldKind === 'list') {
    return {
      read: (value) => (value as unknown[]).map(readOne),
      write: (value) => listOf(field, value).map(writeOne),
    };
  }
  if (field.fieldKind === 'map') {
    return { read: eachValue(readOne), write: (value) => eachValue(writeOne)(mapOf(field, value)) };
  }
  return { read: readOne, write: writeOne };
}

/** @bufbuild/protobuf has some wrappers as their values and Struct as JSON; here they are messages like any other. */
function oneMessage(field: DescField, type: DescMessage, codecs: Map<string, Codec>) {
  // Looked up when used: a message type may contain itself.
  const toPlain = (value: unknown) => Codec.of(type, codecs).toPlain(value as Members);
  const toMessage = (value: unknown) => Codec.of(type, codecs).toMessage(value as object);
  if (type.typeName === 'google.protobuf.Struct' && field.parent.typeName !== 'google.protobuf.Value') {
    return {
      readOne: (value: unknown) => toPlain(fromJson(type, value as JsonObject)),
      writeOne: (value: unknown) => toJson(type, toMessage(value)),
    };
  }
  if (isWrapperDesc(type) && field.fieldKind === 'message' && field.oneof === undefined) {
    return {
      readOne: (value: unknown) => ({ value }),
      writeOne: (value: unknown) => (toMessage(value) as unknown as { value: unknown }).value,
    };
  }
  return { readOne: toPlain, writeOne: toMessage };
}

/** What @bufbuild/protobuf would turn into a text, a number or nothing, as JavaScript does. */
function checked(field: DescField): (value: unknown) => unknown {
  const isValue = (value: unknown) => fits(field.fieldKind === 'enum' ? undefined : field.scalar, value);
  if (field.fieldKind === 'list') {
    return (value) => (listOf(field, value).every(isValue) ? value : refuse(field));
  }
  if (field.fieldKind === 'map') {
    return (value) => (Object.values(mapOf(field, value)).every(isValue) ? value : refuse(field));
  }
  return (value) => (isValue(value) ? value : refuse(field));
}

function fits(scalar: ScalarType | undefined, value: unknown): boolean {
  switch (scalar) {
    case ScalarType.STRING:
      return typeof value === 'string';
    case ScalarType.BOOL:
      return typeof value === 'boolean';
    case ScalarType.BYTES:
      return value instanceof Uint8Array;
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return typeof value === 'bigint' || Number.isSafeInteger(value);
    default:
      return typeof value === 'number';
  }
}

function listOf(field: DescField, value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse(field);
}

function mapOf(field: DescField, value: unknown): object {
  return typeof value === 'object' && value !== null && isPlain(value) ? value : refuse(field);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function refuse(field: DescField): never {
  throw new Error(`the field ${field.parent.typeName}.${field.name} cannot have this value`);
}

function eachValue(convert: (value: unknown) => unknown) {
  return (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, convert(inner)]));
}
