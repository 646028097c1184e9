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
  /** After this it may be swept; absent: kept. */
  readonly expiresAt?: number;
  /** False: it is not kept here, and only waits for another store. Default: true. */
  readonly isKept?: false;
  /** Its place among those that wait for another store. Absent: it does not go there. */
  readonly position?: number;
}

/** As little of an event as tells it from others. */
export interface EventHead {
  readonly id: string;
  readonly time: number;
}

export interface EventStore {
  /** An event whose id the realm has already says now what the new one says, and keeps its time. */
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
      /** Of events of users. */
      sessionId?: string;
      /** Of events of users: the token that their details name. */
      tokenId?: string;
      /** Of admin events. In the path `*` stands for any text. */
      resourceTypes?: readonly string[];
      resourcePath?: string;
      /** Of admin events: the internal id of the realm whose admin it was. */
      authRealmId?: string;
      /** The last event of the page before: continues after it, however many came in meanwhile. Newest first only. */
      before?: { time: number; id: string };
      oldestFirst?: boolean;
      first?: number;
      /** 100 without it. */
      max?: number;
    },
  ): Promise<readonly EventRecord[]>;
  /** The newest of both kinds that are not older than `from`, newest first; for who asks often: it reads an index alone. */
  heads(realm: string, from: number, max: number): Promise<readonly EventHead[]>;
  /** Those of these ids, oldest first. */
  byIds(realm: string, ids: readonly string[]): Promise<readonly EventRecord[]>;
  /**
   * Events that hold a text, such as an id, oldest first. No more than `among` events are looked at: a user's of both kinds, or
   * the realm's of a kind.
   * @returns `isCut`: there are more to look at, or more than `max` hold it
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
