/**
 * The members that Keycloak reads of each type of object in a realm (26.7: org.keycloak.representations.idm). Its
 * reader refuses a realm with any other member.
 */
export const KEYCLOAK_MEMBERS = {
  realm: parseNames(`
    accessCodeLifespan accessCodeLifespanLogin accessCodeLifespanUserAction accessTokenLifespan
    accessTokenLifespanForImplicitFlow accountTheme actionTokenGeneratedByAdminLifespan
    actionTokenGeneratedByUserLifespan adminEventsDetailsEnabled adminEventsEnabled adminPermissionsClient
    adminPermissionsEnabled adminTheme attributes authenticationFlows authenticatorConfig browserFlow
    browserSecurityHeaders bruteForceProtected bruteForceStrategy certificate clientAuthenticationFlow
    clientOfflineSessionIdleTimeout clientOfflineSessionMaxLifespan clientPolicies clientProfiles
    clientScopeMappings clientScopes clientSessionIdleTimeout clientSessionMaxLifespan clients codeSecret
    components defaultDefaultClientScopes defaultGroups defaultLocale defaultOptionalClientScopes defaultRole
    defaultRoles defaultSignatureAlgorithm directGrantFlow displayName displayNameHtml
    dockerAuthenticationFlow duplicateEmailsAllowed editUsernameAllowed emailTheme enabled enabledEventTypes
    eventsEnabled eventsExpiration eventsListeners failureFactor federatedUsers firstBrokerLoginFlow groups id
    identityProviderMappers identityProviders internationalizationEnabled keycloakVersion localizationTexts
    loginTheme loginWithEmailAllowed maxDeltaTimeSeconds maxFailureWaitSeconds maxSecondaryAuthFailures
    maxTemporaryLockouts minimumQuickLoginWaitSeconds notBefore oauth2DeviceCodeLifespan
    oauth2DevicePollingInterval offlineSessionIdleTimeout offlineSessionMaxLifespan
    offlineSessionMaxLifespanEnabled organizations organizationsEnabled otpPolicyAlgorithm
    otpPolicyCodeReusable otpPolicyDigits otpPolicyInitialCounter otpPolicyLookAheadWindow otpPolicyPeriod
    otpPolicyType otpSupportedApplications passwordPolicy permanentLockout privateKey protocolMappers
    publicKey quickLoginCheckMilliSeconds realm refreshTokenMaxReuse registrationAllowed
    registrationEmailAsUsername registrationFlow rememberMe requiredActions requiredCredentials
    resetCredentialsFlow resetPasswordAllowed revokeRefreshToken roles scimApiEnabled smtpServer sslRequired
    scopeMappings ssoSessionIdleTimeout ssoSessionIdleTimeoutRememberMe ssoSessionMaxLifespan
    ssoSessionMaxLifespanRememberMe supportedLocales userFederationMappers userFederationProviders
    userManagedAccessAllowed users verifiableCredentialsEnabled verifyEmail waitIncrementSeconds
    webAuthnPolicyAcceptableAaguids webAuthnPolicyAttestationConveyancePreference
    webAuthnPolicyAuthenticatorAttachment webAuthnPolicyAvoidSameAuthenticatorRegister
    webAuthnPolicyCreateTimeout webAuthnPolicyExtraOrigins webAuthnPolicyPasswordlessAcceptableAaguids
    webAuthnPolicyPasswordlessAttestationConveyancePreference
    webAuthnPolicyPasswordlessAuthenticatorAttachment webAuthnPolicyPasswordlessAvoidSameAuthenticatorRegister
    webAuthnPolicyPasswordlessCreateTimeout webAuthnPolicyPasswordlessExtraOrigins
    webAuthnPolicyPasswordlessMediation webAuthnPolicyPasswordlessPasskeysEnabled
    webAuthnPolicyPasswordlessRequireResidentKey webAuthnPolicyPasswordlessResidentKey
    webAuthnPolicyPasswordlessRpEntityName webAuthnPolicyPasswordlessRpId
    webAuthnPolicyPasswordlessSignatureAlgorithms webAuthnPolicyPasswordlessUserVerificationRequirement
    webAuthnPolicyRequireResidentKey webAuthnPolicyResidentKey webAuthnPolicyRpEntityName webAuthnPolicyRpId
    webAuthnPolicySignatureAlgorithms webAuthnPolicyUserVerificationRequirement
  `),
  client: parseNames(`
    access adminUrl alwaysDisplayInConsole attributes authenticationFlowBindingOverrides
    authorizationServicesEnabled authorizationSettings baseUrl bearerOnly clientAuthenticatorType clientId
    consentRequired defaultClientScopes defaultRoles description directAccessGrantsEnabled directGrantsOnly
    enabled frontchannelLogout fullScopeAllowed id implicitFlowEnabled name nodeReRegistrationTimeout
    notBefore optionalClientScopes origin protocol protocolMappers publicClient redirectUris registeredNodes
    registrationAccessToken rootUrl secret serviceAccountsEnabled standardFlowEnabled surrogateAuthRequired
    type webOrigins
  `),
  user: parseNames(`
    access attributes clientConsents clientRoles createdTimestamp credentials disableableCredentialTypes email
    emailVerified enabled federatedIdentities federationLink firstName groups id issuedVerifiableCredentials
    lastName notBefore origin realmRoles requiredActions self serviceAccountClientId socialLinks totp
    userProfileMetadata username verifiableCredentials
  `),
  credential: parseNames(`
    createdDate credentialData federationLink id priority secretData temporary type userLabel value
  `),
  consent: parseNames(`
    clientId createdDate grantedClientScopes lastUpdatedDate
  `),
  federatedIdentity: parseNames(`
    identityProvider userId userName
  `),
  roles: parseNames(`
    client realm
  `),
  role: parseNames(`
    attributes clientRole composite composites containerId description id name
  `),
  composites: parseNames(`
    client realm
  `),
  group: parseNames(`
    access attributes clientRoles description id name parentId path realmRoles subGroupCount subGroups
  `),
  clientScope: parseNames(`
    attributes description id name protocol protocolMappers
  `),
  protocolMapper: parseNames(`
    config consentRequired consentText id name protocol protocolMapper
  `),
  scopeMapping: parseNames(`
    client clientScope roles self
  `),
  component: parseNames(`
    config id name providerId subComponents subType
  `),
  flow: parseNames(`
    alias authenticationExecutions builtIn description id providerId topLevel
  `),
  execution: parseNames(`
    authenticator authenticatorConfig authenticatorFlow autheticatorFlow flowAlias priority requirement
    userSetupAllowed
  `),
  authenticatorConfig: parseNames(`
    alias config id
  `),
  requiredAction: parseNames(`
    alias config defaultAction enabled name priority providerId
  `),
  identityProvider: parseNames(`
    addReadTokenRoleOnCreate alias authenticateByDefault config displayName enabled firstBrokerLoginFlowAlias
    hideOnLogin internalId linkOnly organizationId postBrokerLoginFlowAlias providerId storeToken trustEmail
    types updateProfileFirstLogin updateProfileFirstLoginMode
  `),
  identityProviderMapper: parseNames(`
    config id identityProviderAlias identityProviderMapper name
  `),
} as const;

function parseNames(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
