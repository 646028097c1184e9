/** An event that waits for a plugin's event store. */
export interface WaitingEvent {
  readonly position: number;
  readonly id: string;
  readonly kind: 'user' | 'admin';
  /** The event as JSON. */
  readonly body: string;
  /** The event may be dropped after this time; absent if it does not expire. */
  readonly expiresAt?: number;
}

/**
 * Events that must be delivered to a plugin's event store. Each was written with its change, under the `position` of
 * its record. An event that was written twice occurs twice.
 */
export interface EventOutbox {
  /** Returns the waiting events with the lowest positions, within both limits, but at least one. */
  waiting(
    realm: string,
    most: { readonly rows: number /** The total of their bodies. */; readonly characters: number },
  ): Promise<readonly WaitingEvent[]>;
  /** Counts the waiting events, at most up to `max`. */
  count(realm: string, max: number): Promise<number>;
  /** Removes events that the plugin's store has accepted. */
  remove(realm: string, events: readonly Pick<WaitingEvent, 'position' | 'id'>[]): Promise<void>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
  /** Returns the realms that have waiting events. */
  realms(): Promise<readonly string[]>;
}
