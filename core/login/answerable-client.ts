import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import { redirectUriOf } from '../oidc/authorization/redirect-uris.js';

/**
 * The client of a stored authorization request. Undefined if it may no longer get the response: it is disabled, no
 * longer has the grant, or no longer has the redirect URI.
 */
export function answerableClient(realm: Realm, request: AuthorizationRequest): Client | undefined {
  const client = realm.clients.get(request.clientId);
  if (client?.enabled !== true) return undefined;
  if (request.userCode !== undefined) return client.deviceGrantEnabled ? client : undefined;
  if (!client.standardFlowEnabled) return undefined;
  return redirectUriOf(client, request.givenRedirectUri) === request.redirectUri ? client : undefined;
}
