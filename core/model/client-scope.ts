import type { ClientScopeRepresentation, ProtocolMapperRepresentation } from './representation.js';
import type { Role } from './roles.js';

/** A protocol mapper of the realm file, with its flags read. */
export interface MapperModel {
  readonly name: string;
  /** The id of the ProtocolMapper provider. */
  readonly providerId: string;
  readonly config: Readonly<Record<string, string>>;
  readonly inAccessToken: boolean;
  readonly inIdToken: boolean;
  readonly inUserinfo: boolean;
  readonly inIntrospection: boolean;
}

/** It has no flags: what it is for is the access token. */
const ALWAYS_IN_ACCESS = 'oidc-nonce-backwards-compatible-mapper';
/** Keycloak tells of it in tokens alone. */
const NEVER_AT_USERINFO = ['oidc-amr-mapper', 'oidc-claims-param-value-idtoken-mapper'];

/** Keycloak's defaults: a mapper without a flag adds nothing there; introspection follows the access token. */
export function mapperModel(representation: ProtocolMapperRepresentation): MapperModel {
  const config = Object.freeze(representation.config ?? {});
  const { protocolMapper } = representation;
  const accessToken = config['access.token.claim'] === 'true' || protocolMapper === ALWAYS_IN_ACCESS;
  return {
    name: representation.name,
    providerId: representation.protocolMapper,
    config,
    inAccessToken: accessToken,
    inIdToken: config['id.token.claim'] === 'true',
    inUserinfo:
      !NEVER_AT_USERINFO.includes(protocolMapper) &&
      (config['userinfo.token.claim'] ?? config['id.token.claim']) === 'true',
    inIntrospection: (config['introspection.token.claim'] ?? config['access.token.claim']) === 'true',
  };
}

/** What `*` stands for in a dynamic scope and in an `impersonation` entry. */
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
  /** False keeps the name out of the token's `scope`. */
  readonly includeInTokenScope: boolean;
  /** False keeps the name out of discovery's `scopes_supported`. */
  readonly includeInMetadata: boolean;
  /** What users are asked for by, where they consent: a text, or `${key}` of a message. */
  readonly consentText: string;
  /** False: it is part of no consent. */
  readonly asksForConsent: boolean;
  /** Where it stands among what a user consents to; without it last. */
  readonly guiOrder: number;
  readonly mappers: readonly MapperModel[];
  /** Roles that a token with this scope may show. Filled when the realm is compiled. */
  readonly roles: Role[] = [];

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
    this.mappers = (representation.protocolMappers ?? []).map(mapperModel);
  }

  /** True when this scope is what the word of a scope parameter asks for. */
  matches(word: string): boolean {
    return this.pattern === undefined ? this.name === word : matchesScopePattern(this.pattern, word);
  }
}
