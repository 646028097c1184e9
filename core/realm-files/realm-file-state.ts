import type { Problem } from '../config/problem.js';
import type { RealmSourceRecord } from '../store/store.js';
import type { KnownFile } from './known-files.js';

/** What became of one realm's files. */
export interface RealmFileState {
  /** Of the main file. */
  readonly path: string;
  /** The realm that the file makes, or made when it was last good. */
  readonly realm?: string;
  /**
   * `applied`: the live realm is what the file makes. `drifted`: it was edited since, or keeps edits that the file says
   * nothing of. `invalid`: the file has mistakes, and the live realm is what it was.
   */
  readonly state: 'applied' | 'drifted' | 'invalid';
  /** Of the live realm. */
  readonly version?: number;
  /** When the file was applied, or found to be invalid: ISO 8601. */
  readonly at?: string;
  readonly problems: readonly Problem[];
  /** What the file and an edit both changed when the file was last applied: the file won. One sentence each. */
  readonly conflicts: readonly string[];
  /** The edits of a drifted realm. One sentence each. */
  readonly edits: readonly string[];
}

/**
 * @param record the realm as it is stored
 * @param edits what tells it from what the file makes
 */
export function realmFileState(
  path: string,
  { realm, problems, invalidSince, conflicts }: KnownFile,
  record: { version: number; source?: RealmSourceRecord } | undefined,
  edits: readonly string[],
): RealmFileState {
  const isInvalid = problems.length > 0;
  const at = isInvalid ? invalidSince : record?.source?.appliedAt;
  return {
    path,
    ...(realm === undefined ? {} : { realm }),
    state: isInvalid ? 'invalid' : edits.length > 0 ? 'drifted' : 'applied',
    ...(record === undefined ? {} : { version: record.version }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    problems,
    // Of a realm that is removed there is nothing left.
    conflicts: record === undefined ? [] : conflicts,
    edits,
  };
}
