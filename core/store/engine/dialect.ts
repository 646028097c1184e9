/** What engines say differently: JSON is text in every one, and looking into it is each one's own. */
export interface Dialect {
  /** The time by the database's clock, in milliseconds since the epoch. */
  readonly time: string;
  /** A member of the JSON object in `column`, as text, or NULL; `path` leads to it. Of booleans see `isTrue`. */
  text(column: string, ...path: readonly string[]): string;
  /** Whether a member of the JSON object in `column` is `true`: 1 or 0. */
  isTrue(column: string, member: string): string;
  /**
   * Whether the JSON object in `column` has a member of lists of texts, one of which is like that pattern,
   * in any case (SQLite: of ASCII letters).
   * @param name, pattern placeholders
   */
  listHas(column: string, member: string, name: string, pattern: string): string;
}
