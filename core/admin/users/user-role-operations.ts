import type { Users } from '../../users/users.js';
import type { AdminOperation } from '../operation.js';
import { type RoleHolderEndpoint, roleMappingOperations } from '../roles/role-mapping-operations.js';
import { changeUser, requireUser } from './change-user.js';

/** Operations on the roles of a user. */
export function userRoleOperations({ users }: { readonly users: Users }): AdminOperation[] {
  return roleMappingOperations(userRoles(users));
}

/** Reads and writes the roles of a user. */
export function userRoles(users: Users): RoleHolderEndpoint {
  return {
    path: '/users/{userId}',
    async find(call) {
      const user = await requireUser(users, call);
      return { assigned: user.representation, effective: user.effectiveRoles(call.realm) };
    },
    change: (call, change) => changeUser(users, call, change),
  };
}
