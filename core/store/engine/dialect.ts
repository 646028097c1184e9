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
  /** The texts of a JSON list as rows of that name with a column `value`. @param list a placeholder */
  elements(list: string, name: string): string;
  readonly users: UserDialect;
}

/** What engines say differently about the table `users`, in searches by parts of texts. */
export interface UserDialect {
  /** A row where what searches go by is complete. */
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
  /** How many have all the pieces, up to `limit`, where that is cheap to ask; undefined where it is not. */
  counting(pieces: readonly string[], limit: number, bind: (value: string) => string): string | undefined;
  /**
   * Where e-mail addresses and names of users that are no service accounts stand in order, as rows `h` with realm, username and
   * id. A user may be there three times.
   */
  readonly texts: readonly UserTexts[];
  /** The first users of each of some texts, by username and all together, as rows with id and username. */
  firstOfEach(text: UserTexts, each: FirstOfEach): string;
  /** A column to sort by where no index that has its order is to be taken. */
  plain(column: string): string;
  /** About how many rows the table has, as `rows`; less than 1 where nothing is known. */
  readonly rows: string;
  /** About `count` rows (`u`) at random. Where one is missing, all of it is NULL. @param rows a placeholder for `rows` */
  sample(rows: string, count: number): string;
}

/** Users who have pieces. */
export interface UserHits {
  readonly from: string;
  /** Where all of them at once would keep the process: how many places there are, as `places`. Each row has its `place`, from 1 on. */
  readonly places?: string;
}

/** What is asked of each text, as placeholders. */
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
