import type { Json, JsonObject } from './json-schema.js';
import type { ClientView, UserView } from './views.js';

/** What the Admin REST API answers to a plugin. */
export interface AdminAnswer {
  /** The HTTP status. 400, 403, 404, 409 and 412 are answers, too. */
  readonly status: number;
  /** JSON, text, or the bytes of a file; undefined without a body. */
  readonly body?: Json | Uint8Array;
  /** The version of what was read, where it has one. */
  readonly version?: string;
  /** The id, or the name, of what was created. */
  readonly created?: string;
  /** Members of the body that nothing acts on. */
  readonly ignored: readonly string[];
}

/** The Admin REST API of the session's realm, in process: the same rights, checks and admin events as over HTTP. */
export interface Administration {
  /**
   * @param path below `/admin/realms/{realm}`, such as `/users?search=ali`; empty for the realm itself
   * @param body as JSON; a text where the operation takes a text
   * @param options.version the change is made only if the thing still has it; else the answer is 412
   * @throws HostError `plugin_not_granted` (500) without a right that the operation asks for, `plugin_loop` (500) where listeners
   *   of plugins answer each other without end, `invalid_argument` (500) for a path that leaves the realm, or for an operation
   *   that is not for plugins
   */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: Json,
    options?: { readonly version?: string },
  ): Promise<AdminAnswer>;
  /** The realm with its clients, roles and groups, without users, secrets masked. Needs `manage-realm`, `view-clients` and `view-users`. */
  representation(): Promise<JsonObject>;
}

/** Some of the users of a list. `next` is where the rest begins; undefined: there are no more. */
export interface UserPage {
  readonly users: readonly ManagedUser[];
  readonly next?: string;
}

/** A user, as an administrator sees it. */
export interface ManagedUser extends UserView {
  readonly requiredActions: readonly string[];
}

/** A user who has not signed in for some time. Times are in milliseconds since the epoch. */
export interface IdleUser extends ManagedUser {
  /** The latest of: the last sign-in, when the user came to this host, and when the user was enabled again. */
  readonly idleSince: number;
  /** Undefined: no sign-in is known. Hosts know those since they have kept them. */
  readonly lastSignIn?: number;
}

export interface UserFilter {
  /** Words that the username, the email address or a name begins with. */
  readonly search?: string;
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** True: the four above are the whole value. */
  readonly exact?: boolean;
  readonly enabled?: boolean;
  readonly emailVerified?: boolean;
  /** Values that attributes have. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface NewUser {
  readonly username: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  /** Default: true. */
  readonly enabled?: boolean;
  /** Also those that the realm's user profile does not declare. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly requiredActions?: readonly string[];
  /** Paths of groups. */
  readonly groups?: readonly string[];
}

/** What of a user changes: what it does not name stays as it is, whoever changes it meanwhile. */
export interface UserChange {
  readonly username?: string;
  /** `null` removes it, as it does with names and attributes. */
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly enabled?: boolean;
  /** By name. Also those that the realm's user profile does not declare. */
  readonly attributes?: Readonly<Record<string, readonly string[] | null>>;
  readonly requiredActions?: { readonly add?: readonly string[]; readonly remove?: readonly string[] };
}

/**
 * The users of the realm. Reading needs `view-users`, changing `manage-users`, and for users with rights of administration
 * `manage-admins` and these rights.
 * @throws HostError `plugin_not_granted` (500), `admin_refused` with the status of the Admin REST API
 */
