/** SQL that differs between engines. All engines store JSON as text, but read it in different ways. */
export interface Dialect {
  /** The time of the database's clock, in milliseconds since the epoch. */
  readonly time: string;
  /**
   * Returns a member of the JSON object in `column`, as text, or NULL. `path` leads to the member. For booleans use
   * `isTrue`.
   */
  text(column: string, ...path: readonly string[]): string;
  /** Returns 1 if a member of the JSON object in `column` is `true`, otherwise 0. */
  isTrue(column: string, member: string): string;
  /**
   * Returns a condition: a member of the JSON object in `column`, which is an object of lists of texts, has a text that
   * matches the pattern. The comparison ignores case (SQLite: only that of ASCII letters).
   * @param name, pattern placeholders
   */
  listHas(column: string, member: string, name: string, pattern: string): string;
  /**
   * Returns a source of rows that has the texts of a JSON list in its column `value`.
   * @param list a placeholder
   * @param name the alias of the source
   */
  elements(list: string, name: string): string;
  /** Returns the text at a position of a JSON list. @param list an SQL expression */
  textAt(list: string, index: number): string;
  readonly users: UserDialect;
}

/** SQL about the table `users` that differs between engines, for searches by parts of texts. */
export interface UserDialect {
  /** Returns a row if the index for searches is complete. */
  readonly isIndexed: string;
  /**
   * Returns the users (`u`) whose texts contain all pieces, and possibly other users.
   * @param bind adds a value to the statement's parameters, and returns its placeholder
   */
  having(pieces: readonly string[], bind: (value: string) => string): { readonly from: string; readonly where: string };
  /**
   * The users (`u`) who are not in the index yet, whether or not they match. Absent if the index always has all users.
   */
  readonly others?: string;
  /** Returns the matching users that are in the index, as rows `u` with only realm, id and username. */
  indexedHits(pieces: readonly string[], bind: (value: string) => string): UserHits;
  /** Returns a statement that counts the users with all pieces, up to `limit`; undefined if counting is expensive. */
  countSql(pieces: readonly string[], limit: number, bind: (value: string) => string): string | undefined;
  /**
   * The email addresses and names of users, sorted, as rows `h` with realm, username and ID. Service accounts are left
   * out. A user may occur three times.
   */
  readonly texts: readonly UserTexts[];
  /** Returns the first users, by username, of each of several texts, together as rows with id and username. */
  firstOfEach(text: UserTexts, each: FirstOfEach): string;
  /** Returns an expression for sorting by the column that makes the planner ignore an index in that order. */
  withoutIndexOrder(column: string): string;
  /** Returns the estimated number of rows of the table as `rows`; less than 1 if it is unknown. */
  readonly rows: string;
  /**
   * Returns about `count` random rows (`u`). If a sampled row does not exist, all columns are NULL.
   * @param rows a placeholder for the result of `rows`
   */
  randomRows(rows: string, count: number): string;
}

/** Users in the index who have the pieces. */
export interface UserHits {
  readonly from: string;
  /**
   * Set if reading all hits at once would block the event loop. It returns the number of chunks as `places`. Each row
   * has the number of its chunk in `place`, from 1.
   */
  readonly places?: string;
}

/** Placeholders for the query of the first users of each text. */
export interface FirstOfEach {
  /** A JSON list of the texts. */
  readonly list: string;
  /** The maximum number of users for each text. */
  readonly most: string;
  /** Only usernames after this one. */
  readonly after: string | undefined;
}

/** A sorted source of texts of users. */
export interface UserTexts {
  readonly from: string;
  readonly text: string;
  readonly where?: string;
  /** Set if many users may have the same text, such as a first name. */
  readonly areShared?: true;
}
