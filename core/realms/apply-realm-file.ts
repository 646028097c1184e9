import { randomUUID } from 'node:crypto';
import type { Clock } from '../model/clock.js';
import type { CredentialRepresentation, RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { RealmSourceRecord, Store, UserRecord } from '../store/store.js';
import { importRealmKeys, KEY_PROVIDER } from '../tokens/import-keys.js';
import type { KeyRing } from '../tokens/key-ring.js';
import { withBuiltIns } from './built-ins.js';
import type { PasswordHasher } from './password.js';
import type { Realms } from './realms.js';
import { serviceAccounts } from './service-accounts.js';

/** A realm file that passed its checks. */
export interface CheckedRealmFile {
  /** Without users; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  readonly source: RealmSourceRecord;
}

export interface ApplyServices {
  readonly store: Store;
  readonly realms: Realms;
  readonly keys: KeyRing;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

export type ApplyOutcome = { outcome: 'unchanged' } | { outcome: 'applied'; version: number; usersCreated: number };

/**
 * Makes a realm file the live realm, in one transaction. A file whose content was applied before changes nothing.
 * Users are created when missing and never overwritten; plain passwords are hashed once, at creation; keys that come
 * with the file enter the key store with their kids, and their secrets do not stay in the stored representation.
 */
export async function applyRealmFile(file: CheckedRealmFile, services: ApplyServices): Promise<ApplyOutcome> {
  const { store, realms, keys, clock } = services;
  const name = file.representation.realm;
  for (;;) {
    const previous = await store.realms.get(name);
    if (previous?.source?.hash === file.source.hash) {
      await store.realms.putSource(name, file.source);
      return { outcome: 'unchanged' };
    }
    const complete = withBuiltIns(file.representation, previous?.representation);
    const drafts = importRealmKeys(file.representation, clock.now());
    const written = await store.realms.put(
      { id: complete.id ?? randomUUID(), name, representation: withoutKeySecrets(complete), source: file.source },
      {
        expectedVersion: previous?.version ?? 0,
        users: await userRecords(name, complete, file.users, services),
        keys: await keys.records(name, drafts),
      },
    );
    if (written === 'conflict') continue;
    keys.invalidate(name);
    realms.changed(name);
    return { outcome: 'applied', ...written };
  }
}

/** The records of a realm's new users and of its clients' service accounts. */
export async function userRecords(
  realm: string,
  representation: RealmRepresentation,
  users: readonly UserRepresentation[],
  services: ApplyServices,
): Promise<UserRecord[]> {
  const { store, clock } = services;
  const clientIds = new Map((representation.clients ?? []).map(({ clientId, id }) => [clientId, id]));
  const records: UserRecord[] = [];
  const add = (user: UserRepresentation, serviceAccountClientId: string | undefined) => {
    const id = user.id ?? randomUUID();
    records.push({
      realm,
      id,
      username: user.username.toLowerCase(),
      ...(user.email ? { email: user.email.toLowerCase() } : {}),
      ...(serviceAccountClientId === undefined ? {} : { serviceAccountClientId }),
      version: 1,
      representation: { ...user, id, createdTimestamp: user.createdTimestamp ?? clock.now() },
    });
  };
  const known = (await store.users.count(realm)) > 0;
  for (const user of users) {
    if (known && (await store.users.byUsername(realm, user.username.toLowerCase())) !== undefined) continue;
    const owner = user.serviceAccountClientId === undefined ? undefined : clientIds.get(user.serviceAccountClientId);
    add({ ...user, ...(await hashedCredentials(user, services)) }, owner);
  }
  const taken = new Set(records.map(({ serviceAccountClientId }) => serviceAccountClientId));
  for (const account of serviceAccounts(representation, clock)) {
    if (!taken.has(account.serviceAccountClientId)) records.push(account);
  }
  return records;
}

/** `temporary` on a plain password asks for a new one at the next login, as in Keycloak. */
async function hashedCredentials(
  user: UserRepresentation,
  { passwords, clock }: ApplyServices,
): Promise<Pick<UserRepresentation, 'credentials' | 'requiredActions'>> {
  if (user.credentials === undefined) return {};
  const credentials: CredentialRepresentation[] = [];
  const requiredActions = new Set(user.requiredActions);
  for (const credential of user.credentials) {
    const { id = randomUUID(), createdDate = clock.now(), type, value, temporary } = credential;
    if (type !== 'password' || value === undefined) {
      credentials.push({ ...credential, id });
      continue;
    }
    credentials.push({ ...(await passwords.hash(value)), id, createdDate });
    if (temporary === true) requiredActions.add('UPDATE_PASSWORD');
  }
  return { credentials, requiredActions: [...requiredActions] };
}

const KEY_SECRETS = ['privateKey', 'secret', 'ecdsaPrivateKey', 'eddsaPrivateKey'];

/** Private keys live in the key store alone, where a master key encrypts them. */
export function withoutKeySecrets(representation: RealmRepresentation): RealmRepresentation {
  const { privateKey: _, ...rest } = representation;
  const components = rest.components?.[KEY_PROVIDER];
  if (components === undefined) return rest as RealmRepresentation;
  return {
    ...(rest as RealmRepresentation),
    components: {
      ...rest.components,
      [KEY_PROVIDER]: components.map((component) => ({
        ...component,
        config: Object.fromEntries(
          Object.entries(component.config ?? {}).filter(([key]) => !KEY_SECRETS.includes(key)),
        ),
      })),
    },
  };
}
