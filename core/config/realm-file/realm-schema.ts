import { MAX_ACTION_TOKEN_LIFESPAN } from '../../model/realm.js';
import { CLIENT_POLICIES_SCHEMA, CLIENT_PROFILES_SCHEMA } from './client-policy-schema.js';
import { AUTHENTICATOR_CONFIG_SCHEMA, FLOW_KEYS, FLOW_OVERRIDES_SCHEMA, FLOW_SCHEMA } from './flow-schema.js';
import { webAuthnPolicySchema } from './webauthn-policy-schema.js';

const STRING = { type: 'string' } as const;
const BOOLEAN = { type: 'boolean' } as const;
/** Keycloak's numbers are 32-bit. */
const MAX = 2_147_483_647;
const SECONDS = { type: 'integer', minimum: 0, maximum: MAX } as const;
const SOME_SECONDS = { type: 'integer', minimum: 1, maximum: MAX } as const;
const STRINGS = { type: 'array', items: STRING } as const;
const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
const LISTS = { type: 'object', additionalProperties: STRINGS } as const;
const ROLE_LISTS = LISTS;

/** What other objects refer to by name. */
const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  mustBe: 'a string without control characters',
} as const;

/** Signature algorithms that realms and clients may name. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const protocolMapper = {
  type: 'object',
  properties: {
    id: STRING,
    name: STRING,
    protocol: STRING,
    protocolMapper: STRING,
    consentRequired: BOOLEAN,
    consentText: STRING,
    config: TEXTS,
  },
  required: ['name', 'protocolMapper'],
} as const;

const clientScope = {
  type: 'object',
  properties: {
    id: STRING,
    // Without spaces, once those of Keycloak 3 are read: `checkRealm`.
    name: NAME,
    description: STRING,
    protocol: STRING,
    attributes: TEXTS,
    protocolMappers: { type: 'array', items: protocolMapper },
  },
  required: ['name'],
} as const;

const impersonation = {
  type: 'object',
  properties: {
    enabled: BOOLEAN,
    scopes: {
      type: 'array',
      items: {
        type: 'string',
        pattern: '^[A-Za-z0-9._:-]+\\*?$',
        mustBe: 'a scope of A-Z a-z 0-9 . _ : -, with at most one "*", at its end',
      },
    },
    audiences: STRINGS,
    subjects: { enum: ['unprivileged', 'any'] },
  },
  additionalProperties: false,
} as const;

const client = {
  type: 'object',
  properties: {
    id: STRING,
    clientId: NAME,
    name: STRING,
    description: STRING,
    enabled: BOOLEAN,
    protocol: STRING,
    publicClient: BOOLEAN,
    bearerOnly: BOOLEAN,
    consentRequired: BOOLEAN,
    standardFlowEnabled: BOOLEAN,
    implicitFlowEnabled: BOOLEAN,
    directAccessGrantsEnabled: BOOLEAN,
    serviceAccountsEnabled: BOOLEAN,
    authorizationServicesEnabled: BOOLEAN,
    alwaysDisplayInConsole: BOOLEAN,
    surrogateAuthRequired: BOOLEAN,
    frontchannelLogout: BOOLEAN,
    clientAuthenticatorType: STRING,
    secret: STRING,
    rootUrl: STRING,
    baseUrl: STRING,
    adminUrl: STRING,
    redirectUris: STRINGS,
    webOrigins: STRINGS,
    fullScopeAllowed: BOOLEAN,
    nodeReRegistrationTimeout: { type: 'integer' },
    notBefore: SECONDS,
    defaultClientScopes: STRINGS,
    optionalClientScopes: STRINGS,
    protocolMappers: { type: 'array', items: protocolMapper },
    attributes: TEXTS,
    authenticationFlowBindingOverrides: FLOW_OVERRIDES_SCHEMA,
    authorizationSettings: { type: 'object' },
    access: { type: 'object' },
    registeredNodes: { type: 'object', additionalProperties: { type: 'integer' } },
    registrationAccessToken: STRING,
    registrationTokenId: STRING,
    origin: STRING,
    type: STRING,
    impersonation,
  },
  required: ['clientId'],
} as const;

/** Members of a client that Keycloak has under other names today: `readOldMembers`. */
const OLD_CLIENT_MEMBERS = { clientTemplate: STRING, defaultRoles: STRINGS, directGrantsOnly: BOOLEAN } as const;

