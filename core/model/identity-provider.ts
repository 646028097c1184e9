import type { Realm } from './realm.js';
import type {
  IdentityProviderMapperRepresentation,
  IdentityProviderRepresentation,
  RealmRepresentation,
} from './representation.js';

/** Keycloak's providers that users can log in by here. */
export const OIDC_PROVIDERS: readonly string[] = ['oidc', 'keycloak-oidc'];

export const CLIENT_AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_basic_unencoded',
  'client_secret_jwt',
  'private_key_jwt',
] as const;

/** When what a provider says of a user is taken over: at the first login, at each, or as each mapper does by itself. */
export const SYNC_MODES = ['IMPORT', 'FORCE', 'LEGACY'] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

/** Mappers of an identity provider that this host has. */
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

/** An OpenID provider that a realm's users may log in by: Keycloak's OIDCIdentityProviderConfig. */
export class IdentityProvider {
  readonly alias: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly linkOnly: boolean;
  readonly hidden: boolean;
  readonly trustEmail: boolean;
  /** What its token endpoint answers is kept with the link, for who may read it. */
  readonly storesToken: boolean;
  /** Users whom it brings may read that. */
  readonly grantsReadToken: boolean;
  /** Where its button stands on the login page; without it last. */
  readonly guiOrder: number;
  /** Aliases of flows; undefined: the realm's own, or none. */
  readonly firstLoginFlow: string | undefined;
  readonly postLoginFlow: string | undefined;
  /** True where its access tokens are read too, for the roles in them: another realm of Keycloak's. */
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
  /** PEM or base64 DER. */
  readonly publicKey: string | undefined;
  readonly validateSignature: boolean;
  /** Accepted issuers; empty: any. */
  readonly issuers: readonly string[];
  readonly logoutUrl: string | undefined;
  /** Always with `openid`. */
  readonly scope: string;
  /** Undefined: no PKCE. */
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
    const is = (key: string) => config[key] === 'true';
    this.alias = alias;
    this.displayName = representation.displayName || alias;
    this.enabled = representation.enabled ?? true;
    this.linkOnly = representation.linkOnly ?? false;
    // Older exports have it among the texts.
    this.hidden = representation.hideOnLogin === true || is('hideOnLoginPage');
    this.trustEmail = representation.trustEmail ?? false;
    this.storesToken = representation.storeToken ?? false;
    this.grantsReadToken = representation.addReadTokenRoleOnCreate ?? false;
    this.guiOrder = text('guiOrder') === undefined ? Number.POSITIVE_INFINITY : Number(text('guiOrder'));
    this.firstLoginFlow = representation.firstBrokerLoginFlowAlias || undefined;
    this.postLoginFlow = representation.postBrokerLoginFlowAlias || undefined;
    this.readsAccessToken = representation.providerId === 'keycloak-oidc';
    this.clientId = text('clientId') ?? '';
    this.clientSecret = config.clientSecret || undefined;
    this.clientAuthMethod = CLIENT_AUTH_METHODS.find((one) => one === text('clientAuthMethod')) ?? 'client_secret_post';
    this.assertionAlgorithm = text('clientAssertionSigningAlg');
    this.assertionAudience = text('clientAssertionAudience');
    this.authorizationUrl = text('authorizationUrl') ?? '';
    this.tokenUrl = text('tokenUrl') ?? '';
    this.userInfoUrl = is('disableUserInfo') ? undefined : text('userInfoUrl');
    this.validateSignature = is('validateSignature');
    this.jwksUrl = is('useJwksUrl') ? text('jwksUrl') : undefined;
    this.publicKey = text('publicKeySignatureVerifier');
    this.issuers = (text('issuer') ?? '').split(',').flatMap((issuer) => issuer.trim() || []);
    this.logoutUrl = text('logoutUrl');
    const scopes = (text('defaultScope') ?? '').split(/\s+/).filter((scope) => scope !== '' && scope !== 'openid');
    this.scope = ['openid', ...scopes].join(' ');
    this.pkceMethod = config.pkceEnabled === 'false' ? undefined : text('pkceMethod') === 'plain' ? 'plain' : 'S256';
    this.sendsNonce = !is('disableNonce');
    this.prompt = text('prompt');
    this.passesLoginHint = is('loginHint');
    this.passesMaxAge = is('passMaxAge');
    this.passesLocale = is('uiLocales');
    this.clockSkew = Number(text('allowedClockSkew') ?? 0);
    this.syncMode = SYNC_MODES.find((mode) => mode === text('syncMode')) ?? 'LEGACY';
    this.mappers = mappers.flatMap(({ name, identityProviderMapper, config: settings = {} }) => {
      const kind = IDENTITY_PROVIDER_MAPPERS.find((one) => one === identityProviderMapper);
      const syncMode = SYNC_MODES.find((mode) => mode === settings.syncMode) ?? this.syncMode;
      return kind === undefined ? [] : [{ name, kind, config: settings, syncMode }];
    });
  }

  /** The redirect URI that is registered at the provider. */
  redirectUri(realm: Realm): string {
    return `${realm.issuer}/broker/${encodeURIComponent(this.alias)}/endpoint`;
  }
}

