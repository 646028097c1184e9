/** The lanes of one endpoint that have messages: ready, waiting, or being sent. The messages are in the store. */
export class Lanes {
  readonly #ready = new Set<string>();
  /** By lane: the time at which it may send, in milliseconds since the epoch. */
  readonly #waiting = new Map<string, number>();
  /** Lanes that are being sent; true if a message was added meanwhile. */
  readonly #busy = new Map<string, boolean>();
  #nextDue = Number.POSITIVE_INFINITY;

  get busy(): number {
    return this.#busy.size;
  }

  /** Called when a lane may have got a message. */
  add(lane: string): void {
    if (this.#busy.has(lane)) this.#busy.set(lane, true);
    else if (!this.#waiting.has(lane)) this.#ready.add(lane);
  }

  /** Takes a lane that may send now. */
  take(now: number): string | undefined {
    if (now >= this.#nextDue) this.#promote(now);
    const [lane] = this.#ready;
    if (lane === undefined) return undefined;
    this.#ready.delete(lane);
    this.#busy.set(lane, false);
    return lane;
  }

  /** @param next the time at which the lane may send again: 0 for now; undefined if it was empty */
  release(lane: string, next: number | undefined): void {
    const isAdded = this.#busy.get(lane) === true;
    this.#busy.delete(lane);
    if (next === 0 || (next === undefined && isAdded)) this.#ready.add(lane);
    else if (next !== undefined) {
      this.#waiting.set(lane, next);
      this.#nextDue = Math.min(this.#nextDue, next);
    }
  }

  /**
   * Called when the first message of a lane has changed. The lane then no longer waits, so that the message is read
   * again.
   */
  markReady(lane: string): void {
    if (this.#waiting.delete(lane)) this.#ready.add(lane);
  }

  /** Does the same as `markReady` for all lanes. */
  markAllReady(): void {
    this.#promote(Number.POSITIVE_INFINITY);
  }

  /** Returns the time at which a lane may send next; 0 for now. */
  nextDue(): number {
    return this.#ready.size > 0 ? 0 : this.#nextDue;
  }

  #promote(now: number): void {
    this.#nextDue = Number.POSITIVE_INFINITY;
    for (const [lane, due] of this.#waiting) {
      if (due > now) {
        this.#nextDue = Math.min(this.#nextDue, due);
        continue;
      }
      this.#waiting.delete(lane);
      this.#ready.add(lane);
    }
  }
}
