import type { Problem } from '../config/problem.js';
import { defined } from '../model/defined.js';
import type { Told } from '../realms/comparison/describe.js';
import type { RealmSourceRecord } from '../store/store.js';
import type { KnownRealm } from './known-files.js';

/** What became of a realm in a file. */
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
  /** Who may not see values is told where each is alone. */
  readonly problems: readonly Problem[];
  /** What the file and an edit both changed when the file was last applied: the file won. One sentence each, or its name. */
  readonly conflicts: readonly string[];
  /** The edits of a drifted realm. One sentence each, or its name, such as `client web-app: redirectUris`. */
  readonly edits: readonly string[];
}

/**
 * What is told of a file: `names` and places alone, for whoever reaches the management port; `masked`: also what stands
 * there, but not what references stand for; `values`: everything.
 */
export type Telling = 'names' | 'masked' | 'values';

/**
 * @param realm undefined: the file never made what it has mistakes in
 * @param record the realm as it is stored
 * @param edits what tells it from what the file makes
 */
export function realmFileState(
  path: string,
  realm: string | undefined,
  { problems, invalidSince, conflicts }: KnownRealm,
  record: { version: number; source?: RealmSourceRecord } | undefined,
  { edits, telling }: { edits: readonly Told[]; telling: Telling },
): RealmFileState {
  const told = ({ name, sentence }: Told) => (telling === 'names' ? name : sentence);
  const isInvalid = problems.length > 0;
  const at = isInvalid ? invalidSince : record?.source?.appliedAt;
  return defined({
    path,
    realm,
    state: isInvalid ? ('invalid' as const) : edits.length > 0 ? ('drifted' as const) : ('applied' as const),
    version: record?.version,
    at: at === undefined ? undefined : new Date(at).toISOString(),
    problems: problems.map((problem) => toldProblem(problem, telling)),
    // Of a realm that is removed there is nothing left.
    conflicts: record === undefined ? [] : conflicts.map(told),
    edits: edits.map(told),
  });
}

/** A message may quote what stands there. */
export function toldProblem({ tellsReference, ...problem }: Problem, telling: Telling): Problem {
  if (telling === 'values' || (telling === 'masked' && tellsReference !== true)) return problem;
  const { suggestion: _, ...place } = problem;
  const what = telling === 'masked' ? 'is a mistake in the value of a reference' : 'is a mistake';
  return { ...place, message: `${what}: see the log` };
}
