import { importRealmKeys } from '../keys/import-keys.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { KeyStore, UserStore } from '../store/store.js';
import { withBuiltIns } from './built-ins/built-ins.js';
import { type Change, findChanges } from './comparison/changes.js';
import type { Conflict } from './comparison/merge.js';
import { REALM_SHAPE } from './comparison/realm-shape.js';
import { type NewUser, newUsers } from './file-users.js';
import { type CheckedRealmFile, editsOf, findEdits, planRealm, type StoredRealm } from './plan-realm.js';

/** The part of the store that a plan reads. */
export interface PlanStore {
  readonly users: Pick<UserStore, 'byUsername' | 'byServiceAccountClient' | 'count'>;
  readonly keys: Pick<KeyStore, 'list'>;
}

/** The changes that a realm file would make. */
export interface FilePlan {
  readonly before: RealmRepresentation;
  readonly after: RealmRepresentation;
  /** The realm that the file alone would create. */
  readonly fileRealm: RealmRepresentation;
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** Edits that the file does not change. */
  readonly edits: readonly Change[];
  readonly users: readonly NewUser[];
  /** Keys that the file adds. */
  readonly keys: readonly { readonly kid: string; readonly algorithm: string }[];
}

/**
 * Computes the effect of applying a file.
 * @param previousRealm undefined if the realm does not exist
 * @param store undefined if there is none yet
 * @param revertsEdits if true, edits that the file does not contain are reverted, too
 */
export async function planFile(
  file: CheckedRealmFile,
  previousRealm: StoredRealm | undefined,
  store: PlanStore | undefined,
  revertsEdits = false,
): Promise<FilePlan> {
  const { realm } = file.representation;
  if (!revertsEdits && previousRealm?.source?.hash === file.source.hash && previousRealm.declared !== undefined) {
    const { representation: live, declared } = previousRealm;
    const same = { before: live, after: live, fileRealm: withBuiltIns(declared.representation, live) };
    return { ...same, changes: [], conflicts: [], edits: editsOf(previousRealm), users: [], keys: [] };
  }
  const { representation: after, conflicts, declared } = planRealm(file, previousRealm, revertsEdits);
  const before = previousRealm?.representation ?? withBuiltIns({ realm, enabled: false });
  const knownKids = new Set((await store?.keys.list(realm))?.map(({ kid }) => kid));
  const fileRealm = withBuiltIns(declared.representation, after);
  return {
    before,
    after,
    fileRealm,
    changes: findChanges(REALM_SHAPE, before, after),
    conflicts,
    edits: findEdits(fileRealm, after),
    users: await newUsers(file, after, previousRealm, store?.users ?? EMPTY_USER_STORE),
    keys: importRealmKeys(file.representation, 0).filter(({ kid }) => !knownKids.has(kid)),
  };
}

/** A store without users, for a directory that has no store yet. */
const EMPTY_USER_STORE: PlanStore['users'] = {
  count: async () => 0,
  byUsername: async () => undefined,
  byServiceAccountClient: async () => undefined,
};
