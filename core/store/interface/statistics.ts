/** How often an event has happened within one hour. */
export interface EventCount {
  readonly realm: string;
  /** When the hour began, in milliseconds since the epoch. */
  readonly hour: number;
  readonly type: string;
  /** Empty if there is no client, or if the realm does not have it. */
  readonly clientId: string;
  /** The error of a failure; for a success the grant or the types of credentials. Empty if there is none. */
  readonly about: string;
  readonly total: number;
}

/** A sketch of the users who have signed in on one day. */
export interface ActiveUsers {
  readonly realm: string;
  /** When the day began (UTC), in milliseconds since the epoch. */
  readonly day: number;
  /** The text form of a `UserSketch`. */
  readonly sketch: string;
}

/** The numbers of sign-ins of users, and of failed ones, in one realm. */
export interface RealmSignIns {
  readonly realm: string;
  readonly signIns: number;
  readonly failures: number;
}

/** Statistics by realm. They do not contain users. */
export interface StatisticsStore {
  /**
   * Adds to the stored numbers, so that those of several hosts are summed. Numbers for deleted realms are left out.
   * @param options.expireAfter milliseconds from the beginning of the hour or the day
   */
  add(counts: readonly EventCount[], actives: readonly ActiveUsers[], options: { expireAfter: number }): Promise<void>;
  /**
   * Returns the numbers of the hours that begin within these times, without `to`.
   * @param realm undefined for the sum of all realms
   */
  counts(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<EventCount, 'realm'>[]>;
  /**
   * Returns the sketches of the days that begin within these times, without `to`, in order.
   * @param realm undefined for all realms
   */
  actives(
    realm: string | undefined,
    within: { from: number; to: number },
  ): Promise<readonly Omit<ActiveUsers, 'realm'>[]>;
  /**
   * Returns the realms with the most sign-ins and failed sign-ins in the hours that begin within these times, without
   * `to`.
   * @param max the maximum number of realms
   */
  busiestRealms(within: { from: number; to: number }, max: number): Promise<readonly RealmSignIns[]>;
}
