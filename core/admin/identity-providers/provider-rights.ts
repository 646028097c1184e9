import { defined } from '../../model/defined.js';
import type { Group, Realm } from '../../model/realm.js';
import type { IdentityProviderMapperRepresentation } from '../../model/representation.js';
import type { Role } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import type { Users } from '../../users/users.js';
import { type Admin, forbiddenError } from '../admin.js';

/**
 * Requires that the caller has every administration right of the users who are linked to a provider. A caller who
 * changes the provider's address could sign in as any of these users. Stricter than Keycloak.
 * @throws HostError 403
 */
export async function requireRightsOfLinkedUsers(
  users: Users,
  admin: Admin,
  realm: Realm,
  alias: string,
): Promise<void> {
  if (admin.isSuperAdmin) return;
  const hasLinkedUser = async (holds: { kind: 'role' | 'group'; clientId?: string; name: string }) =>
    (await users.find(realm, { holds, identityProvider: { alias }, serviceAccounts: true, max: 1 })).length > 0;
  const roles = [realm.roles.realm, ...realm.roles.clients.values()].flatMap((byName) => [...byName.values()]);
  for (const role of roles.filter((candidate) => !admin.covers(realm, [candidate]))) {
    const { name, clientId } = role;
    if (await hasLinkedUser(defined({ kind: 'role' as const, name, clientId }))) throw forbiddenError();
  }
  for (const [path, group] of realm.groups) {
    if (!admin.covers(realm, rolesOf(group)) && (await hasLinkedUser({ kind: 'group', name: path })))
      throw forbiddenError();
  }
}

/** Requires that the caller has the administration rights that a mapper assigns. @throws HostError 403 */
export function requireRightsOfMapper(
  admin: Admin,
  realm: Realm,
  { config = {} }: Pick<IdentityProviderMapperRepresentation, 'config'>,
): void {
  const role = mappedRole(realm, config.role);
  const roles = [
    ...(role === undefined ? [] : [role]),
    ...rolesOf(realm.groups.get(realm.findGroupPath(config.group ?? '') ?? '')),
  ];
  if (!admin.covers(realm, roles)) throw forbiddenError();
}

function rolesOf(group: Group | undefined): Role[] {
  return group === undefined ? [] : [...group.roles, ...rolesOf(group.parent)];
}
