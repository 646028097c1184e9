import { OAuthError } from '@keyhost/spi';
import { isConfidential, SECRET_ATTRIBUTES, SECRET_AUTHENTICATORS } from '../../model/client-secrets.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { ClientRepresentation } from '../../model/representation.js';
import type { ClientAuthenticators } from './client-authenticators.js';
import { unknownAcr } from './default-acrs.js';
import { type RegistrationInput, subjectMetadata } from './subject-type.js';
import { unsupportedProtection } from './unsupported-metadata.js';

const TEXT = { type: ['string', 'null'] } as const;
const FLAG = { type: ['boolean', 'null'] } as const;
const TEXTS = { type: ['array', 'null'], maxItems: 1000, items: { type: 'string', maxLength: 2000 } } as const;

/**
 * Metadata of RFC 7591 §2, OpenID Connect Registration §2 and the logout specifications. Members without meaning for
 * this host are left out.
 */
export const METADATA_SCHEMA = {
  type: 'object',
  properties: {
    client_id: TEXT,
    client_secret: TEXT,
    client_name: { ...TEXT, maxLength: 255 },
    client_uri: TEXT,
    logo_uri: TEXT,
    policy_uri: TEXT,
    tos_uri: TEXT,
    redirect_uris: TEXTS,
    post_logout_redirect_uris: TEXTS,
    response_types: TEXTS,
    grant_types: TEXTS,
    token_endpoint_auth_method: TEXT,
    token_endpoint_auth_signing_alg: TEXT,
    id_token_signed_response_alg: TEXT,
    userinfo_signed_response_alg: TEXT,
    default_acr_values: TEXTS,
    subject_type: TEXT,
    sector_identifier_uri: TEXT,
    jwks_uri: TEXT,
    jwks: { type: ['object', 'null'], properties: { keys: { type: 'array', items: { type: 'object' } } } },
    scope: TEXT,
    backchannel_logout_uri: TEXT,
    backchannel_logout_session_required: FLAG,
    frontchannel_logout_uri: TEXT,
    frontchannel_logout_session_required: FLAG,
    require_pushed_authorization_requests: FLAG,
  },
} as const;

type Texts = { readonly [Name in keyof typeof METADATA_SCHEMA.properties as Name]?: unknown };
type Metadata = Texts & {
  readonly redirect_uris?: string[] | null;
  readonly post_logout_redirect_uris?: string[] | null;
  readonly response_types?: string[] | null;
  readonly grant_types?: string[] | null;
  readonly default_acr_values?: string[] | null;
  readonly token_endpoint_auth_method?: string | null;
  readonly subject_type?: string | null;
  readonly sector_identifier_uri?: string | null;
  readonly client_name?: string | null;
  readonly client_uri?: string | null;
  readonly client_id?: string | null;
  readonly jwks_uri?: string | null;
  readonly jwks?: { readonly keys?: readonly Record<string, unknown>[] } | null;
  readonly scope?: string | null;
};

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const GRANTS = ['authorization_code', 'refresh_token', 'password', 'client_credentials', DEVICE_CODE, TOKEN_EXCHANGE];
const DEFAULT_ACRS = 'default.acr.values';
/** Members that are copied into attributes unchanged. */
const ATTRIBUTES = {
  logo_uri: 'logoUri',
  policy_uri: 'policyUri',
  tos_uri: 'tosUri',
  id_token_signed_response_alg: 'id.token.signed.response.alg',
  userinfo_signed_response_alg: 'user.info.response.signature.alg',
  token_endpoint_auth_signing_alg: 'token.endpoint.auth.signing.alg',
  backchannel_logout_uri: 'backchannel.logout.url',
  backchannel_logout_session_required: 'backchannel.logout.session.required',
  frontchannel_logout_uri: 'frontchannel.logout.url',
  frontchannel_logout_session_required: 'frontchannel.logout.session.required',
  require_pushed_authorization_requests: 'require.pushed.authorization.requests',
} as const;

/** The data for converting between clients and metadata. */
export interface RegistrationContext {
  readonly authenticators: ClientAuthenticators;
  readonly realm: Realm;
}

