import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import type { Role } from '../model/roles.js';

/** A role as mappers name it: `clientId.role`, else a realm role (Keycloak's parseRole). One that is not there is none. */
export function mappedRole({ roles }: Pick<Realm, 'roles'>, name = ''): Role | undefined {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const role = roles.clients.get(name.slice(0, dot))?.get(name.slice(dot + 1));
    if (role !== undefined) return role;
  }
  return roles.realm.get(name);
}

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
