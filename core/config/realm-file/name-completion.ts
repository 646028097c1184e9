import { findGroupPath } from '../../model/group-path.js';
import type { RealmRepresentation, RoleRepresentation, UserRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { HiddenNames } from './hidden-names.js';
import { type Complain, RealmNames } from './realm-names.js';

/** An object that holds roles by their names. */
interface RoleHolder {
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
}

/**
 * Completes a realm that uses names without declaring them, as Keycloak's import does. Roles that users, groups and
 * scope mappings name are created, and unknown client scopes are removed from the lists of clients and the realm. Other
 * unknown names (of clients, groups, flows, and roles in a composite role) stay for `checkRealm` to reject.
 */
export class NameCompletion {
  readonly #realm: RealmRepresentation;
  readonly #names: RealmNames;
  readonly #createdRoles = new Map<string, RoleRepresentation[]>();

  /** @param realm changed in place */
  constructor(realm: RealmRepresentation, hidden?: HiddenNames) {
    this.#realm = realm;
    this.#names = new RealmNames(realm, hidden);
  }

  /**
   * @param report receives a message for each role that was created, each scope that was removed, and each mapper of an
   * unknown identity provider
   */
  complete(report: Complain): void {
    const realm = this.#realm;
    this.#completeGroups(realm.groups, ['groups'], report);
    for (const [index, { roles }] of (realm.scopeMappings ?? []).entries()) {
      this.#createRealmRoles(roles, ['scopeMappings', index, 'roles'], report);
    }
    for (const [clientId, mappings] of Object.entries(realm.clientScopeMappings ?? {})) {
      for (const [index, { roles }] of mappings.entries()) {
        this.#createClientRoles(clientId, roles, ['clientScopeMappings', clientId, index, 'roles'], report);
      }
    }
    for (const [index, client] of (realm.clients ?? []).entries()) {
      for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
        if (client[key] !== undefined) client[key] = this.#knownScopes(client[key], ['clients', index, key], report);
      }
    }
    for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
      if (realm[key] !== undefined) realm[key] = this.#knownScopes(realm[key], [key], report);
    }
    this.#reportMappers(report);
    this.#completePaths(realm.defaultGroups);
    this.#addCreatedRoles();
  }

  /** Creates the roles that the users of a document name, and completes the paths of their groups. */
  completeUsers(users: readonly UserRepresentation[] | undefined, report: Complain): void {
    for (const [index, user] of (users ?? []).entries()) {
      this.#completeRoles(user, ['users', index], report);
      this.#completePaths(user.groups);
    }
    this.#addCreatedRoles();
  }

  #completeGroups(groups: RealmRepresentation['groups'], path: JsonPath, report: Complain): void {
    for (const [index, group] of (groups ?? []).entries()) {
      this.#completeRoles(group, [...path, index], report);
      this.#completeGroups(group.subGroups, [...path, index, 'subGroups'], report);
    }
  }

  #completeRoles({ realmRoles, clientRoles }: RoleHolder, path: JsonPath, report: Complain): void {
    this.#createRealmRoles(realmRoles, [...path, 'realmRoles'], report);
    for (const [clientId, roles] of Object.entries(clientRoles ?? {})) {
      this.#createClientRoles(clientId, roles, [...path, 'clientRoles', clientId], report);
    }
  }

  #createRealmRoles(names: string[] | undefined, path: JsonPath, report: Complain): void {
    for (const [index, writtenName] of (names ?? []).entries()) {
      const name = trimName(names, index, writtenName);
      this.#names.addRealmRole(name, (suggestion) => {
        this.#createRole('', name);
        report([...path, index], `realm role "${name}" not found: it is created`, suggestion);
      });
    }
  }

  #createClientRoles(clientId: string, names: string[], path: JsonPath, report: Complain): void {
    for (const [index, writtenName] of names.entries()) {
      const name = trimName(names, index, writtenName);
      this.#names.addClientRole(clientId, name, (suggestion) => {
        this.#createRole(clientId, name);
        report([...path, index], `the client ${clientId} has no role "${name}": it is created`, suggestion);
      });
    }
  }

  #knownScopes(names: readonly string[], path: JsonPath, report: Complain): string[] {
    return names.filter((name, index) => {
      const reportOmitted: Complain = (at, message, suggestion) => report(at, `${message}: it is left out`, suggestion);
      return this.#names.checkScope(name, [...path, index], reportOmitted);
    });
  }

  #reportMappers(report: Complain): void {
    const { identityProviders = [], identityProviderMappers: mappers = [] } = this.#realm;
    const aliases = identityProviders.map(({ alias }) => alias);
    for (const [index, { identityProviderAlias: alias }] of mappers.entries()) {
      if (aliases.includes(alias)) continue;
      const path = ['identityProviderMappers', index, 'identityProviderAlias'];
      report(path, `identity provider "${alias}" not found: the mapper has no effect`, didYouMean(alias, aliases));
    }
  }

  /**
   * Replaces a path that is written without escapes, although a group's name contains a slash, by the group's exact
   * path.
   */
  #completePaths(paths: string[] | undefined): void {
    for (const [index, path] of (paths ?? []).entries()) {
      if (this.#names.hasGroup(path)) continue;
      const completePath = findGroupPath(this.#realm.groups, path);
      if (completePath !== undefined) paths?.splice(index, 1, completePath);
    }
  }

  #createRole(clientId: string, name: string): void {
    const roles = this.#createdRoles.get(clientId) ?? [];
    roles.push({ name });
    this.#createdRoles.set(clientId, roles);
  }

  /** Adds the created roles to the realm. */
  #addCreatedRoles(): void {
    if (this.#createdRoles.size === 0) return;
    const { roles = {} } = this.#realm;
    const client = { ...roles.client };
    for (const [clientId, created] of this.#createdRoles) {
      if (clientId === '') continue;
      client[clientId] = [...(Object.hasOwn(client, clientId) ? (client[clientId] ?? []) : []), ...created];
    }
    this.#realm.roles = { ...roles, realm: [...(roles.realm ?? []), ...(this.#createdRoles.get('') ?? [])], client };
    this.#createdRoles.clear();
  }
}

/** Removes blanks around the name of a role, as Keycloak does. */
function trimName(names: string[] | undefined, index: number, writtenName: string): string {
  const name = writtenName.trim();
  if (names !== undefined && name !== writtenName) names[index] = name;
  return name;
}
