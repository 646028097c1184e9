import type { ClientScopeRepresentation, ProtocolMapperRepresentation } from './representation.js';
import { type Role, RoleGraph } from './roles.js';

/** A protocol mapper of the realm file, with its flags read. */
export interface MapperModel {
  readonly name: string;
  /** The id of the ProtocolMapper provider. */
  readonly providerId: string;
  readonly config: Readonly<Record<string, string>>;
  readonly inAccessToken: boolean;
  readonly inLightweightToken: boolean;
  readonly inIdToken: boolean;
  readonly inUserinfo: boolean;
  readonly inIntrospection: boolean;
  /** It adds a member to the token endpoint's answer. */
  readonly inResponse: boolean;
}

type Place = 'access' | 'id' | 'userinfo' | 'introspection' | 'response';

const OF_CLAIMS: readonly Place[] = ['access', 'id', 'userinfo', 'introspection'];
/** Keycloak's mappers with fixed places, which their flags do not change. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'oidc-acr-mapper': ['access', 'id', 'introspection'],
  'oidc-amr-mapper': ['access', 'id'],
  'oidc-audience-mapper': ['access', 'id', 'introspection'],
  'oidc-audience-resolve-mapper': ['access', 'introspection'],
  'oidc-allowed-origins-mapper': ['access', 'introspection'],
  'oidc-sub-mapper': ['access', 'introspection'],
  'oidc-claims-param-value-idtoken-mapper': ['id'],
  'oidc-hardcoded-claim-mapper': [...OF_CLAIMS, 'response'],
  'oidc-usersessionmodel-note-mapper': [...OF_CLAIMS, 'response'],
};
/** It has no flags: what it is for is the access token. */
const ALWAYS_IN_ACCESS = 'oidc-nonce-backwards-compatible-mapper';
/** Early versions had no flags for these, so they add their claims if a flag is missing. */
const WITHOUT_FLAGS = ['oidc-audience-resolve-mapper', 'oidc-allowed-origins-mapper'];

/**
 * Keycloak's defaults: a mapper without a flag adds nothing there. Introspection follows the access token, and userinfo
 * follows the ID token. An option with an empty value counts as unset.
 */
function mapperModel({ name, protocolMapper, config: given = {} }: ProtocolMapperRepresentation): MapperModel {
  const config = Object.freeze(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')));
  const places = Object.hasOwn(PLACES, protocolMapper) ? (PLACES[protocolMapper] ?? OF_CLAIMS) : OF_CLAIMS;
  const isSet = (flag: string, other?: string) => (config[flag] ?? other) === 'true';
  const standard = WITHOUT_FLAGS.includes(protocolMapper) ? 'true' : undefined;
  return {
    name,
    providerId: protocolMapper,
    config,
    inAccessToken:
      protocolMapper === ALWAYS_IN_ACCESS || (places.includes('access') && isSet('access.token.claim', standard)),
    inLightweightToken:
      protocolMapper === ALWAYS_IN_ACCESS || (places.includes('access') && isSet('lightweight.claim')),
    inIdToken: places.includes('id') && isSet('id.token.claim'),
    inUserinfo: places.includes('userinfo') && isSet('userinfo.token.claim', config['id.token.claim']),
    inIntrospection:
      places.includes('introspection') && isSet('introspection.token.claim', standard ?? config['access.token.claim']),
    inResponse: places.includes('response') && isSet('access.tokenResponse.claim'),
  };
}

/**
 * True if tokens use the mapper. Mappers of another protocol, such as `saml`, have no effect on tokens, as in Keycloak.
 * A mapper without a protocol belongs to OpenID Connect.
 */
export function appliesToTokens({
  protocol = 'openid-connect',
}: Pick<ProtocolMapperRepresentation, 'protocol'>): boolean {
  return protocol === 'openid-connect';
}

/** The mappers of a client or client scope with which tokens are made. */
export function mapperModels(mappers: readonly ProtocolMapperRepresentation[] = []): MapperModel[] {
  return mappers.filter(appliesToTokens).map(mapperModel);
}

/** The text that `*` matches in a dynamic scope and in an `impersonation` entry. */
const WILDCARD = /^[A-Za-z0-9._-]{1,64}$/;

/** True when `value` is `pattern`, or is its part before a trailing `*` followed by 1–64 of `[A-Za-z0-9._-]`. */
export function matchesScopePattern(pattern: string, value: string): boolean {
  if (!pattern.endsWith('*')) return pattern === value;
  const prefix = pattern.slice(0, -1);
  return value.startsWith(prefix) && WILDCARD.test(value.slice(prefix.length));
}

/** A client scope, ready for token requests. */
export class ClientScope {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** Set on a dynamic scope, such as `newsletterscope*`: only values that match it can be asked for. */
  readonly pattern: string | undefined;
  /** If false, the token's `scope` does not contain the name. */
  readonly includeInTokenScope: boolean;
  /** If false, `scopes_supported` of the discovery document does not contain the name. */
  readonly includeInMetadata: boolean;
  /** The text of the consent page: plain, or `${key}` of a message. */
  readonly consentText: string;
  /** If false, users are not asked to consent to it. */
  readonly asksForConsent: boolean;
  /** Position on the consent page; scopes without one come last. */
  readonly guiOrder: number;
  readonly mappers: readonly MapperModel[];
  /**
   * Roles that a token with this scope may contain. If there are any, only users with one of them get the scope. Filled
   * when the realm is compiled.
   */
  readonly roles: Role[] = [];
  #expanded: ReadonlySet<Role> | undefined;

  constructor(representation: ClientScopeRepresentation) {
    this.id = representation.id ?? representation.name;
    this.name = representation.name;
    this.description = representation.description;
    this.attributes = representation.attributes ?? {};
    this.pattern =
      this.attributes['is.dynamic.scope'] === 'true'
        ? (this.attributes['dynamic.scope.regexp'] ?? `${representation.name}*`)
        : undefined;
    this.includeInTokenScope = this.attributes['include.in.token.scope'] !== 'false';
    this.includeInMetadata = this.attributes['include.in.openid.provider.metadata'] !== 'false';
    this.consentText = this.attributes['consent.screen.text'] || this.name;
    this.asksForConsent = (this.attributes['display.on.consent.screen'] ?? 'true') === 'true';
    const order = this.attributes['gui.order'] ?? '';
    this.guiOrder = /^\d{1,9}$/.test(order) ? Number(order) : Number.POSITIVE_INFINITY;
    this.mappers = mapperModels(representation.protocolMappers);
  }

  /** The roles and all roles that they contain. */
  get expandedRoles(): ReadonlySet<Role> {
    this.#expanded ??= RoleGraph.expand(this.roles);
    return this.#expanded;
  }

  /** True when this scope is what the word of a scope parameter asks for. */
  matches(word: string): boolean {
    return this.pattern === undefined ? this.name === word : matchesScopePattern(this.pattern, word);
  }
}
