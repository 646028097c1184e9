import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminOperation } from '../operation.js';
import { type RoleHolderEndpoint, roleMappingOperations } from '../roles/role-mapping-operations.js';
import { groupsById, groupsWithPaths, groupWithId, rolesByGroup } from './group-with-path.js';

/** The roles of a group, which its members inherit. */
export function groupRoleOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return roleMappingOperations(groupRoles(edits));
}

/** Reads and writes the roles of a group. */
export function groupRoles(edits: RealmEdits): RoleHolderEndpoint {
  return {
    path: '/groups/{groupId}',
    async find({ realm, params }) {
      const placed = groupWithId(groupsById(realm), params.groupId);
      return { own: placed.group, effective: rolesByGroup(realm.roles, placed) };
    },
    change: ({ realm, params }, change) =>
      edits.edit(realm.name, (draft) => change(groupWithId(groupsWithPaths(draft), params.groupId).group)),
  };
}
