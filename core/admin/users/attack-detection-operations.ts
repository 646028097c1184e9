import type { User } from '../../model/user.js';
import { type FailureState, isPermanentlyLocked, type LoginFailures } from '../../users/passwords/login-failures.js';
import type { Users } from '../../users/users.js';
import { type AdminOperation, ok } from '../operation.js';
import { requireRightsOfUser, requireUser } from './change-user.js';

export interface AttackDetectionOperationParts {
  readonly users: Users;
  readonly failures: LoginFailures;
}

const TAG = 'Attack Detection';
const PATH = '/attack-detection/brute-force/users';

/** Operations that read and clear the counts of failed logins (Keycloak's AttackDetectionResource). */
export function attackDetectionOperations({ users, failures }: AttackDetectionOperationParts): AdminOperation[] {
  const clearOperation = {
    method: 'DELETE',
    tag: TAG,
    roles: ['manage-users'],
    answers: { status: 204 },
    event: { resourceType: 'USER_LOGIN_FAILURE' },
  } as const;
  return [
    {
      method: 'GET',
      path: `${PATH}/{userId}`,
      tag: TAG,
      summary: 'The login failures of a user, and whether the user is locked',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'object' } },
      async handle(call) {
        const user = await requireUser(users, call);
        return ok(bruteForceStatus(await failures.state(call.realm, user.id), user));
      },
    },
    {
      ...clearOperation,
      path: `${PATH}/{userId}`,
      summary: 'Clear the login failures of a user; a lock ends',
      async handle(call) {
        const user = await requireUser(users, call);
        // Clearing the lock allows attackers to guess passwords again.
        requireRightsOfUser(call.admin, call.realm, user);
        const { failures: count, lastFailure, isLocked } = await failures.state(call.realm, user.id);
        call.setEventDetails({ unchanged: count === 0 && lastFailure === undefined && !isLocked });
        await failures.reset(call.realm, user);
        return undefined;
      },
    },
    {
      ...clearOperation,
      path: PATH,
      summary: 'Clear the login failures of all users',
      async handle({ realm, admin }) {
        admin.requireMayManageAdmins();
        await failures.resetAll(realm);
        return undefined;
      },
    },
  ];
}

/**
 * The failed logins of a user in Keycloak's form. `failedLoginNotBefore` is in seconds, and `lastFailure` in
 * milliseconds since the epoch.
 */
export function bruteForceStatus(state: FailureState, user: User): object {
  return {
    numFailures: state.failures,
    numTemporaryLockouts: state.lockouts,
    disabled: state.isLocked || isPermanentlyLocked(user),
    lastIPFailure: state.lastIp ?? 'n/a',
    lastFailure: state.lastFailure ?? 0,
    failedLoginNotBefore: state.isLocked ? Math.ceil((state.lockedUntil ?? 0) / 1000) : 0,
  };
}
