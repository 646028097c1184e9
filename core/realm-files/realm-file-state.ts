import type { Problem } from '../config/problem.js';
import type { FileState, RealmFileGroup } from '../config/realm-folder.js';

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

/** What is remembered of a realm's files. */
export interface KnownFile {
  readonly group: RealmFileGroup;
  /** The realm that it makes; of an invalid file, the one that it made before. */
  readonly realm: string | undefined;
  readonly problems: readonly Problem[];
  /** Milliseconds. */
  readonly invalidSince?: number;
  readonly conflicts: readonly string[];
  /** Files that its references read, as they were then. */
  readonly referenced: readonly FileState[];
}
