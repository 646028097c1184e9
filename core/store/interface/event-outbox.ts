/** An event that waits until another store has taken it. */
export interface WaitingEvent {
  readonly position: number;
  readonly id: string;
  readonly kind: 'user' | 'admin';
  /** The event as JSON. */
  readonly body: string;
  /** After this nobody wants it any more; absent: kept. */
  readonly expiresAt?: number;
}

/**
 * Events on their way to another store: each was written with its change, by a `position` of its record. One that was written twice
 * is here twice.
 */
export interface EventOutbox {
  /** By position, the lowest first: as many as keep to both limits, but always one. */
  waiting(
    realm: string,
    most: { readonly rows: number /** Of their bodies together. */; readonly characters: number },
  ): Promise<readonly WaitingEvent[]>;
  /** How many wait, up to `max`: it does not count on. */
  count(realm: string, max: number): Promise<number>;
  /** Removes those that the other store has taken. */
  remove(realm: string, events: readonly Pick<WaitingEvent, 'position' | 'id'>[]): Promise<void>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
  /** Of which some wait. */
  realms(): Promise<readonly string[]>;
}
