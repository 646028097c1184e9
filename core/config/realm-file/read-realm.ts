import { basename } from 'node:path';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { idleThings } from '../idle-members.js';
import type { JsonDocument } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { Problem } from '../problem.js';
import { brokenPromises, unusedSettings } from '../settings/unused-settings.js';
import { CompletedNames } from './completed-names.js';
import { maskMistakes } from './masked-secrets.js';
import { openRedirects, uselessRedirects } from './open-redirects.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import type { RealmDocuments } from './realm-documents.js';
import { type FileState, realmOfUsersFile } from './realm-folder.js';
import { hashReference } from './realm-hashes.js';
import type { Complain } from './realm-names.js';
import { realmRefused } from './realm-refused.js';
import type { DefaultedReference, ResolvedText, Withholds } from './references.js';
import { scopeHints } from './scope-hints.js';
import { addServiceAccountScopes } from './service-account-scopes.js';
import { ShapedDocuments } from './shaped-documents.js';
import { smtpHints } from './smtp-hints.js';

export interface RealmFile {
  /** Without users and `$schema`; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The texts of the representation that hold references. */
  readonly references: readonly ResolvedText[];
  /** Files that references read, as they were before. */
  readonly referencedFiles: readonly FileState[];
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
  /** Masked secrets that are left out; they are warnings, too. */
  readonly masked: readonly Problem[];
  /** Values that were read as other ones; empty unless they were asked for. */
  readonly hints: readonly Problem[];
  /** References that were not resolved, where `withholds` says so of some; their texts stand for themselves. */
  readonly withheld: readonly Problem[];
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
  /** What they would warn of and not refuse. */
  readonly warn?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** True: the file says where it is read as something else; finding the places takes time. */
  readonly hints?: boolean;
  /** What production does not take, besides defaults of references and broken promises; without it everything is taken. */
  readonly unsafe?: (realm: RealmRepresentation) => readonly SchemaProblem[];
  /** Of a document that no file holds: which references are not resolved. */
  readonly withholds?: Withholds;
}

/**
 * Checks one realm: shape, references, names across it, providers' configuration. What is wrong hides nothing else but what
 * depends on it.
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`; `production_unsafe` where all that is
 *   wrong is what production does not take
 */
export function readRealm({ main, users: userFiles, hash }: RealmDocuments, options: ReadRealmOptions): CheckedRealm {
  const reading = new ShapedDocuments(main, options, (resolved) => hashReference(hash, resolved));
  const realm = reading.shaped(main);
  const parts = userFiles.map((document) => ({ document, value: reading.shaped(document) }));
  const unsafe = [...reading.unsafe];
  const warnings: Problem[] = [];
  if (realm !== undefined) {
    completeNames(reading, realm, parts, warnings);
    completeScopes(reading, realm, parts, options);
    checkAcross(reading, realm, parts, options);
    const complain = (found: Problem[]) => reading.complainAt(main, found);
    const tell = (found: Problem[], told: readonly SchemaProblem[]) => {
      for (const { path, message } of told) complain(found)(path, message);
    };
    tell(unsafe, options.unsafe?.(realm) ?? []);
    tell(options.unsafe === undefined ? warnings : unsafe, brokenPromises(realm));
    if (options.unsafe !== undefined) tell(warnings, openRedirects(realm));
    tell(warnings, smtpHints(realm));
    tell(warnings, scopeHints(realm));
    tell(warnings, uselessRedirects(realm));
    warnings.push(...reading.masked, ...reading.stale);
  }
  if (reading.problems.length + unsafe.length > 0 || realm === undefined) throw realmRefused(reading.problems, unsafe);
  for (const { document, value } of [{ document: main, value: realm }, ...parts]) {
    if (value === undefined) continue;
    const complain = reading.complainAt(document, warnings);
    for (const { path, message } of unusedSettings(value)) complain(path, message);
  }
  if (options.someLeftOut !== true) {
    const complain = reading.complainAt(main, warnings);
    const { providers } = options;
    const told = [...idleThings(realm, providers), ...(options.warn?.(realm) ?? [])];
    for (const { path, message } of told) complain(path, message);
  }
  const { users = [], $schema: _, ...representation } = realm;
  return {
    representation: representation as RealmRepresentation,
    users: [...users, ...parts.flatMap(({ value }) => value?.users ?? [])],
    references: reading.references,
    referencedFiles: [...reading.referencedFiles.values()],
    nameAt: main.locate(['realm']),
    source: { hash: hash.digest('base64url'), references: reading.isReferring },
    defaulted: reading.defaulted,
    unknownKeys: reading.unknownKeys,
    warnings,
    masked: reading.masked,
    hints: reading.hints,
    withheld: reading.withheld,
  };
}

