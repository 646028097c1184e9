import type { Users } from '../../realms/users.js';
import type { AdminOperation } from '../operation.js';
import { roleMappingOperations } from '../roles/role-mapping-operations.js';
import { changeUser, userOf } from './change-user.js';

/** The roles of a user. */
export function userRoleOperations({ users }: { readonly users: Users }): AdminOperation[] {
  return roleMappingOperations({
    path: '/users/{userId}',
    async find(call) {
      const user = await userOf(users, call);
      return { own: user.representation, effective: user.effectiveRoles(call.realm) };
    },
    change: (call, change) => changeUser(users, call, change),
  });
}
