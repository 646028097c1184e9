import { SINGLE_DEFAULTS } from '../built-ins/realm-defaults.js';
import { byKey, fields, ID, items, KEPT_ID, map, SET, type Shape, shapesOfDefaults, VALUE } from './shape.js';

/*
 * Lists of named objects are merged object by object: a client that an admin created and one that the file added are
 * independent. So are lists that Keycloak treats as sets, such as redirect URIs and scopes: as whole values, an admin's
 * member would be lost whenever the file adds another. All other lists are whole values, because their order or
 * position may matter: attribute values, steps of a flow, the values of a component.
 */

/** Members that follow from the position of an object. Keycloak writes them into its exports. */
const DERIVED = KEPT_ID;

const protocolMappers = byKey('name', fields({ id: KEPT_ID }));

const clientScope = fields({ id: KEPT_ID, ...shapesOfDefaults({ protocol: 'openid-connect' }), protocolMappers });

const impersonation = fields({
  ...shapesOfDefaults({ enabled: false, subjects: 'unprivileged' }),
  scopes: SET,
  audiences: SET,
});

const client = fields({
  id: KEPT_ID,
  ...shapesOfDefaults({
    enabled: true,
    protocol: 'openid-connect',
    publicClient: false,
    bearerOnly: false,
    consentRequired: false,
    alwaysDisplayInConsole: false,
    surrogateAuthRequired: false,
    standardFlowEnabled: true,
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: false,
    authorizationServicesEnabled: false,
    frontchannelLogout: false,
    fullScopeAllowed: true,
    clientAuthenticatorType: 'client-secret',
    nodeReRegistrationTimeout: -1,
    notBefore: 0,
  }),
  // When the host generated the secret, which the file does not declare.
  attributes: fields({ 'client.secret.creation.time': DERIVED }),
  redirectUris: SET,
  webOrigins: SET,
  defaultClientScopes: SET,
  optionalClientScopes: SET,
  protocolMappers,
  impersonation,
});

const roleLists = map(SET);
const role = fields({
  id: KEPT_ID,
  containerId: DERIVED,
  clientRole: DERIVED,
  ...shapesOfDefaults({ composite: false }),
  composites: fields({ realm: SET, client: roleLists }),
});
const roles = byKey('name', role);

const groups: Shape = byKey(
  'name',
  fields({
    id: KEPT_ID,
    parentId: DERIVED,
    path: DERIVED,
    subGroupCount: DERIVED,
    realmRoles: SET,
    clientRoles: roleLists,
    // Sub-groups have the same shape.
    get subGroups() {
      return groups;
    },
  }),
);

const scopeMappings = items(
  ({ client: ofClient, clientScope: ofScope }) =>
    ofClient === undefined ? `client scope ${ofScope}` : `client ${ofClient}`,
  fields({ roles: SET }),
);

/** The subtype distinguishes Keycloak's policies for anonymous and authenticated registration, which share a name. */
const components = items(
  ({ name, providerId, subType }) =>
    [name ?? providerId, providerId, ...(subType === undefined ? [] : [subType])].join(' '),
  fields({ id: ID }),
);

const byAlias = byKey('alias', fields({ id: ID, internalId: ID }));

/** A realm's representation without its users. */
export const REALM_SHAPE: Shape = fields({
  id: KEPT_ID,
  ...shapesOfDefaults(SINGLE_DEFAULTS),
  eventsListeners: SET,
  enabledEventTypes: SET,
  supportedLocales: SET,
  defaultGroups: SET,
  defaultRoles: SET,
  defaultDefaultClientScopes: SET,
  defaultOptionalClientScopes: SET,
  defaultRole: role,
  roles: fields({ realm: roles, client: map(roles) }),
  groups,
  clientScopes: byKey('name', clientScope),
  clients: byKey('clientId', client),
  scopeMappings,
  clientScopeMappings: map(scopeMappings),
  components: map(components),
  authenticationFlows: byAlias,
  authenticatorConfig: byAlias,
  requiredActions: byAlias,
  identityProviders: byAlias,
  identityProviderMappers: items(
    ({ identityProviderAlias, name }) => `${identityProviderAlias} ${name}`,
    fields({ id: ID }),
  ),
  clientProfiles: fields({ profiles: byKey('name', VALUE) }),
  clientPolicies: fields({ policies: byKey('name', VALUE) }),
  localizationTexts: map(map(VALUE)),
});
