import type { Client } from '../../model/client.js';
import { matchesScopePattern } from '../../model/client-scope.js';
import { isPermittedWord } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';

/**
 * True if the client's `impersonation` entry allows this scope, audience and user at this moment. The exchange and
 * every later refresh use the same check. Default deny.
 */
export function mayImpersonate(
  realm: Realm,
  client: Client,
  user: User,
  target: { readonly scope: string; readonly audience: string },
): boolean {
  const entry = client.impersonation;
  if (entry === undefined || client.publicClient || client.bearerOnly) return false;
  if (!user.enabled || user.isServiceAccount) return false;
  if (entry.subjects !== 'any' && user.isAdmin(realm)) return false;
  if (!entry.scopes.some((pattern) => matchesScopePattern(pattern, target.scope))) return false;
  if (!client.selectScope(target.scope).isValid || !isPermittedWord(realm, client, user, target.scope)) return false;
  return entry.audiences.includes(target.audience) && realm.clients.get(target.audience)?.enabled === true;
}
