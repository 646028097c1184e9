import type { Json } from '@keyhost/spi';
import { NOTHING } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { CLAIM, EVERYWHERE, MULTIVALUED, ROLE, TYPE } from './settings.js';

/** Keycloak's placeholder in the claim name of client roles. */
const CLIENT_ID = '${client_id}';

export const realmRoles = mapper('oidc-usermodel-realm-role-mapper', {
  describe: { displayName: 'User Realm Role', helpText: 'Map a user realm role to a token claim.' },
  settings: {
    'usermodel.realmRoleMapping.rolePrefix': { type: 'string', title: 'Realm Role prefix' },
    ...MULTIVALUED,
    ...CLAIM,
    ...TYPE,
    ...EVERYWHERE,
  },
  map({ config, realmRoles }) {
    if (realmRoles.length === 0) return NOTHING;
    const prefix = config['usermodel.realmRoleMapping.rolePrefix'] ?? '';
    const names = prefix === '' ? realmRoles : realmRoles.map((name) => prefix + name);
    return { [config['claim.name'] ?? 'realm_access.roles']: names };
  },
});

export const clientRoles = mapper('oidc-usermodel-client-role-mapper', {
  describe: { displayName: 'User Client Role', helpText: 'Map a user client role to a token claim.' },
  settings: {
    'usermodel.clientRoleMapping.clientId': { type: 'string', format: 'client', title: 'Client ID' },
    'usermodel.clientRoleMapping.rolePrefix': { type: 'string', title: 'Client Role prefix' },
    ...MULTIVALUED,
    ...CLAIM,
    ...TYPE,
    ...EVERYWHERE,
  },
  map({ config, clientRoles }) {
    const template = config['claim.name'] ?? `resource_access.${CLIENT_ID}.roles`;
    const only = config['usermodel.clientRoleMapping.clientId'];
    const prefix = config['usermodel.clientRoleMapping.rolePrefix'] ?? '';
    const claims: Record<string, Json> = {};
    for (const [clientId, names] of Object.entries(clientRoles)) {
      if (only !== undefined && only !== '' && only !== clientId) continue;
      const name = template.replace(CLIENT_ID, clientId.replaceAll('.', '\\.'));
      const prefixed = names.map((role) => prefix + role);
      const before = claims[name];
      claims[name] = Array.isArray(before) ? [...before, ...prefixed] : prefixed;
    }
    return claims;
  },
});

export const groupMembership = mapper('oidc-group-membership-mapper', {
  describe: { displayName: 'Group Membership', helpText: 'Map user group membership' },
  settings: { ...CLAIM, 'full.path': { type: 'boolean', title: 'Full group path', default: true }, ...EVERYWHERE },
  map({ config, groups }) {
    const names =
      config['full.path'] === 'false' ? groups.map((path) => path.slice(path.lastIndexOf('/') + 1)) : groups;
    return { [config['claim.name'] ?? 'groups']: names };
  },
});

// What these do is done before any mapper: they change the roles that all of them are shown.
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
