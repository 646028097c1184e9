import { BUILT_IN_CLIENT_ROLES } from '../../model/built-in-names.js';
import { defaultRoleName } from '../../model/default-role-name.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { RoleWithClient } from './role-with-client.js';

/** Keys of translated descriptions in Keycloak's admin console. */
const OF_REALMS: Readonly<Record<string, string>> = {
  offline_access: 'role_offline-access',
  uma_authorization: 'role_uma_authorization',
};
const OF_MASTER: Readonly<Record<string, string>> = { admin: 'role_admin', 'create-realm': 'role_create-realm' };

/**
 * Keycloak's description of a role that every realm has; undefined for other roles. It applies only to roles without
 * their own.
 */
export function builtInDescription(realm: RealmRepresentation, { clientId, role: { name } }: RoleWithClient) {
  const key = clientId === undefined ? ofRealm(realm, name) : ofClient(clientId, name);
  return key === undefined ? undefined : `\${${key}}`;
}

function ofRealm(realm: RealmRepresentation, name: string): string | undefined {
  if (name === defaultRoleName(realm)) return 'role_default-roles';
  const keys = realm.realm === MASTER_REALM ? { ...OF_REALMS, ...OF_MASTER } : OF_REALMS;
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

function ofClient(clientId: string, name: string): string | undefined {
  const names = Object.hasOwn(BUILT_IN_CLIENT_ROLES, clientId) ? BUILT_IN_CLIENT_ROLES[clientId] : undefined;
  return names?.includes(name) ? `role_${name}` : undefined;
}
