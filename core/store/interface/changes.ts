/** A realm that was changed, together with its keys, or that was deleted. */
export interface RealmChange {
  readonly realm: string;
  /** The current version of the realm; undefined if it was deleted. */
  readonly version: number | undefined;
}

/** Changes of realms, for nodes that cache records that other nodes may change. */
export interface ChangeStore {
  /** The revision of the last change. */
  revision(): Promise<number>;
  /** Returns all changes after that revision, each realm once, and the new revision. */
  since(revision: number): Promise<{ readonly revision: number; readonly realms: readonly RealmChange[] }>;
  /**
   * Notifies other nodes of something other than a realm, by a name that no realm has. They see it as a deleted realm.
   */
  tell(name: string): Promise<void>;
  /**
   * Returns the time of the store's clock, in milliseconds since the epoch. All nodes that share the store use this
   * clock.
   */
  time(): Promise<number>;
}
