import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { notFoundError } from '../admin.js';

/** A client of a stored realm. It always has an ID. */
export type StoredClient = ClientRepresentation & { id: string };

/**
 * Finds a client.
 * @param message Keycloak's message, which depends on the path
 * @throws AdminError 404
 */
export function requireClient(
  { clients }: RealmRepresentation,
  id: string | undefined,
  message = 'Could not find client',
): StoredClient {
  const client = clients?.find((candidate) => candidate.id === id);
  if (client?.id === undefined) throw notFoundError(message);
  return client as StoredClient;
}