export interface UserAdministration {
  /** A realm may allow several users with one address: then it is none of them. */
  byEmail(email: string): Promise<ManagedUser | undefined>;
  /** Who goes by that name: a username, else an email address. As for `byEmail`, an address of several users is none of them. */
  byUsernameOrEmail(name: string): Promise<ManagedUser | undefined>;
  /** A user with the version that a change may carry. */
  read(id: string): Promise<{ readonly user: ManagedUser; readonly version: string } | undefined>;
  /**
   * Users ordered by username. A list of any length is walked by `after: next`, each page as fast as the first.
   * @param page.max from 1 to 1000. Default: 100
   */
  find(filter?: UserFilter, page?: { readonly after?: string; readonly max?: number }): Promise<UserPage>;
  /**
   * Enabled users who have been idle since `before` or longer, the longest first, without service accounts. Nobody else is read,
   * however many users the realm has. A sign-in is a login, or a grant whose event is `LOGIN`. These are none: a refreshed token,
   * a token exchange, and what an admin does as the user.
   * @param before milliseconds since the epoch
   * @param page.after `next` of the page before
   * @param page.max from 1 to 1000. Default: 100
   */
  idle(
    before: number,
    page?: { readonly after?: string; readonly max?: number },
  ): Promise<{ readonly users: readonly IdleUser[]; readonly next?: string }>;
  /** Exact up to 10,000; beyond that it may be an estimate. */
  count(filter?: UserFilter): Promise<number>;
  /** @returns the new user's id */
  create(user: NewUser): Promise<string>;
  /**
   * @param options.version as `read` gave it: the change is made only if the user still has it
   * @throws HostError `version_conflict` (409) if the user has another one
   */
  update(id: string, change: UserChange, options?: { readonly version?: string }): Promise<void>;
  /**
   * @param options.version as `read` gave it: the user is removed only if it is still the one that was read
   * @returns whether there was one
   * @throws HostError `version_conflict` (409) if the user has another version
   */
  remove(id: string, options?: { readonly version?: string }): Promise<boolean>;
}