/**
 * Converts metadata to a client (Keycloak's DescriptionConverter).
 * @param metadata a value that is valid for METADATA_SCHEMA
 * @throws OAuthError 400 `invalid_client_metadata`
 */
export function metadataToClient(
  metadata: Metadata,
  { authenticators, realm }: RegistrationContext,
): RegistrationInput {
  const missingProtection = unsupportedProtection(metadata);
  if (missingProtection !== undefined) throw invalidMetadata(`${missingProtection}: is not supported`);
  const responses = metadata.response_types ?? ['code'];
  const unknown = responses.find((type) => type !== 'code' && type !== 'none');
  if (unknown !== undefined) throw invalidMetadata(`response_types: ${unknown} is not supported`);
  const acr = unknownAcr(realm, metadata.default_acr_values ?? []);
  if (acr !== undefined) throw invalidMetadata(`default_acr_values: ${acr.slice(0, 64)} is no level of the realm`);
  const grants = supportedGrants(metadata.grant_types);
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  const authenticator = method === 'none' ? 'client-secret' : authenticators.byMethod(method);
  if (authenticator === undefined) throw invalidMetadata(`token_endpoint_auth_method: ${method} is not supported`);
  const keys = keyAttributes(metadata);
  const hasKeys = keys?.['use.jwks.url'] === true || keys?.['use.jwks.string'] === true;
  if (method === 'private_key_jwt' && !hasKeys) throw invalidMetadata('private_key_jwt requires jwks or jwks_uri');
  return {
    clientId: metadata.client_id ?? null,
    name: metadata.client_name ?? null,
    baseUrl: metadata.client_uri ?? null,
    redirectUris: metadata.redirect_uris ?? null,
    protocol: 'openid-connect',
    publicClient: method === 'none',
    bearerOnly: false,
    standardFlowEnabled: responses.includes('code') && grants.includes('authorization_code'),
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: grants.includes('password'),
    serviceAccountsEnabled: grants.includes('client_credentials'),
    frontchannelLogout: metadata.frontchannel_logout_uri ? true : null,
    clientAuthenticatorType: authenticator,
    subjects: subjectsOf(metadata),
    ...scopesOf(metadata),
    attributes: {
      ...Object.fromEntries(
        Object.entries(ATTRIBUTES).flatMap(([from, to]) => optionalEntry(to, metadata[from as keyof Texts])),
      ),
      ...Object.fromEntries(optionalEntry('post.logout.redirect.uris', metadata.post_logout_redirect_uris?.join('##'))),
      ...Object.fromEntries(optionalEntry(DEFAULT_ACRS, metadata.default_acr_values?.join('##'))),
      'oauth2.device.authorization.grant.enabled': grants.includes(DEVICE_CODE),
      'standard.token.exchange.enabled': grants.includes(TOKEN_EXCHANGE),
      ...keys,
    },
  };
}

/** Converts a registered client to metadata for responses (RFC 7591 §3.2.1). */
export function clientToMetadata(
  client: ClientRepresentation,
  { authenticators }: RegistrationContext,
): Record<string, unknown> {
  const { clientId, name, baseUrl, redirectUris = [], secret, attributes = {}, optionalClientScopes = [] } = client;
  const type = client.clientAuthenticatorType ?? 'client-secret';
  const method = client.publicClient === true ? 'none' : authenticators.methodOf(type);
  const hasVisibleSecret = isConfidential(client) && secret !== undefined && SECRET_AUTHENTICATORS.includes(type);
  return {
    client_id: clientId,
    ...(hasVisibleSecret
      ? { client_secret: secret, client_secret_expires_at: Number(attributes[SECRET_ATTRIBUTES.expiresAt] || 0) }
      : {}),
    ...Object.fromEntries([...optionalEntry('client_name', name), ...optionalEntry('client_uri', baseUrl)]),
    redirect_uris: redirectUris,
    ...defined({
      post_logout_redirect_uris: attributes['post.logout.redirect.uris']?.split('##'),
      default_acr_values: attributes[DEFAULT_ACRS]?.split('##'),
    }),
    token_endpoint_auth_method: method,
    grant_types: grantsOf(client),
    response_types: client.standardFlowEnabled === false ? [] : ['code', 'none'],
    ...subjectMetadata(client),
    scope: optionalClientScopes.join(' '),
    ...Object.fromEntries(
      Object.entries(ATTRIBUTES).flatMap(([to, from]) => optionalEntry(to, valueOfAttribute(attributes[from]))),
    ),
    ...(attributes['use.jwks.url'] === 'true' ? { jwks_uri: attributes['jwks.url'] } : {}),
    ...(attributes['use.jwks.string'] === 'true' ? { jwks: JSON.parse(attributes['jwks.string'] ?? '{}') } : {}),
  };
}

