import type { ResolvedText } from '../config/realm-file/references.js';
import { withSecrets } from '../model/client-secrets.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { RealmDeclaration, RealmRecord, RealmSourceRecord } from '../store/store.js';
import { withBuiltIns } from './built-ins/built-ins.js';
import { type Change, changes } from './comparison/changes.js';
import { type Conflict, merge } from './comparison/merge.js';
import { REALM_SHAPE } from './comparison/realm-shape.js';
import { withoutKeySecrets } from './key-secrets.js';
import type { NameEffects } from './realm-edits.js';
import { withoutRemoved } from './removed-things.js';
import { withSilentMembers } from './silent-clients.js';

/** A realm that passed its checks, from a file or made by the host. */
export interface CheckedRealmFile {
  /** Without users; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The texts of the representation that hold references. */
  readonly references: readonly ResolvedText[];
  readonly source: RealmSourceRecord;
}

export type StoredRealm = RealmRecord & { readonly declared?: RealmDeclaration };

/** What a file would make of the live realm. */
export interface RealmPlan {
  /** Complete, without users and key secrets. */
  readonly representation: RealmRepresentation;
  /** The clientIds of clients that had no secret, and have a new one now. */
  readonly secretsGiven: readonly string[];
  /** What the file and an edit both changed: the file wins. */
  readonly conflicts: readonly Conflict[];
  /** True when edits remain that the file says nothing of. */
  readonly drifted: boolean;
  /** What it means for users and sessions. */
  readonly effects: NameEffects;
  readonly declared: RealmDeclaration;
}

/**
 * Merges three versions of a realm: what its file said when it was last applied, what the file says now, and the live
 * realm. An edit that the file does not touch stays; where both changed the same thing, the file wins; what the file no
 * longer says goes. Each version is complete, so that what Keyhost adds by itself is the same in all three.
 * @param takesBack true: edits that the file says nothing of go as well, but for secrets that it does not state
 */
export function planRealm(
  file: Pick<CheckedRealmFile, 'representation' | 'references' | 'users'>,
  previous: StoredRealm | undefined,
  takesBack = false,
): RealmPlan {
  const stated = withoutKeySecrets(file.representation);
  const live = previous?.representation;
  const theirs = withBuiltIns(stated, live);
  const conflicts: Conflict[] = [];
  const { representation, effects } =
    previous === undefined
      ? { representation: theirs, effects: { names: [], removedClients: [], removedServiceAccounts: [] } }
      : mergeInto(
          previous.representation,
          // As if the file had made the live realm: what it does not say now goes.
          takesBack ? previous.representation : statedBefore(previous),
          theirs,
          conflicts,
        );
  const { realm: complete, given } = withSecrets(representation);
  return {
    representation: complete,
    secretsGiven: given,
    conflicts,
    drifted: edits(theirs, complete).length > 0,
    effects,
    declared: {
      representation: stated,
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
): ReturnType<typeof withoutRemoved> {
  const base = withBuiltIns(before, live);
  const merged = merge(REALM_SHAPE, { base, theirs, ours: live }, conflicts) as RealmRepresentation;
  return withoutRemoved(merged, live);
}

/** What tells the live realm from what its file makes: the edits since. */
export function editsOf(stored: StoredRealm): readonly Change[] {
  return edits(withBuiltIns(statedBefore(stored), stored.representation), stored.representation);
}

/** What of a realm its file does not make. A secret that the file does not state is no edit: it is kept elsewhere. */
export function edits(ofFile: RealmRepresentation, live: RealmRepresentation): readonly Change[] {
  return changes(REALM_SHAPE, withSilentMembers(ofFile, live), live).filter(
    ({ of, before }) => of !== 'secret' || before !== undefined,
  );
}

/**
 * A realm that no file made was declared by nobody: all of it stays. One whose file was applied by a Keyhost that did not
 * keep what it said was made by that file whole.
 */
function statedBefore({ name, representation, source, declared }: StoredRealm): RealmRepresentation {
  if (declared !== undefined) return declared.representation;
  return source === undefined || source.files.length === 0 ? { realm: name } : representation;
}
