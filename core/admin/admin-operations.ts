import { defaultGroupOperations } from './groups/default-group-operations.js';
import { type GroupOperationParts, groupOperations } from './groups/group-operations.js';
import { groupRoleOperations } from './groups/group-role-operations.js';
import type { AdminOperation } from './operation.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';
import { type SessionOperationParts, sessionOperations } from './sessions/session-operations.js';
import { sessionListOperations } from './ui-ext/session-list-operations.js';
import { userListOperations } from './ui-ext/user-list-operations.js';
import { attackDetectionOperations } from './users/attack-detection-operations.js';
import { consentOperations } from './users/consent-operations.js';
import { credentialOperations } from './users/credential-operations.js';
import { federatedIdentityOperations } from './users/federated-identity-operations.js';
import { type ImpersonationOperationParts, impersonationOperations } from './users/impersonation-operations.js';
import { userGroupOperations } from './users/user-group-operations.js';
import { type UserOperationParts, userOperations } from './users/user-operations.js';
import { userProfileOperations } from './users/user-profile-operations.js';
import { userRoleOperations } from './users/user-role-operations.js';

export type AdminParts = RealmOperationParts &
  UserOperationParts &
  GroupOperationParts &
  SessionOperationParts &
  ImpersonationOperationParts;

/** Everything that the Admin REST API can do. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [
    ...realmOperations(parts),
    ...userOperations(parts),
    ...credentialOperations(parts),
    ...userProfileOperations(parts),
    ...userRoleOperations(parts),
    ...userGroupOperations(parts),
    ...federatedIdentityOperations(parts),
    ...consentOperations(parts),
    ...attackDetectionOperations(parts),
    ...impersonationOperations(parts),
    ...groupOperations(parts),
    ...groupRoleOperations(parts),
    ...defaultGroupOperations(parts),
    ...sessionOperations(parts),
    ...userListOperations(parts),
    ...sessionListOperations(parts),
  ];
}
