import { hash, timingSafeEqual } from 'node:crypto';
import type { ClientView } from '@keyhost/spi';
import { ClientAddresses } from './client-addresses.js';
import { type ClientScope, type MapperModel, mapperModels } from './client-scope.js';
import { hasCome, openAttributes, rotatedSecret, SECRET, usableSecret } from './client-secrets.js';
import { ClientSettings } from './client-settings.js';
import { ClientSigning } from './client-signing.js';
import { defined } from './defined.js';
import { pairwiseSubject } from './pairwise-subject.js';
import type { ClientRepresentation, ImpersonationRepresentation } from './representation.js';
import type { Role } from './roles.js';
import { runsScript } from './script-address.js';
import { vaultKey } from './vault-reference.js';

/** The scopes that a `scope` parameter selects for one client. */
export interface ScopeSelection {
  /** False when a word is neither `openid` nor a scope that this client may have. */
  readonly valid: boolean;
  /** The token's `scope`: `openid` first, then scopes that are shown. */
  readonly displayed: string;
  /** All of them, for a refresh token: hidden ones such as `basic` included. */
  readonly full: string;
  readonly openid: boolean;
  readonly offline: boolean;
  readonly scopes: readonly ClientScope[];
  /** Those of `scopes` that are mapped to roles: `permittedScope` checks them. */
  readonly forRoles: readonly ClientScope[];
  readonly mappers: readonly MapperModel[];
}

const NO_SCOPES: readonly ClientScope[] = Object.freeze([]);

/** Scope parameters remembered per client; a client that sends ever new ones costs this much memory. */
const REMEMBERED_SELECTIONS = 100;

/** A client, compiled when its realm loads: nothing of this is worked out per request. */
export class Client {
  readonly id: string;
  readonly clientId: string;
  readonly enabled: boolean;
  readonly protocol: string;
  readonly publicClient: boolean;
  readonly bearerOnly: boolean;
  readonly consentRequired: boolean;
  /** Shown on the account page even to users who do not use it. */
  readonly alwaysDisplayInConsole: boolean;
  readonly standardFlowEnabled: boolean;
  /** True if the browser loads a frame of the application to sign out. */
  readonly frontchannelLogout: boolean;
  readonly directAccessGrantsEnabled: boolean;
  readonly serviceAccountsEnabled: boolean;
  /** True when devices may ask users for tokens in its name (RFC 8628). */
  readonly deviceGrantEnabled: boolean;
  /** Keycloak's `client-secret`, `client-jwt` or `client-secret-jwt`. */
  readonly authenticatorType: string;
  readonly fullScopeAllowed: boolean;
  /** Seconds since the epoch; 0: none. */
  readonly notBefore: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly settings: ClientSettings;
  readonly signing: ClientSigning;
  readonly addresses: ClientAddresses;
  readonly redirectUris: readonly string[];
  /** Without a trailing slash; '' without one. */
  readonly rootUrl: string;
  /** Scheme, host and port of the host, the base of URLs without a root. '' until the first request. */
  readonly hostOrigin: string;
  /** The application's home page, to which pages link back. */
  readonly baseUrl: string | undefined;
  readonly name: string | undefined;
  /** Resolved: `+` became the origins of the redirect URIs. `*` allows any. */
  readonly webOrigins: ReadonlySet<string>;
  readonly webOriginList: readonly string[];
  /** Ids or aliases of flows that come before the realm's, by Keycloak's names of the bindings. */
  readonly flowOverrides: Readonly<Record<string, string>>;
  readonly impersonation: Required<ImpersonationRepresentation> | undefined;
  readonly defaultScopes: readonly ClientScope[];
  readonly optionalScopes: readonly ClientScope[];
  /** In seconds, from the attributes; 0: the realm's. A negative `accessToken` lasts as long as the session. */
  readonly lifespans: { readonly accessToken: number; readonly sessionIdle: number; readonly sessionMax: number };
  readonly view: ClientView;
  /** This client's own roles and its scope mappings: what its tokens may show unless `fullScopeAllowed`. */
  readonly scopeRoles: Role[] = [];
  /** `${vault.KEY}` if a vault has the secret; undefined if the client has its own, or none. */
  readonly secretReference: string | undefined;
  readonly #secret: string | undefined;
  readonly #secretDigest: Buffer | undefined;
  readonly #rotatedSecret: string | undefined;
  readonly #mappers: readonly MapperModel[];
  readonly #pairwise: ((userId: string) => string) | undefined;
  readonly #selections = new Map<string, ScopeSelection>();
  /** Selections without refused client scopes. */
  readonly #reduced = new Map<string, ScopeSelection>();

