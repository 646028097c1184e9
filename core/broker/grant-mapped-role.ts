import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import type { Role } from '../model/roles.js';
import { mappedRole } from '../realms/mapped-role.js';

export function grantRole(realm: Realm, draft: UserRepresentation, name: string | undefined): void {
  const role = mappedRole(realm, name);
  if (role !== undefined) updateRoleNames(draft, role, (names) => [...new Set([...names, role.name])]);
}

export function revokeRole(realm: Realm, draft: UserRepresentation, name: string | undefined): void {
  const role = mappedRole(realm, name);
  if (role !== undefined) updateRoleNames(draft, role, (names) => names.filter((roleName) => roleName !== role.name));
}

function updateRoleNames(
  draft: UserRepresentation,
  { clientId }: Role,
  update: (names: readonly string[]) => string[],
): void {
  if (clientId === undefined) {
    draft.realmRoles = update(draft.realmRoles ?? []);
    return;
  }
  const namesByClient = new Map(Object.entries(draft.clientRoles ?? {}));
  namesByClient.set(clientId, update(namesByClient.get(clientId) ?? []));
  draft.clientRoles = Object.fromEntries([...namesByClient].filter(([, names]) => names.length > 0));
}
