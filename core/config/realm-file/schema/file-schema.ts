import { client, clientScope, OLD_CLIENT_MEMBERS, protocolMapper } from './client-schema.js';
import { FLOW_KEYS } from './flow-schema.js';
import { component, REALM_SCHEMA, requiredAction, scopeMapping, smtpServer } from './realm-schema.js';
import { credential, group, role, userSchema } from './user-schema.js';
import { BOOLEAN, STRING, STRING_MAP } from './value-schemas.js';

/**
 * The schema of a realm in a file: the realm's schema, with the members of older versions of Keycloak, which are
 * converted, and `keycloakVersion`.
 */
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
    socialProviders: STRING_MAP,
    updateProfileOnInitialSocialLogin: BOOLEAN,
  },
} as const;

/** The known keys of each kind of object. A key that resembles one is reported as a misspelling. */
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
