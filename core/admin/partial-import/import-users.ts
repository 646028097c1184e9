import { randomUUID } from 'node:crypto';
import { userSchema } from '../../config/realm-file/schema/user-schema.js';
import { defined } from '../../model/defined.js';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import type { UserRecord, UserStore } from '../../store/store.js';
import { conflict } from '../admin.js';
import { forEachYielding } from '../yielding-loops.js';
import type { ImportLog } from './import-log.js';

/** Members that Keycloak computes, or stores separately. */
const COMPUTED_MEMBERS = ['access', 'self', 'origin', 'totp', 'userProfileMetadata', 'disableableCredentialTypes'];
const STORED_MEMBERS = Object.keys(userSchema.properties).filter((member) => !COMPUTED_MEMBERS.includes(member));

/**
 * An overwritten user is a new user with the same username. Sessions and credentials of the old one are removed.
 * @returns the removed users
 */
export async function importUsers(
  draft: RealmRepresentation,
  effects: EditEffects,
  sent: readonly UserRepresentation[],
  { log, users }: { log: ImportLog; users: UserStore },
): Promise<UserRecord[]> {
  const gone: UserRecord[] = [];
  const clientUuids = new Map(draft.clients?.map(({ clientId, id }) => [clientId, id]));
  await forEachYielding(draft.realm, sent, async (user) => {
    const { username } = user;
    const existing = await existingUser(draft, { users, clientUuids }, user);
    const action = log.decide(`User '${username}'`, existing !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'USER', username, existing?.id);
    if (existing !== undefined) gone.push(existing);
    const known = user.id === undefined ? undefined : await users.byId(draft.realm, user.id);
    const isFree = user.id !== undefined && (known === undefined || known.id === existing?.id);
    const id = isFree ? (user.id ?? randomUUID()) : randomUUID();
    effects.newUsers.push({ ...plain(user), id });
    log.record(action, 'USER', username, id);
  });
  for (const { id } of gone) effects.removedUsers.push(id);
  return gone;
}

/**
 * The user with the same username, the same unique email, the same account at an identity provider, or the same client
 * as its service account.
 * @throws AdminError 409 if these are different users
 */
async function existingUser(
  { realm, duplicateEmailsAllowed }: RealmRepresentation,
  { users, clientUuids }: { users: UserStore; clientUuids: ReadonlyMap<string, string | undefined> },
  { username, email, serviceAccountClientId, federatedIdentities = [] }: UserRepresentation,
): Promise<UserRecord | undefined> {
  const clientUuid = serviceAccountClientId === undefined ? undefined : clientUuids.get(serviceAccountClientId);
  const found = [
    await users.byUsername(realm, username.toLowerCase()),
    email && duplicateEmailsAllowed !== true ? await users.byEmail(realm, email.toLowerCase()) : undefined,
    clientUuid === undefined ? undefined : await users.byServiceAccountClient(realm, clientUuid),
    ...(await Promise.all(
      federatedIdentities.map(({ identityProvider, userId }) =>
        users.byFederatedIdentity(realm, identityProvider, userId),
      ),
    )),
  ].filter((user) => user !== undefined);
  if (new Set(found.map(({ id }) => id)).size > 1) {
    throw conflict(
      `User '${username}' has the email address, the service account or the federated identity of another user`,
    );
  }
  return found[0];
}

function plain(user: UserRepresentation): UserRepresentation {
  const known = STORED_MEMBERS.filter((member) => user[member] !== undefined).map((member) => [member, user[member]]);
  const { email, ...rest } = Object.fromEntries(known) as UserRepresentation;
  return { ...rest, username: user.username.toLowerCase(), ...defined({ email: email?.toLowerCase() }) };
}
