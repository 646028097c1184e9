import type { AdminOperation } from '../operation.js';
import { type ConsoleListParts, consoleListOperations } from './list-operations.js';
import { type ConsoleRealmParts, consoleRealmOperation } from './realm-operation.js';
import { type ConsoleRoleParts, consoleRoleOperations } from './role-operations.js';
import { type SessionListOperationParts, sessionListOperations } from './session-list-operations.js';
import { type UserListOperationParts, userListOperations } from './user-list-operations.js';

export type ConsoleParts = UserListOperationParts &
  SessionListOperationParts &
  ConsoleListParts &
  ConsoleRealmParts &
  ConsoleRoleParts;

/**
 * Operations that only Keycloak's admin console calls, in addition to the Admin REST API. `CONSOLE_VERSION` is the
 * version of that console.
 */
export function consoleOperations(parts: ConsoleParts): AdminOperation[] {
  return [
    ...userListOperations(parts),
    ...sessionListOperations(parts),
    ...consoleListOperations(parts),
    consoleRealmOperation(parts),
    ...consoleRoleOperations(parts),
  ];
}
