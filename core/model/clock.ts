/** The one source of time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** True for one that moves only when somebody moves it: it does so in workers, too. */
  readonly standsStill?: boolean;
}

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
