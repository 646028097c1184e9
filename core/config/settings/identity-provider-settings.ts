import { type Settings, settings, told, unkept, whole, works } from './setting-state.js';

/** Settings of identity providers and their mappers, by Keycloak's name of their owner. */
export const IDENTITY_PROVIDERS: Readonly<Record<string, Settings>> = {
  IdentityProvider: settings(
    works('broker/stored-tokens', 'addReadTokenRoleOnCreate storeToken'),
    works('broker/first-login', 'alias enabled hideOnLogin linkOnly providerId'),
    works('broker/encrypted-id-token', 'config'),
    works('broker/in-a-browser.rest', 'displayName'),
    works('broker/linking', 'firstBrokerLoginFlowAlias trustEmail'),
    works('admin/identity-providers', 'internalId'),
    works('broker/ways', 'postBrokerLoginFlowAlias'),
    told('the step identity-provider-redirector of a flow says so', 'authenticateByDefault'),
    told('the step idp-review-profile of a flow says so', 'updateProfileFirstLoginMode', { unless: ['on', 'missing'] }),
    told('Keyhost has no organizations', 'organizationId'),
    told('an identity provider signs users in, and exchanges their tokens', 'types', {
      unless: ['["USER_AUTHENTICATION"]'],
    }),
  ),
  IdentityProviderMapper: settings(
    works('broker/encrypted-id-token', 'config'),
    works('broker/first-login', 'id'),
    works('broker/mappers', 'identityProviderAlias identityProviderMapper'),
    works('broker/demo-realms', 'name'),
  ),
  'IdentityProviderMapper facebook-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper github-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper google-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper hardcoded-attribute-idp-mapper': settings(
    works('broker/mappers', 'attribute attribute.value'),
  ),
  'IdentityProviderMapper hardcoded-user-session-attribute-idp-mapper': settings(
    works('broker/mappers', 'attribute attribute.value'),
  ),
  'IdentityProviderMapper instagram-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper keycloak-oidc-role-to-role-idp-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'external.role role'),
  ),
  'IdentityProviderMapper linkedin-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper microsoft-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper oidc-advanced-group-idp-mapper': settings(
    works('broker/mappers', 'are.claim.values.regex claims group'),
  ),
  'IdentityProviderMapper oidc-advanced-role-idp-mapper': settings(
    works('broker/mappers', 'are.claim.values.regex claims role'),
  ),
  'IdentityProviderMapper oidc-hardcoded-group-idp-mapper': settings(works('broker/mappers', 'group')),
  'IdentityProviderMapper oidc-hardcoded-role-idp-mapper': settings(works('broker/mappers', 'role')),
  'IdentityProviderMapper oidc-role-idp-mapper': settings(works('broker/mappers', 'claim claim.value role')),
  'IdentityProviderMapper oidc-user-attribute-idp-mapper': settings(
    works('broker/mappers', 'claim user.attribute'),
    told('a claim that is missing leaves email, firstName and lastName as they are', 'allow.nullable.property'),
  ),
  'IdentityProviderMapper oidc-user-session-note-idp-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'are.claim.values.regex claims'),
  ),
  'IdentityProviderMapper oidc-username-idp-mapper': settings(
    told('the mapper sets usernames, and only where its target is LOCAL', 'target', { unless: ['LOCAL'] }),
    works('broker/mappers', 'template'),
  ),
  'IdentityProviderMapper openshift-v4-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper paypal-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper saml-advanced-group-idp-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'are.attribute.values.regex attributes group'),
  ),
  'IdentityProviderMapper saml-advanced-role-idp-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'are.attribute.values.regex attributes role'),
  ),
  'IdentityProviderMapper saml-role-idp-mapper': settings(
    whole(
      'Keyhost does not have this mapper: it has no effect',
      'attribute.friendly.name attribute.name attribute.value role',
    ),
  ),
  'IdentityProviderMapper saml-user-attribute-idp-mapper': settings(
    whole(
      'Keyhost does not have this mapper: it has no effect',
      'allow.nullable.property attribute.friendly.name attribute.name attribute.name.format user.attribute',
    ),
  ),
  'IdentityProviderMapper saml-username-idp-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'target template'),
  ),
  'IdentityProviderMapper saml-xpath-attribute-idp-mapper': settings(
    whole(
      'Keyhost does not have this mapper: it has no effect',
      'attribute.friendly.name attribute.name attribute.xpath user.attribute',
    ),
  ),
  'IdentityProviderMapper stackoverflow-user-attribute-mapper': settings(
    whole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'SocialIdentityProvider facebook': settings(
    whole('Keyhost does not have this identity provider: users cannot sign in with it', 'fetchedFields'),
  ),
  'SocialIdentityProvider github': settings(
    whole(
      'Keyhost does not have this identity provider: users cannot sign in with it',
      'apiUrl baseUrl githubJsonFormat',
    ),
  ),
  'SocialIdentityProvider google': settings(
    whole(
      'Keyhost does not have this identity provider: users cannot sign in with it',
      'hostedDomain jwtAuthorizationGrantEnabled jwtAuthorizationGrantMaxAllowedAssertionExpiration offlineAccess prompt userIp',
    ),
  ),
  'SocialIdentityProvider microsoft': settings(
    whole('Keyhost does not have this identity provider: users cannot sign in with it', 'prompt tenantId'),
  ),
  'SocialIdentityProvider openshift-v4': settings(
    whole('Keyhost does not have this identity provider: users cannot sign in with it', 'baseUrl'),
  ),
  'SocialIdentityProvider paypal': settings(
    whole('Keyhost does not have this identity provider: users cannot sign in with it', 'sandbox'),
  ),
  'SocialIdentityProvider stackoverflow': settings(
    whole('Keyhost does not have this identity provider: users cannot sign in with it', 'key'),
  ),
  'identity provider config': settings(
    works('config/setting-flips', 'hideOnLoginPage loginHint passMaxAge pkceEnabled'),
    works('broker/wrong-providers', 'allowedClockSkew'),
    works('broker/wrong-providers', 'issuer'),
    works('broker/encrypted-id-token', 'jwksUrl tokenUrl'),
    works('login/keycloak-js.rest', 'pkceMethod'),
    works('broker/mapper-modes', 'syncMode'),
    works('account/account-in-a-browser.rest', 'useJwksUrl validateSignature'),
    unkept('claimFilterName and claimFilterValue do not restrict logins', 'filteredByClaim'),
    told('filteredByClaim is not supported', 'claimFilterName claimFilterValue'),
    told(
      'clients cannot authenticate with assertions of the provider',
      'allowClientIdAsAudience fedClientAssertionMaxExp supportsClientAssertionReuse supportsClientAssertions',
    ),
    told('client assertions have no X.509 headers', 'jwtX509HeadersEnabled'),
    told('roles are read from access tokens of the type keycloak-oidc alone', 'isAccessTokenJWT'),
    told('access tokens of the provider are not introspected', 'tokenIntrospectionUrl'),
    told('storeToken of the provider decides', 'storeTokenInSession'),
    told('all states have the same length', 'requiresShortStateParameter'),
    told('usernames of linked accounts are kept as the provider writes them', 'caseSensitiveOriginalUsername'),
    told('metadata is read when an admin imports it, and not again', 'metadataDescriptorUrl'),
    told('users are imported at their first login', 'doNotStoreUsers'),
    told('a stored token is handed out as long as the provider says', 'minValidityToken', { unless: ['5'] }),
    told('firstBrokerLoginFlowAlias of the provider says so', 'firstBrokerLoginFlowId'),
    told('postBrokerLoginFlowAlias of the provider says so', 'postBrokerLoginFlowId'),
    told('hideOnLogin of the provider says so', 'hideOnLogin'),
    told('linkOnly of the provider says so', 'linkOnly'),
    told('the step identity-provider-redirector of a flow says so', 'authenticateByDefault'),
    told('Keyhost has no organizations', 'organizationId'),
    told('the account page shows every provider', 'showInAccountConsole', { unless: ['ALWAYS'] }),
  ),
};