/** A client as Keycloak 1 wrote it. */
const application = {
  $id: 'keyhost:application',
  ...client,
  properties: { ...client.properties, ...OLD_CLIENT_MEMBERS, name: NAME },
  required: ['name'],
} as const;

const initialAccess = {
  type: 'object',
  properties: { id: STRING, timestamp: SECONDS, expiration: SECONDS, count: SECONDS, remainingCount: SECONDS },
  required: ['id', 'timestamp', 'expiration', 'count', 'remainingCount'],
} as const;

const role = {
  type: 'object',
  properties: {
    id: STRING,
    name: NAME,
    description: STRING,
    composite: BOOLEAN,
    composites: {
      type: 'object',
      properties: { realm: STRINGS, client: ROLE_LISTS, application: ROLE_LISTS },
    },
    clientRole: BOOLEAN,
    containerId: STRING,
    attributes: LISTS,
  },
  required: ['name'],
} as const;

const group = {
  $id: 'keyhost:group',
  type: 'object',
  properties: {
    id: STRING,
    name: { type: 'string', minLength: 1 },
    description: STRING,
    path: STRING,
    parentId: STRING,
    subGroupCount: { type: 'integer' },
    subGroups: { type: 'array', items: { $ref: 'keyhost:group' } },
    attributes: LISTS,
    realmRoles: STRINGS,
    clientRoles: ROLE_LISTS,
    access: { type: 'object' },
  },
  required: ['name'],
} as const;

const credential = {
  type: 'object',
  properties: {
    id: STRING,
    type: STRING,
    userLabel: STRING,
    createdDate: { type: 'integer' },
    secretData: STRING,
    credentialData: STRING,
    priority: { type: 'integer' },
    value: STRING,
    temporary: BOOLEAN,
    // As Keycloak wrote credentials until version 8: `readAsOlder`.
    hashedSaltedValue: STRING,
    salt: STRING,
    hashIterations: { type: 'integer' },
    algorithm: STRING,
    digits: { type: 'integer' },
    period: { type: 'integer' },
    counter: { type: 'integer' },
    device: STRING,
  },
  required: ['type'],
} as const;

const consent = {
  type: 'object',
  properties: {
    clientId: STRING,
    grantedClientScopes: STRINGS,
    createdDate: { type: 'integer' },
    lastUpdatedDate: { type: 'integer' },
  },
  required: ['clientId'],
} as const;

const federatedIdentity = {
  type: 'object',
  properties: {
    identityProvider: { type: 'string', minLength: 1 },
    userId: { type: 'string', minLength: 1, maxLength: 255 },
    userName: STRING,
  },
  required: ['identityProvider', 'userId'],
} as const;

export const userSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 255 },
    username: { type: 'string', minLength: 1, maxLength: 255 },
    email: STRING,
    emailVerified: BOOLEAN,
    firstName: STRING,
    lastName: STRING,
    enabled: BOOLEAN,
    createdTimestamp: { type: 'integer' },
    attributes: LISTS,
    requiredActions: STRINGS,
    credentials: { type: 'array', items: credential },
    realmRoles: STRINGS,
    clientRoles: ROLE_LISTS,
    groups: STRINGS,
    federatedIdentities: { type: 'array', items: federatedIdentity },
    federationLink: STRING,
    serviceAccountClientId: STRING,
    clientConsents: { type: 'array', items: consent },
    notBefore: SECONDS,
    linksNotBefore: { type: 'integer', minimum: 0 },
    totp: BOOLEAN,
    disableableCredentialTypes: STRINGS,
    origin: STRING,
    self: STRING,
    access: { type: 'object' },
    userProfileMetadata: { type: 'object' },
    applicationRoles: ROLE_LISTS,
    socialLinks: {
      type: 'array',
      items: {
        type: 'object',
        properties: { socialProvider: NAME, socialUserId: NAME, socialUsername: STRING },
        required: ['socialProvider', 'socialUserId'],
      },
    },
  },
  required: ['username'],
} as const;

