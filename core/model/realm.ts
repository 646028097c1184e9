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

/** `[A-Za-z0-9._-]{1,64}`, but not `.` or `..`. */
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
  /** Maximum lifespan of a session that a client started for a user by naked impersonation; 0: as of other logins. */
  readonly impersonatedMax: number;
}

/** The realm attribute with that lifespan, in seconds. */
export const IMPERSONATED_SESSION_LIFESPAN = 'keyhost.impersonated.session.max.lifespan';

/** Maximum lifespan of an action token, in seconds. A link in a mailbox must not work longer. */
export const MAX_ACTION_TOKEN_LIFESPAN = 30 * 86_400;

export interface Group {
  /** Path of the group, by which users refer to it. */
  readonly path: string;
  readonly roles: readonly Role[];
  readonly parent: Group | undefined;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** The realm whose admins administer all other realms. */
export const MASTER_REALM = 'master';

/** A realm as requests see it: compiled from its representation, immutable, one object per version. */
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
  /** In seconds; 0: they do not expire. */
  readonly eventsExpiration: number;
  readonly eventsListeners: readonly string[];
  /** Empty: Keycloak's default set. */
  readonly enabledEventTypes: ReadonlySet<string>;
  readonly bruteForceProtected: boolean;
  /** Keycloak's brute-force settings; times in seconds unless stated otherwise. */
  readonly bruteForce: {
    readonly failureFactor: number;
    readonly maxDeltaTimeSeconds: number;
    readonly waitIncrementSeconds: number;
    readonly maxFailureWaitSeconds: number;
    readonly permanentLockout: boolean;
    /** Number of temporary lockouts before a permanent one; 0: it is never permanent. */
    readonly maxTemporaryLockouts: number;
    readonly bruteForceStrategy: 'MULTIPLE' | 'LINEAR';
    /** Milliseconds. Two failures within them lock for `minimumQuickLoginWaitSeconds`. */
    readonly quickLoginCheckMilliSeconds: number;
    readonly minimumQuickLoginWaitSeconds: number;
    /** More wrong second factors than this disable the user; 0: none do. */
    readonly maxSecondaryAuthFailures: number;
  };
  readonly roles: RoleGraph;
  /** By their places. */
  readonly groups: ReadonlyMap<string, Group>;
  /** By name. */
  readonly scopes: ReadonlyMap<string, ClientScope>;
  /** By `clientId`. */
  readonly clients: ReadonlyMap<string, Client>;
  readonly clientsById: ReadonlyMap<string, Client>;
  /** `clientId`s of clients that are disabled: no token is for them. */
  readonly disabledClients: ReadonlySet<string>;
  readonly representation: RealmRepresentation;
  /** The address of the host, in front of `/realms/{realm}`. */
  readonly baseUrl: string;
  /** The address before `/admin`. It differs from `baseUrl` if the admin console has an origin of its own. */
  readonly adminUrl: string;
  /** The realm's address; also its tokens' `iss`. */
  readonly issuer: string;
  readonly settings: RealmSettings;
  readonly view: RealmView;
  /** Values that modules derive once per realm version, by their own keys. */
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
    this.sslRequired = sslRequired(r.sslRequired);
    this.notBefore = r.notBefore ?? 0;
    this.defaultSignatureAlgorithm = r.defaultSignatureAlgorithm || 'RS256';
    this.revokeRefreshToken = r.revokeRefreshToken ?? false;
    this.refreshTokenMaxReuse = r.refreshTokenMaxReuse ?? 0;
    // If several users share an address, it does not identify one of them.
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
    this.scopes = scopesOf(r);
    this.baseUrl = baseUrl;
    this.adminUrl = adminUrl;
    this.clients = this.#clientsOf(r);
    this.clientsById = new Map([...this.clients.values()].map((client) => [client.id, client]));
    this.disabledClients = new Set(
      [...this.clients.values()].filter(({ enabled }) => !enabled).map((one) => one.clientId),
    );
    this.#mapScopes(r);
    this.groups = this.#groupsOf(r.groups ?? [], undefined, new Map());
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
    const ofSpi = own(this.representation.providers, spi);
    return own(ofSpi, id);
  }

  /** The realm file's `components.<type>`; undefined if it does not declare them. */
  components(type: string): readonly ComponentRepresentation[] | undefined {
    return own(this.representation.components, type);
  }

  /** The realm file's `actionTokenPolicy.<type>`. */
  actionTokenRule(type: string): ActionTokenRule | undefined {
    return own(this.representation.actionTokenPolicy, type);
  }

  /** The place of the group that a path leads to: paths of two groups may be alike. */
  groupPlace(path: string): string | undefined {
    return this.groups.has(path) ? path : findGroupPath(this.representation.groups, path);
  }

  /** The value that a module derives from this realm version, made on first use. */
  derive<T>(key: symbol, make: (realm: Realm) => T): T {
    if (!this.#derived.has(key)) this.#derived.set(key, make(this));
    return this.#derived.get(key) as T;
  }

  #mapScopes(r: RealmRepresentation): void {
    const add = (entry: { client?: string; clientScope?: string }, roles: readonly Role[]) => {
      if (entry.client !== undefined) this.clients.get(entry.client)?.scopeRoles.push(...roles);
      if (entry.clientScope !== undefined) this.scopes.get(entry.clientScope)?.roles.push(...roles);
    };
    for (const entry of r.scopeMappings ?? []) add(entry, this.roles.find(entry.roles));
    for (const [clientId, entries] of Object.entries(r.clientScopeMappings ?? {})) {
      for (const entry of entries) add(entry, this.roles.find([], { [clientId]: entry.roles }));
    }
  }

  #clientsOf(r: RealmRepresentation): ReadonlyMap<string, Client> {
    const byName = (names: readonly string[] | undefined) =>
      (names ?? []).map((name) => this.scopes.get(name)).filter((scope) => scope !== undefined);
    const clients = new Map<string, Client>();
    const adminConsole = adminConsoleClient(this.id, r);
    for (const representation of [...(r.clients ?? []), ...(adminConsole === undefined ? [] : [adminConsole])]) {
      const names = clientScopeNames(representation, r);
      const scopes = { default: byName(names.defaultClientScopes), optional: byName(names.optionalClientScopes) };
      const client = new Client(atHost(representation, this), scopes, this.baseUrl);
      clients.set(client.clientId, client);
      client.scopeRoles.push(...(this.roles.clients.get(client.clientId)?.values() ?? []));
    }
    if (adminConsole !== undefined)
      clients.get(KEYHOST_ADMIN_CONSOLE)?.scopeRoles.push(...adminConsoleRoles(this.roles, this.name === MASTER_REALM));
    return clients;
  }

  /** The groups and those below them, added to `found`. */
  #groupsOf(
    groups: readonly GroupRepresentation[],
    parent: Group | undefined,
    found: Map<string, Group>,
  ): ReadonlyMap<string, Group> {
    for (const { name, realmRoles, clientRoles, subGroups, attributes = {} } of groups) {
      const place = groupPath(parent?.path ?? '', name);
      // Mappers share these lists with the realm.
      for (const values of Object.values(attributes)) Object.freeze(values);
      const roles = this.roles.find(realmRoles, clientRoles);
      const group: Group = { path: place, parent, roles, attributes: Object.freeze({ ...attributes }) };
      found.set(place, group);
      this.#groupsOf(subGroups ?? [], group, found);
    }
    return found;
  }
}

function scopesOf({ clientScopes = [] }: RealmRepresentation): ReadonlyMap<string, ClientScope> {
  const own = clientScopes.filter(({ protocol }) => (protocol ?? 'openid-connect') === 'openid-connect');
  return new Map(own.map((scope) => [scope.name, new ClientScope(scope)]));
}

/** Resolves the root URLs of Keycloak's built-in clients against the host's present addresses. */
function atHost(
  client: ClientRepresentation,
  { baseUrl, adminUrl }: Pick<Realm, 'baseUrl' | 'adminUrl'>,
): ClientRepresentation {
  if (client.rootUrl === AUTH_BASE_URL) return { ...client, rootUrl: baseUrl };
  return client.rootUrl === AUTH_ADMIN_URL ? { ...client, rootUrl: adminUrl } : client;
}

function sslRequired(value: string | undefined): Realm['sslRequired'] {
  const lower = (value ?? 'external').toLowerCase();
  return lower === 'none' || lower === 'all' ? lower : 'external';
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
