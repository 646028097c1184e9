import type { Realm } from '../../model/realm.js';
import type { Role } from '../../model/roles.js';
import type { User } from '../../model/user.js';
import { type Admin, isAdminRole } from '../admin.js';
import { groupsById } from '../groups/group-with-path.js';
import { rolesOf } from '../roles/role-with-client.js';
import { briefUser } from '../users/user-representation.js';
import { administeredRealm, rightSources } from './right-sources.js';

/** Maximum number of realms in the rights of one administrator. The creator of many realms has rights in each. */
const MAX_REALMS = 20;
/** Maximum number of roles and groups of one administrator. */
const MAX_GRANTS = 100;

/** Returns a function that represents an administrator: a brief user with rights, and with what grants them. */
export function administratorConverter(admin: Admin, realm: Realm): (user: User) => object {
  const sources = rightSources(realm);
  const groups = new Map([...groupsById(realm).values()].map((group) => [group.storedPath, group]));
  const toGrant = ({ clientId, name }: Role) => {
    const id = rolesOf(realm.representation, clientId).find((role) => role.name === name)?.id;
    return { type: 'role', id, name, ...(clientId === undefined ? {} : { client: clientId }) };
  };
  const toGroupGrant = (storedPath: string) => {
    const group = groups.get(storedPath);
    return { type: 'group', id: group?.group.id, name: group?.group.name, path: group?.path };
  };
  return (user) => {
    const { realmRoles, clientRoles } = user.representation;
    const rights = rightsOf(realm, user);
    const roles = realm.roles.find(realmRoles, clientRoles).filter((role) => sources.roles.has(role));
    const grantingGroups = user.groups(realm).filter((path) => sources.groups.has(path));
    const grants = [...roles.slice(0, MAX_GRANTS).map(toGrant), ...grantingGroups.map(toGroupGrant)];
    const { serviceAccountClientId } = user.view;
    return {
      ...briefUser(admin, realm, user),
      ...(serviceAccountClientId === undefined ? {} : { serviceAccountClientId }),
      rights: rights.slice(0, MAX_REALMS),
      ...leftOut('moreRealms', rights.length - MAX_REALMS),
      grants: grants.slice(0, MAX_GRANTS),
      ...leftOut('moreGrants', roles.length + grantingGroups.length - MAX_GRANTS),
    };
  };
}

/** The effective administration roles of a user by realm, the user's own realm first. */
function rightsOf(realm: Realm, user: User): { realm: string; roles: string[] }[] {
  const byRealm = new Map<string, string[]>();
  for (const role of user.effectiveRoles(realm)) {
    if (!isAdminRole(realm, role)) continue;
    const name = administeredRealm(realm, role);
    const roles = byRealm.get(name);
    if (roles === undefined) byRealm.set(name, [role.name]);
    else roles.push(role.name);
  }
  const position = (name: string) => (name === realm.name ? '' : name);
  return [...byRealm]
    .sort(([a], [b]) => (position(a) < position(b) ? -1 : 1))
    .map(([name, roles]) => ({ realm: name, roles: [...new Set(roles)].sort() }));
}

function leftOut(member: string, count: number): Record<string, number> {
  return count > 0 ? { [member]: count } : {};
}
