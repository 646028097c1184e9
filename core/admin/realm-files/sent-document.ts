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

/** A realm of a document that was sent, checked like a file. */
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
const moved = (address: string) => `write the value: ${address} differs from the file of the realm`;

/**
 * Reads a document that an admin sent as the file of one or more realms. It must not reveal the host's environment and
 * files. So a reference is resolved only if the realm's own file has the same reference at the same position, with the
 * same addresses. A masked secret means the value in the file, under the same rule.
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
      const one = await readSentRealm(document, name, files, checks);
      if (Array.isArray(one)) problems.push(...one);
      else realms.push(one);
    }
  }
  if (realms.length + problems.length === 0) problems.push(read.document.problem([], 'the list contains no realm'));
  return { realms, problems: problems.map((problem) => redactProblem(problem, 'masked')).sort(byPosition) };
}

/** @returns the mistakes if there are any */
async function readSentRealm(
  sent: JsonDocument,
  name: string,
  files: RealmFiles,
  checks: FileChecks,
): Promise<SentRealm | Problem[]> {
  const path = await files.states.pathOf(name);
  const beside = path === undefined ? undefined : await fileValue(path, name);
  const stated = new Map<string, { readonly text: string | undefined; readonly moved: string | undefined }>();
  forEachCounterpart(sent.value, beside, (at, counterpart) => stated.set(JSON.stringify(at), counterpart));
  const problems: Problem[] = [];
  const value = unmasked(sent.value, [], (at) => {
    const found = stated.get(JSON.stringify(at));
    if (found?.text !== undefined && found.moved === undefined) return found.text;
    const reason = found?.text === undefined || found.moved === undefined ? UNKNOWN_MASK : moved(found.moved);
    problems.push(sent.problem(at, reason));
    return MASK;
  });
  const withholds = (at: JsonPath, text: string): string | undefined => {
    const found = stated.get(JSON.stringify(at));
    // Masked texts have just been replaced by those of the file, so they are equal.
    const isSame = found?.text === text;
    if (!isSame) return NEW_REFERENCE;
    return found.moved === undefined ? undefined : moved(found.moved);
  };
  // References to files are relative to the file that contains them.
  const main = { ...sent, file: path ?? sent.file, value };
  try {
    const options = { ...readingOptions(checks), withholds };
    const realm = readRealm({ main, users: [], hash: createHash('sha256') }, options);
    if (problems.length > 0) return problems;
    const source = { hash: '', references: false, files: [], beside: 0 };
    const file = { ...realm, representation: withoutUnknownKeys(realm.representation), source, openProviders: [] };
    const isBeside = beside !== undefined && !isSame(value, beside);
    return { file, document: sent, differsFromFile: isBeside };
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    return [...problems, ...error.problems];
  }
}

/** The content of a realm's file with unresolved references; undefined if it cannot be read. */
async function fileValue(path: string, name: string): Promise<unknown> {
  const read = await readRealmDocuments(await realmFilesOf(path));
  if ('problems' in read) return undefined;
  const found = read.realms.find(({ main }) => nameInFile(main) === name);
  if (found === undefined) return undefined;
  const value = found.main.value as { readonly users?: unknown };
  if (found.users.length === 0) return value;
  const usersOf = (one: unknown) => {
    const { users } = (one ?? {}) as { readonly users?: unknown };
    return Array.isArray(users) ? users : [];
  };
  return { ...value, users: [value, ...found.users.map((document) => document.value)].flatMap(usersOf) };
}

function unmasked(value: unknown, path: JsonPath, standsFor: (path: JsonPath) => string): unknown {
  if (value === MASK) return standsFor(path);
  if (Array.isArray(value)) return value.map((item, index) => unmasked(item, [...path, index], standsFor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, unmasked(member, [...path, key], standsFor)]),
  );
}

/** Removes a key whose reference was not resolved. */
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

function isSame(one: unknown, other: unknown): boolean {
  return inOrder(one) === inOrder(other);
}

/** JSON with sorted members, because their order has no meaning. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
