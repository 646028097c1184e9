import { randomUUID } from 'node:crypto';
import { serviceAccountUsername } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';
import type { UserRecord } from '../store/store.js';

/** The users behind the service accounts of a realm's clients. The store leaves out those that are there already. */
export function serviceAccounts({ realm, clients }: RealmRepresentation, clock: Clock): UserRecord[] {
  return (clients ?? [])
    .filter((client) => client.serviceAccountsEnabled === true && client.id !== undefined)
    .map((client) => serviceAccount(realm, client, clock));
}

function serviceAccount(
  realm: string,
  { clientId, id: clientUuid = '' }: ClientRepresentation,
  clock: Clock,
): UserRecord {
  const id = randomUUID();
  const username = serviceAccountUsername(clientId);
  return {
    realm,
    id,
    username,
    serviceAccountClientId: clientUuid,
    version: 1,
    representation: {
      id,
      username,
      enabled: true,
      serviceAccountClientId: clientId,
      createdTimestamp: clock.now(),
    },
  };
}
