/** Key–value pairs of plugins, by realm and namespace. Values are JSON text. */
export interface EntryStore {
  get(key: { realm: string; namespace: string; key: string; now: number }): Promise<string | undefined>;
  put(entry: { realm: string; namespace: string; key: string; value: string; expiresAt?: number }): Promise<void>;
  /** Inserts only if there is no live entry. Also false if the new entry has expired already. */
  claim(entry: {
    realm: string;
    namespace: string;
    key: string;
    value: string;
    expiresAt: number;
    now: number;
  }): Promise<boolean>;
  /**
   * Writes only if the value of the live entry equals `expected`, both read as JSON; undefined: if there is no live
   * entry.
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
   * Live entries whose keys begin with `prefix`, ordered by key (by code point).
   * @param range.after continues after this key. Use it to page through long lists, since rows that `first` skips are
   * read, too
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
  /** As `list`, with the time at which an entry expires, in milliseconds since the epoch. */
  listWhole(
    range: Parameters<EntryStore['list']>[0],
  ): Promise<readonly { key: string; value: string; expiresAt?: number }[]>;
  delete(key: { realm: string; namespace: string; key: string }): Promise<void>;
  /** Deletes everything in a namespace. */
  clear(namespace: { realm: string; namespace: string }): Promise<void>;
}
