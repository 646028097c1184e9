import { randomUUID } from 'node:crypto';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { UserRecord } from '../store/store.js';
import { type ApplyServices, hashedCredentials } from './apply-realm-file.js';

/** The records of users that come with a change of their realm: plain passwords are hashed. */
export async function importedUserRecords(
  realm: RealmRepresentation,
  users: readonly UserRepresentation[],
  { passwords, clock }: Pick<ApplyServices, 'passwords' | 'clock'>,
): Promise<UserRecord[]> {
  const clientIds = new Map((realm.clients ?? []).map(({ clientId, id }) => [clientId, id]));
  const records: UserRecord[] = [];
  for (const user of users) {
    const id = user.id ?? randomUUID();
    const owner = user.serviceAccountClientId === undefined ? undefined : clientIds.get(user.serviceAccountClientId);
    const hashed = await hashedCredentials(user, passwords);
    records.push({
      realm: realm.realm,
      id,
      username: user.username.toLowerCase(),
      ...(user.email ? { email: user.email.toLowerCase() } : {}),
      ...(owner === undefined ? {} : { serviceAccountClientId: owner }),
      version: 1,
      representation: { ...user, ...hashed, id, createdTimestamp: user.createdTimestamp ?? clock.now() },
    });
  }
  return records;
}
