import type { ClientScopeRepresentation, ProtocolMapperRepresentation } from './representation.js';
import { type Role, RoleGraph } from './roles.js';

/** A protocol mapper of a client or client scope, with parsed flags. */
export interface MapperModel {
  readonly name: string;
  /** The ID of the ProtocolMapper provider. */
  readonly providerId: string;
  readonly config: Readonly<Record<string, string>>;
  readonly inAccessToken: boolean;
  readonly inLightweightToken: boolean;
  readonly inIdToken: boolean;
  readonly inUserinfo: boolean;
  readonly inIntrospection: boolean;
  /** If true, the mapper adds a member to the response of the token endpoint. */
  readonly inResponse: boolean;
}

type Target = 'access' | 'id' | 'userinfo' | 'introspection' | 'response';

const CLAIM_TARGETS: readonly Target[] = ['access', 'id', 'userinfo', 'introspection'];
/**
 * The targets (tokens and responses) of Keycloak's mappers that support only some. Flags for other targets have no
 * effect.
 */
const FIXED_TARGETS: Readonly<Record<string, readonly Target[]>> = {
  'oidc-acr-mapper': ['access', 'id', 'introspection'],
  'oidc-amr-mapper': ['access', 'id'],
  'oidc-audience-mapper': ['access', 'id', 'introspection'],
  'oidc-audience-resolve-mapper': ['access', 'introspection'],
  'oidc-allowed-origins-mapper': ['access', 'introspection'],
  'oidc-sub-mapper': ['access', 'introspection'],
  'oidc-claims-param-value-idtoken-mapper': ['id'],
  'oidc-hardcoded-claim-mapper': [...CLAIM_TARGETS, 'response'],
  'oidc-usersessionmodel-note-mapper': [...CLAIM_TARGETS, 'response'],
};
/** The mapper that has no flags, and always adds its claim to access tokens. */
const NONCE_MAPPER = 'oidc-nonce-backwards-compatible-mapper';
/** Early Keycloak versions had no flags for these mappers, so a missing flag counts as true. */
const MAPPERS_ON_BY_DEFAULT = ['oidc-audience-resolve-mapper', 'oidc-allowed-origins-mapper'];

/**
 * Converts a mapper with Keycloak's defaults: a mapper adds nothing to a target without its flag. The flag for
 * introspection defaults to that for access tokens, and the flag for userinfo to that for ID tokens. An option with an
 * empty value counts as unset.
 */
function toMapperModel({ name, protocolMapper, config: rawConfig = {} }: ProtocolMapperRepresentation): MapperModel {
  const config = Object.freeze(Object.fromEntries(Object.entries(rawConfig).filter(([, value]) => value !== '')));
  const targets = Object.hasOwn(FIXED_TARGETS, protocolMapper)
    ? (FIXED_TARGETS[protocolMapper] ?? CLAIM_TARGETS)
    : CLAIM_TARGETS;
  const isSet = (flag: string, fallback?: string) => (config[flag] ?? fallback) === 'true';
  const defaultFlag = MAPPERS_ON_BY_DEFAULT.includes(protocolMapper) ? 'true' : undefined;
  return {
    name,
    providerId: protocolMapper,
    config,
    inAccessToken:
      protocolMapper === NONCE_MAPPER || (targets.includes('access') && isSet('access.token.claim', defaultFlag)),
    inLightweightToken: protocolMapper === NONCE_MAPPER || (targets.includes('access') && isSet('lightweight.claim')),
    inIdToken: targets.includes('id') && isSet('id.token.claim'),
    inUserinfo: targets.includes('userinfo') && isSet('userinfo.token.claim', config['id.token.claim']),
    inIntrospection:
      targets.includes('introspection') &&
      isSet('introspection.token.claim', defaultFlag ?? config['access.token.claim']),
    inResponse: targets.includes('response') && isSet('access.tokenResponse.claim'),
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

/** The mappers of a client or client scope that apply to tokens. */
export function mapperModels(mappers: readonly ProtocolMapperRepresentation[] = []): MapperModel[] {
  return mappers.filter(appliesToTokens).map(toMapperModel);
}

/** The texts that `*` matches in a dynamic scope and in the scopes of `impersonation`. */
const WILDCARD = /^[A-Za-z0-9._-]{1,64}$/;

/** True if `value` equals `pattern`. A trailing `*` of the pattern matches 1–64 characters of `[A-Za-z0-9._-]`. */
export function matchesScopePattern(pattern: string, value: string): boolean {
  if (!pattern.endsWith('*')) return pattern === value;
  const prefix = pattern.slice(0, -1);
  return value.startsWith(prefix) && WILDCARD.test(value.slice(prefix.length));
}

/** A client scope, with its attributes and mappers parsed. */
export class ClientScope {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * The pattern of a dynamic scope, such as `newsletterscope*`: clients request it by values that match. Undefined for
   * other scopes.
   */
  readonly pattern: string | undefined;
  /** If false, the token's `scope` does not contain the name. */
  readonly includeInTokenScope: boolean;
  /** If false, `scopes_supported` of the discovery document does not contain the name. */
  readonly includeInMetadata: boolean;
  /** The text on the consent page: a text, or `${key}` with the key of a message. */
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

  /** `roles`, with all roles that they contain. */
  get expandedRoles(): ReadonlySet<Role> {
    this.#expanded ??= RoleGraph.expand(this.roles);
    return this.#expanded;
  }

  /** True if this word of a `scope` parameter requests this client scope. */
  matches(word: string): boolean {
    return this.pattern === undefined ? this.name === word : matchesScopePattern(this.pattern, word);
  }
}
