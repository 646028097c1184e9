import { timingSafeEqual } from 'node:crypto';
import type { ClientView } from '@keyhost/spi';
import { ClientAddresses } from './client-addresses.js';
import { type ClientScope, type MapperModel, mapperModels } from './client-scope.js';
import { attributesForPlugins, isPast, rotatedSecret, SECRET_ATTRIBUTES, usableSecret } from './client-secrets.js';
import { ClientSettings } from './client-settings.js';
import { ClientSigning } from './client-signing.js';
import { defined } from './defined.js';
import { pairwiseSubject } from './pairwise-subject.js';
import type { ClientRepresentation, ImpersonationRepresentation } from './representation.js';
import type { Role } from './roles.js';
import { secretDigest } from './same-secret.js';
import { isScriptAddress } from './script-address.js';
import { vaultKey } from './vault-reference.js';

/** The scopes that a `scope` parameter selects for one client. */
export interface ScopeSelection {
  /** False if a word is neither `openid` nor a scope that this client may have. */
  readonly isValid: boolean;
  /** The token's `scope`: `openid` first, then the names of the client scopes with `includeInTokenScope`. */
  readonly tokenScope: string;
  /** The scope of a refresh token: like `tokenScope`, but with the names of all client scopes, such as `basic`. */
  readonly fullScope: string;
  readonly openid: boolean;
  readonly offline: boolean;
  readonly scopes: readonly ClientScope[];
  /** The members of `scopes` that have role mappings, which `selectPermittedScope` checks. */
  readonly scopesWithRoles: readonly ClientScope[];
  readonly mappers: readonly MapperModel[];
}

const NO_SCOPES: readonly ClientScope[] = Object.freeze([]);

/**
 * Maximum number of cached selections per client, which limits the memory that a client can use by sending many `scope`
 * parameters.
 */
const MAX_CACHED_SELECTIONS = 100;

