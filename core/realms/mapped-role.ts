import type { Realm } from '../model/realm.js';
import type { Role } from '../model/roles.js';

/**
 * Finds the role that a mapper of an identity provider names: `clientId.role`, or else a realm role (Keycloak's
 * parseRole).
 * @returns undefined if it does not exist
 */
export function mappedRole({ roles }: Pick<Realm, 'roles'>, name = ''): Role | undefined {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const role = roles.clients.get(name.slice(0, dot))?.get(name.slice(dot + 1));
    if (role !== undefined) return role;
  }
  return roles.realm.get(name);
}
