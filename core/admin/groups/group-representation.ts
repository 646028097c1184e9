import { defined } from '../../model/defined.js';
import type { AdminCall } from '../operation.js';
import type { GroupWithPath } from './group-with-path.js';

/** A group with `briefRepresentation`, as it is returned for a user or another resource. */
export function briefGroup({ group: { id, name, description }, path, parent }: GroupWithPath) {
  return defined({ id, name, description, path, parentId: parent?.group.id, subGroups: [] as object[] });
}

/** A group without its subgroups (Keycloak's GroupRepresentation), as it is returned for another resource. */
export function fullGroup(group: GroupWithPath) {
  const { attributes = {}, realmRoles = [], clientRoles = {} } = group.group;
  return { ...briefGroup(group), attributes, realmRoles, clientRoles };
}

/** The number of direct subgroups. As in Keycloak, it is only returned by operations on groups. */
export function subGroupCount({ group: { subGroups = [] } }: GroupWithPath) {
  return { subGroupCount: subGroups.length };
}

/** The caller's rights over a group. Admin tools show their buttons accordingly. */
export function groupAccess({ admin, realm: { name } }: Pick<AdminCall, 'admin' | 'realm'>) {
  const manage = admin.can(name, 'manage-users');
  const viewMembers = admin.can(name, 'view-users');
  return { access: { view: true, viewMembers, manage, manageMembers: manage, manageMembership: manage } };
}
