import type { Problem } from '../config/problem.js';
import { defined } from '../model/defined.js';
import type { DescribedChange } from '../realms/comparison/describe.js';
import type { RealmSourceRecord } from '../store/store.js';
import type { KnownRealm } from './known-files.js';

/** The state of a realm in a file. */
export interface RealmFileState {
  /** The path of the main file. */
  readonly path: string;
  /** The realm that the file defines, or defined when it was last valid. */
  readonly realm?: string;
  /**
   * - `applied`: the live realm equals the file.
   * - `drifted`: it was edited since, or retains edits that the file does not mention.
   * - `invalid`: the file has mistakes, and the live realm has not changed.
   */
  readonly state: 'applied' | 'drifted' | 'invalid';
  /** The version of the live realm. */
  readonly version?: number;
  /** The time at which the file was applied or found to be invalid: ISO 8601. */
  readonly at?: string;
  /** Callers that may not see values get only the positions. */
  readonly problems: readonly Problem[];
  /**
   * Members that both the file and an edit changed when the file was last applied: the file won. A sentence or a name
   * each.
   */
  readonly conflicts: readonly string[];
  /** The edits of a drifted realm, a sentence or a name each, such as `client web-app: redirectUris`. */
  readonly edits: readonly string[];
}

/**
 * How much of a file is revealed. `names`: only names and positions, for callers of the management port. `masked`:
 * values, too, but not those of references. `values`: everything.
 */
export type Detail = 'names' | 'masked' | 'values';

/**
 * @param realm undefined if the file has mistakes in a realm that it never defined
 * @param record the stored realm
 * @param edits the differences between the live realm and the file
 */
export function realmFileState(
  path: string,
  realm: string | undefined,
  { problems, invalidSince, conflicts }: KnownRealm,
  record: { version: number; source?: RealmSourceRecord } | undefined,
  { edits, detail }: { edits: readonly DescribedChange[]; detail: Detail },
): RealmFileState {
  const reveal = ({ name, sentence }: DescribedChange) => (detail === 'names' ? name : sentence);
  const isInvalid = problems.length > 0;
  const since = isInvalid ? invalidSince : record?.source?.appliedAt;
  return defined({
    path,
    realm,
    state: isInvalid ? ('invalid' as const) : edits.length > 0 ? ('drifted' as const) : ('applied' as const),
    version: record?.version,
    at: since === undefined ? undefined : new Date(since).toISOString(),
    problems: problems.map((problem) => redactProblem(problem, detail)),
    // A deleted realm has no conflicts.
    conflicts: record === undefined ? [] : conflicts.map(reveal),
    edits: edits.map(reveal),
  });
}

/** Replaces the message if the caller may not see it, since it may quote a value. */
export function redactProblem({ tellsReference, ...problem }: Problem, detail: Detail): Problem {
  if (detail === 'values' || (detail === 'masked' && tellsReference !== true)) return problem;
  const { suggestion: _, ...place } = problem;
  const problemText = detail === 'masked' ? 'is a mistake in the value of a reference' : 'is a mistake';
  return { ...place, message: `${problemText}: see the log` };
}
