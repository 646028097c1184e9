import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminOperation } from '../operation.js';
import { type RoleHolderEndpoint, roleMappingOperations } from '../roles/role-mapping-operations.js';
import { groupsById, groupsWithPaths, requireGroup, rolesOfGroup } from './group-with-path.js';

/** Operations on the roles of a group, which its members inherit. */
export function groupRoleOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return roleMappingOperations(groupRoles(edits));
}

/** Reads and writes the roles of a group. */
export function groupRoles(edits: RealmEdits): RoleHolderEndpoint {
  return {
    path: '/groups/{groupId}',
    async find({ realm, params }) {
      const group = requireGroup(groupsById(realm), params.groupId);
      return { assigned: group.group, effective: rolesOfGroup(realm.roles, group) };
    },
    change: ({ realm, params }, change) =>
      edits.edit(realm.name, (draft) => change(requireGroup(groupsWithPaths(draft), params.groupId).group)),
  };
}
