import { MAX_ACTION_TOKEN_LIFESPAN } from '../../../model/realm.js';
import { CLIENT_POLICIES_SCHEMA, CLIENT_PROFILES_SCHEMA } from './client-policy-schema.js';
import { application, client, clientScope } from './client-schema.js';
import { AUTHENTICATOR_CONFIG_SCHEMA, FLOW_SCHEMA } from './flow-schema.js';
import { group, role, userSchema } from './user-schema.js';
import {
  ALGORITHMS,
  BOOLEAN,
  COUNT,
  POSITIVE_COUNT,
  STRING,
  STRING_LIST_MAP,
  STRING_MAP,
  STRINGS,
} from './value-schemas.js';
import { webAuthnPolicySchema } from './webauthn-policy-schema.js';

const initialAccess = {
  type: 'object',
  properties: { id: STRING, timestamp: COUNT, expiration: COUNT, count: COUNT, remainingCount: COUNT },
  required: ['id', 'timestamp', 'expiration', 'count', 'remainingCount'],
} as const;

export const scopeMapping = {
  type: 'object',
  properties: { client: STRING, clientScope: STRING, self: STRING, clientTemplate: STRING, roles: STRINGS },
  required: ['roles'],
} as const;

export const component = {
  $id: 'keyhost:component',
  type: 'object',
  properties: {
    id: STRING,
    name: STRING,
    providerId: STRING,
    subType: STRING,
    parentId: STRING,
    subComponents: { type: 'object', additionalProperties: { type: 'array', items: { $ref: 'keyhost:component' } } },
    config: STRING_LIST_MAP,
  },
  required: ['providerId'],
} as const;

export const requiredAction = {
  type: 'object',
  properties: {
    alias: { type: 'string', minLength: 1, maxLength: 255 },
    name: STRING,
    providerId: STRING,
    enabled: BOOLEAN,
    defaultAction: BOOLEAN,
    priority: { type: 'integer' },
    config: STRING_MAP,
  },
  required: ['alias'],
} as const;

export const identityProvider = {
  type: 'object',
  properties: {
    internalId: STRING,
    alias: { type: 'string', minLength: 1, maxLength: 255 },
    displayName: STRING,
    providerId: STRING,
    enabled: BOOLEAN,
    trustEmail: BOOLEAN,
    storeToken: BOOLEAN,
    addReadTokenRoleOnCreate: BOOLEAN,
    authenticateByDefault: BOOLEAN,
    linkOnly: BOOLEAN,
    hideOnLogin: BOOLEAN,
    updateProfileFirstLoginMode: STRING,
    firstBrokerLoginFlowAlias: STRING,
    postBrokerLoginFlowAlias: STRING,
    config: STRING_MAP,
  },
  required: ['alias'],
} as const;

export const identityProviderMapper = {
  type: 'object',
  properties: {
    id: STRING,
    name: { type: 'string', minLength: 1 },
    identityProviderAlias: STRING,
    identityProviderMapper: STRING,
    config: STRING_MAP,
  },
  required: ['name', 'identityProviderAlias', 'identityProviderMapper'],
} as const;

const providerSetting = {
  type: 'object',
  properties: { enabled: BOOLEAN, config: { type: 'object' } },
  additionalProperties: false,
} as const;

/** The rules for one type of action token. */
const ACTION_TOKEN_RULE = {
  type: 'object',
  properties: { mint: BOOLEAN, maxLifespan: { type: 'integer', minimum: 1, maximum: MAX_ACTION_TOKEN_LIFESPAN } },
  additionalProperties: false,
} as const;

/** Texts, as Keycloak exports them. The email sender checks their content. */
export const smtpServer = {
  type: 'object',
  properties: Object.fromEntries(
    [
      'host',
      'port',
      'from',
      'fromDisplayName',
      'replyTo',
      'replyToDisplayName',
      'envelopeFrom',
      'ssl',
      'starttls',
      'auth',
      'authType',
      'user',
      'password',
      'allowutf8',
      'debug',
      'authTokenUrl',
      'authTokenScope',
      'authTokenClientId',
      'authTokenClientSecret',
    ].map((key) => [key, { type: ['string', 'number', 'boolean'] }]),
  ),
};

/** Objects that other schemas refer to by `$id`. */
export const SHARED_SCHEMAS = [group, component, application] as const;