export interface ManagedGroup {
  readonly id: string;
  readonly name: string;
  /** Such as `/staff/engineers`. */
  readonly path: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** Groups. Reading needs `view-users`, changing `manage-users`, as in Keycloak. */
export interface GroupAdministration {
  byPath(path: string): Promise<ManagedGroup | undefined>;
  /** Groups at the top of the realm, or of another group. */
  find(filter?: {
    readonly parent?: string;
    readonly first?: number;
    readonly max?: number;
  }): Promise<readonly ManagedGroup[]>;
  /** @param group.parent the id of the group that it lies in @returns its id */
  create(group: { readonly name: string; readonly parent?: string }): Promise<string>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
  /** The groups that a user is a member of. */
  ofUser(userId: string): Promise<readonly ManagedGroup[]>;
  members(id: string, page?: { readonly first?: number; readonly max?: number }): Promise<readonly ManagedUser[]>;
  join(userId: string, groupId: string): Promise<void>;
  leave(userId: string, groupId: string): Promise<void>;
}

/** Names of roles: of the realm, and of clients by `clientId`. */
export interface RoleList {
  readonly realm: readonly string[];
  readonly clients: Readonly<Record<string, readonly string[]>>;
}

/** Roles of users. Reading needs `view-users`, changing `manage-users`. */
export interface RoleAdministration {
  /** The roles that a user was given. */
  ofUser(userId: string): Promise<RoleList>;
  grant(userId: string, roles: Partial<RoleList>): Promise<void>;
  revoke(userId: string, roles: Partial<RoleList>): Promise<void>;
}

/** A credential without what it could be made of. */
export interface ManagedCredential {
  readonly id: string;
  /** Such as `password`, `otp` or `webauthn`. */
  readonly type: string;
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
}

/** What a user typed: a password, or a one-time code. */
export interface TypedCredential {
  readonly type: 'password' | 'otp';
  readonly value: string;
}

/**
 * What a typed credential is. `locked`: nobody has looked at it, since too many were wrong. `disabled`: it is right, and the user
 * is disabled. Tell your callers of `valid` alone: the others say something of the user.
 */
export type CredentialVerdict = 'valid' | 'invalid' | 'locked' | 'disabled';

/**
 * Credentials of users. Reading needs `view-users`, changing `manage-users`. Nothing shows what they could be made of. `verify` has a
 * rule of its own.
 */
export interface CredentialAdministration {
  ofUser(userId: string): Promise<readonly ManagedCredential[]>;
  /**
   * By the rules of the realm's password policy. The user's sessions end.
   * @param options.temporary true: the user must choose another one at the next login
   */
  setPassword(userId: string, password: string, options?: { readonly temporary?: boolean }): Promise<void>;
  /** @returns whether there was one */
  remove(userId: string, credentialId: string): Promise<boolean>;
  /**
   * The host's own check, as a login makes it: a wrong one counts with all that is tried of the user (the realm's brute-force
   * detection, by the caller's address), a one-time code is good once. An unknown user takes as long as a known one.
   *
   * A step or required action needs no right to verify the user of its own login. Any other call needs `manage-users`, since wrong
   * ones lock the user. Neither needs `manage-admins`, whatever rights the user has.
   * @throws HostError `plugin_not_granted` (500) without that right, `invalid_argument` (500)
   */
  verify(userId: string, credential: TypedCredential): Promise<CredentialVerdict>;
}

export interface ManagedSession {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly ipAddress: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly lastAccess: number;
  /** `clientId` of each application in it. */
  readonly clients: readonly string[];
}

/** Sessions of users. Reading needs `view-users`, of a client `view-clients`; ending `manage-users`. */
export interface SessionAdministration {
  ofUser(userId: string): Promise<readonly ManagedSession[]>;
  /** How many sessions an application has. */
  count(clientId: string): Promise<number>;
  /** @returns whether there was one */
  end(sessionId: string): Promise<boolean>;
  /** All of a user's. */
  endAll(userId: string): Promise<void>;
}

/** A client as the Admin REST API shows it (Keycloak's ClientRepresentation). */
export type ClientRepresentation = JsonObject & { readonly id?: string; readonly clientId?: string };

/** Clients. Reading needs `view-clients`, changing `manage-clients`. */
export interface ClientAdministration {
  /** `search`: part of the `clientId`. */
  find(filter?: {
    readonly search?: string;
    readonly first?: number;
    readonly max?: number;
  }): Promise<readonly ClientView[]>;
  /** By its internal id. */
  read(id: string): Promise<{ readonly client: ClientRepresentation; readonly version: string } | undefined>;
  /** @returns its internal id */
  create(client: ClientRepresentation): Promise<string>;
  /** Members that are absent stay. @throws HostError `version_conflict` (409) */
  update(id: string, change: ClientRepresentation, options?: { readonly version?: string }): Promise<void>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
}

/** An identity provider of the realm. */
export interface ManagedIdentityProvider {
  readonly alias: string;
  readonly providerId: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  /** Secrets are masked. */
  readonly config: Readonly<Record<string, string>>;
}

/** An account at an identity provider that a user signs in with. */
export interface IdentityLink {
  /** The provider's alias. */
  readonly identityProvider: string;
  /** The account's id there. */
  readonly userId: string;
  readonly userName: string;
}

/** Identity providers. Reading them needs `view-identity-providers`; links of users need `view-users`, changing them `manage-users`. */
export interface IdentityProviderAdministration {
  list(): Promise<readonly ManagedIdentityProvider[]>;
  linksOf(userId: string): Promise<readonly IdentityLink[]>;
  link(userId: string, link: IdentityLink): Promise<void>;
  /** @returns whether there was one */
  unlink(userId: string, alias: string): Promise<boolean>;
}

/** What a plugin does as an administrator, with the rights that the operator grants it. */
export interface AdministeredRealm {
  readonly admin: Administration;
  readonly users: UserAdministration;
  readonly groups: GroupAdministration;
  readonly roles: RoleAdministration;
  readonly credentials: CredentialAdministration;
  readonly sessions: SessionAdministration;
  readonly clients: ClientAdministration;
  readonly identityProviders: IdentityProviderAdministration;
}
