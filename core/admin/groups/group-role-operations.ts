import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminOperation } from '../operation.js';
import { type RoleHolderDoor, roleMappingOperations } from '../roles/role-mapping-operations.js';
import { groupsById, groupWithId, placedGroups, rolesByGroup } from './placed-group.js';

/** The roles of a group, which its members inherit. */
export function groupRoleOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return roleMappingOperations(groupRoles(edits));
}

/** Reads and writes the roles of a group. */
export function groupRoles(edits: RealmEdits): RoleHolderDoor {
  return {
    path: '/groups/{groupId}',
    async find({ realm, params }) {
      const placed = groupWithId(groupsById(realm), params.groupId);
      return { own: placed.group, effective: rolesByGroup(realm.roles, placed) };
    },
    change: ({ realm, params }, change) =>
      edits.edit(realm.name, (draft) => change(groupWithId(placedGroups(draft), params.groupId).group)),
  };
}
