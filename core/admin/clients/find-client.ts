import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { notFound } from '../admin.js';

/** A client of a stored realm, which always has an ID. */
export type StoredClient = ClientRepresentation & { id: string };

/** @param words Keycloak's message, which depends on the path @throws AdminError 404 */
export function clientWithId(
  { clients }: RealmRepresentation,
  id: string | undefined,
  words = 'Could not find client',
): StoredClient {
  const client = clients?.find((candidate) => candidate.id === id);
  if (client?.id === undefined) throw notFound(words);
  return client as StoredClient;
}
