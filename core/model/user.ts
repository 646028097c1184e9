import type { MapperInput, UserView } from '@keyhost/spi';
import { groupName, keycloakGroupPath } from './group-path.js';
import { type Group, MASTER_REALM, type Realm } from './realm.js';
import type {
  ConsentRepresentation,
  CredentialRepresentation,
  FederatedIdentityRepresentation,
  UserRepresentation,
} from './representation.js';
import { type Role, RoleGraph, type RoleNames } from './roles.js';

/** A user, as requests use it. It is immutable; each change creates a new object. */
export class User {
  readonly id: string;
  readonly username: string;
  readonly enabled: boolean;
  /** Tokens issued before this time are invalid; in seconds since the epoch. 0 invalidates none. */
  readonly notBefore: number;
  /** Links issued up to this time are invalid; in milliseconds since the epoch. 0 invalidates none. */
  readonly linksNotBefore: number;
  readonly requiredActions: readonly string[];
  readonly credentials: readonly CredentialRepresentation[];
  readonly version: number;
  readonly representation: UserRepresentation;
  readonly view: UserView;
  #compiled: UserInRealm | undefined;

  constructor(record: {
    id: string;
    version: number;
    representation: UserRepresentation;
    serviceAccountClientId?: string;
  }) {
    const r = record.representation;
    this.id = record.id;
    this.username = r.username;
    this.enabled = r.enabled ?? false;
    this.notBefore = r.notBefore ?? 0;
    this.linksNotBefore = r.linksNotBefore ?? 0;
    this.requiredActions = r.requiredActions ?? [];
    this.credentials = r.credentials ?? [];
    this.version = record.version;
    this.representation = r;
    // Views share these lists with the stored user.
    for (const values of Object.values(r.attributes ?? {})) Object.freeze(values);
    const view: { -readonly [Member in keyof UserView]: UserView[Member] } = {
      id: this.id,
      username: this.username,
      emailVerified: r.emailVerified ?? false,
      enabled: this.enabled,
      attributes: Object.freeze({ ...r.attributes }),
    };
    // The members are set one by one, which is faster than iterating over them: each token request creates a user.
    if (r.email !== undefined) view.email = r.email;
    if (r.firstName !== undefined) view.firstName = r.firstName;
    if (r.lastName !== undefined) view.lastName = r.lastName;
    if (r.createdTimestamp !== undefined) view.createdTimestamp = r.createdTimestamp;
    if (record.serviceAccountClientId !== undefined) view.serviceAccountClientId = record.serviceAccountClientId;
    this.view = Object.freeze(view);
  }

  /** Milliseconds since the epoch; 0 if unknown. */
  get createdAt(): number {
    return this.representation.createdTimestamp ?? 0;
  }

  /** Client scopes that the user granted to clients. */
  get consents(): readonly ConsentRepresentation[] {
    return this.representation.clientConsents ?? [];
  }

  get isServiceAccount(): boolean {
    return this.view.serviceAccountClientId !== undefined;
  }

  /** The user's accounts at identity providers. */
  get federatedIdentities(): readonly FederatedIdentityRepresentation[] {
    return this.representation.federatedIdentities ?? [];
  }

  /** The stored paths of the user's groups that exist in the realm. */
  groups(realm: Realm): readonly string[] {
    return this.#compileFor(realm).groups;
  }

  /** The paths of the user's groups in Keycloak's form. */
  groupPaths(realm: Realm): readonly string[] {
    return this.#compileFor(realm).groupPaths;
  }

  /** The names of the user's groups, which may contain slashes. */
  groupNames(realm: Realm): readonly string[] {
    return this.#compileFor(realm).groupNames;
  }

  /**
   * The attributes of the user's groups, in the order of the groups. For each group, its own come first, followed by
   * those of its parents.
   */
  groupAttributes(realm: Realm): MapperInput['groupAttributes'] {
    return this.#compileFor(realm).groupAttributes;
  }

  /**
   * All roles of the user: those assigned directly, those of the user's groups and their parents, and all roles that
   * they contain.
   */
  effectiveRoles(realm: Realm): ReadonlySet<Role> {
    return this.#compileFor(realm).roles;
  }

  /** The names of the effective roles. */
  roleNames(realm: Realm): RoleNames {
    return this.#compileFor(realm).names;
  }

  /** True if the user has a role of `realm-management`, or in `master` a role for any realm. */
  isAdmin(realm: Realm): boolean {
    for (const { name, clientId } of this.effectiveRoles(realm)) {
      if (clientId === 'realm-management') return true;
      if (realm.name !== MASTER_REALM) continue;
      if (clientId === undefined ? name === 'admin' || name === 'create-realm' : clientId.endsWith('-realm'))
        return true;
    }
    return false;
  }

  /** Computes the data of the user that depends on the realm, once per realm version. */
  #compileFor(realm: Realm): UserInRealm {
    if (this.#compiled?.realm === realm) return this.#compiled;
    // The groups are sorted by name, as in Keycloak. If several groups have an attribute, mappers use the first one.
    const groups = (this.representation.groups ?? [])
      .filter((path) => realm.groups.has(path))
      .sort((a, b) => (groupName(a) < groupName(b) ? -1 : 1));
    const direct = realm.roles.find(this.representation.realmRoles, this.representation.clientRoles);
    const groupAttributes = groups.map((path) => {
      const inherited: Group['attributes'][] = [];
      for (let group = realm.groups.get(path); group !== undefined; group = group.parent) {
        direct.push(...group.roles);
        inherited.push(group.attributes);
      }
      return Object.freeze(inherited);
    });
    const roles = RoleGraph.expand(direct);
    this.#compiled = {
      realm,
      groups: Object.freeze(groups),
      groupPaths: Object.freeze(groups.map(keycloakGroupPath)),
      groupNames: Object.freeze(groups.map(groupName)),
      groupAttributes: Object.freeze(groupAttributes),
      roles,
      names: RoleGraph.names(roles),
    };
    return this.#compiled;
  }
}

interface UserInRealm {
  readonly realm: Realm;
  readonly groups: readonly string[];
  readonly groupPaths: readonly string[];
  readonly groupNames: readonly string[];
  readonly groupAttributes: MapperInput['groupAttributes'];
  readonly roles: ReadonlySet<Role>;
  readonly names: RoleNames;
}
