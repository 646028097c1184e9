/** Which lanes of one endpoint have something to send: now, later, or under way. What they have is in the store. */
export class Lanes {
  readonly #ready = new Set<string>();
  /** Until when, in milliseconds since the epoch. */
  readonly #waiting = new Map<string, number>();
  /** Under way; true: something was added meanwhile. */
  readonly #busy = new Map<string, boolean>();
  #nextDue = Number.POSITIVE_INFINITY;

  get busy(): number {
    return this.#busy.size;
  }

  /** Something may be there to send. */
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

  /** @param next when the lane may send again: 0 at once; undefined: it was empty */
  release(lane: string, next: number | undefined): void {
    const isAdded = this.#busy.get(lane) === true;
    this.#busy.delete(lane);
    if (next === 0 || (next === undefined && isAdded)) this.#ready.add(lane);
    else if (next !== undefined) {
      this.#waiting.set(lane, next);
      this.#nextDue = Math.min(this.#nextDue, next);
    }
  }

  /** The first message of a lane is another one: what it waited for is asked of the store again. */
  recall(lane: string): void {
    if (this.#waiting.delete(lane)) this.#ready.add(lane);
  }

  /** As `recall`, for all of them. */
  recallAll(): void {
    this.#promote(Number.POSITIVE_INFINITY);
  }

  /** When there is something to do: 0 now. */
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
