import type { ResolvedText } from '../config/realm-file/references.js';
import { addMissingSecrets } from '../model/client-secrets.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { RealmDeclaration, RealmRecord, RealmSourceRecord } from '../store/store.js';
import { withBuiltIns } from './built-ins/built-ins.js';
import { withImpliedMembers } from './clients-with-defaults.js';
import { type Change, findChanges } from './comparison/changes.js';
import { type Conflict, merge } from './comparison/merge.js';
import { REALM_SHAPE } from './comparison/realm-shape.js';
import { withoutDanglingReferences } from './dangling-references.js';
import type { NameEffects } from './edit-effects.js';
import { withoutKeySecrets } from './key-secrets.js';

/** A realm that passed its checks, from a file or created by the host. */
export interface CheckedRealmFile {
  /** Without users; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The texts of the representation that contain references. */
  readonly references: readonly ResolvedText[];
  readonly source: RealmSourceRecord;
}

export type StoredRealm = RealmRecord & { readonly declared?: RealmDeclaration };

/** The effect of a file on the live realm. */
export interface RealmPlan {
  /** Complete, without users and key secrets. */
  readonly representation: RealmRepresentation;
  /** Client IDs of clients that had no secret and got a new one. */
  readonly secretsGiven: readonly string[];
  /** Values that both the file and an edit changed. The file's value is used. */
  readonly conflicts: readonly Conflict[];
  /** True if edits remain that the file does not contain. */
  readonly drifted: boolean;
  /** The effects on users and sessions. */
  readonly effects: NameEffects;
  readonly declared: RealmDeclaration;
}

/**
 * Merges three versions of a realm: the previous content of its file, the new content, and the live realm. Edits that
 * the file does not touch stay. If both changed the same value, the file's is used. Objects that the file no longer
 * contains are removed. Each version is completed first, so that built-in objects are the same in all three.
 * @param revertsEdits if true, edits that the file does not contain are reverted, too, except for secrets that it does
 * not declare
 */
export function planRealm(
  file: Pick<CheckedRealmFile, 'representation' | 'references' | 'users'>,
  previousRealm: StoredRealm | undefined,
  revertsEdits = false,
): RealmPlan {
  const fileRealm = withoutKeySecrets(file.representation);
  const live = previousRealm?.representation;
  const completeFileRealm = withBuiltIns(fileRealm, live);
  const conflicts: Conflict[] = [];
  const { representation, effects } =
    previousRealm === undefined
      ? { representation: completeFileRealm, effects: { names: [], removedClients: [], removedServiceAccounts: [] } }
      : mergeInto(
          previousRealm.representation,
          // To revert edits, the live realm is the base, as if the file had created it. Everything that the file does
          // not contain is then removed.
          revertsEdits ? previousRealm.representation : mergeBaseOf(previousRealm),
          completeFileRealm,
          conflicts,
        );
  const { realm: complete, clientIds } = addMissingSecrets(representation);
  return {
    representation: complete,
    secretsGiven: clientIds,
    conflicts,
    drifted: findEdits(completeFileRealm, complete).length > 0,
    effects,
    declared: {
      representation: fileRealm,
      references: file.references.map(({ path, text }) => [path, text] as const),
      usernames: file.users.map(({ username }) => username.toLowerCase()),
    },
  };
}

function mergeInto(
  live: RealmRepresentation,
  before: RealmRepresentation,
  theirs: RealmRepresentation,
  conflicts: Conflict[],
): ReturnType<typeof withoutDanglingReferences> {
  const base = withBuiltIns(before, live);
  const mergedRealm = merge(REALM_SHAPE, { base, theirs, ours: live }, conflicts) as RealmRepresentation;
  return withoutDanglingReferences(mergedRealm, live);
}

/** Returns the edits: differences between the live realm and the one that its file creates. */
export function editsOf(storedRealm: StoredRealm): readonly Change[] {
  return findEdits(withBuiltIns(mergeBaseOf(storedRealm), storedRealm.representation), storedRealm.representation);
}

/**
 * Returns the differences between the live realm and the one that its file creates. A secret that the file does not
 * declare is no edit, because it is stored separately.
 */
export function findEdits(fileRealm: RealmRepresentation, live: RealmRepresentation): readonly Change[] {
  return findChanges(REALM_SHAPE, withImpliedMembers(fileRealm, live), live).filter(
    ({ of, before }) => of !== 'secret' || before !== undefined,
  );
}

/**
 * Returns the base of the merge. If no file created the realm, the base is empty, so the whole realm stays. If an older
 * Keyhost applied its file without storing the content, the whole realm counts as the file's.
 */
function mergeBaseOf({ name, representation, source, declared }: StoredRealm): RealmRepresentation {
  if (declared !== undefined) return declared.representation;
  return source === undefined || source.files.length === 0 ? { realm: name } : representation;
}
