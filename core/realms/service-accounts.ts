import { randomUUID } from 'node:crypto';
import { serviceAccountUsername } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';
import type { UserRecord } from '../store/store.js';
import { newAccountDefaults } from './new-user-defaults.js';

/** The users behind the service accounts of a realm's clients. The store leaves out those that are there already. */
export function serviceAccounts(realm: RealmRepresentation, clock: Clock): UserRecord[] {
  return (realm.clients ?? [])
    .filter((client) => client.serviceAccountsEnabled === true && client.id !== undefined)
    .map((client) => serviceAccount(realm, client, clock));
}

function serviceAccount(
  realm: RealmRepresentation,
  { clientId, id: clientUuid = '' }: ClientRepresentation,
  clock: Clock,
): UserRecord {
  const id = randomUUID();
  const username = serviceAccountUsername(clientId);
  return {
    realm: realm.realm,
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
      ...newAccountDefaults(realm),
    },
  };
}
