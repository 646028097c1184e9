import type { RealmView } from '@keyhost/spi';
import { adminConsoleClient, adminConsoleRoles } from './admin-console-client.js';
import { AUTH_ADMIN_URL, AUTH_BASE_URL, KEYHOST_ADMIN_CONSOLE } from './built-in-names.js';
import { Client } from './client.js';
import { ClientScope } from './client-scope.js';
import { clientScopeNames } from './client-scope-names.js';
import { defined } from './defined.js';
import { findGroupPath, groupPath } from './group-path.js';
import { RealmSettings } from './realm-settings.js';
import type {
  ActionTokenRule,
  ClientRepresentation,
  ComponentRepresentation,
  GroupRepresentation,
  ProviderSetting,
  RealmRepresentation,
} from './representation.js';
import { type Role, RoleGraph } from './roles.js';

/** True for `[A-Za-z0-9._-]{1,64}`, except `.` and `..`. */
export function isRealmName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && name !== '.' && name !== '..';
}

/** Keycloak's lifespans, in seconds, with its defaults (DefaultExportImportManager). */
export interface Lifespans {
  readonly accessToken: number;
  readonly ssoIdle: number;
  readonly ssoMax: number;
  readonly clientIdle: number;
  readonly clientMax: number;
  readonly userAction: number;
  readonly actionTokenByAdmin: number;
  readonly actionTokenByUser: number;
  /**
   * Maximum lifespan of a session that a client started for a user by naked impersonation; 0 means that of other
   * sessions.
   */
  readonly impersonatedMax: number;
}

/** The realm attribute that sets `impersonatedMax`, in seconds. */
export const IMPERSONATED_SESSION_LIFESPAN = 'keyhost.impersonated.session.max.lifespan';

/** Maximum lifespan of an action token, in seconds. A link in a mailbox must not stay valid longer. */
export const MAX_ACTION_TOKEN_LIFESPAN = 30 * 86_400;

export interface Group {
  /** Stored path of the group, by which users refer to it. */
  readonly path: string;
  readonly roles: readonly Role[];
  readonly parent: Group | undefined;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** The realm whose admins can administer all other realms. */
export const MASTER_REALM = 'master';

/**
 * A realm, as requests use it, computed from its representation. It is immutable, and each version of a realm is a new
 * object.
 */
export class Realm {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly sslRequired: 'none' | 'external' | 'all';
  readonly notBefore: number;
  readonly defaultSignatureAlgorithm: string;
  readonly revokeRefreshToken: boolean;
  readonly refreshTokenMaxReuse: number;
  readonly loginWithEmailAllowed: boolean;
  readonly passwordPolicy: string | undefined;
  readonly lifespans: Lifespans;
  readonly eventsEnabled: boolean;
  /** Lifespan of events in seconds; 0 means that they do not expire. */
  readonly eventsExpiration: number;
  readonly eventsListeners: readonly string[];
  /** The types of user events that are stored; empty: Keycloak's default types. */
  readonly enabledEventTypes: ReadonlySet<string>;
  readonly bruteForceProtected: boolean;
  /** Keycloak's brute-force settings; times in seconds unless stated otherwise. */
  readonly bruteForce: {
    readonly failureFactor: number;
    readonly maxDeltaTimeSeconds: number;
    readonly waitIncrementSeconds: number;
    readonly maxFailureWaitSeconds: number;
    readonly permanentLockout: boolean;
    /** Number of temporary lockouts before the permanent one (only with `permanentLockout`). */
    readonly maxTemporaryLockouts: number;
    readonly bruteForceStrategy: 'MULTIPLE' | 'LINEAR';
    /** In milliseconds. Two failures within this time lock the user for `minimumQuickLoginWaitSeconds`. */
    readonly quickLoginCheckMilliSeconds: number;
    readonly minimumQuickLoginWaitSeconds: number;
    /** Number of wrong second factors after which the next one disables the user; 0 means never. */
    readonly maxSecondaryAuthFailures: number;
  };
  readonly roles: RoleGraph;
  /** Groups by their stored paths. */
  readonly groups: ReadonlyMap<string, Group>;
  /** By name. */
  readonly scopes: ReadonlyMap<string, ClientScope>;
  /** By `clientId`. */
  readonly clients: ReadonlyMap<string, Client>;
  readonly clientsById: ReadonlyMap<string, Client>;
  /** Client IDs of disabled clients. No token may be issued for them. */
  readonly disabledClients: ReadonlySet<string>;
  readonly representation: RealmRepresentation;
  /** The host's address, to which `/realms/{realm}` is appended. */
  readonly baseUrl: string;
  /** The address to which `/admin` is appended. It differs from `baseUrl` if the admin console has its own origin. */
  readonly adminUrl: string;
  /** The realm's address, which is also the `iss` of its tokens. */
  readonly issuer: string;
  readonly settings: RealmSettings;
  readonly view: RealmView;
  /** Values that other modules compute once for this realm version, by their keys: see `derive`. */
  readonly #derived = new Map<symbol, unknown>();

