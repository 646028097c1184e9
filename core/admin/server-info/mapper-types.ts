import { ProtocolMapper } from '@keyhost/spi';
import { BUILT_IN_CLIENT_SCOPES } from '../../realms/built-ins/built-in-client-scopes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { type ConfigProperty, field } from './config-property.js';

const flag = (name: string, label: string, defaultValue = 'true') => field(name, 'boolean', label, { defaultValue });
const CLAIM = field('claim.name', 'String', 'Token Claim Name', { helpText: 'A dot nests, "\\." is a dot.' });
const TYPE = field('jsonType.label', 'List', 'Claim JSON Type', {
  options: ['String', 'long', 'int', 'boolean', 'JSON'],
  defaultValue: 'String',
});
const ID = flag('id.token.claim', 'Add to ID token');
const ACCESS = flag('access.token.claim', 'Add to access token');
const USERINFO = flag('userinfo.token.claim', 'Add to userinfo');
const INTROSPECTION = flag('introspection.token.claim', 'Add to token introspection');
const EVERYWHERE = [ID, ACCESS, USERINFO, INTROSPECTION];
const IN_ACCESS = [ACCESS, INTROSPECTION];
const MULTIVALUED = flag('multivalued', 'Multivalued', 'false');
const ROLE = field('role', 'Role', 'Role', { helpText: 'A realm role, or "clientId.role".' });
const ADDRESS = ['formatted', 'street', 'locality', 'region', 'postal_code', 'country'].map((part) =>
  field(`user.attribute.${part}`, 'String', `User Attribute Name for ${part}`, { defaultValue: part }),
);

/** Keycloak's mappers: name, help text, fields. */
const KNOWN: Readonly<Record<string, readonly [string, string, readonly ConfigProperty[]]>> = {
  'oidc-usermodel-property-mapper': [
    'User Property',
    'Map a built in user property (email, firstName, lastName) to a token claim.',
    [field('user.attribute', 'String', 'Property'), CLAIM, TYPE, ...EVERYWHERE],
  ],
  'oidc-usermodel-attribute-mapper': [
    'User Attribute',
    'Map a custom user attribute to a token claim.',
    [field('user.attribute', 'UserProfileAttributeList', 'User Attribute'), CLAIM, TYPE, MULTIVALUED, ...EVERYWHERE],
  ],
  'oidc-full-name-mapper': ["User's full name", "Maps the user's first and last name to the 'name' claim.", EVERYWHERE],
  'oidc-address-mapper': [
    'User Address',
    "Maps user address attributes to the 'address' claim.",
    [...ADDRESS, ...EVERYWHERE],
  ],
  'oidc-usermodel-realm-role-mapper': [
    'User Realm Role',
    'Map a user realm role to a token claim.',
    [
      field('usermodel.realmRoleMapping.rolePrefix', 'String', 'Realm Role prefix'),
      MULTIVALUED,
      CLAIM,
      TYPE,
      ...EVERYWHERE,
    ],
  ],
  'oidc-usermodel-client-role-mapper': [
    'User Client Role',
    'Map a user client role to a token claim.',
    [
      field('usermodel.clientRoleMapping.clientId', 'ClientList', 'Client ID'),
      field('usermodel.clientRoleMapping.rolePrefix', 'String', 'Client Role prefix'),
      ...[MULTIVALUED, CLAIM, TYPE, ...EVERYWHERE],
    ],
  ],
  'oidc-audience-resolve-mapper': [
    'Audience Resolve',
    'Adds all client_ids of clients of which the user has a role to the audience of the token.',
    IN_ACCESS,
  ],
  'oidc-audience-mapper': [
    'Audience',
    'Add specified audience to the audience (aud) field of token',
    [
      field('included.client.audience', 'ClientList', 'Included Client Audience'),
      field('included.custom.audience', 'String', 'Included Custom Audience'),
      ...[ID, ...IN_ACCESS],
    ],
  ],
  'oidc-allowed-origins-mapper': [
    'Allowed Web Origins',
    "Adds all allowed web origins to the 'allowed-origins' claim.",
    IN_ACCESS,
  ],
  'oidc-hardcoded-claim-mapper': [
    'Hardcoded claim',
    'Hardcode a claim into the token.',
    [CLAIM, field('claim.value', 'String', 'Claim value'), TYPE, ...EVERYWHERE],
  ],
  'oidc-group-membership-mapper': [
    'Group Membership',
    'Map user group membership',
    [CLAIM, flag('full.path', 'Full group path'), ...EVERYWHERE],
  ],
  'oidc-acr-mapper': [
    'Authentication Context Class Reference (ACR)',
    'Maps the achieved LoA to the acr claim.',
    [ID, ...IN_ACCESS],
  ],
  'oidc-sub-mapper': ['Subject (sub)', 'Add Subject (sub) claim', IN_ACCESS],
  'oidc-usersessionmodel-note-mapper': [
    'User Session Note',
    'Map a custom user session note to a token claim.',
    [field('user.session.note', 'String', 'User Session Note'), CLAIM, TYPE, ...EVERYWHERE],
  ],
  'oidc-hardcoded-role-mapper': ['Hardcoded Role', 'Adds a role to what tokens show; it gives no right.', [ROLE]],
  'oidc-role-name-mapper': [
    'Role Name Mapper',
    'Shows a role by another name.',
    [ROLE, field('new.role.name', 'String', 'New Role Name', { helpText: 'A realm role, or "clientId.role".' })],
  ],
  'oidc-sha256-pairwise-sub-mapper': [
    'Pairwise subject identifier',
    'A subject that only the clients of one sector share (OpenID Connect Core §8.1).',
    [
      field('sectorIdentifierUri', 'String', 'Sector Identifier URI', {
        helpText: 'A JSON list of redirect addresses; needed where those of the client have several hosts.',
      }),
      field('pairwiseSubAlgorithmSalt', 'String', 'Salt', { helpText: 'Made where it is left out.' }),
    ],
  ],
  'oidc-amr-mapper': [
    'Authentication Method Reference (AMR)',
    "Adds the references of the login's steps as the 'amr' claim (RFC 8176).",
    [ID, ACCESS],
  ],
  'oidc-session-state-mapper': ['Session State (session_state)', "Adds the 'session_state' claim.", EVERYWHERE],
  'oidc-nonce-backwards-compatible-mapper': [
    'Nonce backwards compatible',
    'Adds the nonce of the request to access and refresh tokens.',
    [],
  ],
  'oidc-claims-param-token-mapper': [
    'Claims parameter Token',
    "Claims that the 'claims' parameter asks for by name are given with it or without it.",
    [ID, USERINFO],
  ],
  'oidc-claims-param-value-idtoken-mapper': [
    'Claims parameter with value ID Token',
    "Gives back the value of an essential claim of the 'claims' parameter.",
    [CLAIM, ID],
  ],
};

/** The mappers that this host has, Keycloak's and those of plugins. */
export function mapperTypes(registry: ProviderRegistry) {
  return registry.all(ProtocolMapper).map(({ id, plugin }) => {
    const [name, helpText, properties] = (Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined) ?? [id, plugin.name, []];
    return { id, name, category: 'Token mapper', helpText, priority: 0, properties };
  });
}

/** The mappers of the built-in client scopes, which the console offers ready made. */
export function builtInMappers() {
  return BUILT_IN_CLIENT_SCOPES.flatMap(({ protocolMappers = [] }) => protocolMappers);
}
