export interface EventRecord {
  readonly id: string;
  readonly realm: string;
  readonly kind: 'user' | 'admin';
  readonly time: number;
  readonly type: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly ipAddress?: string;
  /** The event as JSON. */
  readonly body: string;
  /** It may be swept after this time; absent: it does not expire. */
  readonly expiresAt?: number;
  /** If false, it is not stored here, and only waits for another store. Default: true. */
  readonly isKept?: false;
  /** Its place among those that wait for another store. Absent: it does not go there. */
  readonly position?: number;
}

/** The smallest part of an event that identifies it. */
export interface EventHead {
  readonly id: string;
  readonly time: number;
}

export interface EventStore {
  /** An event whose ID exists in the realm replaces the content of that one and keeps its time. */
  append(events: readonly EventRecord[]): Promise<void>;
  /** Newest first, or with `oldestFirst` the other way round. `from` and `to` are included. */
  query(
    realm: string,
    filter: {
      kind: 'user' | 'admin';
      types?: readonly string[];
      clientId?: string;
      userId?: string;
      ipAddress?: string;
      from?: number;
      to?: number;
      /** For user events. */
      sessionId?: string;
      /** For user events: the token that their details name. */
      tokenId?: string;
      /** For admin events. In the path, `*` matches any text. */
      resourceTypes?: readonly string[];
      resourcePath?: string;
      /** For admin events: the internal ID of the admin's realm. */
      authRealmId?: string;
      /**
       * The last event of the previous page. The list continues after it, even if events were added since. Newest first
       * only.
       */
      before?: { time: number; id: string };
      oldestFirst?: boolean;
      first?: number;
      /** 100 without it. */
      max?: number;
    },
  ): Promise<readonly EventRecord[]>;
  /**
   * The newest of both kinds that are not older than `from`, newest first. Cheap enough for frequent calls: it reads an
   * index only.
   */
  heads(realm: string, from: number, max: number): Promise<readonly EventHead[]>;
  /** Those of these ids, oldest first. */
  byIds(realm: string, ids: readonly string[]): Promise<readonly EventRecord[]>;
  /**
   * Events that contain a text, such as an ID, oldest first. At most `among` events are read: a user's of both kinds,
   * or the realm's of a kind.
   * @returns `isCut`: there are more events to read, or more than `max` contain it
   */
  naming(
    realm: string,
    filter: {
      readonly text: string;
      readonly of: { readonly userId: string } | { readonly kind: 'user' | 'admin' };
      /** Included. */
      readonly from: number;
      readonly among: number;
      readonly max: number;
    },
  ): Promise<{ readonly events: readonly EventRecord[]; readonly isCut: boolean }>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
}
