import type { Json } from '@keyhost/spi';
import { escapeClaimName } from '../../model/claim-path.js';
import { buildClaim, convertValues, NO_CLAIMS } from './mapped-claim.js';
import { defineMapper } from './mapper.js';
import { CLAIM_NAME, CLAIM_TYPE, EVERYWHERE, MULTIVALUED_BY_DEFAULT, ROLE } from './settings.js';

/** Keycloak's placeholder in the claim name of client roles. */
const CLIENT_ID_PLACEHOLDER = '${client_id}';

export const realmRoles = defineMapper('oidc-usermodel-realm-role-mapper', {
  describe: { displayName: 'User Realm Role', helpText: 'Map a user realm role to a token claim.' },
  settings: {
    'usermodel.realmRoleMapping.rolePrefix': { type: 'string', title: 'Realm Role prefix' },
    ...MULTIVALUED_BY_DEFAULT,
    ...CLAIM_NAME,
    ...CLAIM_TYPE,
    ...EVERYWHERE,
  },
  map({ config, realmRoles }) {
    const prefix = config['usermodel.realmRoleMapping.rolePrefix'] ?? '';
    return buildClaim(config, prefix === '' ? realmRoles : realmRoles.map((name) => prefix + name));
  },
});

export const clientRoles = defineMapper('oidc-usermodel-client-role-mapper', {
  describe: { displayName: 'User Client Role', helpText: 'Map a user client role to a token claim.' },
  settings: {
    'usermodel.clientRoleMapping.clientId': { type: 'string', format: 'client', title: 'Client ID' },
    'usermodel.clientRoleMapping.rolePrefix': { type: 'string', title: 'Client Role prefix' },
    ...MULTIVALUED_BY_DEFAULT,
    ...CLAIM_NAME,
    ...CLAIM_TYPE,
    ...EVERYWHERE,
  },
  map({ config, clientRoles }) {
    const template = config['claim.name'];
    if (template === undefined) return NO_CLAIMS;
    const onlyClient = config['usermodel.clientRoleMapping.clientId'];
    const prefix = config['usermodel.clientRoleMapping.rolePrefix'] ?? '';
    const claims: Record<string, Json> = {};
    for (const [clientId, names] of Object.entries(clientRoles)) {
      if (onlyClient !== undefined && onlyClient !== clientId) continue;
      const name = template.replaceAll(CLIENT_ID_PLACEHOLDER, () => escapeClaimName(clientId));
      const value = convertValues(config, prefix === '' ? names : names.map((role) => prefix + role));
      if (value === undefined) continue;
      const previous = claims[name];
      claims[name] = Array.isArray(previous) && Array.isArray(value) ? [...previous, ...value] : (previous ?? value);
    }
    return claims;
  },
});

export const groupMembership = defineMapper('oidc-group-membership-mapper', {
  describe: { displayName: 'Group Membership', helpText: 'Map user group membership' },
  settings: { ...CLAIM_NAME, 'full.path': { type: 'boolean', title: 'Full group path', default: true }, ...EVERYWHERE },
  map({ config, groups, groupNames }) {
    const name = config['claim.name'];
    if (name === undefined || groups.length === 0) return NO_CLAIMS;
    return { [name]: config['full.path'] === 'true' ? groups : groupNames };
  },
});

// The next two mappers return no claims: they change the roles before any other mapper runs (`rolesForTokens`).
export const hardcodedRole = defineMapper('oidc-hardcoded-role-mapper', {
  describe: { displayName: 'Hardcoded Role', helpText: 'Adds a role to tokens. It does not assign the role.' },
  settings: ROLE,
  map: () => NO_CLAIMS,
});

export const roleName = defineMapper('oidc-role-name-mapper', {
  describe: { displayName: 'Role Name Mapper', helpText: 'Shows a role with another name in tokens.' },
  settings: {
    ...ROLE,
    'new.role.name': { type: 'string', title: 'New Role Name', description: 'A realm role, or "clientId.role".' },
  },
  map: () => NO_CLAIMS,
});
