import { defined } from '../../model/defined.js';
import type { AdminCall } from '../operation.js';
import type { PlacedGroup } from './placed-group.js';

/** A group beside something else, such as a user, with `briefRepresentation`. */
export function briefGroup({ group: { id, name, description }, path, parent }: PlacedGroup) {
  return defined({ id, name, description, path, parentId: parent?.group.id, subGroups: [] as object[] });
}

/** A group beside something else (Keycloak's GroupRepresentation): without those below it. */
export function fullGroup(placed: PlacedGroup) {
  const { attributes = {}, realmRoles = [], clientRoles = {} } = placed.group;
  return { ...briefGroup(placed), attributes, realmRoles, clientRoles };
}

/** The number of groups below a group, which Keycloak tells where groups themselves are asked for. */
export function countOf({ group: { subGroups = [] } }: PlacedGroup) {
  return { subGroupCount: subGroups.length };
}

/** What the caller may do with a group: tools read it, and show buttons by it. */
export function groupAccess({ admin, realm: { name } }: Pick<AdminCall, 'admin' | 'realm'>) {
  const manage = admin.can(name, 'manage-users');
  const viewMembers = admin.can(name, 'view-users');
  return { access: { view: true, viewMembers, manage, manageMembers: manage, manageMembership: manage } };
}
