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
import { type CheckedFile, readingOptions } from '../../realm-files/checked-file.js';
import { redactProblem } from '../../realm-files/realm-file-state.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import type { StoredRealm } from '../../realms/plan-realm.js';
import { type Counterpart, forEachCounterpart } from './counterparts.js';
import { storedSecrets } from './stored-secrets.js';

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
const UNKNOWN_MASK = 'the realm has no value here: write the secret';
const addressMessage = (address: string) => `write the value: ${address} differs from the file of the realm`;
const storedAddressMessage = (address: string) => `write the value: ${address} differs from the realm`;

/**
 * Reads a document that an admin sent as the file of one or more realms. It must not reveal the host's environment and
 * files. So a reference is resolved only if the realm's own file has the same reference at the same position, with the
 * same addresses. A masked secret means the value in the file, under the same condition. If the file has no value, it
 * means the secret of the live realm. So does the reference that an export writes in place of a secret.
 * @param storedRealm finds a live realm by its name
 */
export async function readSentDocument(
  bytes: Buffer,
  files: RealmFiles,
  storedRealm: (name: string) => Promise<StoredRealm | undefined>,
): Promise<SentDocument> {
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
      const result = await readSentRealm(document, name, files, await storedRealm(name));
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
  stored: StoredRealm | undefined,
): Promise<SentRealm | Problem[]> {
  const path = await files.states.pathOf(name);
  const fileContent = path === undefined ? undefined : await readFileContent(path, name);
  const counterparts = new Map<string, Counterpart>();
  forEachCounterpart(sentDocument.value, fileContent, (position, counterpart) =>
    counterparts.set(JSON.stringify(position), counterpart),
  );
  const problems: Problem[] = [];
  const secretAt = stored === undefined ? () => undefined : storedSecrets(sentDocument.value, stored);
  const value = replaceTexts(sentDocument.value, [], (text, position) => {
    const { text: fileText, changedAddress } = counterparts.get(JSON.stringify(position)) ?? {};
    if (text === fileText) return text;
    const secret = secretAt(position);
    const isMask = text === MASK;
    if (isMask && fileText !== undefined) {
      if (changedAddress === undefined) return fileText;
      problems.push(sentDocument.problem(position, addressMessage(changedAddress)));
    } else if (secret !== undefined) {
      if (secret.changedAddress === undefined) return secret.text;
      problems.push(sentDocument.problem(position, storedAddressMessage(secret.changedAddress)));
    } else if (isMask) {
      problems.push(sentDocument.problem(position, UNKNOWN_MASK));
    }
    return text;
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
    const options = { ...readingOptions(files.checks), withholdReason: withholds };
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

function replaceTexts(value: unknown, path: JsonPath, replacement: (text: string, path: JsonPath) => string): unknown {
  if (typeof value === 'string') return replacement(value, path);
  if (Array.isArray(value)) return value.map((item, index) => replaceTexts(item, [...path, index], replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceTexts(member, [...path, key], replacement)]),
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
