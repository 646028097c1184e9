/** A clock that moves only when the test moves it. */
export class TestClock {
  readonly standsStill = true;
  #now: number;

  /** @param now milliseconds since the epoch; default: the time of the machine */
  constructor(now: number = Date.now()) {
    this.#now = now;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  /** Moves the clock forward by a number of seconds. */
  forward(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
