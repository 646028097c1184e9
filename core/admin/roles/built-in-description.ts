import { BUILT_IN_CLIENT_ROLES } from '../../model/built-in-names.js';
import { defaultRoleName } from '../../model/default-role-name.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { RoleWithClient } from './role-with-client.js';

/** Keys of the translated descriptions in Keycloak's admin console, by role. */
const REALM_ROLE_KEYS: Readonly<Record<string, string>> = {
  offline_access: 'role_offline-access',
  uma_authorization: 'role_uma_authorization',
};
const MASTER_ROLE_KEYS: Readonly<Record<string, string>> = { admin: 'role_admin', 'create-realm': 'role_create-realm' };

/**
 * Keycloak's description of a role that every realm has. Undefined for other roles. It applies only to roles without a
 * description.
 */
export function builtInDescription(realm: RealmRepresentation, { clientId, role: { name } }: RoleWithClient) {
  const key = clientId === undefined ? realmRoleKey(realm, name) : clientRoleKey(clientId, name);
  return key === undefined ? undefined : `\${${key}}`;
}

function realmRoleKey(realm: RealmRepresentation, name: string): string | undefined {
  if (name === defaultRoleName(realm)) return 'role_default-roles';
  const keys = realm.realm === MASTER_REALM ? { ...REALM_ROLE_KEYS, ...MASTER_ROLE_KEYS } : REALM_ROLE_KEYS;
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

function clientRoleKey(clientId: string, name: string): string | undefined {
  const names = Object.hasOwn(BUILT_IN_CLIENT_ROLES, clientId) ? BUILT_IN_CLIENT_ROLES[clientId] : undefined;
  return names?.includes(name) ? `role_${name}` : undefined;
}
