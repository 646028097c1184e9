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
  wanted: { readonly scope: string; readonly audience: string },
): boolean {
  const entry = client.impersonation;
  if (entry === undefined || client.publicClient || client.bearerOnly) return false;
  if (!user.enabled || user.isServiceAccount) return false;
  if (entry.subjects !== 'any' && user.isAdmin(realm)) return false;
  if (!entry.scopes.some((pattern) => matchesScopePattern(pattern, wanted.scope))) return false;
  if (!client.selectScope(wanted.scope).valid || !isPermittedWord(realm, client, user, wanted.scope)) return false;
  return entry.audiences.includes(wanted.audience) && realm.clients.get(wanted.audience)?.enabled === true;
}
