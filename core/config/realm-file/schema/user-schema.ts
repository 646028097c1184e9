import { BOOLEAN, COUNT, NAME, ROLE_LISTS, STRING, STRING_LIST_MAP, STRINGS } from './value-schemas.js';

export const role = {
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
    attributes: STRING_LIST_MAP,
  },
  required: ['name'],
} as const;

export const group = {
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
    attributes: STRING_LIST_MAP,
    realmRoles: STRINGS,
    clientRoles: ROLE_LISTS,
    access: { type: 'object' },
  },
  required: ['name'],
} as const;

export const credential = {
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
    // Members of credentials in Keycloak 8 and older, which `convertOlderRealm` converts.
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

export const consent = {
  type: 'object',
  properties: {
    clientId: STRING,
    grantedClientScopes: STRINGS,
    createdDate: { type: 'integer' },
    lastUpdatedDate: { type: 'integer' },
  },
  required: ['clientId'],
} as const;

export const federatedIdentity = {
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
    attributes: STRING_LIST_MAP,
    requiredActions: STRINGS,
    credentials: { type: 'array', items: credential },
    realmRoles: STRINGS,
    clientRoles: ROLE_LISTS,
    groups: STRINGS,
    federatedIdentities: { type: 'array', items: federatedIdentity },
    federationLink: STRING,
    serviceAccountClientId: STRING,
    clientConsents: { type: 'array', items: consent },
    notBefore: COUNT,
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
