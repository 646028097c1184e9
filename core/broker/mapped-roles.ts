import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import type { Role } from '../model/roles.js';
import { mappedRole } from '../realms/mapped-role.js';

export function grantRole(realm: Realm, draft: UserRepresentation, name: string | undefined): void {
  const role = mappedRole(realm, name);
  if (role !== undefined) change(draft, role, (names) => [...new Set([...names, role.name])]);
}

export function revokeRole(realm: Realm, draft: UserRepresentation, name: string | undefined): void {
  const role = mappedRole(realm, name);
  if (role !== undefined) change(draft, role, (names) => names.filter((one) => one !== role.name));
}

function change(draft: UserRepresentation, { clientId }: Role, to: (names: readonly string[]) => string[]): void {
  if (clientId === undefined) {
    draft.realmRoles = to(draft.realmRoles ?? []);
    return;
  }
  const lists = new Map(Object.entries(draft.clientRoles ?? {}));
  lists.set(clientId, to(lists.get(clientId) ?? []));
  draft.clientRoles = Object.fromEntries([...lists].filter(([, names]) => names.length > 0));
}
