import { basename } from 'node:path';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { coercionSentence, type LeftOut, readAsJackson, writtenPath } from '../json/jackson.js';
import type { JsonDocument, JsonPath } from '../json/json-document.js';
import { repairShape } from '../json/repair-shape.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import type { Problem } from '../problem.js';
import { hiddenNames } from './hidden-names.js';
import { readAsOlder } from './older-keycloak.js';
import { openRedirects } from './open-redirects.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import type { RealmDocuments } from './realm-documents.js';
import { type FileState, realmOfUsersFile } from './realm-folder.js';
import { checkKeys } from './realm-key-checks.js';
import type { Complain } from './realm-names.js';
import { realmRefused } from './realm-refused.js';
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
  /** `beside`: how many other realms stand in the same file. */
  readonly source: {
    readonly files: readonly FileState[];
    readonly hash: string;
    readonly references: boolean;
    readonly beside: number;
  };
  /** References that fell to their default, by place. */
  readonly defaulted: readonly DefaultedReference[];
  /** Keys that neither Keyhost nor its list of Keycloak's keys knows: kept as they are. */
  readonly unknownKeys: readonly string[];
  /** What the realm promises and Keyhost does not do, where that is not refused. */
  readonly warnings: readonly Problem[];
  /** Values that were read as other ones; empty unless they were asked for. */
  readonly hints: readonly Problem[];
}

/** A realm without what it has of its file. */
export type CheckedRealm = Omit<RealmFile, 'source'> & {
  readonly source: Omit<RealmFile['source'], 'files' | 'beside'>;
};

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
 * Checks one realm: shape, references, names across it, providers' configuration. What is wrong hides nothing else but what
 * depends on it.
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`; `production_unsafe` where all that is
 *   wrong is what production does not take
 */
export function readRealm({ main, users: userFiles, hash }: RealmDocuments, options: ReadRealmOptions): CheckedRealm {
  const problems: Problem[] = [];
  const defaulted: DefaultedReference[] = [];
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
      defaulted.push(reference);
      if (options.unsafe === undefined) continue;
      const message = `${reference.name} is not set, and production takes no default from a realm file`;
      unsafe.push(document.problem(reference.path, message));
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
  if (problems.length + unsafe.length > 0 || realm === undefined) throw realmRefused(problems, unsafe);
  const { users = [], $schema: _, ...representation } = realm;
  return {
    representation: representation as RealmRepresentation,
    users: [...users, ...parts.flatMap(({ value }) => value?.users ?? [])],
    references,
    referencedFiles: [...referencedFiles],
    nameAt: main.locate(['realm']),
    source: { hash: hash.digest('base64url'), references: isReferring },
    defaulted,
    unknownKeys,
    warnings,
    hints,
  };
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
