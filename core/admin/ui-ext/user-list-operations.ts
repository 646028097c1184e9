import { REALM_MANAGEMENT_ROLES } from '../../model/built-in-names.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { LoginFailures } from '../../users/passwords/login-failures.js';
import type { Users } from '../../users/users.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { bruteForceStatus } from '../users/attack-detection-operations.js';
import { searchUsers } from '../users/find-users.js';
import { BRIEF_PARAMETER, QUERY_USERS_ROLES } from '../users/user-operations.js';
import { USER_FILTERS } from '../users/user-query.js';
import { briefUser, fullUser } from '../users/user-representation.js';
import { CONSOLE_TAG } from './console-tag.js';

export interface UserListOperationParts {
  readonly users: Users;
  readonly types: CredentialTypes;
  readonly failures: LoginFailures;
}

/** Operations for the user lists of the admin console. */
export function userListOperations({ users, failures, types }: UserListOperationParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/ui-ext/info',
      tag: CONSOLE_TAG,
      summary: 'Whether a user storage makes listing all users slow: always false',
      roles: REALM_MANAGEMENT_ROLES,
      answers: { status: 200, body: { type: 'object' } },
      handle: () => ok({ userProfileProvidersEnabled: false }),
    },
    {
      method: 'GET',
      path: '/ui-ext/brute-force-user',
      tag: CONSOLE_TAG,
      summary: 'Users that match, each with its failed logins',
      roles: QUERY_USERS_ROLES,
      query: { ...USER_FILTERS, briefRepresentation: BRIEF_PARAMETER, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'UserRepresentation' } } },
      async handle(call) {
        const { realm, admin, query } = call;
        const toRepresentation = query.boolean('briefRepresentation') === true ? briefUser : fullUser(types);
        const matches = await searchUsers(users, call);
        return ok(
          await Promise.all(
            matches.map(async (user) => {
              const state = await failures.state(realm, user.id);
              return { ...toRepresentation(admin, realm, user), bruteForceStatus: bruteForceStatus(state, user) };
            }),
          ),
        );
      },
    },
  ];
}
