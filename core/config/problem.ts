/** A mistake in a file, at its place. */
export interface Problem {
  /** As the operator would type it: relative to the working directory where that is shorter. */
  readonly file: string;
  /** From 1; 0 when the file as a whole is meant (missing, unreadable). */
  readonly line: number;
  readonly column: number;
  /** Such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
  /** True: message or suggestion may say what a reference brought in. */
  readonly tellsReference?: true;
}

/** `file:line:column path: message (did you mean "x"?)` */
export function formatProblem(problem: Problem): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  const path = problem.path === '' ? '' : ` ${problem.path}`;
  const hint = problem.suggestion === undefined ? '' : ` (did you mean "${problem.suggestion}"?)`;
  return `${place}${path}: ${problem.message}${hint}`;
}

/** In the order of the files, and in each of its lines. */
export function byPlace(a: Problem, b: Problem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
