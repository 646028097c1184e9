import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';

/**
 * True if the user has the role. False for a role that does not exist.
 * @param name `role` of the realm, or `client.role`, as Keycloak's settings name roles
 */
export function hasRole(realm: Realm, user: User, name: string): boolean {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index);
  const clientRoles = dots.map((dot) => realm.roles.clients.get(name.slice(0, dot))?.get(name.slice(dot + 1)));
  const role = clientRoles.find((candidate) => candidate !== undefined) ?? realm.roles.realm.get(name);
  return role !== undefined && user.effectiveRoles(realm).has(role);
}