const scopeMapping = {
  type: 'object',
  properties: { client: STRING, clientScope: STRING, self: STRING, clientTemplate: STRING, roles: STRINGS },
  required: ['roles'],
} as const;

const component = {
  $id: 'keyhost:component',
  type: 'object',
  properties: {
    id: STRING,
    name: STRING,
    providerId: STRING,
    subType: STRING,
    parentId: STRING,
    subComponents: { type: 'object', additionalProperties: { type: 'array', items: { $ref: 'keyhost:component' } } },
    config: LISTS,
  },
  required: ['providerId'],
} as const;

const requiredAction = {
  type: 'object',
  properties: {
    alias: { type: 'string', minLength: 1, maxLength: 255 },
    name: STRING,
    providerId: STRING,
    enabled: BOOLEAN,
    defaultAction: BOOLEAN,
    priority: { type: 'integer' },
    config: TEXTS,
  },
  required: ['alias'],
} as const;

const identityProvider = {
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
    config: TEXTS,
  },
  required: ['alias'],
} as const;

const identityProviderMapper = {
  type: 'object',
  properties: {
    id: STRING,
    name: { type: 'string', minLength: 1 },
    identityProviderAlias: STRING,
    identityProviderMapper: STRING,
    config: TEXTS,
  },
  required: ['name', 'identityProviderAlias', 'identityProviderMapper'],
} as const;

const providerSetting = {
  type: 'object',
  properties: { enabled: BOOLEAN, config: { type: 'object' } },
  additionalProperties: false,
} as const;

/** Of one type of action tokens. */
const ACTION_TOKEN_RULE = {
  type: 'object',
  properties: { mint: BOOLEAN, maxLifespan: { type: 'integer', minimum: 1, maximum: MAX_ACTION_TOKEN_LIFESPAN } },
  additionalProperties: false,
} as const;

/** Texts, as Keycloak exports them; what they say is checked by whoever sends mails. */
const smtpServer = {
  type: 'object',
  properties: Object.fromEntries(
    [
      ...[
        'host',
        'port',
        'from',
        'fromDisplayName',
        'replyTo',
        'replyToDisplayName',
        'envelopeFrom',
        'ssl',
        'starttls',
      ],
      ...['auth', 'authType', 'user', 'password', 'allowutf8', 'debug'],
      ...['authTokenUrl', 'authTokenScope', 'authTokenClientId', 'authTokenClientSecret'],
    ].map((key) => [key, { type: ['string', 'number', 'boolean'] }]),
  ),
};

/** Objects that other schemas refer to by `$id`. */
export const SHARED_SCHEMAS = [group, component, application] as const;

