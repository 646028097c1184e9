import { clientScopeNames } from '../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';

/**
 * Completes the clients of a file for a comparison with the live ones. A live client lists its client scopes and empty
 * web origins; a file can omit both.
 */
export function withImpliedMembers(fileRealm: RealmRepresentation, live: RealmRepresentation): RealmRepresentation {
  if (fileRealm.clients === undefined) return fileRealm;
  const liveClients = new Map(live.clients?.map((client) => [client.clientId, client]));
  return {
    ...fileRealm,
    clients: fileRealm.clients.map((client) =>
      withImpliedClientMembers(client, liveClients.get(client.clientId), fileRealm),
    ),
  };
}

function withImpliedClientMembers(
  client: ClientRepresentation,
  live: ClientRepresentation | undefined,
  realm: RealmRepresentation,
): ClientRepresentation {
  if (live === undefined) return client;
  const namesNoScopes = client.defaultClientScopes === undefined && client.optionalClientScopes === undefined;
  const hasLiveScopes = live.defaultClientScopes !== undefined || live.optionalClientScopes !== undefined;
  const hasNoOrigins = client.webOrigins === undefined && live.webOrigins?.length === 0;
  return {
    ...client,
    ...(namesNoScopes && hasLiveScopes ? clientScopeNames(client, realm) : {}),
    ...(hasNoOrigins ? { webOrigins: [] } : {}),
  };
}
