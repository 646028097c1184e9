import { basename } from 'node:path';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { ineffectiveObjects } from '../ignored-members.js';
import type { JsonDocument } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { Problem } from '../problem.js';
import { ignoredSettings, unsupportedProtections } from '../settings/ignored-settings.js';
import { maskedSecretProblems } from './masked-secrets.js';
import { NameCompletion } from './name-completion.js';
import { openRedirectUris, unusableRedirectUris } from './open-redirects.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import type { RealmDocuments } from './realm-documents.js';
import { baseOfUsersFile, type FileState } from './realm-folder.js';
import { hashReference } from './realm-hashes.js';
import type { Complain } from './realm-names.js';
import { realmRefused } from './realm-refused.js';
import type { DefaultedReference, ResolvedText, WithholdReference } from './references.js';
import { SchemaCheckedDocuments } from './schema-checked-documents.js';
import { scopeHints } from './scope-hints.js';
import { addServiceAccountScopes } from './service-account-scopes.js';
import { smtpHints } from './smtp-hints.js';

export interface RealmFile {
  /** The realm without users and `$schema`, with references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The texts of the representation that contain references. */
  readonly references: readonly ResolvedText[];
  /** Files that references read, with their state before reading. */
  readonly referencedFiles: readonly FileState[];
  /** The position of the realm's name in the main file. */
  readonly namePosition: { readonly line: number; readonly column: number };
  /** The position of the realm's ID in the main file; of the realm if the file has no ID. */
  readonly idPosition: { readonly line: number; readonly column: number };
  /** `beside` is the number of other realms in the same file. */
  readonly source: {
    readonly files: readonly FileState[];
    readonly hash: string;
    readonly references: boolean;
    readonly beside: number;
  };
  /** References that used their default. */
  readonly defaultedReferences: readonly DefaultedReference[];
  /** Keys that are in no list of Keyhost or Keycloak. They are stored unchanged. */
  readonly unknownKeys: readonly string[];
  /**
   * Settings and objects without effect, values that were completed, removed or masked, and settings that are probably
   * mistakes.
   */
  readonly warnings: readonly Problem[];
  /** Masked secrets that were removed. They are also in `warnings`. */
  readonly maskedSecrets: readonly Problem[];
  /** Values that were read as other values, such as `"300"` as 300; empty unless `hints` was requested. */
  readonly hints: readonly Problem[];
  /** References that stayed unresolved because of `withholdReason`. Their texts are taken literally. */
  readonly withheldReferences: readonly Problem[];
}

/** A realm without its files and the number of other realms in them. */
export type CheckedRealm = Omit<RealmFile, 'source'> & {
  readonly source: Omit<RealmFile['source'], 'files' | 'beside'>;
};

export interface ReadRealmOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly ProviderSchema[];
  /** True if an optional plugin could not be loaded: an unknown name may be one of its providers. */
  readonly hasLeftOutPlugin?: boolean;
  /** Further checks by modules that depend on this one: of keys, hashes and policies. */
  readonly furtherProblems?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** Further warnings of these modules. */
  readonly furtherWarnings?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** True to fill `hints`, which takes time: each value is located in the file. */
  readonly hints?: boolean;
  /**
   * Finds settings that production rejects, in addition to defaults of references and unsupported protections. Without
   * this function, nothing is rejected as unsafe.
   */
  readonly unsafeSettings?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** Decides which references stay unresolved. It is for documents that a request sent. */
  readonly withholdReason?: WithholdReference;
}

/**
 * Checks one realm: its shape, references, names and the configuration of its providers. A mistake hides only mistakes
 * in parts that depend on it.
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`; `production_unsafe` if all problems
 * are settings that only production rejects
 */
