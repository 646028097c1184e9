import type { Realm } from './realm.js';
import type { IdentityProviderMapperRepresentation, IdentityProviderRepresentation } from './representation.js';

/** Keycloak's types of identity providers that this host supports. */
export const OIDC_PROVIDERS: readonly string[] = ['oidc', 'keycloak-oidc'];

export const CLIENT_AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_basic_unencoded',
  'client_secret_jwt',
  'private_key_jwt',
] as const;

/**
 * When the provider's data about a user is imported: `IMPORT`: at the first login; `FORCE`: at each login; `LEGACY`: as
 * each type of mapper decides.
 */
export const SYNC_MODES = ['IMPORT', 'FORCE', 'LEGACY'] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

/** Identity provider mappers that this host supports. */
export const IDENTITY_PROVIDER_MAPPERS = [
  'oidc-user-attribute-idp-mapper',
  'oidc-username-idp-mapper',
  'oidc-role-idp-mapper',
  'oidc-hardcoded-role-idp-mapper',
  'oidc-advanced-role-idp-mapper',
  'oidc-advanced-group-idp-mapper',
  'oidc-hardcoded-group-idp-mapper',
  'hardcoded-attribute-idp-mapper',
  'hardcoded-user-session-attribute-idp-mapper',
] as const;

export interface IdentityProviderMapper {
  readonly name: string;
  readonly kind: (typeof IDENTITY_PROVIDER_MAPPERS)[number];
  readonly config: Readonly<Record<string, string>>;
  readonly syncMode: SyncMode;
}

/** An OpenID provider with which users of a realm can sign in (Keycloak's OIDCIdentityProviderConfig). */
export class IdentityProvider {
  readonly alias: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly linkOnly: boolean;
  readonly hidden: boolean;
  readonly trustEmail: boolean;
  /** If true, the response of the provider's token endpoint is stored with the user, for callers that may read it. */
  readonly storesToken: boolean;
  /** If true, new users from this provider get the role `read-token`, with which they can read the stored response. */
  readonly grantsReadToken: boolean;
  /** Position of its button on the login page; providers without one come last. */
  readonly guiOrder: number;
  /**
   * The alias of the flow for first logins; undefined: the realm's flow. `postLoginFlow` is that of the flow after each
   * login; undefined: none.
   */
  readonly firstLoginFlow: string | undefined;
  readonly postLoginFlow: string | undefined;
  /** If true, roles are also read from access tokens, since the provider is another Keycloak realm. */
  readonly readsAccessToken: boolean;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuthMethod: (typeof CLIENT_AUTH_METHODS)[number];
  /** JWS algorithm of client assertions. */
  readonly assertionAlgorithm: string | undefined;
  readonly assertionAudience: string | undefined;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl: string | undefined;
  readonly jwksUrl: string | undefined;
  /** The provider's public key, as PEM or base64 of the DER form. */
  readonly publicKey: string | undefined;
  readonly validateSignature: boolean;
  /** Accepted issuers; empty: any. */
  readonly issuers: readonly string[];
  readonly logoutUrl: string | undefined;
  /** Requested scopes; `openid` is always one of them. */
  readonly scope: string;
  /** Undefined if PKCE is not used. */
  readonly pkceMethod: 'S256' | 'plain' | undefined;
  readonly sendsNonce: boolean;
  readonly prompt: string | undefined;
  readonly passesLoginHint: boolean;
  readonly passesMaxAge: boolean;
  readonly passesLocale: boolean;
  /** Seconds. */
  readonly clockSkew: number;
  readonly syncMode: SyncMode;
  readonly mappers: readonly IdentityProviderMapper[];

