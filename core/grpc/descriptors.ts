import { create, createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/**
 * Completes the file descriptors of proto-loader, and sorts them so that imported files come first. proto-loader
 * creates one file for each package, in no order and without imports. Its type names are relative, its map entries have
 * other names, and it does not preserve which fields are `optional`.
 * @throws Error if packages import each other, or a type is missing
 */
export function completeDescriptors(descriptors: readonly Uint8Array[]): FileDescriptorProto[] {
  const files = descriptors.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  for (const file of files) for (const message of file.messageType) renameEntries(message, file.package);
  const owners = new Map<string, FileDescriptorProto>();
  for (const file of files) for (const name of declaredNames(file)) owners.set(name, file);
  const importsByFile = new Map(files.map((file) => [file, completeFile(file, owners)] as const));
  for (const [file, importedFiles] of importsByFile) file.dependency = [...importedFiles].map(({ name }) => name);
  return sortByImports(importsByFile);
}

export function createRegistry(file: readonly FileDescriptorProto[]): FileRegistry {
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...file] }));
}

/**
 * Renames map entries and the fields of well-known types. proto-loader gives a map entry the name of its field, which
 * may hide a message type of that name. protoc, and clients that use reflection, expect `BookPricesEntry` for
 * `book_prices`. proto-loader's copies of the well-known types have field names in camel case.
 */
function renameEntries(message: DescriptorProto, scope: string): void {
  const fullName = join(scope, message.name);
  for (const nested of message.nestedType) {
    renameEntries(nested, fullName);
    if (!nested.options?.mapEntry) continue;
    const field = message.field.find(({ name }) => upperFirst(name) === nested.name);
    if (field === undefined) continue;
    nested.name = `${field.name.split('_').map(upperFirst).join('')}Entry`;
    field.typeName = `.${join(fullName, nested.name)}`;
  }
  if (!`${fullName}.`.startsWith('google.protobuf.')) return;
  for (const field of message.field) field.name = field.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the full names of a file's messages and enums. */
function declaredNames(file: FileDescriptorProto): string[] {
  const names: string[] = [];
  const walk = (scope: string, messages: readonly DescriptorProto[], enums: readonly { name: string }[]) => {
    for (const { name } of enums) names.push(join(scope, name));
    for (const message of messages) {
      const name = join(scope, message.name);
      names.push(name);
      walk(name, message.nestedType, message.enumType);
    }
  };
  walk(file.package, file.messageType, file.enumType);
  return names;
}

/**
 * Makes type names absolute, and marks optional fields.
 * @returns the imported files
 */
function completeFile(
  file: FileDescriptorProto,
  owners: ReadonlyMap<string, FileDescriptorProto>,
): Set<FileDescriptorProto> {
  const importedFiles = new Set<FileDescriptorProto>();
  const absolute = (name: string, scope: string): string => {
    for (
      let candidateScope = name.startsWith('.') ? '' : scope;
      ;
      candidateScope = candidateScope.slice(0, Math.max(0, candidateScope.lastIndexOf('.')))
    ) {
      const candidate = join(candidateScope, name.replace(/^\./, ''));
      const owner = owners.get(candidate);
      if (owner !== undefined) {
        if (owner !== file) importedFiles.add(owner);
        return `.${candidate}`;
      }
      if (candidateScope === '') throw new Error(`type ${name} not found`);
    }
  };
  const walk = (messages: readonly DescriptorProto[], scope: string) => {
    for (const message of messages) {
      const name = join(scope, message.name);
      for (const field of message.field) {
        if (field.typeName !== '') field.typeName = absolute(field.typeName, name);
        const oneof = message.oneofDecl[field.oneofIndex];
        if (Object.hasOwn(field, 'oneofIndex') && oneof?.name === `_${field.name}`) field.proto3Optional = true;
      }
      moveOptionalLast(message);
      walk(message.nestedType, name);
    }
  };
  walk(file.messageType, file.package);
  for (const { method } of file.service) {
    for (const rpc of method) {
      rpc.inputType = absolute(rpc.inputType, file.package);
      rpc.outputType = absolute(rpc.outputType, file.package);
    }
  }
  return importedFiles;
}

/** Moves the synthetic oneofs of `optional` fields after the real ones, as protobuf requires. */
function moveOptionalLast(message: DescriptorProto): void {
  const optional = new Set(message.field.filter((field) => field.proto3Optional).map(({ name }) => `_${name}`));
  if (optional.size === 0) return;
  const originalOneofs = message.oneofDecl;
  message.oneofDecl = [
    ...originalOneofs.filter(({ name }) => !optional.has(name)),
    ...originalOneofs.filter(({ name }) => optional.has(name)),
  ];
  for (const field of message.field) {
    const oneof = originalOneofs[field.oneofIndex];
    if (Object.hasOwn(field, 'oneofIndex') && oneof !== undefined) field.oneofIndex = message.oneofDecl.indexOf(oneof);
  }
}

/**
 * Sorts files so that imported ones come first.
 * @throws Error if packages import each other
 */
function sortByImports(
  imports: ReadonlyMap<FileDescriptorProto, ReadonlySet<FileDescriptorProto>>,
): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const visiting = new Set<FileDescriptorProto>();
  const visit = (file: FileDescriptorProto) => {
    if (ordered.has(file)) return;
    if (visiting.has(file))
      throw new Error(`the packages ${[...visiting].map(packageName).join(' and ')} import each other`);
    visiting.add(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    visiting.delete(file);
    ordered.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return [...ordered];
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const packageName = (file: FileDescriptorProto) => file.package || '(none)';
const join = (scope: string, name: string) => (scope === '' ? name : `${scope}.${name}`);
