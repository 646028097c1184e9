/** A realm that was changed, with its keys, or removed. */
export interface RealmChange {
  readonly realm: string;
  /** The realm's version as it is now; undefined when it is gone. */
  readonly version: number | undefined;
}

/** What has changed, for those who hold in memory what others may change. */
export interface ChangeStore {
  /** The revision of the last change. */
  revision(): Promise<number>;
  /** All changes after that revision, each realm once, and the revision that they lead to. */
  since(revision: number): Promise<{ readonly revision: number; readonly realms: readonly RealmChange[] }>;
  /** Tells other nodes of something besides a realm, by a name that no realm has: it comes as a realm that is gone. */
  tell(name: string): Promise<void>;
  /** The time by the clock of whoever keeps the records, in milliseconds since the epoch: one for all that share them. */
  time(): Promise<number>;
}
