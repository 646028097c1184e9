/** Key–value pairs of plugins, by realm and namespace. Values are JSON text. */
export interface EntryStore {
  get(key: { realm: string; namespace: string; key: string; now: number }): Promise<string | undefined>;
  put(entry: { realm: string; namespace: string; key: string; value: string; expiresAt?: number }): Promise<void>;
  /** Inserts only when there is no live entry; false too when it is expired when it comes. */
  claim(entry: {
    realm: string;
    namespace: string;
    key: string;
    value: string;
    expiresAt: number;
    now: number;
  }): Promise<boolean>;
  /**
   * Writes only when the live entry's value is the one that is expected, both read as JSON; undefined: when there is none.
   * @returns whether it was written
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
   * @param range.after one of these keys: what comes behind it. A long list is read so, since what `first` leaves out is read, too
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
