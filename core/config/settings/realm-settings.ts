import { ignored, ignoredProtection, mergeSettings, supported } from './setting-state.js';

const OLD = 'only Keycloaks before 20 have it';
const ABSENT = 'Keyhost does not have it';

/** Members of a realm (Keycloak's RealmRepresentation). */
export const REALM = mergeSettings(
  supported('admin/realms', 'enabled'),
  supported('admin/realms', 'id'),
  supported('admin/realms', 'realm'),
  supported(
    'config/setting-flips',
    'displayName accessCodeLifespanLogin defaultOptionalClientScopes defaultRole loginWithEmailAllowed',
  ),
  supported('security/pkce-and-codes', 'accessCodeLifespan'),
  supported('account/account-rest', 'accessTokenLifespan'),
  supported('admin/searches', 'groups'),
  supported('account/themes', 'accountTheme loginTheme localizationTexts'),
  supported('account/themes', 'emailTheme'),
  supported('admin/user-mails', 'actionTokenGeneratedByAdminLifespan'),
  supported('security/action-link-ends', 'actionTokenGeneratedByUserLifespan'),
  supported(
    'admin/events',
    'adminEventsEnabled adminEventsDetailsEnabled eventsEnabled eventsExpiration enabledEventTypes eventsListeners',
  ),
  supported('admin/authentication', 'authenticationFlows authenticatorConfig browserFlow'),
  supported(
    'users/brute-force',
    `bruteForceProtected bruteForceStrategy failureFactor waitIncrementSeconds maxFailureWaitSeconds maxDeltaTimeSeconds
    quickLoginCheckMilliSeconds minimumQuickLoginWaitSeconds permanentLockout maxTemporaryLockouts`,
  ),
  supported(
    'login/one-time-passwords',
    'maxSecondaryAuthFailures otpPolicyAlgorithm otpPolicyCodeReusable otpPolicyDigits otpPolicyLookAheadWindow',
  ),
  supported('config/setting-flips', 'otpPolicyInitialCounter otpPolicyPeriod otpPolicyType'),
  supported('config/keycloak-export', 'certificate privateKey publicKey'),
  supported('oidc/client-policies', 'clientPolicies clientProfiles'),
  supported('admin/clients', 'clients clientScopeMappings scopeMappings'),
  supported('admin/client-scopes', 'clientScopes'),
  supported('config/setting-flips', 'clientSessionIdleTimeout clientSessionMaxLifespan'),
  supported('admin/key-components', 'components'),
  supported('broker/first-login', 'defaultDefaultClientScopes'),
  supported('admin/identity-providers', 'identityProviders'),
  supported('admin/groups', 'defaultGroups'),
  supported('pages/languages', 'defaultLocale internationalizationEnabled supportedLocales'),
  supported('admin/console-roles', 'roles'),
  supported(
    'config/completed-names',
    `applicationScopeMappings applications clientTemplates defaultRoles oauthClients social socialProviders
    updateProfileOnInitialSocialLogin`,
  ),
  supported('config/migrations', 'keycloakVersion'),
  supported('oidc/metadata', 'defaultSignatureAlgorithm'),
  supported('login/direct-grant', 'directGrantFlow'),
  supported('admin/users', 'duplicateEmailsAllowed editUsernameAllowed users'),
  supported('admin/described-plugins', 'requiredActions'),
  supported('security/unproven-logins', 'firstBrokerLoginFlow registrationFlow'),
  supported('broker/mapper-modes', 'identityProviderMappers'),
  supported('admin/lenient-bodies', 'notBefore'),
  supported('oidc/device-authorization', 'oauth2DeviceCodeLifespan oauth2DevicePollingInterval'),
  supported('sessions/offline-sessions', 'offlineSessionIdleTimeout'),
  supported('config/setting-flips', 'offlineSessionMaxLifespan offlineSessionMaxLifespanEnabled refreshTokenMaxReuse'),
  supported('admin/credentials', 'passwordPolicy'),
  supported('admin/claim-origins', 'protocolMappers'),
  supported('login/registration', 'registrationAllowed registrationEmailAsUsername verifyEmail'),
  supported('login/remember-me', 'rememberMe ssoSessionIdleTimeoutRememberMe ssoSessionMaxLifespanRememberMe'),
  supported('login/reset-credentials', 'resetCredentialsFlow'),
  supported('login/mailed-links', 'resetPasswordAllowed smtpServer'),
  supported('security/refresh-and-revocation', 'revokeRefreshToken ssoSessionMaxLifespan'),
  supported('admin/sessions', 'ssoSessionIdleTimeout'),
  supported('oidc/device-verification', 'sslRequired'),
  supported('login/passkeys', 'webAuthnPolicyAvoidSameAuthenticatorRegister webAuthnPolicyPasswordlessPasskeysEnabled'),
  supported('security/admin-gain', 'webAuthnPolicyPasswordlessExtraOrigins attributes'),
  supported('login/passkeys', 'webAuthnPolicyExtraOrigins'),
  supported(
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
  ignored('the browser chooses how it offers passkeys', 'webAuthnPolicyPasswordlessMediation', {
    exceptValues: ['not specified', 'conditional'],
  }),
  ignored('pages of required actions end with accessCodeLifespanLogin', 'accessCodeLifespanUserAction', {
    exceptValues: ['300'],
  }),
  ignored('response types with tokens are rejected', 'accessTokenLifespanForImplicitFlow', { exceptValues: ['900'] }),
  ignored(
    'the roles of realm-management decide what an admin may do',
    'adminPermissionsEnabled adminPermissionsClient',
  ),
  ignored('the admin console has no themes', 'adminTheme', {
    exceptValues: ['keycloak.v2', 'keycloak', 'base', 'rh-sso'],
  }),
  // Each header is examined separately: see ignored-settings.ts.
  ignored('Keyhost sends its own security headers', 'browserSecurityHeaders'),
  ignored('clients authenticate by the method that each has', 'clientAuthenticationFlow', {
    exceptValues: ['clients'],
  }),
  ignored('Docker registries are not served', 'dockerAuthenticationFlow', { exceptValues: ['docker auth'] }),
  ignored('pages show displayName', 'displayNameHtml', {
    exceptValues: ['<div class="kc-logo-text"><span>Keycloak</span></div>'],
  }),
  ignored('the page that sets up an authenticator app names none', 'otpSupportedApplications', {
    isComputedList: true,
  }),
  ignored('Keyhost has no organizations: it keeps them for Keycloak', 'organizations organizationsEnabled'),
  ignored('Keyhost has no SCIM', 'scimApiEnabled'),
  ignored('Keyhost issues no verifiable credentials', 'verifiableCredentialsEnabled'),
  ignored('users share no resources: Keyhost has no authorization services', 'userManagedAccessAllowed'),
  ignored('Keyhost has no user storage: these users are not imported', 'federatedUsers'),
  ignoredProtection(
    "offline tokens end with the session's offlineSessionIdleTimeout",
    'clientOfflineSessionIdleTimeout',
  ),
  ignoredProtection(
    "offline tokens end with the session's offlineSessionMaxLifespan",
    'clientOfflineSessionMaxLifespan',
  ),
  ignored(OLD, 'codeSecret passwordCredentialGrantAllowed'),
  ignored(OLD, 'realmCacheEnabled userCacheEnabled', { exceptValues: ['true'] }),
  ignored(OLD, 'requiredCredentials', { exceptValues: ['["password"]'] }),
  ignored(`${ABSENT}: users of other directories cannot sign in`, 'userFederationProviders userFederationMappers'),
);
