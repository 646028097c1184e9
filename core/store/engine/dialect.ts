/** SQL that differs between engines. All of them store JSON as text, and each reads it in its own way. */
export interface Dialect {
  /** The time by the database's clock, in milliseconds since the epoch. */
  readonly time: string;
  /** A member of the JSON object in `column`, as text, or NULL; `path` leads to it. For booleans see `isTrue`. */
  text(column: string, ...path: readonly string[]): string;
  /** Whether a member of the JSON object in `column` is `true`: 1 or 0. */
  isTrue(column: string, member: string): string;
  /**
   * True if a member of the JSON object in `column`, an object of lists of texts, has a text that matches the pattern
   * in any case (SQLite: case of ASCII letters).
   * @param name, pattern placeholders
   */
  listHas(column: string, member: string, name: string, pattern: string): string;
  /** The texts of a JSON list as rows of that name with a column `value`. @param list a placeholder */
  elements(list: string, name: string): string;
  readonly users: UserDialect;
}

/** SQL about the table `users` that differs between engines, for searches by parts of texts. */
export interface UserDialect {
  /** Returns a row if the index of searches is complete. */
  readonly isIndexed: string;
  /**
   * Users (`u`) whose texts have all the pieces, and perhaps some more.
   * @param bind puts a value into the statement, and answers its placeholder
   */
  having(pieces: readonly string[], bind: (value: string) => string): { readonly from: string; readonly where: string };
  /** Users (`u`) whom the index does not have yet, whether they have the pieces or not. */
  readonly others?: string;
  /** Those whom it has, as rows `u` with realm, id and username alone. */
  hits(pieces: readonly string[], bind: (value: string) => string): UserHits;
  /** Counts the users with all pieces, up to `limit`; undefined if that is expensive. */
  counting(pieces: readonly string[], limit: number, bind: (value: string) => string): string | undefined;
  /**
   * Email addresses and names of users, sorted, as rows `h` with realm, username and ID. Service accounts are left out.
   * A user may occur three times.
   */
  readonly texts: readonly UserTexts[];
  /** The first users of each of some texts, by username and all together, as rows with id and username. */
  firstOfEach(text: UserTexts, each: FirstOfEach): string;
  /** A column to sort by, without the use of an index that has this order. */
  withoutIndexOrder(column: string): string;
  /** Estimated number of rows of the table, as `rows`; less than 1 if unknown. */
  readonly rows: string;
  /**
   * About `count` random rows (`u`). In a row that is missing, all columns are NULL. @param rows a placeholder for
   * `rows`
   */
  randomRows(rows: string, count: number): string;
}

/** Users who have pieces. */
export interface UserHits {
  readonly from: string;
  /**
   * Set if reading all hits at once would block the event loop: the number of chunks, as `places`. Each row has its
   * chunk number `place`, from 1.
   */
  readonly places?: string;
}

/** Placeholders for the query of each text. */
export interface FirstOfEach {
  /** A JSON list of the texts. */
  readonly list: string;
  /** How many users of each. */
  readonly most: string;
  /** Only usernames behind this one. */
  readonly after: string | undefined;
}

/** Texts of users in order. */
export interface UserTexts {
  readonly from: string;
  readonly text: string;
  readonly where?: string;
  /** Many users may have one of them in common. */
  readonly areShared?: true;
}
