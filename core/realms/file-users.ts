import { randomUUID } from 'node:crypto';
import { serviceAccountUsername } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import { listPieces } from '../model/list-pieces.js';
import type { CredentialRepresentation, RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { UserRecord, UserStore } from '../store/store.js';
import type { PasswordHasher } from '../users/passwords/password-hasher.js';
import { newAccountDefaults } from './new-user-defaults.js';
import type { CheckedRealmFile, StoredRealm } from './plan-realm.js';

/** A user to create. A service account has the internal ID of its client. */
export interface NewUser {
  readonly user: UserRepresentation;
  readonly serviceAccountClientId?: string;
}

/**
 * Returns the users that a file adds: those that the realm does not have, and a service account for each client that
 * needs one. A user of the previous file that an admin removed is not created again, except for the service account of
 * a new client.
 * @param representation the realm after the file was applied
 */
export async function newUsers(
  file: Pick<CheckedRealmFile, 'users'>,
  representation: RealmRepresentation,
  previousRealm: StoredRealm | undefined,
  store: Pick<UserStore, 'byUsername' | 'byServiceAccountClient' | 'count'>,
): Promise<NewUser[]> {
  const realm = representation.realm;
  const clients = new Map((representation.clients ?? []).map((client) => [client.clientId, client]));
  const previousClientIds = new Set((previousRealm?.representation.clients ?? []).map(({ id }) => id));
  const previousUsernames = new Set(previousRealm?.declared?.usernames);
  const isEmpty = (await store.count(realm)) === 0;
  const addedUsers: NewUser[] = [];
  for await (const { items } of listPieces(realm, file.users)) {
    for (const user of items) {
      const username = user.username.toLowerCase();
      const client = user.serviceAccountClientId === undefined ? undefined : clients.get(user.serviceAccountClientId);
      const isOfNewClient = client !== undefined && !previousClientIds.has(client.id);
      if (previousUsernames.has(username) && !isOfNewClient) continue;
      // A client that an admin removed has no service account.
      if (user.serviceAccountClientId !== undefined && client === undefined) continue;
      const existingUser = isEmpty ? undefined : await store.byUsername(realm, username);
      // A service account is deleted with its client: a new client gets a new one.
      const isRemovedWithClient = existingUser?.serviceAccountClientId !== undefined && isOfNewClient;
      if (existingUser !== undefined && !isRemovedWithClient) continue;
      addedUsers.push({ user, ...defined({ serviceAccountClientId: client?.id }) });
    }
  }
  const clientsWithAccount = new Set(addedUsers.map(({ serviceAccountClientId }) => serviceAccountClientId));
  for (const { id, clientId, serviceAccountsEnabled } of clients.values()) {
    if (serviceAccountsEnabled !== true || id === undefined || clientsWithAccount.has(id)) continue;
    if (!isEmpty && (await store.byServiceAccountClient(realm, id)) !== undefined) continue;
    const user = {
      username: serviceAccountUsername(clientId),
      enabled: true,
      serviceAccountClientId: clientId,
      ...newAccountDefaults(representation),
    };
    addedUsers.push({ user, serviceAccountClientId: id });
  }
  return addedUsers;
}

/** Prepares records of the users, and hashes their plain passwords. */
export async function userRecords(
  realm: string,
  users: readonly NewUser[],
  { passwords, clock }: { passwords: PasswordHasher; clock: Clock },
): Promise<UserRecord[]> {
  const records: UserRecord[] = [];
  for await (const { items } of listPieces(realm, users)) {
    for (const { user, serviceAccountClientId } of items) {
      const id = user.id ?? randomUUID();
      const representation = { ...user, ...(await hashedCredentials(realm, user, passwords)), id };
      await passwords.recordFormats(realm, representation.credentials ?? []);
      records.push({
        realm,
        id,
        username: user.username.toLowerCase(),
        ...(user.email ? { email: user.email.toLowerCase() } : {}),
        ...defined({ serviceAccountClientId }),
        version: 1,
        representation: { ...representation, createdTimestamp: user.createdTimestamp ?? clock.now() },
      });
    }
  }
  return records;
}

/** Hashes plain passwords. `temporary` requires a new password at the next login, as in Keycloak. */
async function hashedCredentials(
  realm: string,
  user: UserRepresentation,
  passwords: PasswordHasher,
): Promise<Pick<UserRepresentation, 'credentials' | 'requiredActions'>> {
  if (user.credentials === undefined) return {};
  const credentials: CredentialRepresentation[] = [];
  const requiredActions = new Set(user.requiredActions);
  for (const credential of user.credentials) {
    if (credential.type !== 'password' || credential.value === undefined) {
      credentials.push(credential);
      continue;
    }
    credentials.push(await passwords.hash(realm, credential.value));
    if (credential.temporary === true) requiredActions.add('UPDATE_PASSWORD');
  }
  return { credentials, requiredActions: [...requiredActions] };
}