const PROVIDERS = Symbol('identity providers');

/** The realm's OpenID providers by alias, in the order of the login page; those that are off too. */
export function identityProvidersOf(realm: Realm): ReadonlyMap<string, IdentityProvider> {
  return realm.derive(PROVIDERS, ({ representation: { identityProviders = [], identityProviderMappers = [] } }) => {
    const providers = identityProviders
      .filter(({ providerId }) => OIDC_PROVIDERS.includes(providerId ?? ''))
      .map((one) => {
        const own = identityProviderMappers.filter(({ identityProviderAlias }) => identityProviderAlias === one.alias);
        return new IdentityProvider(one, own);
      });
    providers.sort((a, b) => Math.sign(a.guiOrder - b.guiOrder) || a.displayName.localeCompare(b.displayName));
    return new Map(providers.map((provider) => [provider.alias, provider]));
  });
}

/** A provider that a realm names, of whatever kind. */
export interface NamedIdentityProvider {
  readonly alias: string;
  readonly displayName: string;
  /** Keycloak's kind, such as `oidc` or `google`. */
  readonly providerId: string;
  readonly enabled: boolean;
  readonly storesToken: boolean;
}

const NAMED = Symbol('named identity providers');

/** Every provider that the realm names, in the order of its file: kinds that nobody logs in by here too. */
export function namedIdentityProviders(realm: Realm): readonly NamedIdentityProvider[] {
  return realm.derive(NAMED, ({ representation: { identityProviders = [] } }) =>
    identityProviders.map((one) => {
      const { alias, displayName, enabled, storesToken } = new IdentityProvider(one, []);
      return { alias, displayName, providerId: one.providerId ?? '', enabled, storesToken };
    }),
  );
}

/** The provider of that alias by which users may log in, or link accounts. */
export function enabledIdentityProvider(realm: Realm, alias: string): IdentityProvider | undefined {
  const provider = identityProvidersOf(realm).get(alias);
  return provider?.enabled === true ? provider : undefined;
}

/** Options of mappers that this host does not act on, each with the sentence for a value that asks for something. */
const UNUSED_OPTIONS: Partial<
  Record<IdentityProviderMapper['kind'], (config: Readonly<Record<string, string>>) => [string, string] | undefined>
> = {
  'oidc-username-idp-mapper': ({ target = 'LOCAL' }) =>
    target === 'LOCAL'
      ? undefined
      : ['target', `${target} changes nothing: the username of new users is all that it sets`],
  'oidc-user-attribute-idp-mapper': (config) =>
    config['allow.nullable.property'] === 'true'
      ? ['allow.nullable.property', 'a claim that is missing leaves email, firstName and lastName as they are']
      : undefined,
};

/** What a realm has of identity providers and this host does not act on, by its place in the realm. */
export function unusedIdentityProviders({
  identityProviders = [],
  identityProviderMappers = [],
}: Pick<RealmRepresentation, 'identityProviders' | 'identityProviderMappers'>): {
  readonly path: readonly (string | number)[];
  readonly message: string;
}[] {
  const isOurs = ({ providerId = '' }: IdentityProviderRepresentation) => OIDC_PROVIDERS.includes(providerId);
  const providers = identityProviders.flatMap((one, index) => {
    const { alias, providerId, enabled } = one;
    const message = `nobody logs in by the identity provider ${alias}: there is no ${providerId} here`;
    return enabled === false || isOurs(one) ? [] : [{ path: ['identityProviders', index, 'providerId'], message }];
  });
  const mappers = identityProviderMappers.flatMap(({ name, identityProviderAlias: alias, ...mapper }, index) => {
    if (!identityProviders.some((one) => one.alias === alias && isOurs(one))) return [];
    const { identityProviderMapper: id, config = {} } = mapper;
    const path = ['identityProviderMappers', index];
    const who = `the mapper ${name} of the identity provider ${alias}`;
    const kind = IDENTITY_PROVIDER_MAPPERS.find((one) => one === id);
    if (kind === undefined) {
      return [{ path: [...path, 'identityProviderMapper'], message: `${who} does nothing: there is no ${id} here` }];
    }
    const [option, sentence] = UNUSED_OPTIONS[kind]?.(config) ?? [];
    return option === undefined ? [] : [{ path: [...path, 'config', option], message: `${who}: ${sentence}` }];
  });
  return [...providers, ...mappers];
}

/** What a change of a realm has added of this; @param before undefined for a new realm */
export function newUnusedIdentityProviders(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
): string[] {
  const known = new Set(before === undefined ? [] : unusedIdentityProviders(before).map(({ message }) => message));
  return unusedIdentityProviders(after).flatMap(({ message }) => (known.has(message) ? [] : [message]));
}
