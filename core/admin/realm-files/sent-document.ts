import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { type JsonDocument, type JsonPath, readJsonDocument } from '../../config/json/json-document.js';
import { byPosition, type Problem } from '../../config/problem.js';
import { readRealm } from '../../config/realm-file/read-realm.js';
import { nameInFile, readRealmDocuments, realmDocumentsIn } from '../../config/realm-file/realm-documents.js';
import { realmFilesOf } from '../../config/realm-file/realm-folder.js';
import { hasReference } from '../../config/realm-file/references.js';
import { KEY_MATERIAL, KEY_PROVIDER } from '../../keys/component-key.js';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { type CheckedFile, type FileChecks, readingOptions } from '../../realm-files/checked-file.js';
import { redactProblem } from '../../realm-files/realm-file-state.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import { forEachCounterpart } from './counterparts.js';

/** A realm of a sent document, checked like that of a file. */
export interface SentRealm {
  readonly file: CheckedFile;
  /** The document as sent. */
  readonly document: JsonDocument;
  /** True if the realm has a file with a different content. */
  readonly differsFromFile: boolean;
}

export interface SentDocument {
  readonly realms: readonly SentRealm[];
  readonly problems: readonly Problem[];
}

const NEW_REFERENCE = 'only a file in the realms folder can use this reference';
const UNKNOWN_MASK = 'the file of the realm has no value here: write the secret';
const addressMessage = (address: string) => `write the value: ${address} differs from the file of the realm`;

/**
 * Reads a document that an admin sent as the file of one or more realms. It must not reveal the host's environment and
 * files. So a reference is resolved only if the realm's own file has the same reference at the same position, with the
 * same addresses. A masked secret means the value in the file, under the same condition.
 */
export async function readSentDocument(bytes: Buffer, files: RealmFiles, checks: FileChecks): Promise<SentDocument> {
  const read = readJsonDocument(join(files.dir, 'document'), bytes);
  if ('problems' in read) return { realms: [], problems: read.problems };
  const realms: SentRealm[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const document of realmDocumentsIn(read.document)) {
    const name = nameInFile(document);
    if (name === undefined || hasReference(name)) {
      problems.push(document.problem(['realm'], 'the document must contain "realm"'));
    } else if (names.has(name)) {
      problems.push(document.problem(['realm'], `the document contains the realm "${name}" twice`));
    } else {
      names.add(name);
      const result = await readSentRealm(document, name, files, checks);
      if (Array.isArray(result)) problems.push(...result);
      else realms.push(result);
    }
  }
  if (realms.length + problems.length === 0) problems.push(read.document.problem([], 'the list contains no realm'));
  return { realms, problems: problems.map((problem) => redactProblem(problem, 'masked')).sort(byPosition) };
}

/** Reads a realm of the document. @returns the realm, or the problems if there are any */
async function readSentRealm(
  sentDocument: JsonDocument,
  name: string,
  files: RealmFiles,
  checks: FileChecks,
): Promise<SentRealm | Problem[]> {
  const path = await files.states.pathOf(name);
  const fileContent = path === undefined ? undefined : await readFileContent(path, name);
  const counterparts = new Map<
    string,
    { readonly text: string | undefined; readonly changedAddress: string | undefined }
  >();
  forEachCounterpart(sentDocument.value, fileContent, (position, counterpart) =>
    counterparts.set(JSON.stringify(position), counterpart),
  );
  const problems: Problem[] = [];
  const value = replaceMasks(sentDocument.value, [], (position) => {
    const counterpart = counterparts.get(JSON.stringify(position));
    if (counterpart?.text !== undefined && counterpart.changedAddress === undefined) return counterpart.text;
    const reason =
      counterpart?.text === undefined || counterpart.changedAddress === undefined
        ? UNKNOWN_MASK
        : addressMessage(counterpart.changedAddress);
    problems.push(sentDocument.problem(position, reason));
    return MASK;
  });
  const withholds = (position: JsonPath, text: string): string | undefined => {
    const counterpart = counterparts.get(JSON.stringify(position));
    // Masked texts have already been replaced by those of the file, so they are equal.
    const isFileText = counterpart?.text === text;
    if (!isFileText) return NEW_REFERENCE;
    return counterpart.changedAddress === undefined ? undefined : addressMessage(counterpart.changedAddress);
  };
  // References to files are relative to the file that contains them.
  const main = { ...sentDocument, file: path ?? sentDocument.file, value };
  try {
    const options = { ...readingOptions(checks), withholdReason: withholds };
    const realm = readRealm({ main, users: [], hash: createHash('sha256') }, options);
    if (problems.length > 0) return problems;
    const source = { hash: '', references: false, files: [], beside: 0 };
    const file = { ...realm, representation: withoutUnknownKeys(realm.representation), source, openProviders: [] };
    const differsFromFile = fileContent !== undefined && !isSameJson(value, fileContent);
    return { file, document: sentDocument, differsFromFile };
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    return [...problems, ...error.problems];
  }
}

/** Reads the content of a realm's file with unresolved references. Undefined if it cannot be read. */
async function readFileContent(path: string, name: string): Promise<unknown> {
  const read = await readRealmDocuments(await realmFilesOf(path));
  if ('problems' in read) return undefined;
  const documents = read.realms.find(({ main }) => nameInFile(main) === name);
  if (documents === undefined) return undefined;
  const value = documents.main.value as { readonly users?: unknown };
  if (documents.users.length === 0) return value;
  const usersOf = (content: unknown) => {
    const { users } = (content ?? {}) as { readonly users?: unknown };
    return Array.isArray(users) ? users : [];
  };
  return { ...value, users: [value, ...documents.users.map((document) => document.value)].flatMap(usersOf) };
}

function replaceMasks(value: unknown, path: JsonPath, valueOfMask: (path: JsonPath) => string): unknown {
  if (value === MASK) return valueOfMask(path);
  if (Array.isArray(value)) return value.map((item, index) => replaceMasks(item, [...path, index], valueOfMask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceMasks(member, [...path, key], valueOfMask)]),
  );
}

/** Removes keys whose reference was not resolved. */
function withoutUnknownKeys({ privateKey, components, ...realm }: RealmRepresentation): RealmRepresentation {
  const keys = components?.[KEY_PROVIDER]?.map((component) => {
    const config = Object.entries(component.config ?? {}).filter(
      ([name, texts]) => !KEY_MATERIAL.has(name) || ![texts].flat().some(hasReference),
    );
    return { ...component, config: Object.fromEntries(config) };
  });
  return {
    ...(realm as RealmRepresentation),
    ...(privateKey === undefined || hasReference(privateKey) ? {} : { privateKey }),
    ...(components && { components: { ...components, ...(keys && { [KEY_PROVIDER]: keys }) } }),
  };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return toSortedJson(a) === toSortedJson(b);
}

/** Serializes JSON with sorted members, because their order has no meaning. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
