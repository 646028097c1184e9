import {
  ignored,
  ignoredAsWhole,
  ignoredProtection,
  mergeSettings,
  type Settings,
  supported,
} from './setting-state.js';

/** Settings of identity providers and their mappers, by Keycloak's name of their owner. */
export const IDENTITY_PROVIDERS: Readonly<Record<string, Settings>> = {
  IdentityProvider: mergeSettings(
    supported('broker/stored-tokens', 'addReadTokenRoleOnCreate storeToken'),
    supported('broker/first-login', 'alias enabled hideOnLogin linkOnly providerId'),
    supported('broker/encrypted-id-token', 'config'),
    supported('broker/in-a-browser.rest', 'displayName'),
    supported('broker/linking', 'firstBrokerLoginFlowAlias trustEmail'),
    supported('admin/identity-providers', 'internalId'),
    supported('broker/login-by-provider', 'postBrokerLoginFlowAlias'),
    ignored('the step identity-provider-redirector of a flow says so', 'authenticateByDefault'),
    ignored('the step idp-review-profile of a flow says so', 'updateProfileFirstLoginMode', {
      exceptValues: ['on', 'missing'],
    }),
    ignored('Keyhost has no organizations', 'organizationId'),
    ignored('an identity provider signs users in, and exchanges their tokens', 'types', {
      isComputedList: true,
    }),
  ),
  IdentityProviderMapper: mergeSettings(
    supported('broker/encrypted-id-token', 'config'),
    supported('broker/first-login', 'id'),
    supported('broker/mappers', 'identityProviderAlias identityProviderMapper'),
    supported('broker/demo-realms', 'name'),
  ),
  'IdentityProviderMapper facebook-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper github-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper google-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper hardcoded-attribute-idp-mapper': mergeSettings(
    supported('broker/mappers', 'attribute attribute.value'),
  ),
  'IdentityProviderMapper hardcoded-user-session-attribute-idp-mapper': mergeSettings(
    supported('broker/mappers', 'attribute attribute.value'),
  ),
  'IdentityProviderMapper instagram-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper keycloak-oidc-role-to-role-idp-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'external.role role'),
  ),
  'IdentityProviderMapper linkedin-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper microsoft-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper oidc-advanced-group-idp-mapper': mergeSettings(
    supported('broker/mappers', 'are.claim.values.regex claims group'),
  ),
  'IdentityProviderMapper oidc-advanced-role-idp-mapper': mergeSettings(
    supported('broker/mappers', 'are.claim.values.regex claims role'),
  ),
  'IdentityProviderMapper oidc-hardcoded-group-idp-mapper': mergeSettings(supported('broker/mappers', 'group')),
  'IdentityProviderMapper oidc-hardcoded-role-idp-mapper': mergeSettings(supported('broker/mappers', 'role')),
  'IdentityProviderMapper oidc-role-idp-mapper': mergeSettings(supported('broker/mappers', 'claim claim.value role')),
  'IdentityProviderMapper oidc-user-attribute-idp-mapper': mergeSettings(
    supported('broker/mappers', 'claim user.attribute'),
    ignored('a claim that is missing leaves email, firstName and lastName as they are', 'allow.nullable.property'),
  ),
  'IdentityProviderMapper oidc-user-session-note-idp-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'are.claim.values.regex claims'),
  ),
  'IdentityProviderMapper oidc-username-idp-mapper': mergeSettings(
    ignored('the mapper sets usernames, and only where its target is LOCAL', 'target', { exceptValues: ['LOCAL'] }),
    supported('broker/mappers', 'template'),
  ),
  'IdentityProviderMapper openshift-v4-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper paypal-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'IdentityProviderMapper saml-advanced-group-idp-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it has no effect',
      'are.attribute.values.regex attributes group',
    ),
  ),
  'IdentityProviderMapper saml-advanced-role-idp-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'are.attribute.values.regex attributes role'),
  ),
  'IdentityProviderMapper saml-role-idp-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it has no effect',
      'attribute.friendly.name attribute.name attribute.value role',
    ),
  ),
  'IdentityProviderMapper saml-user-attribute-idp-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it has no effect',
      'allow.nullable.property attribute.friendly.name attribute.name attribute.name.format user.attribute',
    ),
  ),
  'IdentityProviderMapper saml-username-idp-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'target template'),
  ),
  'IdentityProviderMapper saml-xpath-attribute-idp-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it has no effect',
      'attribute.friendly.name attribute.name attribute.xpath user.attribute',
    ),
  ),
  'IdentityProviderMapper stackoverflow-user-attribute-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it has no effect', 'jsonField userAttribute'),
  ),
  'SocialIdentityProvider facebook': mergeSettings(
    ignoredAsWhole('Keyhost does not have this identity provider: users cannot sign in with it', 'fetchedFields'),
  ),
  'SocialIdentityProvider github': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this identity provider: users cannot sign in with it',
      'apiUrl baseUrl githubJsonFormat',
    ),
  ),
  'SocialIdentityProvider google': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this identity provider: users cannot sign in with it',
      'hostedDomain jwtAuthorizationGrantEnabled jwtAuthorizationGrantMaxAllowedAssertionExpiration offlineAccess prompt userIp',
    ),
  ),
  'SocialIdentityProvider microsoft': mergeSettings(
    ignoredAsWhole('Keyhost does not have this identity provider: users cannot sign in with it', 'prompt tenantId'),
  ),
  'SocialIdentityProvider openshift-v4': mergeSettings(
    ignoredAsWhole('Keyhost does not have this identity provider: users cannot sign in with it', 'baseUrl'),
  ),
  'SocialIdentityProvider paypal': mergeSettings(
    ignoredAsWhole('Keyhost does not have this identity provider: users cannot sign in with it', 'sandbox'),
  ),
  'SocialIdentityProvider stackoverflow': mergeSettings(
    ignoredAsWhole('Keyhost does not have this identity provider: users cannot sign in with it', 'key'),
  ),
  'identity provider config': mergeSettings(
    supported('config/setting-flips', 'hideOnLoginPage loginHint passMaxAge pkceEnabled'),
    supported('broker/misbehaving-providers', 'allowedClockSkew'),
    supported('broker/misbehaving-providers', 'issuer'),
    supported('broker/encrypted-id-token', 'jwksUrl tokenUrl'),
    supported('login/keycloak-js.rest', 'pkceMethod'),
    supported('broker/mapper-modes', 'syncMode'),
    supported('account/account-in-a-browser.rest', 'useJwksUrl validateSignature'),
    ignoredProtection('claimFilterName and claimFilterValue do not restrict logins', 'filteredByClaim'),
    ignored('filteredByClaim is not supported', 'claimFilterName claimFilterValue'),
    ignored(
      'clients cannot authenticate with assertions of the provider',
      'allowClientIdAsAudience fedClientAssertionMaxExp supportsClientAssertionReuse supportsClientAssertions',
    ),
    ignored('client assertions have no X.509 headers', 'jwtX509HeadersEnabled'),
    ignored('roles are read from access tokens of the type keycloak-oidc alone', 'isAccessTokenJWT'),
    ignored('access tokens of the provider are not introspected', 'tokenIntrospectionUrl'),
    ignored('storeToken of the provider decides', 'storeTokenInSession'),
    ignored('all states have the same length', 'requiresShortStateParameter'),
    ignored('usernames of linked accounts are kept as the provider writes them', 'caseSensitiveOriginalUsername'),
    ignored('metadata is read when an admin imports it, and not again', 'metadataDescriptorUrl'),
    ignored('users are imported at their first login', 'doNotStoreUsers'),
    ignored('a stored token is handed out as long as the provider says', 'minValidityToken', { exceptValues: ['5'] }),
    ignored('firstBrokerLoginFlowAlias of the provider says so', 'firstBrokerLoginFlowId'),
    ignored('postBrokerLoginFlowAlias of the provider says so', 'postBrokerLoginFlowId'),
    ignored('hideOnLogin of the provider says so', 'hideOnLogin'),
    ignored('linkOnly of the provider says so', 'linkOnly'),
    ignored('the step identity-provider-redirector of a flow says so', 'authenticateByDefault'),
    ignored('Keyhost has no organizations', 'organizationId'),
    ignored('the account page shows every provider', 'showInAccountConsole', { exceptValues: ['ALWAYS'] }),
  ),
};
