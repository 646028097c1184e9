import { BUILT_IN_CLIENT_ROLES, BUILT_IN_CLIENTS, BUILT_IN_FLOWS } from '../../model/built-in-names.js';
import { matchesScopePattern } from '../../model/client-scope.js';
import { groupPaths } from '../../model/group-path.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { HiddenNames } from './hidden-names.js';

export type Complain = (path: JsonPath, message: string, suggestion?: string) => void;

/** Client scopes that a realm file may name without declaring them. */
export const BUILT_IN_SCOPES: readonly string[] = [
  'profile',
  'email',
  'address',
  'phone',
  'roles',
  'web-origins',
  'acr',
  'basic',
  'offline_access',
  'microprofile-jwt',
  'organization',
  'service_account',
  'role_list',
  'saml_organization',
];

function declaredRoles({ roles }: RealmRepresentation, clientId: string): readonly { name: string }[] {
  // A client's ID may be the name of an inherited object property.
  return roles?.client !== undefined && Object.hasOwn(roles.client, clientId) ? (roles.client[clientId] ?? []) : [];
}

/**
 * The maximum number of comparisons for suggestions in one realm, since a file may have thousands of names and as many
 * mistakes.
 */
const MAX_COMPARISONS = 200_000;

/** The names that exist in a realm. The `check…` methods report a name that does not exist. */
export class RealmNames {
  readonly #scopes: Set<string>;
  readonly #dynamicScopes: readonly string[];
  readonly #clients: Set<string>;
  readonly #realmRoles: Set<string>;
  readonly #clientRoles = new Map<string, Set<string>>();
  /** The paths of the groups. */
  readonly #groups: Set<string>;
  /** Aliases and IDs. */
  readonly #flows: Set<string>;
  readonly #hidden: HiddenNames;
  #comparisons = 0;

