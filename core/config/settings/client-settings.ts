import { type Settings, settings, told, unkept, works } from './setting-state.js';

/** Of clients and client scopes. By Keycloak's name of what they belong to. */
export const CLIENTS: Readonly<Record<string, Settings>> = {
  Client: settings(
    works('admin/client-details', 'fullScopeAllowed'),
    works('security/redirect-table', 'rootUrl'),
    works(
      'admin/clients',
      'access adminUrl attributes clientAuthenticatorType clientId defaultClientScopes description directAccessGrantsEnabled enabled id name optionalClientScopes protocol protocolMappers publicClient secret serviceAccountsEnabled standardFlowEnabled type',
    ),
    works('config/completed-names', 'clientTemplate defaultRoles directGrantsOnly'),
    works('account/own-things', 'alwaysDisplayInConsole'),
    works('security/admin-escalation', 'authenticationFlowBindingOverrides'),
    works('security/admin-clients', 'baseUrl'),
    works('security/token-exchange', 'bearerOnly'),
    works('admin/client-policies-of-clients', 'consentRequired redirectUris'),
    works('login/logout', 'frontchannelLogout'),
    works('security/action-link-ends', 'notBefore'),
    works('security/client-policies', 'registrationAccessToken'),
    works('admin/preconditions', 'webOrigins'),
    told('response types with tokens are rejected', 'implicitFlowEnabled'),
    told('Keyhost has no authorization services: the UMA grant is refused', 'authorizationServicesEnabled'),
    told('Keyhost has no authorization services', 'authorizationSettings'),
    told('only Keycloaks before 20 have it', 'useTemplateConfig useTemplateMappers useTemplateScope'),
    told('Keyhost has no user storage', 'origin'),
    told('adapters do not register: logouts go to backchannel.logout.url', 'registeredNodes'),
    told('adapters do not register', 'nodeReRegistrationTimeout', { unless: ['-1'] }),
    told('Keycloak does not act on it either', 'surrogateAuthRequired'),
  ),
  ClientScope: settings(works('admin/clients', 'attributes description id name protocol protocolMappers')),
  'client attribute': settings(
    works('tokens/access-token-profile', 'access.token.header.type.rfc9068'),
    works('admin/client-scopes', 'access.token.lifespan'),
    works(
      'oidc/metadata',
      'access.token.signed.response.alg id.token.signed.response.alg jwks.string use.jwks.string user.info.response.signature.alg',
    ),
    works('security/introspection', 'allow.token.introspection.without.audience.check'),
    works('login/logout', 'backchannel.logout.session.required'),
    works('tokens/pairwise-subjects', 'backchannel.logout.url sectorIdentifierUri'),
    works(
      'oidc/client-policies',
      'client.secret.creation.time client.secret.expiration.time client.secret.rotated client.secret.rotated.creation.time client.secret.rotated.expiration.time',
    ),
    works(
      'config/setting-flips',
      'client.session.idle.timeout client.session.max.lifespan exclude.issuer.from.auth.response exclude.session.state.from.auth.response frontchannel.logout.session.required token.response.type.bearer.lower-case',
    ),
    works(
      'security/refreshed-grants',
      'client_credentials.use_refresh_token standard.token.exchange.enableRefreshRequestedTokenType standard.token.exchange.enabled',
    ),
    works('security/admin-clients', 'frontchannel.logout.url jwks.url logoUri post.logout.redirect.uris use.jwks.url'),
    works('security/replayed-codes', 'pkce.code.challenge.method'),
    works('security/client-presentation', 'policyUri tosUri'),
    works('keys/client-assertion', 'token.endpoint.auth.signing.alg token.endpoint.auth.signing.max.exp'),
    works('admin/clients', 'use.refresh.tokens'),
    unkept('tokens are not bound to a DPoP key: anyone who gets one can use it', 'dpop.bound.access.tokens'),
    unkept(
      'tokens are not bound to a client certificate: anyone who gets one can use it',
      'tls.client.certificate.bound.access.tokens',
    ),
    unkept(
      'request objects are not supported: requests with one are rejected, requests without one are accepted',
      'request.object.required request.object.signature.alg request.object.encryption.alg request.object.encryption.enc',
      ['any', 'not required', 'none'],
    ),
    unkept(
      'authorization responses are not JWTs: response_mode=jwt is rejected',
      'authorization.signed.response.alg authorization.encrypted.response.alg authorization.encrypted.response.enc',
      ['any', 'none'],
    ),
    unkept(
      'ID tokens are signed, but not encrypted: anyone who gets one can read it',
      'id.token.encrypted.response.alg id.token.encrypted.response.enc',
      ['any', 'none'],
    ),
    unkept('authorization responses contain no ID token as a detached signature', 'id.token.as.detached.signature'),
    unkept(
      'userinfo responses are not encrypted: they are JSON or signed JWTs',
      'user.info.encrypted.response.alg user.info.encrypted.response.enc',
      ['any', 'none'],
    ),
    unkept(
      "offline tokens of the client end with the realm's offlineSessionIdleTimeout",
      'client.offline.session.idle.timeout',
    ),
    unkept(
      "offline tokens of the client end with the realm's offlineSessionMaxLifespan",
      'client.offline.session.max.lifespan',
    ),
    unkept(
      'logout tokens do not tell the application to revoke its offline tokens',
      'backchannel.logout.revoke.offline.tokens',
    ),
    unkept('a logout with an id_token_hint is not confirmed by the user', 'logout.confirmation.enabled'),
    told('parameters of an authorization response in a redirect URI are refused', 'allow.oidc.params.in.redirect.uris'),
    works('tokens/lightweight-tokens', 'allow.userinfo.with.lightweight.access.token'),
    unkept(
      'the client secret is accepted in the header and in the body',
      'client.secret.authentication.allowed.method',
    ),
    told(
      'an executor of a client policy rotates secrets',
      'client.secret.rotation.enabled client.secret.remaining.expiration.time',
    ),
    told('tokens of identity providers are not accepted', 'external.token.enabled external.token.idp'),
    told(
      'the JWT authorization grant is not supported',
      'oauth2.jwt.authorization.grant.audience oauth2.jwt.authorization.grant.enabled oauth2.jwt.authorization.grant.idp',
    ),
    told('request objects are not supported', 'request.uris'),
  ),
  'client scope attribute': settings(
    works('admin/client-scopes', 'consent.screen.text include.in.token.scope'),
    works('config/setting-flips', 'display.on.consent.screen include.in.openid.provider.metadata'),
    told('consent is asked for once', 'always.display.consent'),
    works('config/setting-flips', 'gui.order'),
    told(
      'parameterized scopes are not supported: use is.dynamic.scope',
      'is.parameterized.scope parameterized.scope.allow.user.data parameterized.scope.regexp parameterized.scope.repeatable parameterized.scope.type',
    ),
  ),
};
