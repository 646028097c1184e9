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
  /** The event may be swept after this time; absent if it does not expire. */
  readonly expiresAt?: number;
  /** If false, the event is not stored here, and only waits for a plugin's store. Default: true. */
  readonly isKept?: false;
  /** The position in the outbox for a plugin's store; absent if the event is not sent to one. */
  readonly position?: number;
}

/** The members that identify an event. */
export interface EventHead {
  readonly id: string;
  readonly time: number;
}

export interface EventStore {
  /** Adds events. If an ID exists in the realm, the event's content is replaced, and its time stays the same. */
  append(events: readonly EventRecord[]): Promise<void>;
  /** Returns events, newest first, or oldest first with `oldestFirst`. `from` and `to` are included. */
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
      /** For user events: the ID of a token, which is in their details. */
      tokenId?: string;
      /** For admin events. In the path, `*` matches any text. */
      resourceTypes?: readonly string[];
      resourcePath?: string;
      /** For admin events: the internal ID of the admin's realm. */
      authRealmId?: string;
      /**
       * The last event of the previous page. The list continues after it, even if events were added since. Not with
       * `oldestFirst`.
       */
      before?: { time: number; id: string };
      oldestFirst?: boolean;
      first?: number;
      /** Default: 100. */
      max?: number;
    },
  ): Promise<readonly EventRecord[]>;
  /**
   * Returns the newest events of both kinds that are not older than `from`, newest first. It reads only an index, so it
   * may be called often.
   */
  heads(realm: string, from: number, max: number): Promise<readonly EventHead[]>;
  /** Returns the events with these IDs, oldest first. */
  byIds(realm: string, ids: readonly string[]): Promise<readonly EventRecord[]>;
  /**
   * Returns events that contain a text, such as an ID, oldest first. It reads at most `among` events: those of a user
   * of both kinds, or those of the realm of one kind.
   * @returns `isCut` is true if there are more events to read, or more than `max` that contain the text
   */
  naming(
    realm: string,
    filter: {
      readonly text: string;
      readonly of: { readonly userId: string } | { readonly kind: 'user' | 'admin' };
      /** Inclusive. */
      readonly from: number;
      readonly among: number;
      readonly max: number;
    },
  ): Promise<{ readonly events: readonly EventRecord[]; readonly isCut: boolean }>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
}
