import { randomUUID } from 'node:crypto';
import { importRealmKeys } from '../keys/import-keys.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { Store } from '../store/store.js';
import { guardForRealmChange, lastAdministratorError } from '../users/last-administrator.js';
import type { PasswordHasher } from '../users/passwords/password-hasher.js';
import type { Users } from '../users/users.js';
import type { Conflict } from './comparison/merge.js';
import { newUsers, userRecords } from './file-users.js';
import { type CheckedRealmFile, planRealm, type RealmPlan, type StoredRealm } from './plan-realm.js';
import { putRealm } from './put-realm.js';
import { realmBusyError } from './realm-busy.js';
import { idTakenError } from './realm-invalid.js';
import type { Realms } from './realms.js';

export interface ApplyServices {
  readonly store: Store;
  readonly realms: Realms;
  readonly users: Users;
  readonly keys: KeyRing;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

export type ApplyOutcome =
  | { readonly outcome: 'unchanged' }
  | {
      readonly outcome: 'applied';
      readonly version: number;
      readonly usersCreated: number;
      readonly conflicts: readonly Conflict[];
      /** The clientIds of clients that had no secret, and have a new one now. */
      readonly secretsGiven: readonly string[];
      /** True if edits remain that the file does not contain. */
      readonly drifted: boolean;
      /** The realm before and after; `before` is undefined for a new realm. */
      readonly before: RealmRepresentation | undefined;
      readonly after: RealmRepresentation;
    };

/** How often a write is tried while other requests change the realm. */
const MAX_ATTEMPTS = 20;

export interface ApplyOptions {
  /** If true, edits that the file does not contain are reverted, too. */
  readonly revertEdits?: boolean;
  /** If true, the source is an edit and not a file, so the stored declaration of the realm's file stays. */
  readonly isEdit?: boolean;
  /** Called before each attempt to write. Its errors are thrown. */
  readonly onPlanned?: (plan: RealmPlan, previousRealm: StoredRealm | undefined) => void;
  /** Gets a function that makes the written realm visible to requests. By default it is called immediately. */
  readonly onWritten?: ((show: () => void) => void) | undefined;
}

/**
 * Makes a realm file the live realm, in one transaction. Edits that the file does not touch stay (see `planRealm`). A
 * file that was applied already changes nothing, unless edits are reverted. Missing users are created, and existing
 * ones never overwritten. Keys in the file enter the key store with their key IDs (kids), and their secrets are removed
 * from the stored representation. Existing keys do not change. A removed client loses its service account and its
 * sessions.
 * @throws HostError `realm_busy` (503) if other requests keep changing the realm, `realm_exists` (409) if another realm
 * has its ID, and the error of `lastAdministratorError`
 */
export async function applyRealmFile(
  file: CheckedRealmFile,
  services: ApplyServices,
  { revertEdits = false, isEdit = false, onPlanned, onWritten = (show) => show() }: ApplyOptions = {},
): Promise<ApplyOutcome> {
  const { store, realms, users, keys, clock } = services;
  const name = file.representation.realm;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const previousRealm = await store.realms.withDeclaration(name);
    // Without a stored declaration a later merge would have no base, so the file is applied once more.
    const wasApplied = previousRealm?.source?.hash === file.source.hash && previousRealm.declared !== undefined;
    if (wasApplied && !revertEdits && !isEdit) {
      await store.realms.putSource(name, { ...previousRealm?.source, ...file.source });
      return { outcome: 'unchanged' };
    }
    const plan = planRealm(file, previousRealm, revertEdits);
    const { representation, secretsGiven, conflicts, drifted, effects, declared } = plan;
    onPlanned?.(plan, previousRealm);
    const expectedVersion = previousRealm?.version ?? 0;
    const addedUsers = await newUsers(file, representation, previousRealm, store.users);
    const source = isEdit
      ? previousRealm?.source
      : { ...file.source, version: expectedVersion + 1, drifted, appliedAt: clock.now() };
    const result = await putRealm(
      services,
      { id: previousRealm?.id ?? representation.id ?? randomUUID(), name, representation, ...defined({ source }) },
      {
        expectedVersion,
        users: await userRecords(name, addedUsers, services),
        keys: await keys.records(name, importRealmKeys(file.representation, clock.now())),
        ...effects,
        ...defined({ kept: guardForRealmChange(previousRealm?.representation, representation, true) }),
        ...(isEdit ? {} : { declared }),
      },
    );
    if (result === 'conflict') continue;
    if (result === 'unheld') throw lastAdministratorError();
    if (result === 'idTaken') throw idTakenError(representation.id);
    onWritten(() => {
      keys.invalidate(name);
      users.evictAll(name);
      realms.invalidate(name);
    });
    return {
      outcome: 'applied',
      ...result,
      conflicts,
      secretsGiven,
      drifted,
      before: previousRealm?.representation,
      after: representation,
    };
  }
  throw realmBusyError();
}
