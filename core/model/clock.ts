/** The source of all times, so that tests can control them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** For tests. If true, time moves only when the test moves it, also in workers. */
  readonly standsStill?: boolean;
}

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
