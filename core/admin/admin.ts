import { HostError } from '@keyhost/spi';
import { REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { type Role, RoleGraph, type RoleNames } from '../model/roles.js';
import type { User } from '../model/user.js';
import type { ProviderList } from './guarded-settings.js';

/** The role of `master` over every realm. */
const ADMIN_ROLE = 'admin';
const CREATE_REALM = 'create-realm';
const REALM_ADMIN = 'realm-admin';
const ALL_ROLES: ReadonlySet<string> = new Set([...REALM_MANAGEMENT_ROLES, REALM_ADMIN]);
/** The right by which a plugin may change users and roles that have rights of administration. */
const REACH = 'manage-admins';

/** Whose token it is. */
export interface AdminOfToken {
  readonly user: User;
  readonly client: Client;
  /** Those of the user that the client's scope lets through. */
  readonly roles: RoleNames;
  readonly sessionId: string | undefined;
  /** When the token ends, in milliseconds. */
  readonly expiresAt: number;
}

/** A plugin that administers a realm by what the operator grants it: no user, no client, and stored nowhere. */
export interface AdminOfPlugin {
  /** The plugin's name. */
  readonly plugin: string;
  /** Roles of `realm-management`, with all that they contain. */
  readonly roles: readonly string[];
  /** True: it may also change users and roles that have rights of administration, as far as it holds these. */
  readonly reachesAdmins: boolean;
  /** The user of the token that the plugin has the host check, if there is one. */
  readonly userId: string | undefined;
}

/** Whoever calls the Admin REST API, and what they may do there (Keycloak's AdminAuth). */
export class Admin {
  /** The realm of the token: the one that is administered, or `master`. */
  readonly realm: Realm;
  /** As admin events name the caller: the ids of the user and the client, `plugin:{name}` of a plugin. */
  readonly userId: string;
  readonly clientId: string;
  /** The providers that the request began with: they declare which of their settings are guarded. */
  readonly providers: ProviderList;
  readonly #who: AdminOfToken | AdminOfPlugin;
  readonly #roles: RoleNames;
  #lacks: readonly string[] = [];

  constructor(realm: Realm, who: AdminOfToken | AdminOfPlugin, providers: ProviderList) {
    this.realm = realm;
    this.providers = providers;
    this.#who = who;
    if ('plugin' in who) {
      this.clientId = `plugin:${who.plugin}`;
      this.userId = who.userId ?? this.clientId;
      this.#roles = { realm: [], clients: { 'realm-management': who.roles } };
    } else {
      this.clientId = who.client.id;
      this.userId = who.user.id;
      this.#roles = who.roles;
    }
  }

  /** The person whose token it is. @throws Error for a plugin, which no operation `forPeople` is called by */
  get person(): AdminOfToken {
    if ('plugin' in this.#who) throw new Error(`${this.clientId} is no person`);
    return this.#who;
  }

  /** The roles and groups that the caller was given: a plugin its grants. */
  get assigned(): Pick<UserRepresentation, 'realmRoles' | 'clientRoles' | 'groups'> {
    return 'plugin' in this.#who
      ? { clientRoles: { 'realm-management': [...this.#who.roles] } }
      : this.#who.user.representation;
  }

  /** The caller's own login. Absent for a token without one, and for a plugin. */
  get sessionId(): string | undefined {
    return 'plugin' in this.#who ? undefined : this.#who.sessionId;
  }

  /** True for a plugin: as Keycloak's own SPI, it keeps attributes of users that the realm's profile does not declare. */
  get keepsUndeclared(): boolean {
    return 'plugin' in this.#who;
  }

  /**
   * The rights that the last check of this admin found missing, each in place of `one or another`; empty if it passed, or no right
   * helps. It explains a refusal to the operator of a plugin.
   */
  get lacks(): readonly string[] {
    return this.#lacks;
  }

  /** False for a plugin that is not to touch administrators, whatever rights it has. */
  get #reachesAdmins(): boolean {
    return !('plugin' in this.#who) || this.#who.reachesAdmins;
  }

  /** True for the holder of `admin` in `master`: everything, in every realm. */
  get isSuperAdmin(): boolean {
    return this.realm.name === MASTER_REALM && this.#roles.realm.includes(ADMIN_ROLE);
  }

  /** True for the holder of any right over any realm. */
  get isAdmin(): boolean {
    const ofRealm = (clientId: string) =>
      clientId === 'realm-management' || (this.realm.name === MASTER_REALM && clientId.endsWith('-realm'));
    const holds = Object.entries(this.#roles.clients).some(
      ([clientId, names]) => ofRealm(clientId) && names.length > 0,
    );
    return this.mayCreateRealms || holds;
  }

  get mayCreateRealms(): boolean {
    return this.isSuperAdmin || (this.realm.name === MASTER_REALM && this.#roles.realm.includes(CREATE_REALM));
  }

  /** The roles of `realm-management` that the caller has over a realm. */
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

  /** True with one of these roles; `manage-x` holds `view-x` too. */
  can(realm: string, ...anyOf: readonly string[]): boolean {
    const held = this.rolesOver(realm);
    return this.#checked(
      anyOf.some((role) => held.has(role) || (role.startsWith('view-') && held.has(role.replace('view-', 'manage-')))),
      () => [anyOf.join(' or ')],
    );
  }

  /**
   * True when the caller holds every right of administration that these roles of a realm carry, composites included:
   * nobody hands out or takes away more than they have. Stricter than Keycloak, where `manage-clients` or `manage-realm`
   * may reach further.
   */
  covers(realm: { readonly name: string }, roles: Iterable<Role>): boolean {
    if (this.isSuperAdmin) return true;
    const rights = [...RoleGraph.expand(roles)].filter((role) => isAdminRole(realm, role));
    return this.#checked(
      rights.length === 0 || (this.#reachesAdmins && rights.every((role) => this.#holds(realm, role))),
      () => [
        ...(this.#reachesAdmins ? [] : [REACH]),
        ...rights.filter((role) => !this.#holds(realm, role)).map(({ name }) => name),
      ],
    );
  }

  #holds(realm: { readonly name: string }, { name, clientId }: Role): boolean {
    if (clientId === 'realm-management') return this.rolesOver(realm.name).has(name) || this.#isRealmAdmin(realm.name);
    if (this.realm.name !== realm.name) return false;
    if (clientId === undefined) return this.#roles.realm.includes(name);
    return Object.hasOwn(this.#roles.clients, clientId) && (this.#roles.clients[clientId] ?? []).includes(name);
  }

  /** True with `realm-admin`, or every role that it is made of: who has created a realm has those in `master`. */
  #isRealmAdmin(realm: string): boolean {
    const held = this.rolesOver(realm);
    return held.has(REALM_ADMIN) || REALM_MANAGEMENT_ROLES.every((role) => held.has(role));
  }

  /**
   * True for who may do everything that can be done in a realm, and so gains nothing by acting as somebody else there: its
   * realm-admin. In `master` that is `admin`, who may do more than any right over the realm `master` says.
   */
  mayEverything(realm: string): boolean {
    const isRealmAdmin = this.#isRealmAdmin(realm);
    return this.#checked(this.isSuperAdmin || (realm !== MASTER_REALM && this.#reachesAdmins && isRealmAdmin), () => [
      ...(this.#reachesAdmins ? [] : [REACH]),
      ...(realm === MASTER_REALM ? [ADMIN_ROLE] : isRealmAdmin ? [] : [REALM_ADMIN]),
    ]);
  }

  /**
   * For changes by which one could act as anybody in the realm.
   * @param what the subject of the refusal's sentence, such as `smtpServer`
   * @throws HostError 403 for who could gain by it
   */
  requireEverything(realm: string, what?: string): void {
    if (this.mayEverything(realm)) return;
    const role = realm === MASTER_REALM ? 'admin' : 'realm-admin';
    throw forbidden(what && `Only an administrator with the role ${role} can change ${what}`);
  }

  /** For changes of all users, administrators among them. @throws HostError 403 */
  requireReach(): void {
    if (!this.#checked(this.#reachesAdmins, () => [REACH])) throw forbidden();
  }

  /** Notes what a check has found missing. */
  #checked(passed: boolean, missing: () => readonly string[]): boolean {
    this.#lacks = passed ? [] : missing();
    return passed;
  }

  /** @throws HostError 403 without any of these roles */
  require(realm: string, ...anyOf: readonly string[]): void {
    if (!this.can(realm, ...anyOf)) throw forbidden();
  }
}

/**
 * True for a role that is a right of administration by itself: any of `realm-management`; in `master` also `admin`,
 * `create-realm` and any of a client `<realm>-realm`.
 */
export function isAdminRole(realm: { readonly name: string }, { name, clientId }: Omit<Role, 'composites'>): boolean {
  if (clientId === 'realm-management') return true;
  if (realm.name !== MASTER_REALM) return false;
  return clientId === undefined ? name === ADMIN_ROLE || name === CREATE_REALM : clientId.endsWith('-realm');
}

/** Keycloak's answer to a caller whose roles do not suffice. @param why a sentence for the caller */
export function forbidden(why?: string): HostError {
  return new AdminError(403, { error: 'HTTP 403 Forbidden', ...defined({ error_description: why }) });
}

/** A refusal with Keycloak's body: `{"error": …}` for what is not there or not allowed, `{"errorMessage": …}` else. */
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

/** 404 with Keycloak's words, such as `User not found`. */
export function notFound(what: string): AdminError {
  return new AdminError(404, { error: what });
}

/** 409 with Keycloak's words, such as `User exists with same username`. */
export function conflict(message: string): AdminError {
  return new AdminError(409, { errorMessage: message });
}

/** 409 as Keycloak's database has it, where no check of Keycloak's own comes first. */
export function duplicate(): AdminError {
  return new AdminError(409, { error: 'conflict', error_description: 'Duplicate resource error' });
}

/** 400 in `error`, where Keycloak's own code has it there, such as `role has no name`. */
export function wrong(what: string): AdminError {
  return new AdminError(400, { error: what });
}

/** 400 with a text for the person who sent it. */
export function badRequest(message: string): AdminError {
  return new AdminError(400, { errorMessage: message });
}
