import type { Json } from '@keyhost/spi';
import { claim, NOTHING, typed } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { ALL_OF_THEM, CLAIM, EVERYWHERE, ROLE, TYPE } from './settings.js';

/** Keycloak's placeholder in the claim name of client roles. */
const CLIENT_ID = '${client_id}';

export const realmRoles = mapper('oidc-usermodel-realm-role-mapper', {
  describe: { displayName: 'User Realm Role', helpText: 'Map a user realm role to a token claim.' },
  settings: {
    'usermodel.realmRoleMapping.rolePrefix': { type: 'string', title: 'Realm Role prefix' },
    ...ALL_OF_THEM,
    ...CLAIM,
    ...TYPE,
    ...EVERYWHERE,
  },
  map({ config, realmRoles }) {
    const prefix = config['usermodel.realmRoleMapping.rolePrefix'] ?? '';
    return claim(config, prefix === '' ? realmRoles : realmRoles.map((name) => prefix + name));
  },
});

export const clientRoles = mapper('oidc-usermodel-client-role-mapper', {
  describe: { displayName: 'User Client Role', helpText: 'Map a user client role to a token claim.' },
  settings: {
    'usermodel.clientRoleMapping.clientId': { type: 'string', format: 'client', title: 'Client ID' },
    'usermodel.clientRoleMapping.rolePrefix': { type: 'string', title: 'Client Role prefix' },
    ...ALL_OF_THEM,
    ...CLAIM,
    ...TYPE,
    ...EVERYWHERE,
  },
  map({ config, clientRoles }) {
    const template = config['claim.name'];
    if (template === undefined) return NOTHING;
    const only = config['usermodel.clientRoleMapping.clientId'];
    const prefix = config['usermodel.clientRoleMapping.rolePrefix'] ?? '';
    const claims: Record<string, Json> = {};
    for (const [clientId, names] of Object.entries(clientRoles)) {
      if (only !== undefined && only !== clientId) continue;
      const name = template.replaceAll(CLIENT_ID, () => clientId.replaceAll(/[\\.]/g, '\\$&'));
      const value = typed(config, prefix === '' ? names : names.map((role) => prefix + role));
      if (value === undefined) continue;
      const before = claims[name];
      claims[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
    }
    return claims;
  },
});

export const groupMembership = mapper('oidc-group-membership-mapper', {
  describe: { displayName: 'Group Membership', helpText: 'Map user group membership' },
  settings: { ...CLAIM, 'full.path': { type: 'boolean', title: 'Full group path', default: true }, ...EVERYWHERE },
  map({ config, groups, groupNames }) {
    const name = config['claim.name'];
    if (name === undefined || groups.length === 0) return NOTHING;
    return { [name]: config['full.path'] === 'true' ? groups : groupNames };
  },
});

// No claims here: these mappers change the roles before any other mapper runs (`shapedRoles`).
export const hardcodedRole = mapper('oidc-hardcoded-role-mapper', {
  describe: { displayName: 'Hardcoded Role', helpText: 'Adds a role to tokens. It does not assign the role.' },
  settings: ROLE,
  map: () => NOTHING,
});

export const roleName = mapper('oidc-role-name-mapper', {
  describe: { displayName: 'Role Name Mapper', helpText: 'Shows a role with another name in tokens.' },
  settings: {
    ...ROLE,
    'new.role.name': { type: 'string', title: 'New Role Name', description: 'A realm role, or "clientId.role".' },
  },
  map: () => NOTHING,
});
