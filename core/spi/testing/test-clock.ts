/** A clock that stands still until it is moved. */
export class TestClock {
  #now: number;

  /** @param now milliseconds since the epoch; default: the time of the machine */
  constructor(now: number = Date.now()) {
    this.#now = now;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  forward(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