  constructor(
    representation: ClientRepresentation,
    scopes: { default: readonly ClientScope[]; optional: readonly ClientScope[] },
    hostUrl: string,
  ) {
    const r = representation;
    this.hostOrigin = URL.canParse(hostUrl) ? new URL(hostUrl).origin : '';
    this.id = r.id ?? r.clientId;
    this.clientId = r.clientId;
    this.enabled = r.enabled ?? true;
    this.protocol = r.protocol ?? 'openid-connect';
    this.publicClient = r.publicClient ?? false;
    this.bearerOnly = r.bearerOnly ?? false;
    this.consentRequired = r.consentRequired ?? false;
    this.alwaysDisplayInConsole = r.alwaysDisplayInConsole === true;
    this.frontchannelLogout = r.frontchannelLogout === true;
    this.standardFlowEnabled = r.standardFlowEnabled ?? true;
    this.directAccessGrantsEnabled = r.directAccessGrantsEnabled ?? false;
    this.serviceAccountsEnabled = r.serviceAccountsEnabled ?? false;
    this.authenticatorType = this.publicClient ? 'client-secret' : (r.clientAuthenticatorType ?? 'client-secret');
    this.fullScopeAllowed = r.fullScopeAllowed ?? true;
    this.notBefore = r.notBefore ?? 0;
    this.attributes = r.attributes ?? {};
    this.settings = new ClientSettings(this.attributes);
    this.signing = new ClientSigning(this.attributes);
    this.deviceGrantEnabled =
      !this.bearerOnly && this.attributes['oauth2.device.authorization.grant.enabled'] === 'true';
    this.redirectUris = r.redirectUris ?? [];
    this.rootUrl = (r.rootUrl ?? '').replace(/\/$/, '');
    this.addresses = new ClientAddresses(this.rootUrl, this.attributes);
    const baseUrl = r.baseUrl?.startsWith('/') ? `${this.rootUrl}${r.baseUrl}` : r.baseUrl || undefined;
    // Realms of older versions may store one; programs that read it from the Account REST API make links of it.
    this.baseUrl = baseUrl !== undefined && runsScript(baseUrl) ? undefined : baseUrl;
    this.name = r.name;
    this.webOrigins = resolveWebOrigins(r, this.hostOrigin);
    this.webOriginList = Object.freeze([...this.webOrigins]);
    this.flowOverrides = r.authenticationFlowBindingOverrides ?? {};
    this.impersonation = impersonationOf(r);
    this.defaultScopes = scopes.default;
    this.optionalScopes = scopes.optional;
    this.lifespans = {
      accessToken: seconds(this.attributes['access.token.lifespan']),
      sessionIdle: seconds(this.attributes['client.session.idle.timeout']),
      sessionMax: seconds(this.attributes['client.session.max.lifespan']),
    };
    this.secretReference = vaultKey(r.secret) === undefined ? undefined : r.secret;
    // The text of a reference is no secret.
    this.#secret = this.secretReference === undefined ? usableSecret(r.secret) : undefined;
    this.#secretDigest = this.#secret === undefined ? undefined : digest(this.#secret);
    this.#rotatedSecret = rotatedSecret(this.attributes);
    this.#mappers = mapperModels(r.protocolMappers);
    this.#pairwise = pairwiseSubject(r, [...this.#mappers, ...scopes.default.flatMap(({ mappers }) => mappers)]);
    this.view = Object.freeze({
      id: this.id,
      clientId: this.clientId,
      ...defined({ name: r.name }),
      enabled: this.enabled,
      publicClient: this.publicClient,
      bearerOnly: this.bearerOnly,
      serviceAccountsEnabled: this.serviceAccountsEnabled,
      attributes: Object.freeze(openAttributes(this.attributes)),
    });
  }

  /** True when a secret is stored at all. */
  get hasSecret(): boolean {
    return this.#secretDigest !== undefined || this.secretReference !== undefined;
  }

