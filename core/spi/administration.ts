import type { Json, JsonObject } from './json-schema.js';
import type { ClientView, UserView } from './views.js';

/** The response of the Admin REST API to a plugin's call. */
export interface AdminAnswer {
  /** The HTTP status. 400, 403, 404, 409 and 412 are returned, not thrown. */
  readonly status: number;
  /** JSON, text, or the bytes of a file; undefined without a body. */
  readonly body?: Json | Uint8Array;
  /** The version of the resource that was read, if it has one. */
  readonly version?: string;
  /** The ID, or the name, of the created resource. */
  readonly created?: string;
  /** Members of the body that were ignored. */
  readonly ignored: readonly string[];
}

/** The Admin REST API of the session's realm, in process: the same rights, checks and admin events as over HTTP. */
export interface Administration {
  /**
   * Calls an operation of the Admin REST API.
   * @param path the path below `/admin/realms/{realm}`, such as `/users?search=ali`; empty for the realm itself
   * @param body a value that is sent as JSON, or a text if the operation takes a text
   * @param options.version the expected version: if the resource has another version, nothing is changed and the status
   * is 412
   * @throws HostError `plugin_not_granted` (500) without a right that the operation requires
   * @throws HostError `plugin_loop` (500) if plugins' listeners trigger each other endlessly
   * @throws HostError `invalid_argument` (500) for a path outside of the realm, or an operation that plugins may not
   * call
   */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: Json,
    options?: { readonly version?: string },
  ): Promise<AdminAnswer>;
  /**
   * Returns the realm with its clients, roles and groups, without users and with masked secrets. Needs `manage-realm`,
   * `view-clients` and `view-users`.
   */
  representation(): Promise<JsonObject>;
}

/** A page of a user list. `next` is the cursor of the next page; undefined on the last page. */
export interface UserPage {
  readonly users: readonly ManagedUser[];
  readonly next?: string;
}

/** A user, as an administrator sees it. */
export interface ManagedUser extends UserView {
  /** Aliases of the required actions that the user must complete. */
  readonly requiredActions: readonly string[];
}

/** A user who has not signed in for some time. Times are in milliseconds since the epoch. */
export interface IdleUser extends ManagedUser {
  /**
   * Milliseconds since the epoch. The latest of the last sign-in, the creation on this host, and the time when the user
   * was last enabled.
   */
  readonly idleSince: number;
  /** Undefined if no sign-in is recorded. Older versions of the host did not record them. */
  readonly lastSignIn?: number;
}