/**
 * Returns the supported grant types. As in Keycloak, unsupported ones are ignored, and the response lists the
 * registered ones.
 * @throws OAuthError 400 if none is supported, because the client could never get a token
 */
function supportedGrants(requestedTypes: string[] | null | undefined): string[] {
  if (!requestedTypes) return ['authorization_code'];
  const grants = requestedTypes.filter((grant) => GRANTS.includes(grant));
  if (grants.length === 0 && requestedTypes.length > 0)
    throw invalidMetadata(`grant_types: ${requestedTypes[0]} is not supported`);
  return grants;
}

/** Converts `scope` to client scopes. `openid` is not a client scope, so it is left out. */
function scopesOf({ scope }: Metadata): Pick<RegistrationInput, 'optionalClientScopes' | 'addsScopes'> {
  if (typeof scope !== 'string') return {};
  const names = new Set(scope.split(' ').filter((word) => !['', 'openid'].includes(word)));
  return { optionalClientScopes: [...names], addsScopes: true };
}

/** Converts the subject type. Without one, the client gets public subjects, as in Keycloak. @throws OAuthError 400 */
function subjectsOf({
  subject_type: subjectType,
  sector_identifier_uri: sector,
}: Metadata): NonNullable<RegistrationInput['subjects']> {
  const type = subjectType ? subjectType.toLowerCase() : 'public';
  if (type === 'public') return { type };
  if (type !== 'pairwise') throw invalidMetadata(`subject_type: ${subjectType} is not supported`);
  if (!sector) return { type };
  if (!URL.canParse(sector)) throw invalidMetadata('Invalid Sector Identifier URI.');
  return { type, sector };
}

/** Converts the keys to attributes. @throws OAuthError 400 */
function keyAttributes({ jwks, jwks_uri: address }: Metadata): Record<string, unknown> | undefined {
  if (jwks && address) throw invalidMetadata('Illegal to use both jwks_uri and jwks');
  if (address) return { 'use.jwks.url': true, 'jwks.url': address, 'use.jwks.string': false, 'jwks.string': null };
  if (!jwks) return undefined;
  const keys = jwks.keys ?? [];
  if (keys.some((key) => key.kty === 'oct' || 'd' in key || 'k' in key)) {
    throw invalidMetadata('jwks contains private keys');
  }
  // Clients that sign nothing send an empty set.
  if (keys.length === 0) return { 'use.jwks.string': false, 'jwks.string': null };
  return { 'use.jwks.string': true, 'jwks.string': JSON.stringify(jwks), 'use.jwks.url': false, 'jwks.url': null };
}

function grantsOf({
  standardFlowEnabled,
  directAccessGrantsEnabled,
  serviceAccountsEnabled,
  attributes = {},
}: ClientRepresentation) {
  return [
    ...(standardFlowEnabled === false ? [] : ['authorization_code']),
    ...(directAccessGrantsEnabled === true ? ['password'] : []),
    ...(serviceAccountsEnabled === true ? ['client_credentials'] : []),
    ...(attributes['oauth2.device.authorization.grant.enabled'] === 'true' ? [DEVICE_CODE] : []),
    ...(attributes['standard.token.exchange.enabled'] === 'true' ? [TOKEN_EXCHANGE] : []),
    'refresh_token',
  ];
}

function optionalEntry(name: string, value: unknown): [string, unknown][] {
  return value === undefined || value === null ? [] : [[name, value]];
}

function valueOfAttribute(attribute: string | undefined): string | boolean | undefined {
  return attribute === 'true' || attribute === 'false' ? attribute === 'true' : attribute;
}

export function invalidMetadata(description: string): OAuthError {
  return new OAuthError('invalid_client_metadata', description);
}
