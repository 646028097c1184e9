/** A mistake in a file, with its position. */
export interface Problem {
  /**
   * The file's path, relative to the working directory if that is shorter; or the name of an option or environment
   * variable.
   */
  readonly file: string;
  /** From 1; 0 for a problem of the whole file (such as a missing one) or of an option. */
  readonly line: number;
  readonly column: number;
  /** The path of the value, such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
  /** True if the message or the suggestion may contain a value that a reference resolved to. */
  readonly tellsReference?: true;
}

/** `file:line:column path: message (did you mean "x"?)` */
export function formatProblem(problem: Problem): string {
  const position = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  const path = problem.path === '' ? '' : ` ${problem.path}`;
  const hint = problem.suggestion === undefined ? '' : ` (did you mean "${problem.suggestion}"?)`;
  return `${position}${path}: ${problem.message}${hint}`;
}

/** Sorts by file, and by line within a file. */
export function byPosition(a: Problem, b: Problem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
