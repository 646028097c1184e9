import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';

/** True while the client has the scope `offline_access`, and the user the role. */
export function mayHaveOfflineTokens(realm: Realm, client: Client, user: User): boolean {
  if (!client.selectScope('offline_access').valid) return false;
  const role = realm.roles.realm.get('offline_access');
  return role !== undefined && user.effectiveRoles(realm).has(role);
}
