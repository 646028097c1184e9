import { defined } from '../../model/defined.js';
import type { AdminCall } from '../operation.js';
import type { GroupWithPath } from './group-with-path.js';

/** A group with `briefRepresentation`, as shown for a user or another resource. */
export function briefGroup({ group: { id, name, description }, path, parent }: GroupWithPath) {
  return defined({ id, name, description, path, parentId: parent?.group.id, subGroups: [] as object[] });
}

/** A group without its subgroups (Keycloak's GroupRepresentation), as shown for another resource. */
export function fullGroup(placed: GroupWithPath) {
  const { attributes = {}, realmRoles = [], clientRoles = {} } = placed.group;
  return { ...briefGroup(placed), attributes, realmRoles, clientRoles };
}

/** The number of direct subgroups. Keycloak returns it in requests for groups themselves only. */
export function countOf({ group: { subGroups = [] } }: GroupWithPath) {
  return { subGroupCount: subGroups.length };
}

/** The caller's rights over a group. Tools show their buttons accordingly. */
export function groupAccess({ admin, realm: { name } }: Pick<AdminCall, 'admin' | 'realm'>) {
  const manage = admin.can(name, 'manage-users');
  const viewMembers = admin.can(name, 'view-users');
  return { access: { view: true, viewMembers, manage, manageMembers: manage, manageMembership: manage } };
}