  constructor(
    representation: IdentityProviderRepresentation,
    mappers: readonly IdentityProviderMapperRepresentation[],
  ) {
    const { alias, config = {} } = representation;
    const text = (key: string) => config[key]?.trim() || undefined;
    const isTrue = (key: string) => config[key] === 'true';
    this.alias = alias;
    this.displayName = representation.displayName || alias;
    this.enabled = representation.enabled ?? true;
    this.linkOnly = representation.linkOnly ?? false;
    // Older versions of Keycloak have this setting in `config`.
    this.hidden = representation.hideOnLogin === true || isTrue('hideOnLoginPage');
    this.trustEmail = representation.trustEmail ?? false;
    this.storesToken = representation.storeToken ?? false;
    this.grantsReadToken = representation.addReadTokenRoleOnCreate ?? false;
    this.guiOrder = text('guiOrder') === undefined ? Number.POSITIVE_INFINITY : Number(text('guiOrder'));
    this.firstLoginFlow = representation.firstBrokerLoginFlowAlias || undefined;
    this.postLoginFlow = representation.postBrokerLoginFlowAlias || undefined;
    this.readsAccessToken = representation.providerId === 'keycloak-oidc';
    this.clientId = text('clientId') ?? '';
    this.clientSecret = config.clientSecret || undefined;
    this.clientAuthMethod =
      CLIENT_AUTH_METHODS.find((method) => method === text('clientAuthMethod')) ?? 'client_secret_post';
    this.assertionAlgorithm = text('clientAssertionSigningAlg');
    this.assertionAudience = text('clientAssertionAudience');
    this.authorizationUrl = text('authorizationUrl') ?? '';
    this.tokenUrl = text('tokenUrl') ?? '';
    this.userInfoUrl = isTrue('disableUserInfo') ? undefined : text('userInfoUrl');
    this.validateSignature = isTrue('validateSignature');
    this.jwksUrl = isTrue('useJwksUrl') ? text('jwksUrl') : undefined;
    this.publicKey = text('publicKeySignatureVerifier');
    this.issuers = (text('issuer') ?? '').split(',').flatMap((issuer) => issuer.trim() || []);
    this.logoutUrl = text('logoutUrl');
    const scopes = (text('defaultScope') ?? '').split(/\s+/).filter((scope) => scope !== '' && scope !== 'openid');
    this.scope = ['openid', ...scopes].join(' ');
    this.pkceMethod = config.pkceEnabled === 'false' ? undefined : text('pkceMethod') === 'plain' ? 'plain' : 'S256';
    this.sendsNonce = !isTrue('disableNonce');
    this.prompt = text('prompt');
    this.passesLoginHint = isTrue('loginHint');
    this.passesMaxAge = isTrue('passMaxAge');
    this.passesLocale = isTrue('uiLocales');
    this.clockSkew = Number(text('allowedClockSkew') ?? 0);
    this.syncMode = SYNC_MODES.find((mode) => mode === text('syncMode')) ?? 'LEGACY';
    this.mappers = mappers.flatMap(({ name, identityProviderMapper, config: settings = {} }) => {
      const kind = IDENTITY_PROVIDER_MAPPERS.find((mapper) => mapper === identityProviderMapper);
      const syncMode = SYNC_MODES.find((mode) => mode === settings.syncMode) ?? this.syncMode;
      return kind === undefined ? [] : [{ name, kind, config: settings, syncMode }];
    });
  }

  /** The redirect URI of this host for the provider. */
  redirectUri(realm: Realm): string {
    return `${realm.issuer}/broker/${encodeURIComponent(this.alias)}/endpoint`;
  }
}

const PROVIDERS = Symbol('identity providers');

/** The realm's OpenID providers by alias, in the order of the login page. Disabled ones are included. */
export function identityProvidersOf(realm: Realm): ReadonlyMap<string, IdentityProvider> {
  return realm.derive(PROVIDERS, ({ representation: { identityProviders = [], identityProviderMappers = [] } }) => {
    const providers = identityProviders
      .filter(({ providerId }) => OIDC_PROVIDERS.includes(providerId ?? ''))
      .map((representation) => {
        const mappers = identityProviderMappers.filter(
          ({ identityProviderAlias }) => identityProviderAlias === representation.alias,
        );
        return new IdentityProvider(representation, mappers);
      });
    providers.sort((a, b) => Math.sign(a.guiOrder - b.guiOrder) || a.displayName.localeCompare(b.displayName));
    return new Map(providers.map((provider) => [provider.alias, provider]));
  });
}

/** An identity provider of a realm, of any type. */
export interface NamedIdentityProvider {
  readonly alias: string;
  readonly displayName: string;
  /** The provider type, such as `oidc` or `google`. */
  readonly providerId: string;
  readonly enabled: boolean;
  readonly storesToken: boolean;
}

const NAMED = Symbol('named identity providers');

/**
 * All identity providers of the realm in the order of its representation, including those of types that this host does
 * not support.
 */
export function namedIdentityProviders(realm: Realm): readonly NamedIdentityProvider[] {
  return realm.derive(NAMED, ({ representation: { identityProviders = [] } }) =>
    identityProviders.map((representation) => {
      const { alias, displayName, enabled, storesToken } = new IdentityProvider(representation, []);
      return { alias, displayName, providerId: representation.providerId ?? '', enabled, storesToken };
    }),
  );
}

/** Finds the provider with this alias. @returns undefined if there is none, or it is disabled */
export function enabledIdentityProvider(realm: Realm, alias: string): IdentityProvider | undefined {
  const provider = identityProvidersOf(realm).get(alias);
  return provider?.enabled === true ? provider : undefined;
}