/** The schema of realm files. Keys that it does not list are preserved. */
export const REALM_SCHEMA = {
  type: 'object',
  properties: {
    $schema: STRING,
    id: { type: 'string', minLength: 1, maxLength: 255 },
    realm: {
      type: 'string',
      pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$',
      mustBe: '1 to 64 of the characters A-Z a-z 0-9 . _ -, but not "." or ".."',
    },
    enabled: BOOLEAN,
    displayName: STRING,
    displayNameHtml: STRING,
    notBefore: COUNT,
    defaultSignatureAlgorithm: { enum: [...ALGORITHMS, ''] },
    revokeRefreshToken: BOOLEAN,
    refreshTokenMaxReuse: COUNT,
    accessTokenLifespan: POSITIVE_COUNT,
    accessTokenLifespanForImplicitFlow: COUNT,
    ssoSessionIdleTimeout: POSITIVE_COUNT,
    ssoSessionMaxLifespan: POSITIVE_COUNT,
    ssoSessionIdleTimeoutRememberMe: COUNT,
    ssoSessionMaxLifespanRememberMe: COUNT,
    offlineSessionIdleTimeout: COUNT,
    offlineSessionMaxLifespanEnabled: BOOLEAN,
    offlineSessionMaxLifespan: COUNT,
    clientSessionIdleTimeout: COUNT,
    clientSessionMaxLifespan: COUNT,
    clientOfflineSessionIdleTimeout: COUNT,
    clientOfflineSessionMaxLifespan: COUNT,
    accessCodeLifespan: COUNT,
    accessCodeLifespanUserAction: COUNT,
    accessCodeLifespanLogin: COUNT,
    actionTokenGeneratedByAdminLifespan: COUNT,
    actionTokenGeneratedByUserLifespan: COUNT,
    oauth2DeviceCodeLifespan: POSITIVE_COUNT,
    oauth2DevicePollingInterval: COUNT,
    sslRequired: { enum: ['none', 'external', 'all', 'NONE', 'EXTERNAL', 'ALL'] },
    registrationAllowed: BOOLEAN,
    registrationEmailAsUsername: BOOLEAN,
    rememberMe: BOOLEAN,
    verifyEmail: BOOLEAN,
    loginWithEmailAllowed: BOOLEAN,
    duplicateEmailsAllowed: BOOLEAN,
    resetPasswordAllowed: BOOLEAN,
    editUsernameAllowed: BOOLEAN,
    bruteForceProtected: BOOLEAN,
    permanentLockout: BOOLEAN,
    maxTemporaryLockouts: COUNT,
    maxSecondaryAuthFailures: COUNT,
    bruteForceStrategy: { enum: ['MULTIPLE', 'LINEAR'] },
    failureFactor: COUNT,
    waitIncrementSeconds: COUNT,
    minimumQuickLoginWaitSeconds: COUNT,
    maxFailureWaitSeconds: COUNT,
    quickLoginCheckMilliSeconds: COUNT,
    maxDeltaTimeSeconds: COUNT,
    passwordPolicy: { type: 'string', maxLength: 10_000 },
    otpPolicyType: { enum: ['totp', 'hotp', ''] },
    otpPolicyAlgorithm: { enum: ['HmacSHA1', 'HmacSHA256', 'HmacSHA512', ''] },
    otpPolicyDigits: { enum: [6, 8] },
    otpPolicyPeriod: POSITIVE_COUNT,
    otpPolicyLookAheadWindow: COUNT,
    otpPolicyInitialCounter: COUNT,
    otpPolicyCodeReusable: BOOLEAN,
    ...webAuthnPolicySchema('webAuthnPolicy'),
    ...webAuthnPolicySchema('webAuthnPolicyPasswordless'),
    webAuthnPolicyPasswordlessPasskeysEnabled: BOOLEAN,
    eventsEnabled: BOOLEAN,
    eventsExpiration: COUNT,
    eventsListeners: STRINGS,
    enabledEventTypes: STRINGS,
    adminEventsEnabled: BOOLEAN,
    adminEventsDetailsEnabled: BOOLEAN,
    internationalizationEnabled: BOOLEAN,
    supportedLocales: STRINGS,
    defaultLocale: STRING,
    localizationTexts: { type: 'object', additionalProperties: STRING_MAP },
    loginTheme: STRING,
    accountTheme: STRING,
    adminTheme: STRING,
    emailTheme: STRING,
    attributes: STRING_MAP,
    smtpServer,
    browserSecurityHeaders: STRING_MAP,
    roles: {
      type: 'object',
      properties: {
        realm: { type: 'array', items: role },
        client: { type: 'object', additionalProperties: { type: 'array', items: role } },
        application: { type: 'object', additionalProperties: { type: 'array', items: role } },
      },
    },
    defaultRole: role,
    defaultRoles: STRINGS,
    groups: { type: 'array', items: { $ref: 'keyhost:group' } },
    defaultGroups: STRINGS,
    clientScopes: { type: 'array', items: clientScope },
    defaultDefaultClientScopes: STRINGS,
    defaultOptionalClientScopes: STRINGS,
    scopeMappings: { type: 'array', items: scopeMapping },
    clientScopeMappings: { type: 'object', additionalProperties: { type: 'array', items: scopeMapping } },
    clients: { type: 'array', items: client },
    clientsInitialAccess: { type: 'array', items: initialAccess },
    users: { type: 'array', items: userSchema },
    components: {
      type: 'object',
      additionalProperties: { type: 'array', items: { $ref: 'keyhost:component' } },
    },
    browserFlow: STRING,
    registrationFlow: STRING,
    directGrantFlow: STRING,
    resetCredentialsFlow: STRING,
    clientAuthenticationFlow: STRING,
    dockerAuthenticationFlow: STRING,
    firstBrokerLoginFlow: STRING,
    authenticationFlows: { type: 'array', items: FLOW_SCHEMA },
    authenticatorConfig: { type: 'array', items: AUTHENTICATOR_CONFIG_SCHEMA },
    requiredActions: { type: 'array', items: requiredAction },
    identityProviders: { type: 'array', items: identityProvider },
    identityProviderMappers: { type: 'array', items: identityProviderMapper },
    clientProfiles: CLIENT_PROFILES_SCHEMA,
    clientPolicies: CLIENT_POLICIES_SCHEMA,
    requiredCredentials: STRINGS,
    privateKey: STRING,
    publicKey: STRING,
    certificate: STRING,
    providers: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: providerSetting },
    },
    actionTokenPolicy: { type: 'object', additionalProperties: ACTION_TOKEN_RULE },
  },
  required: ['realm'],
} as const;
