import { randomUUID } from 'node:crypto';
import { serviceAccountUsername } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import type { ClientRepresentation, RealmRepresentation } from '../model/representation.js';
import type { UserRecord } from '../store/store.js';
import { newAccountDefaults } from './new-user-defaults.js';

/** The users of service accounts that a change adds to clients. The store leaves out existing ones. */
export function newServiceAccounts(
  before: RealmRepresentation,
  after: RealmRepresentation,
  clock: Clock,
): UserRecord[] {
  const had = serviceAccountClients(before);
  return (after.clients ?? [])
    .filter(({ id, serviceAccountsEnabled }) => serviceAccountsEnabled === true && id !== undefined && !had.has(id))
    .map((client) => serviceAccount(after, client, clock));
}

/** Internal ids of the clients that have a service account. */
export function serviceAccountClients({ clients = [] }: RealmRepresentation): Set<string> {
  return new Set(
    clients.flatMap(({ id, serviceAccountsEnabled }) =>
      serviceAccountsEnabled === true && id !== undefined ? [id] : [],
    ),
  );
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
