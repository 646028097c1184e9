import type { RealmRepresentation } from '../../model/representation.js';

/** Settings whose default is another setting. */
const DEPENDENT = ['actionTokenGeneratedByUserLifespan'];

/** Values of a realm for members that its representation lacks, as Keycloak shows them (DefaultExportImportManager). */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  notBefore: 0,
  defaultSignatureAlgorithm: 'RS256',
  revokeRefreshToken: false,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: 300,
  accessTokenLifespanForImplicitFlow: 900,
  ssoSessionIdleTimeout: 1800,
  ssoSessionMaxLifespan: 36_000,
  ssoSessionIdleTimeoutRememberMe: 0,
  ssoSessionMaxLifespanRememberMe: 0,
  offlineSessionIdleTimeout: 2_592_000,
  offlineSessionMaxLifespanEnabled: false,
  offlineSessionMaxLifespan: 5_184_000,
  clientSessionIdleTimeout: 0,
  clientSessionMaxLifespan: 0,
  clientOfflineSessionIdleTimeout: 0,
  clientOfflineSessionMaxLifespan: 0,
  accessCodeLifespan: 60,
  accessCodeLifespanUserAction: 300,
  accessCodeLifespanLogin: 1800,
  actionTokenGeneratedByAdminLifespan: 43_200,
  actionTokenGeneratedByUserLifespan: 300,
  oauth2DeviceCodeLifespan: 600,
  oauth2DevicePollingInterval: 5,
  enabled: false,
  sslRequired: 'external',
  registrationAllowed: false,
  registrationEmailAsUsername: false,
  rememberMe: false,
  verifyEmail: false,
  loginWithEmailAllowed: true,
  duplicateEmailsAllowed: false,
  resetPasswordAllowed: false,
  editUsernameAllowed: false,
  bruteForceProtected: false,
  permanentLockout: false,
  maxTemporaryLockouts: 0,
  maxSecondaryAuthFailures: 0,
  bruteForceStrategy: 'MULTIPLE',
  maxFailureWaitSeconds: 900,
  minimumQuickLoginWaitSeconds: 60,
  waitIncrementSeconds: 60,
  quickLoginCheckMilliSeconds: 1000,
  maxDeltaTimeSeconds: 43_200,
  failureFactor: 30,
  requiredCredentials: ['password'],
  otpPolicyType: 'totp',
  otpPolicyAlgorithm: 'HmacSHA1',
  otpPolicyInitialCounter: 0,
  otpPolicyDigits: 6,
  otpPolicyLookAheadWindow: 1,
  otpPolicyPeriod: 30,
  otpPolicyCodeReusable: false,
  ...webAuthnPolicy('webAuthnPolicy', 'not specified', 'not specified'),
  ...webAuthnPolicy('webAuthnPolicyPasswordless', 'required', 'required'),
  webAuthnPolicyPasswordlessPasskeysEnabled: false,
  smtpServer: {},
  clientProfiles: { profiles: [] },
  clientPolicies: { policies: [] },
  browserSecurityHeaders: {
    contentSecurityPolicyReportOnly: '',
    xContentTypeOptions: 'nosniff',
    referrerPolicy: 'no-referrer',
    xRobotsTag: 'none',
    xFrameOptions: 'SAMEORIGIN',
    contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  },
  eventsEnabled: false,
  eventsExpiration: 0,
  eventsListeners: ['jboss-logging'],
  enabledEventTypes: [],
  adminEventsEnabled: false,
  adminEventsDetailsEnabled: false,
  internationalizationEnabled: false,
  supportedLocales: [],
  browserFlow: 'browser',
  registrationFlow: 'registration',
  directGrantFlow: 'direct grant',
  resetCredentialsFlow: 'reset credentials',
  clientAuthenticationFlow: 'clients',
  dockerAuthenticationFlow: 'docker auth',
  firstBrokerLoginFlow: 'first broker login',
  attributes: {},
  userManagedAccessAllowed: false,
  organizationsEnabled: false,
};

function webAuthnPolicy(prefix: string, residentKey: string, userVerification: string): Record<string, unknown> {
  const policy = {
    RpEntityName: 'keycloak',
    SignatureAlgorithms: ['ES256', 'RS256'],
    RpId: '',
    AttestationConveyancePreference: 'not specified',
    AuthenticatorAttachment: 'not specified',
    RequireResidentKey: 'not specified',
    ResidentKey: residentKey,
    UserVerificationRequirement: userVerification,
    CreateTimeout: 0,
    AvoidSameAuthenticatorRegister: false,
    AcceptableAaguids: [],
    ExtraOrigins: [],
  };
  return Object.fromEntries(Object.entries(policy).map(([key, value]) => [`${prefix}${key}`, value]));
}

/** Defaults of settings with a single value: a realm that declares its default equals one that does not. */
export const SINGLE_DEFAULTS: Readonly<Record<string, string | number | boolean>> = Object.fromEntries(
  Object.entries(DEFAULTS).filter(
    (entry): entry is [string, string | number | boolean] =>
      typeof entry[1] !== 'object' && !DEPENDENT.includes(entry[0]),
  ),
);

/**
 * Members of a realm with paths of their own in the Admin REST API: the operation for settings neither shows nor
 * changes them.
 */
export const REALM_PARTS: readonly string[] = [
  'clients',
  'clientScopes',
  'defaultDefaultClientScopes',
  'defaultOptionalClientScopes',
  'clientTemplates',
  'roles',
  'defaultRoles',
  'groups',
  'users',
  'federatedUsers',
  'scopeMappings',
  'clientScopeMappings',
  'components',
  'authenticationFlows',
  'authenticatorConfig',
  'requiredActions',
  'providers',
  '$schema',
  // It restricts admins, so they must not be able to change it.
  'actionTokenPolicy',
  'identityProviders',
  'identityProviderMappers',
  'localizationTexts',
  'privateKey',
  'publicKey',
  'certificate',
  'keycloakVersion',
  'userProfile',
  'organizations',
  'clientsInitialAccess',
];

/** Returns all settings of the realm, with defaults, as Keycloak returns them for `GET /admin/realms/{realm}`. */
export function realmSettings(realm: RealmRepresentation): RealmRepresentation {
  const realmMembers = Object.entries(realm).filter(([key]) => !REALM_PARTS.includes(key));
  return { ...DEFAULTS, ...Object.fromEntries(realmMembers) } as RealmRepresentation;
}
