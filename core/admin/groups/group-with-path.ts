import { groupPath, shownGroupPath } from '../../model/group-path.js';
import type { Realm } from '../../model/realm.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { type Admin, forbidden, notFound } from '../admin.js';

/** A group with its position in the tree. */
export interface GroupWithPath {
  readonly group: GroupRepresentation;
  /** The path by which users and the realm refer to it. */
  readonly place: string;
  readonly path: string;
  readonly parent: GroupWithPath | undefined;
}

const INDEX = Symbol('groups by id');

/** Every group of a realm by ID: parents before their children, siblings by name. */
export function groupsById(realm: Realm): ReadonlyMap<string, GroupWithPath> {
  return realm.derive(INDEX, () => groupsWithPaths(realm.representation));
}

/** The same for a realm that is not compiled yet. */
export function groupsWithPaths({ groups = [] }: RealmRepresentation): ReadonlyMap<string, GroupWithPath> {
  const found = new Map<string, GroupWithPath>();
  const walk = (list: readonly GroupRepresentation[], parent: GroupWithPath | undefined) => {
    for (const group of [...list].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const one = withPath(group, parent);
      found.set(group.id ?? '', one);
      walk(group.subGroups ?? [], one);
    }
  };
  walk(groups, undefined);
  return found;
}

/** A group with its position below a parent. */
export function withPath(group: GroupRepresentation, parent: GroupWithPath | undefined): GroupWithPath {
  const place = groupPath(parent?.place ?? '', group.name);
  return { group, place, path: shownGroupPath(place), parent };
}

/** @param words Keycloak's message, which depends on the path @throws AdminError 404 */
export function groupWithId(
  groups: ReadonlyMap<string, GroupWithPath>,
  id: string | undefined,
  words = 'Could not find group by id',
): GroupWithPath {
  const placed = groups.get(id ?? '');
  if (placed === undefined) throw notFound(words);
  return placed;
}

/** The list of a parent's subgroups, or of the top groups. Callers may change it. */
export function childrenOf(draft: RealmRepresentation, parent: GroupWithPath | undefined): GroupRepresentation[] {
  if (parent === undefined) {
    draft.groups ??= [];
    return draft.groups;
  }
  parent.group.subGroups ??= [];
  return parent.group.subGroups;
}

/** The roles that a group gives its members: its own, those of its parents, and the roles that these contain. */
export function rolesByGroup(graph: RoleGraph, placed: GroupWithPath): ReadonlySet<Role> {
  const roles: Role[] = [];
  for (let above: GroupWithPath | undefined = placed; above !== undefined; above = above.parent) {
    roles.push(...graph.find(above.group.realmRoles, above.group.clientRoles));
  }
  return RoleGraph.expand(roles);
}

/**
 * Requires the caller to hold every administration right of a group, of its parents and of its subgroups. Stricter than
 * Keycloak.
 * @throws AdminError 403
 */
export function requireCoveredGroup(
  admin: Pick<Admin, 'covers'>,
  draft: RealmRepresentation,
  placed: GroupWithPath,
): void {
  const graph = new RoleGraph(draft.roles);
  const below = ({ realmRoles, clientRoles, subGroups = [] }: GroupRepresentation): Role[] => [
    ...graph.find(realmRoles, clientRoles),
    ...subGroups.flatMap(below),
  ];
  const roles = [...rolesByGroup(graph, placed), ...below(placed.group)];
  if (!admin.covers({ name: draft.realm }, roles)) throw forbidden();
}
