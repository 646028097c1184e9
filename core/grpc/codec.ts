import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  isMessage,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
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
    if (typeof plain !== 'object' || plain === null) throw new Error(`this is no ${this.#type.typeName}`);
    const message = create(this.#type);
    const members = message as unknown as Members;
    for (const [name, value] of Object.entries(plain)) {
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
  if (field.message === undefined) return { read: same, write: same };
  const type = field.message;
  // Looked up when used: a message type may contain itself.
  const readOne = (value: unknown) =>
    isMessage(value) ? Codec.of(type, codecs).toPlain(value as unknown as Members) : value;
  const writeOne = (value: unknown) => Codec.of(type, codecs).toMessage(value as object);
  if (field.fieldKind === 'list') {
    return {
      read: (value) => (value as unknown[]).map(readOne),
      write: (value) => (value as unknown[]).map(writeOne),
    };
  }
  if (field.fieldKind === 'map') return { read: eachValue(readOne), write: eachValue(writeOne) };
  return { read: readOne, write: writeOne };
}

function eachValue(convert: (value: unknown) => unknown) {
  return (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, convert(inner)]));
}