  constructor(
    record: { id: string; name: string; version: number; representation: RealmRepresentation },
    baseUrl: string,
    adminUrl = baseUrl,
  ) {
    const r = record.representation;
    this.id = record.id;
    this.name = record.name;
    this.version = record.version;
    this.representation = r;
    this.enabled = r.enabled ?? false;
    this.sslRequired = parseSslRequired(r.sslRequired);
    this.notBefore = r.notBefore ?? 0;
    this.defaultSignatureAlgorithm = r.defaultSignatureAlgorithm || 'RS256';
    this.revokeRefreshToken = r.revokeRefreshToken ?? false;
    this.refreshTokenMaxReuse = r.refreshTokenMaxReuse ?? 0;
    // An email address that several users may share does not identify a user.
    this.loginWithEmailAllowed = (r.loginWithEmailAllowed ?? true) && r.duplicateEmailsAllowed !== true;
    this.passwordPolicy = r.passwordPolicy;
    const userAction = r.accessCodeLifespanUserAction ?? 300;
    this.lifespans = {
      accessToken: r.accessTokenLifespan ?? 300,
      ssoIdle: r.ssoSessionIdleTimeout ?? 1800,
      ssoMax: r.ssoSessionMaxLifespan ?? 36000,
      clientIdle: r.clientSessionIdleTimeout ?? 0,
      clientMax: r.clientSessionMaxLifespan ?? 0,
      userAction,
      actionTokenByAdmin: r.actionTokenGeneratedByAdminLifespan ?? 43200,
      actionTokenByUser: r.actionTokenGeneratedByUserLifespan ?? userAction,
      impersonatedMax: Number(r.attributes?.[IMPERSONATED_SESSION_LIFESPAN] ?? 0),
    };
    this.eventsEnabled = r.eventsEnabled ?? false;
    this.eventsExpiration = r.eventsExpiration ?? 0;
    this.eventsListeners = r.eventsListeners ?? ['jboss-logging'];
    this.enabledEventTypes = new Set(r.enabledEventTypes ?? []);
    this.bruteForceProtected = r.bruteForceProtected ?? false;
    this.bruteForce = {
      failureFactor: Number(r.failureFactor ?? 30),
      maxDeltaTimeSeconds: Number(r.maxDeltaTimeSeconds ?? 43_200),
      waitIncrementSeconds: Number(r.waitIncrementSeconds ?? 60),
      maxFailureWaitSeconds: Number(r.maxFailureWaitSeconds ?? 900),
      permanentLockout: r.permanentLockout === true,
      maxTemporaryLockouts: Number(r.maxTemporaryLockouts ?? 0),
      bruteForceStrategy: r.bruteForceStrategy === 'LINEAR' ? 'LINEAR' : 'MULTIPLE',
      quickLoginCheckMilliSeconds: Number(r.quickLoginCheckMilliSeconds ?? 1000),
      minimumQuickLoginWaitSeconds: Number(r.minimumQuickLoginWaitSeconds ?? 60),
      maxSecondaryAuthFailures: Number(r.maxSecondaryAuthFailures ?? 0),
    };
    this.settings = new RealmSettings(r);
    this.roles = new RoleGraph(r.roles);
    this.scopes = compileScopes(r);
    this.baseUrl = baseUrl;
    this.adminUrl = adminUrl;
    this.clients = this.#compileClients(r);
    this.clientsById = new Map([...this.clients.values()].map((client) => [client.id, client]));
    this.disabledClients = new Set(
      [...this.clients.values()].filter(({ enabled }) => !enabled).map((client) => client.clientId),
    );
    this.#addScopeMappings(r);
    this.groups = this.#compileGroups(r.groups ?? [], undefined, new Map());
    this.issuer = `${baseUrl}/realms/${this.name}`;
    this.view = Object.freeze({
      id: this.id,
      name: this.name,
      ...defined({ displayName: r.displayName }),
      enabled: this.enabled,
      issuer: this.issuer,
      attributes: Object.freeze({ ...r.attributes }),
    });
  }

  /** The realm file's `providers.<spi>.<id>`. */
  provider(spi: string, id: string): ProviderSetting | undefined {
    const settings = ownValue(this.representation.providers, spi);
    return ownValue(settings, id);
  }

