import { randomUUID } from 'node:crypto';
import { serviceAccountUsername } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';
import type { UserRecord } from '../store/store.js';
import { newAccountDefaults } from './new-user-defaults.js';

/** Returns the service accounts that an edit adds to clients. The store ignores existing ones. */
export function newServiceAccounts(
  before: RealmRepresentation,
  after: RealmRepresentation,
  clock: Clock,
): UserRecord[] {
  const clientsBefore = serviceAccountClients(before);
  return (after.clients ?? [])
    .filter(
      ({ id, serviceAccountsEnabled }) => serviceAccountsEnabled === true && id !== undefined && !clientsBefore.has(id),
    )
    .map((client) => createServiceAccount(after, client, clock));
}

/** Returns the internal IDs of the clients that have a service account. */
export function serviceAccountClients({ clients = [] }: RealmRepresentation): Set<string> {
  return new Set(
    clients.flatMap(({ id, serviceAccountsEnabled }) =>
      serviceAccountsEnabled === true && id !== undefined ? [id] : [],
    ),
  );
}

function createServiceAccount(
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
