/** Key–value pairs of plugins, by realm and namespace. Values are JSON text. */
export interface EntryStore {
  get(key: { realm: string; namespace: string; key: string; now: number }): Promise<string | undefined>;
  put(entry: { realm: string; namespace: string; key: string; value: string; expiresAt?: number }): Promise<void>;
  /**
   * Inserts an entry if there is no live one.
   * @returns false if there is one, or if the new entry has already expired
   */
  claim(entry: {
    realm: string;
    namespace: string;
    key: string;
    value: string;
    expiresAt: number;
    now: number;
  }): Promise<boolean>;
  /**
   * Writes an entry if the value of the live entry equals `expected`. Both are compared as JSON; undefined means that
   * there must be no live entry.
   * @returns true if it was written
   */
  replace(entry: {
    realm: string;
    namespace: string;
    key: string;
    expected: string | undefined;
    value: string;
    expiresAt?: number;
    now: number;
  }): Promise<boolean>;
  /**
   * Returns live entries whose keys begin with `prefix`, ordered by key (by code point).
   * @param range.after continue after this key. Use it to page through long lists, because rows that `first` skips are
   * read too
   */
  list(range: {
    realm: string;
    namespace: string;
    prefix: string;
    after?: string | undefined;
    first: number;
    max: number;
    now: number;
  }): Promise<readonly { key: string; value: string }[]>;
  /** Like `list`, but with the time at which each entry expires, in milliseconds since the epoch. */
  listWhole(
    range: Parameters<EntryStore['list']>[0],
  ): Promise<readonly { key: string; value: string; expiresAt?: number }[]>;
  delete(key: { realm: string; namespace: string; key: string }): Promise<void>;
  /** Deletes all entries of a namespace. */
  clear(namespace: { realm: string; namespace: string }): Promise<void>;
}
