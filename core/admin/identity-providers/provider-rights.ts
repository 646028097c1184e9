import { defined } from '../../model/defined.js';
import type { Group, Realm } from '../../model/realm.js';
import type { IdentityProviderMapperRepresentation } from '../../model/representation.js';
import type { Role } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import type { Users } from '../../users/users.js';
import { type Admin, forbidden } from '../admin.js';

/**
 * Requires the caller to hold every administration right of the users who are linked to a provider. A changed address
 * of the provider would let its author sign in as any of them. Stricter than Keycloak.
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

/** Requires the caller to hold the administration rights that a mapper assigns. @throws HostError 403 */
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