/** Conditions that a user must all match. An absent member matches every user. */
export interface UserFilter {
  /** Prefixes of the username, the email address or a name, separated by spaces. */
  readonly search?: string;
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** True: `username`, `email`, `firstName` and `lastName` must match the whole value. Default: a part of it. */
  readonly exact?: boolean;
  readonly enabled?: boolean;
  readonly emailVerified?: boolean;
  /** Attribute values that the user must have, by name. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A user to create. */
export interface NewUser {
  readonly username: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  /** Default: true. */
  readonly enabled?: boolean;
  /** The values by name; may include attributes that the realm's user profile does not declare. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Aliases of required actions. */
  readonly requiredActions?: readonly string[];
  /** Paths of groups. */
  readonly groups?: readonly string[];
}

/**
 * A partial update of a user: members that are absent stay as they are, even if others change them at the same time.
 */
export interface UserChange {
  readonly username?: string;
  /** `null` removes the value, also of names and attributes. */
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly enabled?: boolean;
  /** The new values by name; may include attributes that the realm's user profile does not declare. */
  readonly attributes?: Readonly<Record<string, readonly string[] | null>>;
  /** Aliases of required actions to add and to remove. */
  readonly requiredActions?: { readonly add?: readonly string[]; readonly remove?: readonly string[] };
}

/**
 * The users of the realm. Reading needs `view-users`, changing needs `manage-users`. For users with administration
 * rights it also needs `manage-admins` and those rights.
 * @throws HostError `plugin_not_granted` (500), `admin_refused` with the status of the Admin REST API
 */
export interface UserAdministration {
  /** Finds a user by email address; undefined if several users have it. */
  byEmail(email: string): Promise<ManagedUser | undefined>;
  /** Finds a user by username, or else by email address; undefined if several users have this address. */
  byUsernameOrEmail(name: string): Promise<ManagedUser | undefined>;
  /** Returns a user with its version, which can be passed to a change. */
  read(id: string): Promise<{ readonly user: ManagedUser; readonly version: string } | undefined>;
  /**
   * Returns users ordered by username. Pass `next` as `after` to read the next page; every page takes constant time.
   * @param page.max a number from 1 to 1000. Default: 100
   */
  find(filter?: UserFilter, page?: { readonly after?: string; readonly max?: number }): Promise<UserPage>;
  /**
   * Returns enabled users without a sign-in since `before`, those idle for the longest time first, without service
   * accounts. Only these users are read, even in a large realm. A sign-in is a login, or a grant whose event is
   * `LOGIN`. A refreshed token, a token exchange and an admin's impersonation are no sign-ins.
   * @param before milliseconds since the epoch
   * @param page.after `next` of the previous page
   * @param page.max a number from 1 to 1000. Default: 100
   */
  idle(
    before: number,
    page?: { readonly after?: string; readonly max?: number },
  ): Promise<{ readonly users: readonly IdleUser[]; readonly next?: string }>;
  /** Counts users. A number above 10,000 may be an estimate. */
  count(filter?: UserFilter): Promise<number>;
  /** @returns the new user's ID */
  create(user: NewUser): Promise<string>;
  /**
   * Changes a user.
   * @param options.version the version from `read`: the user is changed only if it still has this version
   * @throws HostError `version_conflict` (409) if the user has another version
   */
  update(id: string, change: UserChange, options?: { readonly version?: string }): Promise<void>;
  /**
   * Removes a user.
   * @param options.version the version from `read`: the user is removed only if it still has this version
   * @returns true if the user existed
   * @throws HostError `version_conflict` (409) if the user has another version
   */
  remove(id: string, options?: { readonly version?: string }): Promise<boolean>;
}

/** A group, as an administrator sees it. */
export interface ManagedGroup {
  readonly id: string;
  readonly name: string;
  /** The path, such as `/staff/engineers`. */
  readonly path: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** Groups. Reading needs `view-users`, changing `manage-users`, as in Keycloak. */
export interface GroupAdministration {
  /** Finds a group by its path, such as `/staff/engineers`. */
  byPath(path: string): Promise<ManagedGroup | undefined>;
  /** Returns the top-level groups of the realm, or the subgroups of `parent`. */
  find(filter?: {
    readonly parent?: string;
    readonly first?: number;
    readonly max?: number;
  }): Promise<readonly ManagedGroup[]>;
  /** @param group.parent the ID of the parent group @returns the new group's ID */
  create(group: { readonly name: string; readonly parent?: string }): Promise<string>;
  /** @returns true if the group existed */
  remove(id: string): Promise<boolean>;
  /** Returns the groups that a user is a member of. */
  ofUser(userId: string): Promise<readonly ManagedGroup[]>;
  /** Returns the members of a group. */
  members(id: string, page?: { readonly first?: number; readonly max?: number }): Promise<readonly ManagedUser[]>;
  /** Adds a user to a group. */
  join(userId: string, groupId: string): Promise<void>;
  /** Removes a user from a group. */
  leave(userId: string, groupId: string): Promise<void>;
}

/** Names of roles: of the realm, and of clients by `clientId`. */
export interface RoleList {
  /** Names of realm roles. */
  readonly realm: readonly string[];
  /** Names of client roles by `clientId`. */
  readonly clients: Readonly<Record<string, readonly string[]>>;
}

/** Roles of users. Reading needs `view-users`, changing `manage-users`. */
export interface RoleAdministration {
  /** Returns the roles that are directly assigned to a user. */
  ofUser(userId: string): Promise<RoleList>;
  /** Assigns roles to a user. */
  grant(userId: string, roles: Partial<RoleList>): Promise<void>;
  /** Removes roles from a user. */
  revoke(userId: string, roles: Partial<RoleList>): Promise<void>;
}

/** A credential, without its secret. */
export interface ManagedCredential {
  readonly id: string;
  /** The type, such as `password`, `otp` or `webauthn`. */
  readonly type: string;
  /** The name that the user gave it. */
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
}

/** A credential that a user typed: a password, or a one-time code. */
export interface TypedCredential {
  readonly type: 'password' | 'otp';
  readonly value: string;
}

/**
 * The result of checking a typed credential. `locked`: it was not checked, because too many attempts failed.
 * `disabled`: it is right, but the user is disabled. Report only whether it is `valid` to your callers, since the other
 * values reveal the state of the user.
 */
export type CredentialVerdict = 'valid' | 'invalid' | 'locked' | 'disabled';

/**
 * Credentials of users. Reading needs `view-users`, changing needs `manage-users`. Secrets are never returned. `verify`
 * needs other rights.
 */
export interface CredentialAdministration {
  /** Returns the credentials of a user. */
  ofUser(userId: string): Promise<readonly ManagedCredential[]>;
  /**
   * Sets a password, which must satisfy the realm's password policy. The user's sessions end.
   * @param options.temporary true if the user must change it at the next login
   */
  setPassword(userId: string, password: string, options?: { readonly temporary?: boolean }): Promise<void>;
  /** @returns true if the credential existed */
  remove(userId: string, credentialId: string): Promise<boolean>;
  /**
   * Checks a credential as a login does: a failure counts for the realm's brute-force detection, by the caller's
   * address, and a one-time code works once. An unknown user takes as long as a known one.
   *
   * A step or required action needs no right to verify the user of its own login. Any other call needs `manage-users`,
   * because failures lock the user. `manage-admins` is not needed, even for administrators.
   * @throws HostError `plugin_not_granted` (500) without that right, `invalid_argument` (500)
   */
  verify(userId: string, credential: TypedCredential): Promise<CredentialVerdict>;
}

/** A user session, as an administrator sees it. */
export interface ManagedSession {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly ipAddress: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** Milliseconds since the epoch. */
  readonly lastAccess: number;
  /** The `clientId` of each application in the session. */
  readonly clients: readonly string[];
}

/** User sessions. Reading needs `view-users`, or `view-clients` for those of a client; ending needs `manage-users`. */
export interface SessionAdministration {
  /** Returns the sessions of a user. */
  ofUser(userId: string): Promise<readonly ManagedSession[]>;
  /** Counts the sessions of an application. */
  count(clientId: string): Promise<number>;
  /** @returns true if the session existed */
  end(sessionId: string): Promise<boolean>;
  /** Ends all sessions of a user. */
  endAll(userId: string): Promise<void>;
}

/** A client in the representation of the Admin REST API (Keycloak's ClientRepresentation). */
export type ClientRepresentation = JsonObject & { readonly id?: string; readonly clientId?: string };

/** Clients. Reading needs `view-clients`, changing `manage-clients`. */
export interface ClientAdministration {
  /** Returns clients. `search` is a part of the `clientId`. */
  find(filter?: {
    readonly search?: string;
    readonly first?: number;
    readonly max?: number;
  }): Promise<readonly ClientView[]>;
  /** Returns a client by its internal ID. */
  read(id: string): Promise<{ readonly client: ClientRepresentation; readonly version: string } | undefined>;
  /** @returns the internal ID of the new client */
  create(client: ClientRepresentation): Promise<string>;
  /** Changes a client; absent members stay as they are. @throws HostError `version_conflict` (409) */
  update(id: string, change: ClientRepresentation, options?: { readonly version?: string }): Promise<void>;
  /** @returns true if the client existed */
  remove(id: string): Promise<boolean>;
}

/** An identity provider of the realm. */
export interface ManagedIdentityProvider {
  readonly alias: string;
  /** Keycloak's type of the provider, such as `oidc`. */
  readonly providerId: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  /** The configuration, with secrets masked. */
  readonly config: Readonly<Record<string, string>>;
}

/** An identity at an identity provider, with which a user signs in. */
export interface IdentityLink {
  /** The provider's alias. */
  readonly identityProvider: string;
  /** The user's ID at the provider. */
  readonly userId: string;
  /** The user's name at the provider. */
  readonly userName: string;
}

/**
 * Identity providers. Reading them needs `view-identity-providers`. Reading links of users needs `view-users`, changing
 * them `manage-users`.
 */
export interface IdentityProviderAdministration {
  /** Returns the identity providers of the realm. */
  list(): Promise<readonly ManagedIdentityProvider[]>;
  /** Returns the identities that a user signs in with. */
  linksOf(userId: string): Promise<readonly IdentityLink[]>;
  /** Links a user to an identity. */
  link(userId: string, link: IdentityLink): Promise<void>;
  /** @returns true if the link existed */
  unlink(userId: string, alias: string): Promise<boolean>;
}

/** The administration of a realm by a plugin, with the rights that the operator grants it. */
export interface AdministeredRealm {
  /** The Admin REST API itself, for operations that have no method here. */
  readonly admin: Administration;
  readonly users: UserAdministration;
  readonly groups: GroupAdministration;
  readonly roles: RoleAdministration;
  readonly credentials: CredentialAdministration;
  readonly sessions: SessionAdministration;
  readonly clients: ClientAdministration;
  readonly identityProviders: IdentityProviderAdministration;
}
