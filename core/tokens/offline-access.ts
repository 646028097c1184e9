import type { Client } from '../model/client.js';
import { isPermittedWord } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';

const OFFLINE_ACCESS = 'offline_access';

/**
 * True if the client has the scope `offline_access`, and the user has the role `offline_access`. If the scope is mapped
 * to roles, the user must have one of those too.
 */
export function mayHaveOfflineTokens(realm: Realm, client: Client, user: User): boolean {
  if (!client.selectScope(OFFLINE_ACCESS).isValid || !isPermittedWord(realm, client, user, OFFLINE_ACCESS))
    return false;
  const role = realm.roles.realm.get(OFFLINE_ACCESS);
  return role !== undefined && user.effectiveRoles(realm).has(role);
}
