/** Upper bounds of the histogram of request durations, in milliseconds. */
export const BOUNDS_MS: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

const MINUTES = 15;
const MINUTE_MS = 60_000;

/** The durations of recent requests. */
export interface RecentRequests {
  /** The number of minutes covered. */
  readonly minutes: number;
  readonly count: number;
  /**
   * Percentiles of the duration in milliseconds, rounded up to the next bound. Undefined if there were no requests, or
   * if the percentile is beyond all bounds.
   */
  readonly within: Readonly<Record<'50' | '95' | '99', number | undefined>>;
}

/** Counts answered requests by their duration, since the start and for the last 15 minutes. */
export class RequestDurations {
  /** Number of requests in each bucket (not cumulative). The last bucket is for durations beyond all bounds. */
  readonly counts = emptyCounts();
  /** Sum of all durations, in milliseconds. */
  sum = 0;
  readonly #minutes = Array.from({ length: MINUTES }, () => ({ minute: -1, counts: emptyCounts() }));
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  count(milliseconds: number): void {
    let bound = 0;
    while (bound < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bound] as number)) bound += 1;
    this.sum += milliseconds;
    add(this.counts, bound, 1);
    const minute = Math.floor(this.#now() / MINUTE_MS);
    const slot = this.#minutes[minute % MINUTES] as { minute: number; counts: number[] };
    if (slot.minute !== minute) Object.assign(slot, { minute, counts: emptyCounts() });
    add(slot.counts, bound, 1);
  }

  recent(): RecentRequests {
    const oldest = Math.floor(this.#now() / MINUTE_MS) - MINUTES;
    const counts = emptyCounts();
    for (const slot of this.#minutes) {
      if (slot.minute > oldest) for (const [bound, number] of slot.counts.entries()) add(counts, bound, number);
    }
    const count = counts.reduce((sum, number) => sum + number, 0);
    const percentile = (share: number) => {
      let remaining = share * count;
      for (const [bound, number] of counts.entries()) {
        remaining -= number;
        if (number > 0 && remaining <= 0) return BOUNDS_MS[bound];
      }
      return undefined;
    };
    return { minutes: MINUTES, count, within: { 50: percentile(0.5), 95: percentile(0.95), 99: percentile(0.99) } };
  }
}

function emptyCounts(): number[] {
  return new Array<number>(BOUNDS_MS.length + 1).fill(0);
}

function add(counts: number[], bound: number, number: number): void {
  counts[bound] = (counts[bound] as number) + number;
}
