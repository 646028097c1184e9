import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { redirectUriOf } from '../../oidc/authorization/redirect-uris.js';

/**
 * The problem with the client and redirect URI of a link that an admin requests, with Keycloak's text; undefined if
 * there is none.
 */
export function clientProblem(
  realm: Realm,
  { clientId, redirectUri }: { readonly clientId: string | undefined; readonly redirectUri: string | undefined },
): string | undefined {
  if (redirectUri !== undefined && clientId === undefined) return 'Client id missing';
  const client: Client | undefined = clientId === undefined ? undefined : realm.clients.get(clientId);
  if (clientId !== undefined && client === undefined) return "Client doesn't exist";
  if (client?.enabled === false) return 'Client is not enabled';
  if (client !== undefined && redirectUri !== undefined && redirectUriOf(client, redirectUri) !== redirectUri) {
    return 'Invalid redirect uri.';
  }
  return undefined;
}
