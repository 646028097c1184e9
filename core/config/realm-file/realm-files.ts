import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import { BootError } from '../boot-error.js';
import { coercionSentence, type LeftOut, readAsJackson, writtenPath } from '../json/jackson.js';
import { formatPath, type JsonDocument, type JsonPath, readJsonDocument } from '../json/json-document.js';
import { repairShape } from '../json/repair-shape.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import { byPlace, type Problem } from '../problem.js';
import { hiddenNames } from './hidden-names.js';
import { readAsOlder } from './older-keycloak.js';
import { openRedirects } from './open-redirects.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import { type FileState, type RealmFileGroup, realmOfUsersFile } from './realm-folder.js';
import { checkKeys } from './realm-key-checks.js';
import type { Complain } from './realm-names.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from './realm-schema.js';
import { type DefaultedReference, type ResolvedText, resolveReferences } from './references.js';
import { smtpHints } from './smtp-hints.js';
import { brokenPromises } from './unbuilt-locks.js';
import { unknownMappers } from './unknown-mappers.js';

export interface RealmFile {
  /** Without users and `$schema`; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The texts of the representation that hold references. */
  readonly references: readonly ResolvedText[];
  /** Files that references read. */
  readonly referencedFiles: readonly string[];
  /** Where its name stands in the main file. */
  readonly nameAt: { readonly line: number; readonly column: number };
  readonly source: { readonly files: readonly FileState[]; readonly hash: string; readonly references: boolean };
  /** References that fell to their default, by place. */
  readonly defaulted: readonly (DefaultedReference & { file: string; line: number; column: number })[];
  /** Keys that neither Keyhost nor its list of Keycloak's keys knows: kept as they are. */
  readonly unknownKeys: readonly string[];
  /** What the realm promises and Keyhost does not do, where that is not refused. */
  readonly warnings: readonly Problem[];
  /** Values that were read as other ones; empty unless they were asked for. */
  readonly hints: readonly Problem[];
}

const SIZE_LIMIT = 200 * 1024 * 1024;

export interface ReadRealmOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly ProviderSchema[];
  /** True when a plugin that is not required was left out. */
  readonly someLeftOut?: boolean;
  /** Further checks: what the rooms above know of keys, hashes and policies. */
  readonly inspect?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** True: the file says where it is read as something else; finding the places takes time. */
  readonly hints?: boolean;
  /** What production does not take, besides defaults of references and broken promises; without it everything is taken. */
  readonly unsafe?: (realm: RealmRepresentation) => readonly SchemaProblem[];
}

/**
 * Reads and checks one realm: syntax, shape, references, names across the file, providers' configuration. What is wrong
 * hides nothing else but what depends on it.
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`; `production_unsafe` where all that is
 *   wrong is what production does not take
 */
