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
 * Completes names that a realm uses and does not declare, as Keycloak's import does. Roles of users, groups and scope
 * mappings are created; unknown client scopes are left out. Names that Keycloak rejects (clients, groups, flows,
 * contained roles) stay for the checks.
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

  /** @param report receives a message for each role that was created and each scope that was left out */
  complete(report: Complain): void {
    const realm = this.#realm;
    this.#groups(realm.groups, ['groups'], report);
    for (const [index, { roles }] of (realm.scopeMappings ?? []).entries()) {
      this.#realmRoles(roles, ['scopeMappings', index, 'roles'], report);
    }
    for (const [clientId, mappings] of Object.entries(realm.clientScopeMappings ?? {})) {
      for (const [index, { roles }] of mappings.entries()) {
        this.#rolesOf(clientId, roles, ['clientScopeMappings', clientId, index, 'roles'], report);
      }
    }
    for (const [index, client] of (realm.clients ?? []).entries()) {
      for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
        if (client[key] !== undefined) client[key] = this.#scopes(client[key], ['clients', index, key], report);
      }
    }
    for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
      if (realm[key] !== undefined) realm[key] = this.#scopes(realm[key], [key], report);
    }
    this.#mappers(report);
    this.#completePaths(realm.defaultGroups);
    this.#withRoles();
  }

  /** Completes the names that the users of a document use. */
  completeUsers(users: readonly UserRepresentation[] | undefined, report: Complain): void {
    for (const [index, user] of (users ?? []).entries()) {
      this.#holder(user, ['users', index], report);
      this.#completePaths(user.groups);
    }
    this.#withRoles();
  }

  #groups(groups: RealmRepresentation['groups'], path: JsonPath, report: Complain): void {
    for (const [index, group] of (groups ?? []).entries()) {
      this.#holder(group, [...path, index], report);
      this.#groups(group.subGroups, [...path, index, 'subGroups'], report);
    }
  }

  #holder({ realmRoles, clientRoles }: RoleHolder, path: JsonPath, report: Complain): void {
    this.#realmRoles(realmRoles, [...path, 'realmRoles'], report);
    for (const [clientId, roles] of Object.entries(clientRoles ?? {})) {
      this.#rolesOf(clientId, roles, [...path, 'clientRoles', clientId], report);
    }
  }

  #realmRoles(names: string[] | undefined, path: JsonPath, report: Complain): void {
    for (const [index, writtenName] of (names ?? []).entries()) {
      const name = trimName(names, index, writtenName);
      this.#names.newRealmRole(name, (suggestion) => {
        this.#createRole('', name);
        report([...path, index], `realm role "${name}" not found: it is created`, suggestion);
      });
    }
  }

  #rolesOf(clientId: string, names: string[], path: JsonPath, report: Complain): void {
    for (const [index, writtenName] of names.entries()) {
      const name = trimName(names, index, writtenName);
      this.#names.newClientRole(clientId, name, (suggestion) => {
        this.#createRole(clientId, name);
        report([...path, index], `the client ${clientId} has no role "${name}": it is created`, suggestion);
      });
    }
  }

  #scopes(names: readonly string[], path: JsonPath, report: Complain): string[] {
    return names.filter((name, index) => {
      const leaveOut: Complain = (at, message, suggestion) => report(at, `${message}: it is left out`, suggestion);
      return this.#names.scope(name, [...path, index], leaveOut);
    });
  }

  #mappers(report: Complain): void {
    const { identityProviders = [], identityProviderMappers: mappers = [] } = this.#realm;
    const aliases = identityProviders.map(({ alias }) => alias);
    for (const [index, { identityProviderAlias: alias }] of mappers.entries()) {
      if (aliases.includes(alias)) continue;
      const path = ['identityProviderMappers', index, 'identityProviderAlias'];
      report(path, `identity provider "${alias}" not found: the mapper has no effect`, didYouMean(alias, aliases));
    }
  }

  /** Replaces a path by the group's unambiguous place if names of groups contain slashes. */
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
  #withRoles(): void {
    if (this.#createdRoles.size === 0) return;
    const { roles = {} } = this.#realm;
    const client = { ...roles.client };
    for (const [clientId, made] of this.#createdRoles) {
      if (clientId === '') continue;
      client[clientId] = [...(Object.hasOwn(client, clientId) ? (client[clientId] ?? []) : []), ...made];
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
