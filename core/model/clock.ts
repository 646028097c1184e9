/** The one source of time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Of tests. True: it moves only when it is moved, in workers, too. */
  readonly standsStill?: boolean;
}

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
