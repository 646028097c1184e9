import type { Realm } from '../model/realm.js';
import { RoleGraph } from '../model/roles.js';
import type { AccessTokens } from '../tokens/access-tokens.js';
import { visibleRoles } from '../tokens/claims.js';
import type { TokenAdmin } from './admin.js';

/**
 * Checks an access token, and returns its user with those of their roles that the client's scope allows. A token with
 * `act` (impersonation) gets no roles, so it cannot administer anything.
 * @throws HostError `invalid_token` (401)
 */
export async function checkAdminToken(accessTokens: AccessTokens, realm: Realm, token: string): Promise<TokenAdmin> {
  const { payload, client, user, session } = await accessTokens.check(realm, token);
  const roles =
    payload.act === undefined
      ? visibleRoles({ realm, client, user, selection: client.selectScope(payload.scope) })
      : RoleGraph.names([]);
  return { client, user, roles, sessionId: session?.id, expiresAt: Number(payload.exp) * 1000 };
}
