import { defined } from '../model/defined.js';
import type {
  ClientRepresentation,
  ClientScopeRepresentation,
  ProtocolMapperRepresentation,
} from '../model/representation.js';
import type { ClientKind } from './client-kinds.js';

/** The properties of a new client. */
export interface NewClient {
  readonly kind: ClientKind;
  readonly clientId: string;
  readonly name: string;
  /** The URL of the app, without trailing slash. */
  readonly url: string | undefined;
  readonly redirectUris: readonly string[];
  readonly postLogoutUris: readonly string[];
  readonly isPublic: boolean;
  readonly requiresPkce: boolean;
  readonly groups: boolean;
  readonly roles: boolean;
  /** Client IDs to add to the audience of its access tokens. */
  readonly audiences: readonly string[];
  /** True if it may request the scope `offline_access`. */
  readonly offlineAccess: boolean;
  /** ID of the framework. */
  readonly framework: string | undefined;
}

/** Client attribute: the framework whose instructions the admin console shows. */
export const FRAMEWORK_ATTRIBUTE = 'keyhost.framework';
export const OFFLINE_SCOPE = 'offline_access';

/** The names of the client scopes that every new client of the realm gets. */
export interface ScopeNames {
  readonly defaults: readonly string[];
  readonly optional: readonly string[];
}

/** The client scope with the user's groups. As in Keycloak, realms do not have it by default. */
export const GROUPS_SCOPE: ClientScopeRepresentation = {
  name: 'groups',
  description: 'Groups of the user',
  protocol: 'openid-connect',
  attributes: { 'include.in.token.scope': 'true', 'display.on.consent.screen': 'true' },
  protocolMappers: [
    createMapper('groups', 'oidc-group-membership-mapper', { 'claim.name': 'groups', 'full.path': 'false' }, true),
  ],
};

/**
 * Returns the representation of a new client. The standard, implicit, direct access and service account flows have
 * explicit values: those that the client does not need are disabled.
 * @param scopes the default and optional scopes of the realm's clients, because a client that lists scopes must list
 * all
 */
export function clientRepresentation(client: NewClient, scopes: ScopeNames): ClientRepresentation {
  const { kind, clientId, name, url, redirectUris, postLogoutUris, isPublic, requiresPkce } = client;
  const attributes = defined({
    'post.logout.redirect.uris': postLogoutUris.length === 0 ? undefined : postLogoutUris.join('##'),
    'pkce.code.challenge.method': requiresPkce ? 'S256' : undefined,
    'oauth2.device.authorization.grant.enabled': kind.id === 'native' ? 'true' : undefined,
    [FRAMEWORK_ATTRIBUTE]: client.framework,
  });
  const mappers = mappersOf(client);
  const redirectsUsers = kind.redirects;
  return defined({
    clientId,
    name,
    rootUrl: url,
    baseUrl: url,
    redirectUris: redirectsUsers ? [...redirectUris] : undefined,
    webOrigins: kind.id === 'single-page-app' ? ['+'] : undefined,
    publicClient: isPublic,
    bearerOnly: kind.id === 'api' ? true : undefined,
    standardFlowEnabled: redirectsUsers,
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: kind.id === 'machine',
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    protocolMappers: mappers.length === 0 ? undefined : mappers,
    ...scopeLists(client, scopes),
  });
}

/** Returns the client's lists of scopes. Returns no lists if it has exactly the realm's default scopes. */
function scopeLists({ groups, offlineAccess }: NewClient, { defaults, optional }: ScopeNames) {
  const lacksOffline = offlineAccess && ![...defaults, ...optional].includes(OFFLINE_SCOPE);
  if (!groups && !lacksOffline) return {};
  const addedScopes = groups ? [GROUPS_SCOPE.name] : [];
  return {
    defaultClientScopes: [...new Set([...defaults, ...addedScopes])],
    optionalClientScopes: [
      ...optional.filter((scope) => !addedScopes.includes(scope)),
      ...(lacksOffline ? [OFFLINE_SCOPE] : []),
    ],
  };
}

function mappersOf({ audiences, roles }: NewClient): ProtocolMapperRepresentation[] {
  const audienceMappers = audiences.map((audience) =>
    createMapper(`audience ${audience}`, 'oidc-audience-mapper', { 'included.client.audience': audience }, false),
  );
  const claim = { 'claim.name': 'roles', multivalued: 'true', 'jsonType.label': 'String' };
  return [
    ...audienceMappers,
    ...(roles ? [createMapper('roles', 'oidc-usermodel-realm-role-mapper', claim, true)] : []),
  ];
}

function createMapper(
  name: string,
  protocolMapper: string,
  config: Readonly<Record<string, string>>,
  isUserClaim: boolean,
): ProtocolMapperRepresentation {
  const inIdToken = String(isUserClaim);
  return {
    name,
    protocol: 'openid-connect',
    protocolMapper,
    config: {
      ...config,
      'access.token.claim': 'true',
      'introspection.token.claim': 'true',
      'id.token.claim': inIdToken,
      ...(isUserClaim ? { 'userinfo.token.claim': 'true' } : {}),
    },
  };
}
