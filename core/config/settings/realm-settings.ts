import { settings, told, unkept, works } from './setting-state.js';

const OLD = 'only Keycloaks before 20 have it';
const ABSENT = 'Keyhost does not have it';

/** Members of a realm (Keycloak's RealmRepresentation). */
export const REALM = settings(
  works('admin/realms', 'enabled'),
  works('admin/realms', 'id'),
  works('admin/realms', 'realm'),
  works(
    'config/setting-flips',
    'displayName accessCodeLifespanLogin defaultOptionalClientScopes defaultRole loginWithEmailAllowed',
  ),
  works('security/pkce-and-codes', 'accessCodeLifespan'),
  works('account/account-rest', 'accessTokenLifespan'),
  works('admin/searches', 'groups'),
  works('account/themes', 'accountTheme loginTheme localizationTexts'),
  works('account/themes', 'emailTheme'),
  works('admin/user-mails', 'actionTokenGeneratedByAdminLifespan'),
  works('security/action-link-ends', 'actionTokenGeneratedByUserLifespan'),
  works(
    'admin/events',
    'adminEventsEnabled adminEventsDetailsEnabled eventsEnabled eventsExpiration enabledEventTypes eventsListeners',
  ),
  works('admin/authentication', 'authenticationFlows authenticatorConfig browserFlow'),
  works(
    'users/brute-force',
    `bruteForceProtected bruteForceStrategy failureFactor waitIncrementSeconds maxFailureWaitSeconds maxDeltaTimeSeconds
    quickLoginCheckMilliSeconds minimumQuickLoginWaitSeconds permanentLockout maxTemporaryLockouts`,
  ),
  works(
    'login/one-time-passwords',
    'maxSecondaryAuthFailures otpPolicyAlgorithm otpPolicyCodeReusable otpPolicyDigits otpPolicyLookAheadWindow',
  ),
  works('config/setting-flips', 'otpPolicyInitialCounter otpPolicyPeriod otpPolicyType'),
  works('config/keycloak-export', 'certificate privateKey publicKey'),
  works('oidc/client-policies', 'clientPolicies clientProfiles'),
  works('admin/clients', 'clients clientScopeMappings scopeMappings'),
  works('admin/client-scopes', 'clientScopes'),
  works('config/setting-flips', 'clientSessionIdleTimeout clientSessionMaxLifespan'),
  works('admin/key-components', 'components'),
  works('broker/first-login', 'defaultDefaultClientScopes'),
  works('admin/identity-providers', 'identityProviders'),
  works('admin/groups', 'defaultGroups'),
  works('pages/languages', 'defaultLocale internationalizationEnabled supportedLocales'),
  works('admin/console-roles', 'roles'),
  works(
    'config/completed-names',
    `applicationScopeMappings applications clientTemplates defaultRoles oauthClients social socialProviders
    updateProfileOnInitialSocialLogin`,
  ),
  works('config/migrations', 'keycloakVersion'),
  works('oidc/metadata', 'defaultSignatureAlgorithm'),
  works('login/direct-grant', 'directGrantFlow'),
  works('admin/users', 'duplicateEmailsAllowed editUsernameAllowed users'),
  works('admin/described-plugins', 'requiredActions'),
  works('security/unproven-logins', 'firstBrokerLoginFlow registrationFlow'),
  works('broker/mapper-modes', 'identityProviderMappers'),
  works('admin/lenient-bodies', 'notBefore'),
  works('oidc/device-authorization', 'oauth2DeviceCodeLifespan oauth2DevicePollingInterval'),
  works('sessions/offline-sessions', 'offlineSessionIdleTimeout'),
  works('config/setting-flips', 'offlineSessionMaxLifespan offlineSessionMaxLifespanEnabled refreshTokenMaxReuse'),
  works('admin/credentials', 'passwordPolicy'),
  works('admin/claim-origins', 'protocolMappers'),
  works('login/registration', 'registrationAllowed registrationEmailAsUsername verifyEmail'),
  works('login/remember-me', 'rememberMe ssoSessionIdleTimeoutRememberMe ssoSessionMaxLifespanRememberMe'),
  works('login/reset-credentials', 'resetCredentialsFlow'),
  works('login/mailed-links', 'resetPasswordAllowed smtpServer'),
  works('security/refresh-and-revocation', 'revokeRefreshToken ssoSessionMaxLifespan'),
  works('admin/sessions', 'ssoSessionIdleTimeout'),
  works('oidc/device-verification', 'sslRequired'),
  works('login/passkeys', 'webAuthnPolicyAvoidSameAuthenticatorRegister webAuthnPolicyPasswordlessPasskeysEnabled'),
  works('security/admin-gain', 'webAuthnPolicyPasswordlessExtraOrigins attributes'),
  works('login/passkeys', 'webAuthnPolicyExtraOrigins'),
  works(
    'login/passkeys',
    `webAuthnPolicyAcceptableAaguids webAuthnPolicyAttestationConveyancePreference webAuthnPolicyAuthenticatorAttachment
    webAuthnPolicyCreateTimeout webAuthnPolicyRequireResidentKey webAuthnPolicyRpEntityName webAuthnPolicyRpId
    webAuthnPolicySignatureAlgorithms webAuthnPolicyUserVerificationRequirement
    webAuthnPolicyPasswordlessAcceptableAaguids webAuthnPolicyPasswordlessAttestationConveyancePreference
    webAuthnPolicyPasswordlessAuthenticatorAttachment webAuthnPolicyPasswordlessAvoidSameAuthenticatorRegister
    webAuthnPolicyPasswordlessCreateTimeout webAuthnPolicyPasswordlessRequireResidentKey
    webAuthnPolicyResidentKey webAuthnPolicyPasswordlessResidentKey
    webAuthnPolicyPasswordlessRpEntityName webAuthnPolicyPasswordlessRpId webAuthnPolicyPasswordlessSignatureAlgorithms
    webAuthnPolicyPasswordlessUserVerificationRequirement`,
  ),
  told('the browser chooses how it offers passkeys', 'webAuthnPolicyPasswordlessMediation', {
    unless: ['not specified', 'conditional'],
  }),
  told('pages of required actions end with accessCodeLifespanLogin', 'accessCodeLifespanUserAction', {
    unless: ['300'],
  }),
  told('response types with tokens are rejected', 'accessTokenLifespanForImplicitFlow', { unless: ['900'] }),
  told('the roles of realm-management decide what an admin may do', 'adminPermissionsEnabled adminPermissionsClient'),
  told('the desk has no themes', 'adminTheme', { unless: ['keycloak.v2', 'keycloak', 'base', 'rh-sso'] }),
  // Each header is examined separately: see unused-settings.ts.
  told('Keyhost sends its own security headers', 'browserSecurityHeaders'),
  told('clients authenticate by the method that each has', 'clientAuthenticationFlow', { unless: ['clients'] }),
  told('Docker registries are not served', 'dockerAuthenticationFlow', { unless: ['docker auth'] }),
  told('pages show displayName', 'displayNameHtml', {
    unless: ['<div class="kc-logo-text"><span>Keycloak</span></div>'],
  }),
  told('the page that sets up an authenticator app names none', 'otpSupportedApplications', { computed: true }),
  told('Keyhost has no organizations: it keeps them for Keycloak', 'organizations organizationsEnabled'),
  told('Keyhost has no SCIM', 'scimApiEnabled'),
  told('Keyhost issues no verifiable credentials', 'verifiableCredentialsEnabled'),
  told('users share no resources: Keyhost has no authorization services', 'userManagedAccessAllowed'),
  told('Keyhost has no user storage: these users are not imported', 'federatedUsers'),
  unkept("offline tokens end with the session's offlineSessionIdleTimeout", 'clientOfflineSessionIdleTimeout'),
  unkept("offline tokens end with the session's offlineSessionMaxLifespan", 'clientOfflineSessionMaxLifespan'),
  told(OLD, 'codeSecret passwordCredentialGrantAllowed'),
  told(OLD, 'realmCacheEnabled userCacheEnabled', { unless: ['true'] }),
  told(OLD, 'requiredCredentials', { unless: ['["password"]'] }),
  told(`${ABSENT}: users of other directories cannot sign in`, 'userFederationProviders userFederationMappers'),
);
