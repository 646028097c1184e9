import { FLOW_OVERRIDES_SCHEMA } from './flow-schema.js';
import { BOOLEAN, COUNT, NAME, STRING, STRING_MAP, STRINGS } from './value-schemas.js';

export const protocolMapper = {
  type: 'object',
  properties: {
    id: STRING,
    name: STRING,
    protocol: STRING,
    protocolMapper: STRING,
    consentRequired: BOOLEAN,
    consentText: STRING,
    config: STRING_MAP,
  },
  required: ['name', 'protocolMapper'],
} as const;

export const clientScope = {
  type: 'object',
  properties: {
    id: STRING,
    // `checkRealm` rejects names with spaces, after those of Keycloak 3 have been converted.
    name: NAME,
    description: STRING,
    protocol: STRING,
    attributes: STRING_MAP,
    protocolMappers: { type: 'array', items: protocolMapper },
  },
  required: ['name'],
} as const;

export const impersonation = {
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

export const client = {
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
    notBefore: COUNT,
    defaultClientScopes: STRINGS,
    optionalClientScopes: STRINGS,
    protocolMappers: { type: 'array', items: protocolMapper },
    attributes: STRING_MAP,
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

/** Members of a client that have other names in the current Keycloak. `readOldMembers` converts them. */
export const OLD_CLIENT_MEMBERS = { clientTemplate: STRING, defaultRoles: STRINGS, directGrantsOnly: BOOLEAN } as const;

/** A client as Keycloak 1 wrote it. */
export const application = {
  $id: 'keyhost:application',
  ...client,
  properties: { ...client.properties, ...OLD_CLIENT_MEMBERS, name: NAME },
  required: ['name'],
} as const;
