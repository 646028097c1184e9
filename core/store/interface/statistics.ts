/** How often something has happened within an hour. */
export interface EventCount {
  readonly realm: string;
  /** When the hour began, in milliseconds. */
  readonly hour: number;
  readonly type: string;
  /** Empty: none, or one that the realm does not have. */
  readonly clientId: string;
  /** The error of a failure; for a success the grant or the credentials. Empty if there is none. */
  readonly about: string;
  readonly total: number;
}

/** The users who signed in on a day, as a sketch. */
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
   * Adds to the stored numbers, so that those of several hosts add up. Numbers of deleted realms are left out.
   * @param expireAfter milliseconds from the hour or the day on
   */
  add(counts: readonly EventCount[], actives: readonly ActiveUsers[], options: { expireAfter: number }): Promise<void>;
  /**
   * Numbers of the hours that begin within these times, `to` excluded. @param realm undefined: the sum of all realms
   */
  counts(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<EventCount, 'realm'>[]>;
  /** Users of the days that begin within these times, `to` excluded, in order; undefined: of all realms. */
  actives(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<ActiveUsers, 'realm'>[]>;
}
