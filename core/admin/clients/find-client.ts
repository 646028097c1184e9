import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { notFound } from '../admin.js';

/** A client of the stored realm: it has an id. */
export type StoredClient = ClientRepresentation & { id: string };

/** @throws AdminError 404 */
export function clientWithId({ clients }: RealmRepresentation, id: string | undefined): StoredClient {
  const client = clients?.find((candidate) => candidate.id === id);
  if (client?.id === undefined) throw notFound('Could not find client');
  return client as StoredClient;
}