  /** @param hidden further names that the realm may have */
  constructor(realm: RealmRepresentation, hidden: HiddenNames = new Set()) {
    this.#hidden = hidden;
    const scopes = realm.clientScopes ?? [];
    this.#scopes = new Set([...BUILT_IN_SCOPES, ...scopes.map(({ name }) => name)]);
    this.#dynamicScopes = scopes
      .filter(({ attributes }) => attributes?.['is.dynamic.scope'] === 'true')
      .map(({ name, attributes }) => attributes?.['dynamic.scope.regexp'] ?? `${name}*`);
    this.#clients = new Set([...BUILT_IN_CLIENTS, ...(realm.clients ?? []).map(({ clientId }) => clientId)]);
    this.#realmRoles = new Set([
      'offline_access',
      'uma_authorization',
      `default-roles-${realm.realm.toLowerCase()}`,
      ...(realm.realm === MASTER_REALM ? ['admin', 'create-realm'] : []),
      ...(realm.defaultRole === undefined ? [] : [realm.defaultRole.name]),
      ...(realm.roles?.realm ?? []).map(({ name }) => name),
    ]);
    for (const clientId of this.#clients) {
      const builtIn = Object.hasOwn(BUILT_IN_CLIENT_ROLES, clientId) ? (BUILT_IN_CLIENT_ROLES[clientId] ?? []) : [];
      const declared = declaredRoles(realm, clientId);
      this.#clientRoles.set(clientId, new Set([...builtIn, ...declared.map(({ name }) => name)]));
    }
    const flows = realm.authenticationFlows ?? [];
    this.#flows = new Set([
      ...BUILT_IN_FLOWS,
      ...flows.flatMap(({ alias, id }) => (id === undefined ? [alias] : [alias, id])),
    ]);
    this.#groups = new Set(groupPaths(realm.groups));
  }

  checkScope(name: string, path: JsonPath, complain: Complain): boolean {
    return this.#exists(name, this.#scopes, 'client scope', path, complain);
  }

  /** Adds a realm role. @param create called if the role is new, with a similar name if there is one */
  addRealmRole(name: string, create: (suggestion: string | undefined) => void): void {
    this.#addNew(name, this.#realmRoles, create);
  }

  /** Adds a role of a client, if the client exists. @param create as in `addRealmRole` */
  addClientRole(clientId: string, name: string, create: (suggestion: string | undefined) => void): void {
    const roles = this.#clientRoles.get(clientId);
    if (roles !== undefined) this.#addNew(name, roles, create);
  }

  #addNew(name: string, knownNames: Set<string>, create: (suggestion: string | undefined) => void): void {
    if (name === '' || knownNames.has(name) || this.#hidden.has(name)) return;
    const suggestion = this.#suggest(name, knownNames);
    knownNames.add(name);
    create(suggestion);
  }

  /** Checks that a client scope, or a value of a dynamic one, matches a scope that a client may request. */
  checkRequestedScope(pattern: string, path: JsonPath, complain: Complain): void {
    if (this.#hidden.has(pattern)) return;
    const knownScopes = [...this.#scopes, ...this.#dynamicScopes];
    const prefix = pattern.replace(/\*$/, '');
    const isKnown = knownScopes.some(
      (scope) => matchesScopePattern(pattern, scope) || matchesScopePattern(scope, pattern) || scope.startsWith(prefix),
    );
    if (!isKnown) complain(path, `no client scope matches "${pattern}"`, this.#suggest(pattern, new Set(knownScopes)));
  }

  checkClient(name: string, path: JsonPath, complain: Complain): boolean {
    return this.#exists(name, this.#clients, 'client', path, complain);
  }

  checkFlow(name: string, path: JsonPath, complain: Complain): void {
    this.#exists(name, this.#flows, 'authentication flow', path, complain);
  }

  /** True if a group has this path. */
  hasGroup(path: string): boolean {
    return this.#groups.has(path);
  }

  checkGroup(name: string, path: JsonPath, complain: Complain): void {
    this.#exists(name, this.#groups, 'group', path, complain);
  }

  checkRoles(
    holder: { realmRoles?: string[]; clientRoles?: Record<string, string[]> },
    path: JsonPath,
    complain: Complain,
  ): void {
    this.checkRealmRoles(holder.realmRoles, [...path, 'realmRoles'], complain);
    this.checkClientRoles(holder.clientRoles, [...path, 'clientRoles'], complain);
  }

  checkRealmRoles(names: readonly string[] | undefined, path: JsonPath, complain: Complain): void {
    for (const [index, name] of (names ?? []).entries()) {
      this.#exists(name, this.#realmRoles, 'realm role', [...path, index], complain);
    }
  }

  checkClientRoles(lists: Readonly<Record<string, string[]>> | undefined, path: JsonPath, complain: Complain): void {
    for (const [clientId, names] of Object.entries(lists ?? {})) {
      if (!this.checkClient(clientId, [...path, clientId], complain)) continue;
      this.checkRolesOf(clientId, names, [...path, clientId], complain);
    }
  }

  checkRolesOf(clientId: string, names: readonly string[], path: JsonPath, complain: Complain): void {
    const roles = this.#clientRoles.get(clientId) ?? new Set<string>();
    for (const [index, name] of names.entries()) {
      if (roles.has(name) || this.#hidden.has(name)) continue;
      complain([...path, index], `the client ${clientId} has no role "${name}"`, this.#suggest(name, roles));
    }
  }

  #exists(name: string, knownNames: ReadonlySet<string>, noun: string, path: JsonPath, complain: Complain): boolean {
    if (knownNames.has(name) || this.#hidden.has(name)) return true;
    complain(path, `${noun} "${name}" not found`, this.#suggest(name, knownNames));
    return false;
  }

  #suggest(name: string, knownNames: ReadonlySet<string>): string | undefined {
    this.#comparisons += knownNames.size;
    return this.#comparisons > MAX_COMPARISONS ? undefined : didYouMean(name, [...knownNames]);
  }
}
