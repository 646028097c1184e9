import { groupPath, keycloakGroupPath } from '../../model/group-path.js';
import type { Realm } from '../../model/realm.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { type Admin, forbiddenError, notFoundError } from '../admin.js';

/** A group with its paths and its parent. */
export interface GroupWithPath {
  readonly group: GroupRepresentation;
  /**
   * The path by which users and the realm refer to the group. `path` is Keycloak's form of it, which two groups may
   * share.
   */
  readonly storedPath: string;
  readonly path: string;
  readonly parent: GroupWithPath | undefined;
}

const INDEX = Symbol('groups by id');

/** All groups of a realm by ID. Parents come before their children, and siblings are sorted by name. */
export function groupsById(realm: Realm): ReadonlyMap<string, GroupWithPath> {
  return realm.derive(INDEX, () => groupsWithPaths(realm.representation));
}

/** Like `groupsById`, for a realm that is not compiled yet. */
export function groupsWithPaths({ groups = [] }: RealmRepresentation): ReadonlyMap<string, GroupWithPath> {
  const byId = new Map<string, GroupWithPath>();
  const addGroups = (siblings: readonly GroupRepresentation[], parent: GroupWithPath | undefined) => {
    for (const group of [...siblings].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const entry = withPath(group, parent);
      byId.set(group.id ?? '', entry);
      addGroups(group.subGroups ?? [], entry);
    }
  };
  addGroups(groups, undefined);
  return byId;
}

/** Adds the paths of a group below this parent. */
export function withPath(group: GroupRepresentation, parent: GroupWithPath | undefined): GroupWithPath {
  const storedPath = groupPath(parent?.storedPath ?? '', group.name);
  return { group, storedPath, path: keycloakGroupPath(storedPath), parent };
}

/**
 * Finds a group.
 * @param message Keycloak's message, which depends on the path
 * @throws AdminError 404
 */
export function requireGroup(
  groups: ReadonlyMap<string, GroupWithPath>,
  id: string | undefined,
  message = 'Could not find group by id',
): GroupWithPath {
  const group = groups.get(id ?? '');
  if (group === undefined) throw notFoundError(message);
  return group;
}

/** The list of a parent's subgroups, or of the top-level groups. Callers may change it. */
export function childrenOf(draft: RealmRepresentation, parent: GroupWithPath | undefined): GroupRepresentation[] {
  if (parent === undefined) {
    draft.groups ??= [];
    return draft.groups;
  }
  parent.group.subGroups ??= [];
  return parent.group.subGroups;
}

/**
 * The roles that members of a group inherit: the group's own, those of its parents, and the roles that these contain.
 */
export function rolesOfGroup(graph: RoleGraph, entry: GroupWithPath): ReadonlySet<Role> {
  const roles: Role[] = [];
  for (let ancestor: GroupWithPath | undefined = entry; ancestor !== undefined; ancestor = ancestor.parent) {
    roles.push(...graph.find(ancestor.group.realmRoles, ancestor.group.clientRoles));
  }
  return RoleGraph.expand(roles);
}

/**
 * Requires that the caller has every administration right of a group, of its parents and of its subgroups. Stricter
 * than Keycloak.
 * @throws AdminError 403
 */
export function requireRightsOfGroup(
  admin: Pick<Admin, 'covers'>,
  draft: RealmRepresentation,
  entry: GroupWithPath,
): void {
  const graph = new RoleGraph(draft.roles);
  const rolesWithin = ({ realmRoles, clientRoles, subGroups = [] }: GroupRepresentation): Role[] => [
    ...graph.find(realmRoles, clientRoles),
    ...subGroups.flatMap(rolesWithin),
  ];
  const roles = [...rolesOfGroup(graph, entry), ...rolesWithin(entry.group)];
  if (!admin.covers({ name: draft.realm }, roles)) throw forbiddenError();
}
