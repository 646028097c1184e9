/** How often something has happened within an hour. */
export interface EventCount {
  readonly realm: string;
  /** When the hour began, in milliseconds. */
  readonly hour: number;
  readonly type: string;
  /** Empty: none, or one that the realm does not have. */
  readonly clientId: string;
  /** The error of a failure; of a success the grant or the credentials. Empty where there is nothing to say. */
  readonly about: string;
  readonly total: number;
}

/** Who has signed in on a day, as a sketch. */
export interface ActiveUsers {
  readonly realm: string;
  /** When the day began (UTC), in milliseconds. */
  readonly day: number;
  /** Text of a `UserSketch`. */
  readonly sketch: string;
}

/** Numbers of what has happened, by realm. They name no user. */
export interface StatisticsStore {
  /**
   * Adds to what is there: several hosts add up. What is of a realm that is gone is left out.
   * @param expireAfter milliseconds from the hour or the day on
   */
  add(counts: readonly EventCount[], actives: readonly ActiveUsers[], options: { expireAfter: number }): Promise<void>;
  /** Of the hours that begin within these times, `to` not included. @param realm undefined: all realms added up */
  counts(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<EventCount, 'realm'>[]>;
  /** Of the days that begin within these times, `to` not included, in their order; of all realms where none is given. */
  actives(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<ActiveUsers, 'realm'>[]>;
}
