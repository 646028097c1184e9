import { randomUUID } from 'node:crypto';
import { userSchema } from '../../config/realm-file/schema/user-schema.js';
import { defined } from '../../model/defined.js';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import type { UserRecord, UserStore } from '../../store/store.js';
import { conflictError } from '../admin.js';
import { forEachYielding } from '../yielding-loops.js';
import type { ImportLog } from './import-log.js';

/** Members that Keycloak computes, or stores separately. */
const COMPUTED_MEMBERS = ['access', 'self', 'origin', 'totp', 'userProfileMetadata', 'disableableCredentialTypes'];
const STORED_MEMBERS = Object.keys(userSchema.properties).filter((member) => !COMPUTED_MEMBERS.includes(member));

/**
 * Imports users. An overwritten user is a new user with the same username. Sessions and credentials of the old one are
 * removed.
 * @returns the removed users
 */
export async function importUsers(
  draft: RealmRepresentation,
  effects: EditEffects,
  importedUsers: readonly UserRepresentation[],
  { log, users }: { log: ImportLog; users: UserStore },
): Promise<UserRecord[]> {
  const removedUsers: UserRecord[] = [];
  const clientUuids = new Map(draft.clients?.map(({ clientId, id }) => [clientId, id]));
  await forEachYielding(draft.realm, importedUsers, async (user) => {
    const { username } = user;
    const existingUser = await findExistingUser(draft, { users, clientUuids }, user);
    const action = log.decide(`User '${username}'`, existingUser !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'USER', username, existingUser?.id);
    if (existingUser !== undefined) removedUsers.push(existingUser);
    const userWithId = user.id === undefined ? undefined : await users.byId(draft.realm, user.id);
    const isFree = user.id !== undefined && (userWithId === undefined || userWithId.id === existingUser?.id);
    const id = isFree ? (user.id ?? randomUUID()) : randomUUID();
    effects.newUsers.push({ ...withImportedMembers(user), id });
    log.record(action, 'USER', username, id);
  });
  for (const { id } of removedUsers) effects.removedUsers.push(id);
  return removedUsers;
}

/**
 * Finds the user with the same username, the same unique email address, or the same account at an identity provider.
 * For a service account, it is that of the same client.
 * @throws AdminError 409 if these are different users
 */
async function findExistingUser(
  { realm, duplicateEmailsAllowed }: RealmRepresentation,
  { users, clientUuids }: { users: UserStore; clientUuids: ReadonlyMap<string, string | undefined> },
  { username, email, serviceAccountClientId, federatedIdentities = [] }: UserRepresentation,
): Promise<UserRecord | undefined> {
  const clientUuid = serviceAccountClientId === undefined ? undefined : clientUuids.get(serviceAccountClientId);
  const matches = [
    await users.byUsername(realm, username.toLowerCase()),
    email && duplicateEmailsAllowed !== true ? await users.byEmail(realm, email.toLowerCase()) : undefined,
    clientUuid === undefined ? undefined : await users.byServiceAccountClient(realm, clientUuid),
    ...(await Promise.all(
      federatedIdentities.map(({ identityProvider, userId }) =>
        users.byFederatedIdentity(realm, identityProvider, userId),
      ),
    )),
  ].filter((user) => user !== undefined);
  if (new Set(matches.map(({ id }) => id)).size > 1) {
    throw conflictError(
      `User '${username}' has the email address, the service account or the federated identity of another user`,
    );
  }
  return matches[0];
}

function withImportedMembers(user: UserRepresentation): UserRepresentation {
  const members = STORED_MEMBERS.filter((member) => user[member] !== undefined).map((member) => [member, user[member]]);
  const { email, ...otherMembers } = Object.fromEntries(members) as UserRepresentation;
  return { ...otherMembers, username: user.username.toLowerCase(), ...defined({ email: email?.toLowerCase() }) };
}