export async function readRealmFile(group: RealmFileGroup, options: ReadRealmOptions): Promise<RealmFile> {
  const hash = createHash('sha256');
  const problems: Problem[] = [];
  const documents: JsonDocument[] = [];
  for (const state of [group.main, ...group.users]) {
    const bytes = await read(state, problems);
    if (bytes === undefined) continue;
    hash.update(bytes);
    const result = readJsonDocument(state.path, bytes);
    if ('problems' in result) problems.push(...result.problems);
    else documents.push(result.document);
  }
  const [main, ...userFiles] = documents;
  if (problems.length > 0 || main === undefined) throw realmRefused(problems);
  const defaulted: RealmFile['defaulted'][number][] = [];
  const references: ResolvedText[] = [];
  const referencedFiles = new Set<string>();
  const unknownKeys: string[] = [];
  let isReferring = false;
  const unsafe: Problem[] = [];
  const warnings: Problem[] = [];
  const hints: Problem[] = [];
  const leftOut = new Map<JsonDocument, LeftOut>();
  const refused = new Map<JsonDocument, JsonPath[]>();
  const unresolved: JsonPath[] = [];
  const words = new Set<string>();
  /** What is wrong in a place is said once, by whoever says it first; what stands in it is not what was written. */
  const complainAt =
    (document: JsonDocument, found: Problem[] = problems): Complain =>
    (at, message, suggestion) => {
      const path = writtenPath(at, leftOut.get(document) ?? new Map());
      if (!refused.get(document)?.some((outer) => isWithin(path, outer))) {
        found.push(document.problem(path, message, suggestion));
      }
    };
  /** The document's value with its references resolved, as far as its shape is right. */
  const shaped = (document: JsonDocument): RealmRepresentation | undefined => {
    const resolved = resolveReferences(document.value, { file: document.file, env: options.env });
    for (const file of resolved.files) referencedFiles.add(file);
    for (const { text, value } of resolved.resolved) hash.update(`\0${text}\0${value}`);
    // Each document has users; the rest of the realm is in the main one.
    if (document === main) references.push(...resolved.resolved.filter(({ path }) => path[0] !== 'users'));
    isReferring ||= resolved.resolved.length > 0;
    for (const reference of resolved.defaulted) {
      defaulted.push({ ...reference, file: document.file, ...document.locate(reference.path) });
    }
    const value = resolved.value as RealmRepresentation;
    const complain = complainAt(document);
    for (const { path, message } of resolved.problems) complain(path, message);
    for (const { problem } of document.mistakes) problems.push(problem);
    const places = resolved.problems.map(({ path }) => path);
    refused.set(document, places);
    if (document === main) unresolved.push(...places);
    checkKeys(value, complain, unknownKeys);
    const gone: LeftOut = new Map();
    const coercions = readAsJackson(value, REALM_SCHEMA, SHARED_SCHEMAS, gone);
    leftOut.set(document, gone);
    const hint = (path: JsonPath, message: string) => {
      if (options.hints === true) hints.push(document.problem(path, message));
    };
    for (const { path, ...change } of coercions) hint(path, coercionSentence(change));
    const check = compileSchema(REALM_SCHEMA, { shared: SHARED_SCHEMAS });
    if (!check(value)) {
      for (const { path, message, suggestion } of schemaProblems(check)) complain(path, message, suggestion);
      const repaired = repairShape(value, check, words);
      places.push(...(repaired ?? []).map((path) => writtenPath(path, gone)));
      if (repaired === undefined) return undefined;
    }
    for (const { path, message } of readAsOlder(value)) hint(writtenPath(path, gone), message);
    return value;
  };
  const realm = shaped(main);
  const parts = userFiles.map((document) => ({ document, value: shaped(document) }));
  if (realm !== undefined) {
    const wrong = refused.get(main) ?? [];
    const hidden = hiddenNames(words, unresolved, main);
    const isNamed = ![...wrong, ...main.mistakes.map(({ path }) => path)].some(([top]) => top === 'realm');
    const complain = complainAt(main);
    checkRealm(realm, complain, hidden);
    checkProviders(realm, options.providers, complain, options.someLeftOut);
    checkLoneUsers(main.file, realm, complain);
    const users = new UserChecks(realm, hidden);
    for (const { document, value } of [{ document: main, value: realm }, ...parts]) {
      if (value === undefined) continue;
      const complainHere = complainAt(document);
      if (value !== realm) checkUsersFile(value, isNamed ? realm.realm : value.realm, complainHere);
      users.check(value, complainHere);
      for (const { path, message, suggestion } of options.inspect?.(value) ?? []) {
        complainHere(path, message, suggestion);
      }
    }
    for (const { path, message } of options.unsafe?.(realm) ?? []) complainAt(main, unsafe)(path, message);
    const doubtful = options.unsafe === undefined ? warnings : unsafe;
    for (const { path, message } of brokenPromises(realm)) complainAt(main, doubtful)(path, message);
    if (options.unsafe !== undefined) {
      for (const { path, message } of openRedirects(realm)) complainAt(main, warnings)(path, message);
    }
    for (const { path, message } of smtpHints(realm)) complainAt(main, warnings)(path, message);
    if (options.someLeftOut !== true) {
      for (const { path, message } of unknownMappers(realm, options.providers))
        complainAt(main, warnings)(path, message);
    }
  }
  if (options.unsafe !== undefined) {
    for (const { file, line, column, path, name } of defaulted) {
      const message = `${name} is not set, and production takes no default from a realm file`;
      unsafe.push({ file, line, column, path: formatPath(path), message });
    }
  }
  if (problems.length + unsafe.length > 0 || realm === undefined) throw realmRefused(problems, unsafe);
  const { users = [], $schema: _, ...representation } = realm;
  return {
    representation: representation as RealmRepresentation,
    users: [...users, ...parts.flatMap(({ value }) => value?.users ?? [])],
    references,
    referencedFiles: [...referencedFiles],
    nameAt: main.locate(['realm']),
    source: { files: [group.main, ...group.users], hash: hash.digest('base64url'), references: isReferring },
    defaulted,
    unknownKeys,
    warnings,
    hints,
  };
}

async function read({ path, size }: FileState, problems: Problem[]): Promise<Buffer | undefined> {
  if (size > SIZE_LIMIT) {
    problems.push({ file: path, line: 0, column: 0, path: '', message: 'the file is larger than 200 MiB' });
    return undefined;
  }
  try {
    return await readFile(path);
  } catch (error) {
    problems.push(unreadable(path, error));
    return undefined;
  }
}

function unreadable(file: string, error: unknown): Problem {
  const code = codeOf(error);
  const message = code === 'EISDIR' ? 'this is a folder: name one realm file' : `the file cannot be read (${code})`;
  return { file, line: 0, column: 0, path: '', message };
}

const KEYS_OF_USERS_FILE = ['$schema', 'realm', 'users', 'federatedUsers'];

function checkUsersFile(part: RealmRepresentation, realm: string, complain: Complain): void {
  if (part.realm !== realm) complain(['realm'], `these are users of the realm "${realm}"`, realm);
  for (const key of Object.keys(part)) {
    if (!KEYS_OF_USERS_FILE.includes(key)) complain([key], 'a users file holds "realm" and "users" alone');
  }
}

/** Users alone are no realm: their realm file is missing. */
function checkLoneUsers(file: string, realm: RealmRepresentation, complain: Complain): void {
  const owner = realmOfUsersFile(basename(file));
  if (owner === undefined || Object.keys(realm).some((key) => !KEYS_OF_USERS_FILE.includes(key))) return;
  complain([], `users without their realm: ${owner}-realm.json is not in this folder`);
}

/** True for the path itself and what stands below it. */
function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((part, index) => String(path[index]) === String(part));
}

/**
 * Every problem in the order of the files and their lines.
 * @param unsafe what production alone does not take
 */
export function realmRefused(problems: readonly Problem[], unsafe: readonly Problem[] = []): BootError {
  const all = [...problems, ...unsafe].sort(byPlace);
  const isOne = new Set(all.map(({ file }) => file)).size === 1;
  if (problems.length === 0 && unsafe.length > 0) {
    const message = `${isOne ? 'the realm file is' : 'the realm files are'} not fit for production`;
    const hint =
      'set the variables; name a provider that is meant to be open in --allow-open-providers; take out what is not built';
    return new BootError('production_unsafe', message, { problems: all, hint });
  }
  const count = all.length === 1 ? 'a mistake' : `${all.length} mistakes`;
  return new BootError('realm_invalid', `the realm ${isOne ? 'file has' : 'files have'} ${count}`, { problems: all });
}
