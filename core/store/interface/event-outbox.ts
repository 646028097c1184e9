/** An event that waits until another store has taken it. */
export interface WaitingEvent {
  readonly position: number;
  readonly id: string;
  readonly kind: 'user' | 'admin';
  /** The event as JSON. */
  readonly body: string;
  /** The event may be dropped after this time; absent: it does not expire. */
  readonly expiresAt?: number;
}

/**
 * Events to be delivered to another store. Each was written with its change, under the `position` of its record. An
 * event that was written twice is here twice.
 */
export interface EventOutbox {
  /** By position, the lowest first: as many as keep to both limits, but always one. */
  waiting(
    realm: string,
    most: { readonly rows: number /** The total of their bodies. */; readonly characters: number },
  ): Promise<readonly WaitingEvent[]>;
  /** How many wait, up to `max`: it does not count on. */
  count(realm: string, max: number): Promise<number>;
  /** Removes those that the other store has taken. */
  remove(realm: string, events: readonly Pick<WaitingEvent, 'position' | 'id'>[]): Promise<void>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
  /** Realms with waiting events. */
  realms(): Promise<readonly string[]>;
}