export function readRealm({ main, users: userFiles, hash }: RealmDocuments, options: ReadRealmOptions): CheckedRealm {
  const reading = new SchemaCheckedDocuments(main, options, (resolved) => hashReference(hash, resolved));
  const realm = reading.readRepaired(main);
  const usersFiles = userFiles.map((document) => ({ document, value: reading.readRepaired(document) }));
  const unsafe = [...reading.unsafe];
  const warnings: Problem[] = [];
  if (realm !== undefined) {
    completeNames(reading, realm, usersFiles, warnings);
    completeScopes(reading, realm, usersFiles, options);
    checkAllDocuments(reading, realm, usersFiles, options);
    const complain = (found: Problem[]) => reading.reporterFor(main, found);
    const addProblems = (found: Problem[], schemaProblems: readonly SchemaProblem[]) => {
      for (const { path, message } of schemaProblems) complain(found)(path, message);
    };
    addProblems(unsafe, options.unsafeSettings?.(realm) ?? []);
    addProblems(options.unsafeSettings === undefined ? warnings : unsafe, unsupportedProtections(realm));
    if (options.unsafeSettings !== undefined) addProblems(warnings, openRedirectUris(realm));
    addProblems(warnings, smtpHints(realm));
    addProblems(warnings, scopeHints(realm));
    addProblems(warnings, unusableRedirectUris(realm));
    warnings.push(...reading.maskedSecrets, ...reading.staleMembers);
  }
  if (reading.problems.length + unsafe.length > 0 || realm === undefined) throw realmRefused(reading.problems, unsafe);
  for (const { document, value } of [{ document: main, value: realm }, ...usersFiles]) {
    if (value === undefined) continue;
    const complain = reading.reporterFor(document, warnings);
    for (const { path, message } of ignoredSettings(value)) complain(path, message);
  }
  if (options.hasLeftOutPlugin !== true) {
    const complain = reading.reporterFor(main, warnings);
    const { providers } = options;
    const ineffective = [...ineffectiveObjects(realm, providers), ...(options.furtherWarnings?.(realm) ?? [])];
    for (const { path, message } of ineffective) complain(path, message);
  }
  const { users = [], $schema: _, ...representation } = realm;
  return {
    representation: representation as RealmRepresentation,
    users: [...users, ...usersFiles.flatMap(({ value }) => value?.users ?? [])],
    references: reading.references,
    referencedFiles: [...reading.referencedFiles.values()],
    namePosition: main.locate(['realm']),
    idPosition: main.locate(['id']),
    source: { hash: hash.digest('base64url'), references: reading.hasReferences },
    defaultedReferences: reading.defaultedReferences,
    unknownKeys: reading.unknownKeys,
    warnings,
    maskedSecrets: reading.maskedSecrets,
    hints: reading.hints,
    withheldReferences: reading.withheldReferences,
  };
}

type UsersFiles = readonly { readonly document: JsonDocument; readonly value: RealmRepresentation | undefined }[];

function completeNames(
  reading: SchemaCheckedDocuments,
  realm: RealmRepresentation,
  usersFiles: UsersFiles,
  warnings: Problem[],
): void {
  const completion = new NameCompletion(realm, reading.hiddenNames());
  completion.complete(reading.reporterFor(reading.main, warnings));
  for (const { document, value } of [{ document: reading.main, value: realm }, ...usersFiles]) {
    completion.completeUsers(value?.users, reading.reporterFor(document, warnings));
  }
}

function completeScopes(
  reading: SchemaCheckedDocuments,
  realm: RealmRepresentation,
  usersFiles: UsersFiles,
  { hints }: ReadRealmOptions,
): void {
  const users = [realm, ...usersFiles.map(({ value }) => value)].flatMap((value) => value?.users ?? []);
  for (const index of addServiceAccountScopes(realm, users)) {
    const hint = reading.reporterFor(reading.main, reading.hints);
    if (hints === true) hint(['clients', index, 'defaultClientScopes'], SCOPE_ADDED);
  }
}

/** Checks names across the realm, its providers and its users, in all documents. */
function checkAllDocuments(
  reading: SchemaCheckedDocuments,
  realm: RealmRepresentation,
  usersFiles: UsersFiles,
  options: ReadRealmOptions,
): void {
  const { main } = reading;
  const complain = reading.reporterFor(main);
  const hidden = reading.hiddenNames();
  const isNameValid = reading.isValidMember('realm');
  checkRealm(realm, complain, hidden);
  checkProviders(realm, options.providers, complain, { hasLeftOutPlugin: options.hasLeftOutPlugin, isWhole: true });
  checkLoneUsers(main.file, realm, complain);
  const users = new UserChecks(realm, hidden);
  for (const { document, value } of [{ document: main, value: realm }, ...usersFiles]) {
    if (value === undefined) continue;
    const complainHere = reading.reporterFor(document);
    if (value !== realm) checkUsersFile(value, isNameValid ? realm.realm : value.realm, complainHere);
    users.check(value, complainHere);
    for (const { path, message } of maskedSecretProblems(value)) complainHere(path, message);
    for (const { path, message, suggestion } of options.furtherProblems?.(value) ?? []) {
      complainHere(path, message, suggestion);
    }
  }
}

const SCOPE_ADDED = 'is read with "service_account", since the client has a service account';

const KEYS_OF_USERS_FILE = ['$schema', 'realm', 'users', 'federatedUsers'];

function checkUsersFile(usersFile: RealmRepresentation, realm: string, complain: Complain): void {
  if (usersFile.realm !== realm) complain(['realm'], `must be the realm of these users, "${realm}"`, realm);
  for (const key of Object.keys(usersFile)) {
    if (!KEYS_OF_USERS_FILE.includes(key)) complain([key], 'a users file contains only "realm" and "users"');
  }
}

/** Reports a users file without its realm file. */
function checkLoneUsers(file: string, realm: RealmRepresentation, complain: Complain): void {
  const owner = baseOfUsersFile(basename(file));
  if (owner === undefined || Object.keys(realm).some((key) => !KEYS_OF_USERS_FILE.includes(key))) return;
  complain([], `the realm of these users is missing: ${owner}-realm.json is not in this folder`);
}
