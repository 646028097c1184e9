/** A realm that was changed, with its keys, or removed. */
export interface RealmChange {
  readonly realm: string;
  /** The realm's present version; undefined if it was deleted. */
  readonly version: number | undefined;
}

/** Changes, for nodes that cache records that other nodes may change. */
export interface ChangeStore {
  /** The revision of the last change. */
  revision(): Promise<number>;
  /** All changes after that revision, each realm once, and the revision that they lead to. */
  since(revision: number): Promise<{ readonly revision: number; readonly realms: readonly RealmChange[] }>;
  /**
   * Notifies other nodes of something other than a realm, by a name that no realm has. They see it as a deleted realm.
   */
  tell(name: string): Promise<void>;
  /** The time of the store's clock, in milliseconds since the epoch: the same clock for all nodes that share it. */
  time(): Promise<number>;
}