  /** The realm file's `components.<type>`; undefined if it does not declare them. */
  components(type: string): readonly ComponentRepresentation[] | undefined {
    return ownValue(this.representation.components, type);
  }

  /** The realm file's `actionTokenPolicy.<type>`. */
  actionTokenRule(type: string): ActionTokenRule | undefined {
    return ownValue(this.representation.actionTokenPolicy, type);
  }

  /**
   * Finds the stored path of a group by its path in Keycloak's form. Two groups may have the same path in that form.
   */
  findGroupPath(path: string): string | undefined {
    return this.groups.has(path) ? path : findGroupPath(this.representation.groups, path);
  }

  /** Returns a value that another module computes from this realm version, once, on its first use. */
  derive<T>(key: symbol, compute: (realm: Realm) => T): T {
    if (!this.#derived.has(key)) this.#derived.set(key, compute(this));
    return this.#derived.get(key) as T;
  }

  #addScopeMappings(r: RealmRepresentation): void {
    const add = (entry: { client?: string; clientScope?: string }, roles: readonly Role[]) => {
      if (entry.client !== undefined) this.clients.get(entry.client)?.scopeRoles.push(...roles);
      if (entry.clientScope !== undefined) this.scopes.get(entry.clientScope)?.roles.push(...roles);
    };
    for (const entry of r.scopeMappings ?? []) add(entry, this.roles.find(entry.roles));
    for (const [clientId, entries] of Object.entries(r.clientScopeMappings ?? {})) {
      for (const entry of entries) add(entry, this.roles.find([], { [clientId]: entry.roles }));
    }
  }

  #compileClients(r: RealmRepresentation): ReadonlyMap<string, Client> {
    const byName = (names: readonly string[] | undefined) =>
      (names ?? []).map((name) => this.scopes.get(name)).filter((scope) => scope !== undefined);
    const clients = new Map<string, Client>();
    const adminConsole = adminConsoleClient(this.id, r);
    for (const representation of [...(r.clients ?? []), ...(adminConsole === undefined ? [] : [adminConsole])]) {
      const names = clientScopeNames(representation, r);
      const scopes = { default: byName(names.defaultClientScopes), optional: byName(names.optionalClientScopes) };
      const client = new Client(withResolvedRootUrl(representation, this), scopes, this.baseUrl);
      clients.set(client.clientId, client);
      client.scopeRoles.push(...(this.roles.clients.get(client.clientId)?.values() ?? []));
    }
    if (adminConsole !== undefined)
      clients.get(KEYHOST_ADMIN_CONSOLE)?.scopeRoles.push(...adminConsoleRoles(this.roles, this.name === MASTER_REALM));
    return clients;
  }

  /** Adds the groups and all of their subgroups to `compiled`. */
  #compileGroups(
    groups: readonly GroupRepresentation[],
    parent: Group | undefined,
    compiled: Map<string, Group>,
  ): ReadonlyMap<string, Group> {
    for (const { name, realmRoles, clientRoles, subGroups, attributes = {} } of groups) {
      const path = groupPath(parent?.path ?? '', name);
      // Mappers get these lists themselves, not copies.
      for (const values of Object.values(attributes)) Object.freeze(values);
      const roles = this.roles.find(realmRoles, clientRoles);
      const group: Group = { path: path, parent, roles, attributes: Object.freeze({ ...attributes }) };
      compiled.set(path, group);
      this.#compileGroups(subGroups ?? [], group, compiled);
    }
    return compiled;
  }
}

function compileScopes({ clientScopes = [] }: RealmRepresentation): ReadonlyMap<string, ClientScope> {
  const openIdScopes = clientScopes.filter(({ protocol }) => (protocol ?? 'openid-connect') === 'openid-connect');
  return new Map(openIdScopes.map((scope) => [scope.name, new ClientScope(scope)]));
}

/** Replaces a root URL that is a placeholder, as in Keycloak's built-in clients, by the current address of the host. */
function withResolvedRootUrl(
  client: ClientRepresentation,
  { baseUrl, adminUrl }: Pick<Realm, 'baseUrl' | 'adminUrl'>,
): ClientRepresentation {
  if (client.rootUrl === AUTH_BASE_URL) return { ...client, rootUrl: baseUrl };
  return client.rootUrl === AUTH_ADMIN_URL ? { ...client, rootUrl: adminUrl } : client;
}

function parseSslRequired(value: string | undefined): Realm['sslRequired'] {
  const lower = (value ?? 'external').toLowerCase();
  return lower === 'none' || lower === 'all' ? lower : 'external';
}

function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
