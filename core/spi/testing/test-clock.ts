/** A clock that moves only when the test moves it. */
export class TestClock {
  readonly standsStill = true;
  #time: number;

  /** @param now milliseconds since the epoch; default: the system time */
  constructor(now: number = Date.now()) {
    this.#time = now;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#time;
  }

  /** Moves the clock forward by a number of seconds. */
  forward(seconds: number): void {
    this.#time += seconds * 1000;
  }
}
