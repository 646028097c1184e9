/** The only source of time, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** For tests. If true, time moves only when the test moves it, also in workers. */
  readonly standsStill?: boolean;
}

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
