import { defined } from '../../model/defined.js';
import type { Group, Realm } from '../../model/realm.js';
import type { IdentityProviderMapperRepresentation } from '../../model/representation.js';
import type { Role } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import type { Users } from '../../users/users.js';
import { type Admin, forbidden } from '../admin.js';

/**
 * Whoever says where a provider is can log in as anybody who is linked to it. So nobody changes the provider of a user
 * with rights of administration that they do not hold themselves. Stricter than Keycloak.
 * @throws HostError 403
 */
export async function requireCoversLinked(users: Users, admin: Admin, realm: Realm, alias: string): Promise<void> {
  if (admin.isSuperAdmin) return;
  const isAnybody = async (holds: { kind: 'role' | 'group'; clientId?: string; name: string }) =>
    (await users.find(realm, { holds, identityProvider: { alias }, serviceAccounts: true, max: 1 })).length > 0;
  const roles = [realm.roles.realm, ...realm.roles.clients.values()].flatMap((some) => [...some.values()]);
  for (const role of roles.filter((one) => !admin.covers(realm, [one]))) {
    const { name, clientId } = role;
    if (await isAnybody(defined({ kind: 'role' as const, name, clientId }))) throw forbidden();
  }
  for (const [place, group] of realm.groups) {
    if (!admin.covers(realm, rolesOf(group)) && (await isAnybody({ kind: 'group', name: place }))) throw forbidden();
  }
}

/** Nobody has a mapper give out rights of administration that they do not hold. @throws HostError 403 */
export function requireCoversMapper(
  admin: Admin,
  realm: Realm,
  { config = {} }: Pick<IdentityProviderMapperRepresentation, 'config'>,
): void {
  const role = mappedRole(realm, config.role);
  const roles = [
    ...(role === undefined ? [] : [role]),
    ...rolesOf(realm.groups.get(realm.groupPlace(config.group ?? '') ?? '')),
  ];
  if (!admin.covers(realm, roles)) throw forbidden();
}

function rolesOf(group: Group | undefined): Role[] {
  return group === undefined ? [] : [...group.roles, ...rolesOf(group.parent)];
}