type Parts = readonly { readonly document: JsonDocument; readonly value: RealmRepresentation | undefined }[];

function completeNames(reading: ShapedDocuments, realm: RealmRepresentation, parts: Parts, told: Problem[]): void {
  const completed = new CompletedNames(realm, reading.hiddenNames());
  completed.complete(reading.complainAt(reading.main, told));
  for (const { document, value } of [{ document: reading.main, value: realm }, ...parts]) {
    completed.completeUsers(value?.users, reading.complainAt(document, told));
  }
}

function completeScopes(
  reading: ShapedDocuments,
  realm: RealmRepresentation,
  parts: Parts,
  { hints }: ReadRealmOptions,
): void {
  const users = [realm, ...parts.map(({ value }) => value)].flatMap((value) => value?.users ?? []);
  for (const index of addServiceAccountScopes(realm, users)) {
    const hint = reading.complainAt(reading.main, reading.hints);
    if (hints === true) hint(['clients', index, 'defaultClientScopes'], SCOPE_ADDED);
  }
}

/** Names across the realm, its providers and its users, wherever those stand. */
function checkAcross(
  reading: ShapedDocuments,
  realm: RealmRepresentation,
  parts: Parts,
  options: ReadRealmOptions,
): void {
  const { main } = reading;
  const complain = reading.complainAt(main);
  const hidden = reading.hiddenNames();
  const isNamed = reading.isRight('realm');
  checkRealm(realm, complain, hidden);
  checkProviders(realm, options.providers, complain, { someLeftOut: options.someLeftOut, isWhole: true });
  checkLoneUsers(main.file, realm, complain);
  const users = new UserChecks(realm, hidden);
  for (const { document, value } of [{ document: main, value: realm }, ...parts]) {
    if (value === undefined) continue;
    const complainHere = reading.complainAt(document);
    if (value !== realm) checkUsersFile(value, isNamed ? realm.realm : value.realm, complainHere);
    users.check(value, complainHere);
    for (const { path, message } of maskMistakes(value)) complainHere(path, message);
    for (const { path, message, suggestion } of options.inspect?.(value) ?? []) {
      complainHere(path, message, suggestion);
    }
  }
}

const SCOPE_ADDED = 'is read with "service_account", since the client has a service account';

const KEYS_OF_USERS_FILE = ['$schema', 'realm', 'users', 'federatedUsers'];

function checkUsersFile(part: RealmRepresentation, realm: string, complain: Complain): void {
  if (part.realm !== realm) complain(['realm'], `must be the realm of these users, "${realm}"`, realm);
  for (const key of Object.keys(part)) {
    if (!KEYS_OF_USERS_FILE.includes(key)) complain([key], 'a users file contains only "realm" and "users"');
  }
}

/** Users alone are no realm: their realm file is missing. */
function checkLoneUsers(file: string, realm: RealmRepresentation, complain: Complain): void {
  const owner = realmOfUsersFile(basename(file));
  if (owner === undefined || Object.keys(realm).some((key) => !KEYS_OF_USERS_FILE.includes(key))) return;
  complain([], `the realm of these users is missing: ${owner}-realm.json is not in this folder`);
}
