import { clientScopeNames } from '../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';

/**
 * Completes the clients of a file for a comparison with the live ones. A client that an admin created declares its
 * client scopes and empty web origins; a file can omit these.
 */
export function withImpliedMembers(ofFile: RealmRepresentation, live: RealmRepresentation): RealmRepresentation {
  if (ofFile.clients === undefined) return ofFile;
  const known = new Map(live.clients?.map((client) => [client.clientId, client]));
  return { ...ofFile, clients: ofFile.clients.map((client) => meant(client, known.get(client.clientId), ofFile)) };
}

function meant(
  client: ClientRepresentation,
  live: ClientRepresentation | undefined,
  realm: RealmRepresentation,
): ClientRepresentation {
  if (live === undefined) return client;
  const isSilent = client.defaultClientScopes === undefined && client.optionalClientScopes === undefined;
  const hasNamed = live.defaultClientScopes !== undefined || live.optionalClientScopes !== undefined;
  const hasNoOrigins = client.webOrigins === undefined && live.webOrigins?.length === 0;
  return {
    ...client,
    ...(isSilent && hasNamed ? clientScopeNames(client, realm) : {}),
    ...(hasNoOrigins ? { webOrigins: [] } : {}),
  };
}