/** What Keyhost asks of a realm file. Keys that it does not list are kept as they are. */
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
    notBefore: SECONDS,
    defaultSignatureAlgorithm: { enum: [...ALGORITHMS, ''] },
    revokeRefreshToken: BOOLEAN,
    refreshTokenMaxReuse: SECONDS,
    accessTokenLifespan: SOME_SECONDS,
    accessTokenLifespanForImplicitFlow: SECONDS,
    ssoSessionIdleTimeout: SOME_SECONDS,
    ssoSessionMaxLifespan: SOME_SECONDS,
    ssoSessionIdleTimeoutRememberMe: SECONDS,
    ssoSessionMaxLifespanRememberMe: SECONDS,
    offlineSessionIdleTimeout: SECONDS,
    offlineSessionMaxLifespanEnabled: BOOLEAN,
    offlineSessionMaxLifespan: SECONDS,
    clientSessionIdleTimeout: SECONDS,
    clientSessionMaxLifespan: SECONDS,
    clientOfflineSessionIdleTimeout: SECONDS,
    clientOfflineSessionMaxLifespan: SECONDS,
    accessCodeLifespan: SECONDS,
    accessCodeLifespanUserAction: SECONDS,
    accessCodeLifespanLogin: SECONDS,
    actionTokenGeneratedByAdminLifespan: SECONDS,
    actionTokenGeneratedByUserLifespan: SECONDS,
    oauth2DeviceCodeLifespan: SECONDS,
    oauth2DevicePollingInterval: SECONDS,
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
    maxTemporaryLockouts: SECONDS,
    maxSecondaryAuthFailures: SECONDS,
    bruteForceStrategy: { enum: ['MULTIPLE', 'LINEAR'] },
    failureFactor: SECONDS,
    waitIncrementSeconds: SECONDS,
    minimumQuickLoginWaitSeconds: SECONDS,
    maxFailureWaitSeconds: SECONDS,
    quickLoginCheckMilliSeconds: SECONDS,
    maxDeltaTimeSeconds: SECONDS,
    passwordPolicy: { type: 'string', maxLength: 10_000 },
    otpPolicyType: { enum: ['totp', 'hotp', ''] },
    otpPolicyAlgorithm: { enum: ['HmacSHA1', 'HmacSHA256', 'HmacSHA512', ''] },
    otpPolicyDigits: { enum: [6, 8] },
    otpPolicyPeriod: SOME_SECONDS,
    otpPolicyLookAheadWindow: SECONDS,
    otpPolicyInitialCounter: SECONDS,
    otpPolicyCodeReusable: BOOLEAN,
    ...webAuthnPolicySchema('webAuthnPolicy'),
    ...webAuthnPolicySchema('webAuthnPolicyPasswordless'),
    webAuthnPolicyPasswordlessPasskeysEnabled: BOOLEAN,
    eventsEnabled: BOOLEAN,
    eventsExpiration: SECONDS,
    eventsListeners: STRINGS,
    enabledEventTypes: STRINGS,
    adminEventsEnabled: BOOLEAN,
    adminEventsDetailsEnabled: BOOLEAN,
    internationalizationEnabled: BOOLEAN,
    supportedLocales: STRINGS,
    defaultLocale: STRING,
    localizationTexts: { type: 'object', additionalProperties: TEXTS },
    loginTheme: STRING,
    accountTheme: STRING,
    adminTheme: STRING,
    emailTheme: STRING,
    attributes: TEXTS,
    smtpServer,
    browserSecurityHeaders: TEXTS,
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

/** A realm as a file may say it: the members of older Keycloaks, which become those of today, and what tells its version. */
export const FILE_SCHEMA = {
  ...REALM_SCHEMA,
  properties: {
    ...REALM_SCHEMA.properties,
    clients: { type: 'array', items: { ...client, properties: { ...client.properties, ...OLD_CLIENT_MEMBERS } } },
    keycloakVersion: STRING,
    applications: { type: 'array', items: { $ref: 'keyhost:application' } },
    oauthClients: { type: 'array', items: { $ref: 'keyhost:application' } },
    applicationScopeMappings: { type: 'object', additionalProperties: { type: 'array', items: scopeMapping } },
    clientTemplates: { type: 'array', items: clientScope },
    social: BOOLEAN,
    socialProviders: TEXTS,
    updateProfileOnInitialSocialLogin: BOOLEAN,
  },
} as const;

/** The keys that near misses are compared with, by the kind of object. */
export const KNOWN_KEYS = {
  realm: Object.keys(FILE_SCHEMA.properties),
  client: Object.keys(FILE_SCHEMA.properties.clients.items.properties),
  user: Object.keys(userSchema.properties),
  role: Object.keys(role.properties),
  group: Object.keys(group.properties),
  credential: Object.keys(credential.properties),
  component: Object.keys(component.properties),
  roles: Object.keys(REALM_SCHEMA.properties.roles.properties),
  composites: Object.keys(role.properties.composites.properties),
  scopeMapping: Object.keys(scopeMapping.properties),
  clientScope: Object.keys(clientScope.properties),
  protocolMapper: Object.keys(protocolMapper.properties),
  requiredAction: Object.keys(requiredAction.properties),
  smtpServer: Object.keys(smtpServer.properties),
  ...FLOW_KEYS,
} as const;