  /**
   * The secrets that are good now, for the HMAC of `client_secret_jwt` and for nothing else.
   * @param now milliseconds
   * @param own the one that `secretReference` leads to
   */
  hmacSecrets(now: number, own = this.#secret): string[] {
    const { [SECRET.expiresAt]: expiresAt, [SECRET.rotatedExpiresAt]: rotatedExpiresAt } = this.attributes;
    return [
      ...(own === undefined || hasCome(expiresAt, now) ? [] : [own]),
      ...(this.#rotatedSecret === undefined || hasCome(rotatedExpiresAt, now) ? [] : [this.#rotatedSecret]),
    ];
  }

  /**
   * Compares in constant time, with the current and the previous secret. False if none is stored, or it has expired.
   * @param now milliseconds since the epoch
   * @param own the secret that `secretReference` resolves to
   */
  secretMatches(secret: string, now: number, own?: string): boolean {
    const sent = digest(secret);
    const kept = own === undefined ? this.#secretDigest : digest(own);
    const isIt = timingSafeEqual(sent, kept ?? NO_SECRET) && kept !== undefined;
    if (isIt) return !hasCome(this.attributes[SECRET.expiresAt], now);
    if (this.#rotatedSecret === undefined || hasCome(this.attributes[SECRET.rotatedExpiresAt], now)) return false;
    return timingSafeEqual(sent, digest(this.#rotatedSecret));
  }

  /** True if the client gets subjects that no other client gets. */
  get hasPairwiseSubjects(): boolean {
    return this.#pairwise !== undefined;
  }

  /** The `sub` of this user in everything that this client receives. */
  subjectOf(userId: string): string {
    return this.#pairwise === undefined ? userId : this.#pairwise(userId);
  }

  /** True if the subject means this user: the client's pairwise subject, or the user's ID. */
  matchesSubject(subject: unknown, userId: string): boolean {
    return subject === userId || subject === this.subjectOf(userId);
  }

  /** The client's own mappers, and those of these client scopes. */
  mappersWith(scopes: readonly ClientScope[]): readonly MapperModel[] {
    return [...this.#mappers, ...scopes.flatMap(({ mappers }) => mappers)];
  }

  /**
   * Default scopes always apply, optional ones if named, and a dynamic one if a word matches its pattern. Tokens of a
   * user use `permittedScope`, which also checks the user's roles.
   * @param refused client scopes to leave out, as if the request did not name them
   */
  selectScope(parameter: string | undefined, refused = NO_SCOPES): ScopeSelection {
    const words = parameter ?? '';
    const isWhole = refused.length === 0;
    const [selections, key] = isWhole
      ? ([this.#selections, words] as const)
      : ([this.#reduced, JSON.stringify([words, ...refused.map(({ id }) => id)])] as const);
    const known = selections.get(key);
    if (known !== undefined) return known;
    const selection = this.#select(new Set(words.split(' ').filter((word) => word !== '')), refused);
    if (selections.size >= REMEMBERED_SELECTIONS) selections.clear();
    selections.set(key, selection);
    return selection;
  }

  /** Restricts a selection to these scopes, by name; `openid` is one of them. */
  withinScopes({ valid, openid, offline, ...selected }: ScopeSelection, names: readonly string[]): ScopeSelection {
    const keep = (scope: string) =>
      scope
        .split(' ')
        .filter((word) => names.includes(word))
        .join(' ');
    const scopes = selected.scopes.filter(({ name }) => names.includes(name));
    return {
      valid,
      displayed: keep(selected.displayed),
      full: keep(selected.full),
      openid: openid && names.includes('openid'),
      offline: offline && names.includes('offline_access'),
      scopes,
      forRoles: scopes.filter(({ roles }) => roles.length > 0),
      mappers: this.mappersWith(scopes),
    };
  }

  #select(words: Set<string>, refused: readonly ClientScope[]): ScopeSelection {
    const openid = words.delete('openid');
    const scopes = new Set<ClientScope>();
    const displayed: string[] = openid ? ['openid'] : [];
    const full: string[] = openid ? ['openid'] : [];
    const add = (scope: ClientScope, word: string) => {
      if (refused.includes(scope)) return;
      scopes.add(scope);
      if (scope.includeInTokenScope && !displayed.includes(word)) displayed.push(word);
      if (!full.includes(word)) full.push(word);
    };
    for (const scope of this.defaultScopes) if (scope.pattern === undefined) add(scope, scope.name);
    let valid = true;
    for (const word of words) {
      const scope = [...this.defaultScopes, ...this.optionalScopes].find((candidate) => candidate.matches(word));
      if (scope === undefined) valid = false;
      else add(scope, word);
    }
    return {
      valid,
      displayed: displayed.join(' '),
      full: full.join(' '),
      openid,
      offline: words.has('offline_access'),
      scopes: [...scopes],
      forRoles: [...scopes].filter(({ roles }) => roles.length > 0),
      mappers: this.mappersWith([...scopes]),
    };
  }
}

const NO_SECRET = Buffer.alloc(32);

function impersonationOf({ impersonation }: ClientRepresentation): Client['impersonation'] {
  if (impersonation?.enabled !== true) return undefined;
  const { scopes = [], audiences = [], subjects = 'unprivileged' } = impersonation;
  return { enabled: true, scopes, audiences, subjects };
}

function seconds(attribute: string | undefined): number {
  const value = Number(attribute ?? 0);
  return Number.isFinite(value) ? value : 0;
}

function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Origins as browsers write them: in lower case, and without the port that a scheme has by default. */
function resolveWebOrigins(
  { webOrigins, redirectUris, rootUrl }: ClientRepresentation,
  hostOrigin: string,
): ReadonlySet<string> {
  const origins = new Set<string>();
  for (const origin of webOrigins ?? []) {
    if (origin !== '+') {
      origins.add(origin);
      continue;
    }
    for (const uri of redirectUris ?? []) {
      const absolute = uri.startsWith('/') ? rootUrl || hostOrigin : uri;
      const parsed = URL.canParse(absolute) ? new URL(absolute) : undefined;
      if (parsed !== undefined && parsed.origin !== 'null') origins.add(parsed.origin);
    }
  }
  return origins;
}
