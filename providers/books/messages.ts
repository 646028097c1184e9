import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';

/** A message as a map of the fields that are set, in the order of their numbers (Java's `getAllFields`). */
export type FieldMap = Map<DescField, unknown>;

const PROTO = 'book_author.proto';
const PACKAGE = 'com.devProblems';

/** The path in the packed package, and in this repository. */
const candidates = [`../proto/${PROTO}`, `../../../proto/${PROTO}`].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

function descriptors(): { author: DescMessage; book: DescMessage } {
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${PROTO} is missing: looked for ${candidates.join(' and ')}`);
  const definitions = loadSync(PROTO, { keepCase: true, includeDirs: [dirname(file)] });
  const definition = definitions[`${PACKAGE}.Book`];
  if (definition === undefined || !('fileDescriptorProtos' in definition)) throw new Error(`${file} has no Book`);
  const files = (definition.fileDescriptorProtos as Uint8Array[]).map((bytes) => {
    const descriptor = fromBinary(FileDescriptorProtoSchema, bytes);
    // Only the messages are needed, and proto-loader leaves the types of RPCs relative.
    descriptor.service = [];
    return descriptor;
  });
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  const author = registry.getMessage(`${PACKAGE}.Author`);
  const book = registry.getMessage(`${PACKAGE}.Book`);
  if (author === undefined || book === undefined) throw new Error(`${file} has no Author or no Book`);
  return { author, book };
}

/**
 * The messages of the service. Their field descriptors are the keys of a FieldMap, the same objects for every message.
 */
export const { author: AuthorType, book: BookType } = descriptors();

/** @param values by field name of the proto file */
export function message(type: DescMessage, values: Readonly<Record<string, unknown>>): Message {
  const setFields = type.fields.filter(({ name }) => values[name] !== undefined);
  return create(
    type,
    Object.fromEntries(
      setFields.map(({ localName, name }) => [localName, values[name]]),
    ) as MessageInitShape<DescMessage>,
  );
}

/** Fields with their default value (0, empty string) are not set in proto3, and are left out. */
export function allFields(type: DescMessage, received: Message): FieldMap {
  const reflected = reflect(type, received);
  const fields: FieldMap = new Map();
  for (const field of reflected.sortedFields) if (reflected.isSet(field)) fields.set(field, reflected.get(field));
  return fields;
}

/** The value of the field with this name in the proto file, such as `author_id`. */
export function byName(fields: FieldMap, name: string): unknown {
  for (const [field, value] of fields) if (field.name === name) return value;
  return undefined;
}

/** For printing: names of the proto file, and prices as the shortest decimal that reads back as the same float. */
export function toObject(fields: FieldMap): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [field, value] of fields) {
    object[field.name] = field.fieldKind === 'scalar' && typeof value === 'number' ? shortestDecimal(value) : value;
  }
  return object;
}

/** 9.989999771118164, which is 9.99 as a 32-bit float, is 9.99 again. */
function shortestDecimal(value: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}
