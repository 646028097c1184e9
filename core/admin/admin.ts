import { HostError } from '@keyhost/spi';
import { REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { type Role, RoleGraph, type RoleNames } from '../model/roles.js';
import type { User } from '../model/user.js';
import type { ProviderList } from './guarded-settings.js';

/** The role of `master` that may administer every realm. */
export const ADMIN_ROLE = 'admin';
const CREATE_REALM = 'create-realm';
/** The role of `realm-management` that contains all others. */
export const REALM_ADMIN = 'realm-admin';
const ALL_ROLES: ReadonlySet<string> = new Set([...REALM_MANAGEMENT_ROLES, REALM_ADMIN]);
/** The right of a plugin to change users and roles that have administration rights. */
const MANAGE_ADMINS = 'manage-admins';

/** The user and client of an access token. */
export interface TokenAdmin {
  readonly user: User;
  readonly client: Client;
  /** Those of the user's roles that the client's scope allows. */
  readonly roles: RoleNames;
  readonly sessionId: string | undefined;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A plugin that administers a realm with the rights that the operator granted to it. It has no user and no client. */
export interface PluginAdmin {
  /** The plugin's name. */
  readonly plugin: string;
  /** Roles of `realm-management`, including the roles that they contain. */
  readonly roles: readonly string[];
  /**
   * True if the plugin may also change users and roles that have administration rights, provided that it has these
   * rights itself.
   */
  readonly mayManageAdmins: boolean;
  /** The user whose token the plugin has had the host check by `session.authenticate`, if any. */
  readonly userId: string | undefined;
}

/** The caller of the Admin REST API and its rights (Keycloak's AdminAuth). */
export class Admin {
  /** The realm of the token: the administered realm itself, or `master`. */
  readonly realm: Realm;
  /** The user ID of the caller in admin events. For a plugin, the user of a checked token, or else `plugin:{name}`. */
  readonly userId: string;
  readonly clientId: string;
  /** The providers at the start of the request. They declare which of their settings only a realm admin may change. */
  readonly providers: ProviderList;
  readonly #identity: TokenAdmin | PluginAdmin;
  readonly #roles: RoleNames;
  #missingRights: readonly string[] = [];

  constructor(realm: Realm, caller: TokenAdmin | PluginAdmin, providers: ProviderList) {
    this.realm = realm;
    this.providers = providers;
    this.#identity = caller;
    if ('plugin' in caller) {
      this.clientId = `plugin:${caller.plugin}`;
      this.userId = caller.userId ?? this.clientId;
      this.#roles = { realm: [], clients: { 'realm-management': caller.roles } };
    } else {
      this.clientId = caller.client.id;
      this.userId = caller.user.id;
      this.#roles = caller.roles;
    }
  }

  /**
   * The user, client and roles of the token.
   * @throws Error for a plugin, which cannot call operations that are `notForPlugins`
   */
  get tokenAdmin(): TokenAdmin {
    if ('plugin' in this.#identity) throw new Error(`${this.clientId} is no person`);
    return this.#identity;
  }

  /** The roles and groups that are assigned to the caller. For a plugin these are its granted rights. */
  get assignments(): Pick<UserRepresentation, 'realmRoles' | 'clientRoles' | 'groups'> {
    return 'plugin' in this.#identity
      ? { clientRoles: { 'realm-management': [...this.#identity.roles] } }
      : this.#identity.user.representation;
  }

  /** The caller's user session. Absent for a token without a session, and for a plugin. */
  get sessionId(): string | undefined {
    return 'plugin' in this.#identity ? undefined : this.#identity.sessionId;
  }

  /**
   * True for a plugin: like Keycloak's own SPI, it may set user attributes that the realm's user profile does not
   * declare.
   */
  get keepsUndeclaredAttributes(): boolean {
    return 'plugin' in this.#identity;
  }

  /**
   * The rights that the last check of this admin found missing, with alternatives joined by `or`. Empty if the check
   * passed, or if no right would help. It explains a rejection to the operator of a plugin.
   */
  get missingRights(): readonly string[] {
    return this.#missingRights;
  }

  /** False for a plugin that may not change administrators, even if it has other rights. */
  get #mayManageAdmins(): boolean {
    return !('plugin' in this.#identity) || this.#identity.mayManageAdmins;
  }

  /** True for a holder of `admin` in `master`, who may do everything in every realm. */
  get isSuperAdmin(): boolean {
    return this.realm.name === MASTER_REALM && this.#roles.realm.includes(ADMIN_ROLE);
  }

  /** True for a holder of any administration right over any realm. */
  get isAdmin(): boolean {
    const isAdminClient = (clientId: string) =>
      clientId === 'realm-management' || (this.realm.name === MASTER_REALM && clientId.endsWith('-realm'));
    const hasRoles = Object.entries(this.#roles.clients).some(
      ([clientId, names]) => isAdminClient(clientId) && names.length > 0,
    );
    return this.mayCreateRealms || hasRoles;
  }

  get mayCreateRealms(): boolean {
    return this.isSuperAdmin || (this.realm.name === MASTER_REALM && this.#roles.realm.includes(CREATE_REALM));
  }

  /** The roles of `realm-management` that the caller has in a realm. */
  rolesOver(realm: string): ReadonlySet<string> {
    if (this.isSuperAdmin) return ALL_ROLES;
    const names = new Set<string>();
    const add = (clientId: string) => {
      if (!Object.hasOwn(this.#roles.clients, clientId)) return;
      for (const name of this.#roles.clients[clientId] ?? []) names.add(name);
    };
    if (this.realm.name === realm) add('realm-management');
    if (this.realm.name === MASTER_REALM) add(`${realm}-realm`);
    return names;
  }

  /** True if the caller has one of these roles. `manage-x` includes `view-x`. */
  can(realm: string, ...anyOf: readonly string[]): boolean {
    const roles = this.rolesOver(realm);
    return this.#recordCheck(
      anyOf.some(
        (role) => roles.has(role) || (role.startsWith('view-') && roles.has(role.replace('view-', 'manage-'))),
      ),
      () => [anyOf.join(' or ')],
    );
  }

  /**
   * True if the caller has every administration right of these roles, composites included. So callers can neither
   * assign nor remove more than they have. This is stricter than Keycloak, where `manage-clients` or `manage-realm` may
   * allow more.
   */
  covers(realm: { readonly name: string }, roles: Iterable<Role>): boolean {
    if (this.isSuperAdmin) return true;
    const rights = [...RoleGraph.expand(roles)].filter((role) => isAdminRole(realm, role));
    return this.#recordCheck(
      rights.length === 0 || (this.#mayManageAdmins && rights.every((role) => this.#holds(realm, role))),
      () => [
        ...(this.#mayManageAdmins ? [] : [MANAGE_ADMINS]),
        ...rights.filter((role) => !this.#holds(realm, role)).map(({ name }) => name),
      ],
    );
  }

  #holds(realm: { readonly name: string }, { name, clientId }: Role): boolean {
    if (clientId === 'realm-management')
      return this.rolesOver(realm.name).has(name) || this.#holdsRealmAdmin(realm.name);
    if (this.realm.name !== realm.name) return false;
    if (clientId === undefined) return this.#roles.realm.includes(name);
    return Object.hasOwn(this.#roles.clients, clientId) && (this.#roles.clients[clientId] ?? []).includes(name);
  }

  /**
   * True if the caller has `realm-admin` or all roles that it contains. The creator of a realm gets these roles in
   * `master`.
   */
  #holdsRealmAdmin(realm: string): boolean {
    const roles = this.rolesOver(realm);
    return roles.has(REALM_ADMIN) || REALM_MANAGEMENT_ROLES.every((role) => roles.has(role));
  }

  /**
   * True if the caller may do everything in a realm, and so gains nothing by acting as another of its users. In most
   * realms these are holders of `realm-admin`. In `master` these are holders of `admin`, which has more rights than all
   * roles for the realm `master` together.
   */
  isRealmAdmin(realm: string): boolean {
    const isRealmAdmin = this.#holdsRealmAdmin(realm);
    return this.#recordCheck(
      this.isSuperAdmin || (realm !== MASTER_REALM && this.#mayManageAdmins && isRealmAdmin),
      () => [
        ...(this.#mayManageAdmins ? [] : [MANAGE_ADMINS]),
        ...(realm === MASTER_REALM ? [ADMIN_ROLE] : isRealmAdmin ? [] : [REALM_ADMIN]),
      ],
    );
  }

  /**
   * Rejects a change that would let the caller act as any user of the realm.
   * @param subject what the error message names, such as `smtpServer`
   * @throws HostError 403 if the caller could gain rights by the change
   */
  requireRealmAdmin(realm: string, subject?: string): void {
    if (this.isRealmAdmin(realm)) return;
    const role = realm === MASTER_REALM ? 'admin' : 'realm-admin';
    throw forbiddenError(subject && `Only an administrator with the role ${role} can change ${subject}`);
  }

  /**
   * Rejects a change that affects all users, if the caller is a plugin that may not change administrators.
   * @throws HostError 403
   */
  requireMayManageAdmins(): void {
    if (!this.#recordCheck(this.#mayManageAdmins, () => [MANAGE_ADMINS])) throw forbiddenError();
  }

  /** Records which rights a check found missing. */
  #recordCheck(passed: boolean, missingRights: () => readonly string[]): boolean {
    this.#missingRights = passed ? [] : missingRights();
    return passed;
  }

  /** Requires one of these roles. @throws HostError 403 */
  require(realm: string, ...anyOf: readonly string[]): void {
    if (!this.can(realm, ...anyOf)) throw forbiddenError();
  }
}

/**
 * True if a role is itself an administration right, as every role of `realm-management` is. In `master`, `admin`,
 * `create-realm` and every role of a client `<realm>-realm` are rights too.
 */
export function isAdminRole(realm: { readonly name: string }, { name, clientId }: Omit<Role, 'composites'>): boolean {
  if (clientId === 'realm-management') return true;
  if (realm.name !== MASTER_REALM) return false;
  return clientId === undefined ? name === ADMIN_ROLE || name === CREATE_REALM : clientId.endsWith('-realm');
}

/**
 * Creates Keycloak's error for a caller without a required role.
 * @param description a sentence for the caller
 */
export function forbiddenError(description?: string): HostError {
  return new AdminError(403, { error: 'HTTP 403 Forbidden', ...defined({ error_description: description }) });
}

/** An error with Keycloak's body: `error`, `errorMessage` or `errors`, depending on the operation. */
export class AdminError extends HostError {
  override readonly name = 'AdminError';
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    body:
      | { error: string; error_description?: string; [member: string]: unknown }
      | { errorMessage: string; [member: string]: unknown }
      | { errors: readonly { errorMessage: string }[] },
  ) {
    const text = 'error' in body ? body.error : 'errors' in body ? 'several errors' : body.errorMessage;
    super('admin_refused', String(text), { status, expose: true });
    this.body = body;
  }
}

/** 404 with Keycloak's text, such as `User not found`. */
export function notFoundError(message: string): AdminError {
  return new AdminError(404, { error: message });
}

/** 409 with Keycloak's text, such as `User exists with same username`. */
export function conflictError(message: string): AdminError {
  return new AdminError(409, { errorMessage: message });
}

/** 409 with the body that Keycloak sends if a constraint of its database finds the duplicate. */
export function duplicateResourceError(): AdminError {
  return new AdminError(409, { error: 'conflict', error_description: 'Duplicate resource error' });
}

/** 400 with Keycloak's text in the member `error`, such as `role has no name`. */
export function badRequestError(message: string): AdminError {
  return new AdminError(400, { error: message });
}

/** 400 with a text for the caller in the member `errorMessage`. */
export function badRequest(message: string): AdminError {
  return new AdminError(400, { errorMessage: message });
}