/** A client of a realm. Its members are computed when the realm is loaded, and not by each request. */
export class Client {
  readonly id: string;
  readonly clientId: string;
  readonly enabled: boolean;
  readonly protocol: string;
  readonly publicClient: boolean;
  readonly bearerOnly: boolean;
  readonly consentRequired: boolean;
  /** True if the account page lists the client even for users who do not use it. */
  readonly alwaysDisplayInConsole: boolean;
  readonly standardFlowEnabled: boolean;
  /** True if the browser loads a frame of the application to sign out. */
  readonly frontchannelLogout: boolean;
  readonly directAccessGrantsEnabled: boolean;
  readonly serviceAccountsEnabled: boolean;
  /** True if the client may use the device authorization grant (RFC 8628). */
  readonly deviceGrantEnabled: boolean;
  /** Keycloak's `client-secret`, `client-jwt` or `client-secret-jwt`. */
  readonly authenticatorType: string;
  readonly fullScopeAllowed: boolean;
  /** Tokens issued before this time are invalid; in seconds since the epoch. 0 invalidates none. */
  readonly notBefore: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly settings: ClientSettings;
  readonly signing: ClientSigning;
  readonly addresses: ClientAddresses;
  readonly redirectUris: readonly string[];
  /** The root URL without a trailing slash; '' if there is none. */
  readonly rootUrl: string;
  /**
   * Scheme, host and port of the host: the base of relative URLs if the client has no root URL. '' until the first
   * request.
   */
  readonly hostOrigin: string;
  /** The application's home page, to which pages link back. */
  readonly baseUrl: string | undefined;
  readonly name: string | undefined;
  /** Allowed web origins (CORS), with `+` replaced by the origins of the redirect URIs. `*` allows any origin. */
  readonly webOrigins: ReadonlySet<string>;
  readonly webOriginList: readonly string[];
  /** IDs or aliases of flows that replace the realm's, keyed by Keycloak's names of the bindings. */
  readonly flowOverrides: Readonly<Record<string, string>>;
  readonly impersonation: Required<ImpersonationRepresentation> | undefined;
  readonly defaultScopes: readonly ClientScope[];
  readonly optionalScopes: readonly ClientScope[];
  /**
   * Lifespans in seconds, from the attributes; 0 means the realm's. If `accessToken` is negative, access tokens live as
   * long as the session.
   */
  readonly lifespans: { readonly accessToken: number; readonly sessionIdle: number; readonly sessionMax: number };
  readonly view: ClientView;
  /**
   * The roles of the client, and those of its scope mappings. Its tokens contain no other roles unless
   * `fullScopeAllowed` is true.
   */
  readonly scopeRoles: Role[] = [];
  /** `${vault.KEY}` if a vault holds the secret; otherwise undefined. */
  readonly secretReference: string | undefined;
  readonly #secret: string | undefined;
  readonly #secretDigest: Buffer | undefined;
  readonly #rotatedSecret: string | undefined;
  readonly #mappers: readonly MapperModel[];
  readonly #toPairwiseSubject: ((userId: string) => string) | undefined;
  readonly #selections = new Map<string, ScopeSelection>();
  /** Selections that exclude some client scopes. */
  readonly #restrictedSelections = new Map<string, ScopeSelection>();

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
    // A realm that an older version stored may have a URL that runs a script. Programs that read it from the Account
    // REST API would link to it.
    this.baseUrl = baseUrl !== undefined && isScriptAddress(baseUrl) ? undefined : baseUrl;
    this.name = r.name;
    this.webOrigins = resolveWebOrigins(r, this.hostOrigin);
    this.webOriginList = Object.freeze([...this.webOrigins]);
    this.flowOverrides = r.authenticationFlowBindingOverrides ?? {};
    this.impersonation = parseImpersonation(r);
    this.defaultScopes = scopes.default;
    this.optionalScopes = scopes.optional;
    this.lifespans = {
      accessToken: parseSeconds(this.attributes['access.token.lifespan']),
      sessionIdle: parseSeconds(this.attributes['client.session.idle.timeout']),
      sessionMax: parseSeconds(this.attributes['client.session.max.lifespan']),
    };
    this.secretReference = vaultKey(r.secret) === undefined ? undefined : r.secret;
    // A vault reference is not itself a secret.
    this.#secret = this.secretReference === undefined ? usableSecret(r.secret) : undefined;
    this.#secretDigest = this.#secret === undefined ? undefined : secretDigest(this.#secret);
    this.#rotatedSecret = rotatedSecret(this.attributes);
    this.#mappers = mapperModels(r.protocolMappers);
    this.#toPairwiseSubject = pairwiseSubject(r, [
      ...this.#mappers,
      ...scopes.default.flatMap(({ mappers }) => mappers),
    ]);
    this.view = Object.freeze({
      id: this.id,
      clientId: this.clientId,
      ...defined({ name: r.name }),
      enabled: this.enabled,
      publicClient: this.publicClient,
      bearerOnly: this.bearerOnly,
      serviceAccountsEnabled: this.serviceAccountsEnabled,
      attributes: Object.freeze(attributesForPlugins(this.attributes)),
    });
  }

  /** True if the client has a secret, in the realm or in a vault. */
  get hasSecret(): boolean {
    return this.#secretDigest !== undefined || this.secretReference !== undefined;
  }

  /**
   * Returns the secrets that are valid now. Use them only for the HMAC of `client_secret_jwt`.
   * @param now milliseconds since the epoch
   * @param resolvedSecret the secret that `secretReference` resolves to
   */
  hmacSecrets(now: number, resolvedSecret = this.#secret): string[] {
    const { [SECRET_ATTRIBUTES.expiresAt]: expiresAt, [SECRET_ATTRIBUTES.rotatedExpiresAt]: rotatedExpiresAt } =
      this.attributes;
    return [
      ...(resolvedSecret === undefined || isPast(expiresAt, now) ? [] : [resolvedSecret]),
      ...(this.#rotatedSecret === undefined || isPast(rotatedExpiresAt, now) ? [] : [this.#rotatedSecret]),
    ];
  }

  /**
   * Compares in constant time with the current and the previous secret. Returns false if none is stored or it has
   * expired.
   * @param now milliseconds since the epoch
   * @param resolvedSecret the secret that `secretReference` resolves to
   */
  secretMatches(secret: string, now: number, resolvedSecret?: string): boolean {
    const candidateDigest = secretDigest(secret);
    const storedDigest = resolvedSecret === undefined ? this.#secretDigest : secretDigest(resolvedSecret);
    const isCurrent = timingSafeEqual(candidateDigest, storedDigest ?? NO_SECRET) && storedDigest !== undefined;
    if (isCurrent) return !isPast(this.attributes[SECRET_ATTRIBUTES.expiresAt], now);
    if (this.#rotatedSecret === undefined || isPast(this.attributes[SECRET_ATTRIBUTES.rotatedExpiresAt], now))
      return false;
    return timingSafeEqual(candidateDigest, secretDigest(this.#rotatedSecret));
  }

  /** True if the client has pairwise subjects: no other client gets the same `sub` for a user. */
  get hasPairwiseSubjects(): boolean {
    return this.#toPairwiseSubject !== undefined;
  }

  /** The `sub` of this user in everything that this client receives. */
  subjectOf(userId: string): string {
    return this.#toPairwiseSubject === undefined ? userId : this.#toPairwiseSubject(userId);
  }

  /** True if the subject identifies this user: as the `sub` for this client, or by the user's ID. */
  matchesSubject(subject: unknown, userId: string): boolean {
    return subject === userId || subject === this.subjectOf(userId);
  }

  /** The mappers of the client and of these client scopes. */
  mappersWith(scopes: readonly ClientScope[]): readonly MapperModel[] {
    return [...this.#mappers, ...scopes.flatMap(({ mappers }) => mappers)];
  }

  /**
   * Selects the client scopes of a `scope` parameter. These are all default ones, and the optional ones that it names.
   * Dynamic ones are added if their pattern matches one of its words. For tokens of a user, call
   * `selectPermittedScope`, which also checks the user's roles.
   * @param excluded client scopes to leave out, even default ones
   */
  selectScope(parameter: string | undefined, excluded = NO_SCOPES): ScopeSelection {
    const words = parameter ?? '';
    const isUnrestricted = excluded.length === 0;
    const [selections, key] = isUnrestricted
      ? ([this.#selections, words] as const)
      : ([this.#restrictedSelections, JSON.stringify([words, ...excluded.map(({ id }) => id)])] as const);
    const cached = selections.get(key);
    if (cached !== undefined) return cached;
    const selection = this.#select(new Set(words.split(' ').filter((word) => word !== '')), excluded);
    if (selections.size >= MAX_CACHED_SELECTIONS) selections.clear();
    selections.set(key, selection);
    return selection;
  }

  /** Restricts a selection to the scopes with these names, which may include `openid`. */
  withinScopes({ isValid, openid, offline, ...selection }: ScopeSelection, names: readonly string[]): ScopeSelection {
    const filterScope = (scope: string) =>
      scope
        .split(' ')
        .filter((word) => names.includes(word))
        .join(' ');
    const scopes = selection.scopes.filter(({ name }) => names.includes(name));
    return {
      isValid,
      tokenScope: filterScope(selection.tokenScope),
      fullScope: filterScope(selection.fullScope),
      openid: openid && names.includes('openid'),
      offline: offline && names.includes('offline_access'),
      scopes,
      scopesWithRoles: scopes.filter(({ roles }) => roles.length > 0),
      mappers: this.mappersWith(scopes),
    };
  }

  #select(scopeNames: Set<string>, excluded: readonly ClientScope[]): ScopeSelection {
    const openid = scopeNames.delete('openid');
    const scopes = new Set<ClientScope>();
    const tokenScopes: string[] = openid ? ['openid'] : [];
    const fullScopes: string[] = openid ? ['openid'] : [];
    const add = (scope: ClientScope, word: string) => {
      if (excluded.includes(scope)) return;
      scopes.add(scope);
      if (scope.includeInTokenScope && !tokenScopes.includes(word)) tokenScopes.push(word);
      if (!fullScopes.includes(word)) fullScopes.push(word);
    };
    for (const scope of this.defaultScopes) if (scope.pattern === undefined) add(scope, scope.name);
    let isValid = true;
    for (const word of scopeNames) {
      const scope = [...this.defaultScopes, ...this.optionalScopes].find((candidate) => candidate.matches(word));
      if (scope === undefined) isValid = false;
      else add(scope, word);
    }
    return {
      isValid,
      tokenScope: tokenScopes.join(' '),
      fullScope: fullScopes.join(' '),
      openid,
      offline: scopeNames.has('offline_access'),
      scopes: [...scopes],
      scopesWithRoles: [...scopes].filter(({ roles }) => roles.length > 0),
      mappers: this.mappersWith([...scopes]),
    };
  }
}

const NO_SECRET = Buffer.alloc(64);

function parseImpersonation({ impersonation }: ClientRepresentation): Client['impersonation'] {
  if (impersonation?.enabled !== true) return undefined;
  const { scopes = [], audiences = [], subjects = 'unprivileged' } = impersonation;
  return { enabled: true, scopes, audiences, subjects };
}

function parseSeconds(attribute: string | undefined): number {
  const value = Number(attribute ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/** Returns origins as browsers send them: in lower case, without the scheme's default port. */
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
