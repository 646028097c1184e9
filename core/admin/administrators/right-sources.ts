import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Role } from '../../model/roles.js';
import { realmOfClient } from '../../realms/realm-client.js';
import type { Membership } from '../../store/store.js';
import { ADMIN_ROLE, isAdminRole } from '../admin.js';

/** The roles and groups of a realm that give their holders administration rights. */
export interface RightSources {
  /** Administration roles, and roles that contain them. */
  readonly roles: ReadonlySet<Role>;
  /** Stored paths of groups, including those that inherit the rights from their parents. */
  readonly groups: ReadonlySet<string>;
}

/** Selects administration rights. Without members it selects all. */
export interface RightFilter {
  /** The administered realm. It may differ from the realm of the role only in `master`. */
  readonly over?: string | undefined;
  /** The name of an administration role. */
  readonly role?: string | undefined;
}

/** Finds the sources of the selected rights. `admin` of `master` includes every right. */
export function rightSources(realm: Realm, filter: RightFilter = {}): RightSources {
  const roles = rolesContaining(realm, (role) => isAdminRole(realm, role) && isSelected(realm, role, filter));
  const groups = new Set<string>();
  // Parents come before their subgroups.
  for (const [path, group] of realm.groups) {
    const isInherited = group.parent !== undefined && groups.has(group.parent.path);
    if (isInherited || group.roles.some((role) => roles.has(role))) groups.add(path);
  }
  return { roles, groups };
}

/** The realm over which an administration role gives rights. */
export function administeredRealm(realm: Realm, { clientId }: Role): string {
  if (clientId === undefined || clientId === 'realm-management') return realm.name;
  return realmOfClient(clientId);
}

export function membershipsOf({ roles, groups }: RightSources): Membership[] {
  return [
    ...[...roles].map(({ clientId = '', name }) => ({ kind: 'role' as const, container: clientId, name })),
    ...[...groups].map((name) => ({ kind: 'group' as const, container: '', name })),
  ];
}

function isSelected(realm: Realm, role: Role, { over, role: wanted }: RightFilter): boolean {
  if (realm.name === MASTER_REALM && role.clientId === undefined && role.name === ADMIN_ROLE) return true;
  if (over !== undefined && administeredRealm(realm, role) !== over) return false;
  return wanted === undefined || role.name === wanted;
}

/** The matching roles, and all roles that contain one of them. */
function rolesContaining({ roles }: Realm, matches: (role: Role) => boolean): Set<Role> {
  const all = [roles.realm, ...roles.clients.values()].flatMap((byName) => [...byName.values()]);
  const containing = new Set(all.filter(matches));
  let undecided = all.filter((role) => role.composites.length > 0 && !containing.has(role));
  for (let previousSize = -1; previousSize !== containing.size; ) {
    previousSize = containing.size;
    undecided = undecided.filter((role) => {
      if (!role.composites.some((contained) => containing.has(contained))) return true;
      containing.add(role);
      return false;
    });
  }
  return containing;
}
