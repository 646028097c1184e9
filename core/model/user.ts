import type { MapperInput, UserView } from '@keyhost/spi';
import { groupName, shownGroupPath } from './group-path.js';
import { type Group, MASTER_REALM, type Realm } from './realm.js';
import type {
  ConsentRepresentation,
  CredentialRepresentation,
  FederatedIdentityRepresentation,
  UserRepresentation,
} from './representation.js';
import { type Role, RoleGraph, type RoleNames } from './roles.js';

/** A user as requests see it. Immutable; a change makes a new object. */
export class User {
  readonly id: string;
  readonly username: string;
  readonly enabled: boolean;
  /** Seconds since the epoch; 0: none. */
  readonly notBefore: number;
  /** Milliseconds since the epoch; 0: none. Links issued until then are dead. */
  readonly linksNotBefore: number;
  readonly requiredActions: readonly string[];
  readonly credentials: readonly CredentialRepresentation[];
  readonly version: number;
  readonly representation: UserRepresentation;
  readonly view: UserView;
  #inRealm: InRealm | undefined;

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
    // One by one: a user is made for each token request, and a walk through all members costs more.
    if (r.email !== undefined) view.email = r.email;
    if (r.firstName !== undefined) view.firstName = r.firstName;
    if (r.lastName !== undefined) view.lastName = r.lastName;
    if (r.createdTimestamp !== undefined) view.createdTimestamp = r.createdTimestamp;
    if (record.serviceAccountClientId !== undefined) view.serviceAccountClientId = record.serviceAccountClientId;
    this.view = Object.freeze(view);
  }

  /** Milliseconds since the epoch; 0: unknown. */
  get createdAt(): number {
    return this.representation.createdTimestamp ?? 0;
  }

  /** Scopes that the user granted to clients. */
  get consents(): readonly ConsentRepresentation[] {
    return this.representation.clientConsents ?? [];
  }

  get isServiceAccount(): boolean {
    return this.view.serviceAccountClientId !== undefined;
  }

  /** Accounts at identity providers that the user is linked to. */
  get federatedIdentities(): readonly FederatedIdentityRepresentation[] {
    return this.representation.federatedIdentities ?? [];
  }

  /** The places of the user's groups, as far as the realm has them. */
  groups(realm: Realm): readonly string[] {
    return this.#in(realm).groups;
  }

  /** Their paths, as Keycloak writes them. */
  groupPaths(realm: Realm): readonly string[] {
    return this.#in(realm).groupPaths;
  }

  /** Their names, which may have slashes. */
  groupNames(realm: Realm): readonly string[] {
    return this.#in(realm).groupNames;
  }

  /** The attributes of these groups, in their order: of each its own, then those of its parents. */
  groupAttributes(realm: Realm): MapperInput['groupAttributes'] {
    return this.#in(realm).groupAttributes;
  }

  /** All roles of the user: own, of groups and their parents, and what those contain. */
  effectiveRoles(realm: Realm): ReadonlySet<Role> {
    return this.#in(realm).roles;
  }

  /** The names of the effective roles. */
  roleNames(realm: Realm): RoleNames {
    return this.#in(realm).names;
  }

  /** True for holders of a `realm-management` role, and in `master` of any role over a realm. */
  isAdmin(realm: Realm): boolean {
    for (const { name, clientId } of this.effectiveRoles(realm)) {
      if (clientId === 'realm-management') return true;
      if (realm.name !== MASTER_REALM) continue;
      if (clientId === undefined ? name === 'admin' || name === 'create-realm' : clientId.endsWith('-realm'))
        return true;
    }
    return false;
  }

  /** The parts of the user that depend on the realm version, computed once for each. */
  #in(realm: Realm): InRealm {
    if (this.#inRealm?.realm === realm) return this.#inRealm;
    // By name, as in Keycloak: of several groups that have an attribute, a mapper takes the first.
    const groups = (this.representation.groups ?? [])
      .filter((place) => realm.groups.has(place))
      .sort((a, b) => (groupName(a) < groupName(b) ? -1 : 1));
    const direct = realm.roles.find(this.representation.realmRoles, this.representation.clientRoles);
    const groupAttributes = groups.map((place) => {
      const upward: Group['attributes'][] = [];
      for (let group = realm.groups.get(place); group !== undefined; group = group.parent) {
        direct.push(...group.roles);
        upward.push(group.attributes);
      }
      return Object.freeze(upward);
    });
    const roles = RoleGraph.expand(direct);
    this.#inRealm = {
      realm,
      groups: Object.freeze(groups),
      groupPaths: Object.freeze(groups.map(shownGroupPath)),
      groupNames: Object.freeze(groups.map(groupName)),
      groupAttributes: Object.freeze(groupAttributes),
      roles,
      names: RoleGraph.names(roles),
    };
    return this.#inRealm;
  }
}

interface InRealm {
  readonly realm: Realm;
  readonly groups: readonly string[];
  readonly groupPaths: readonly string[];
  readonly groupNames: readonly string[];
  readonly groupAttributes: MapperInput['groupAttributes'];
  readonly roles: ReadonlySet<Role>;
  readonly names: RoleNames;
}
