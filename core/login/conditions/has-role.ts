import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';

/** Looks the role up by Keycloak's name: a realm role, or `client.role`. False for a role that does not exist. */
export function hasRole(realm: Realm, user: User, name: string): boolean {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index);
  const ofClient = dots.map((at) => realm.roles.clients.get(name.slice(0, at))?.get(name.slice(at + 1)));
  const role = ofClient.find((one) => one !== undefined) ?? realm.roles.realm.get(name);
  return role !== undefined && user.effectiveRoles(realm).has(role);
}
