import { HostError } from '@keyhost/spi';

/** Streams of one admin, and of all together, on one process. */
const OF_ONE_ADMIN = 10;
const OF_ALL = 200;
/** When to ask again, in seconds. */
const RETRY_AFTER = '5';

/** How many streams of events are open, and for whom. */
export class StreamPlaces {
  readonly #byAdmin = new Map<string, number>();
  #open = 0;

  get open(): number {
    return this.#open;
  }

  /**
   * @param admin who it is, over all realms
   * @returns what gives the place back; once is enough, more does no harm
   * @throws HostError `too_many_requests` (429, with Retry-After)
   */
  take(admin: string): () => void {
    const own = this.#byAdmin.get(admin) ?? 0;
    if (own >= OF_ONE_ADMIN) throw tooMany(`You have ${OF_ONE_ADMIN} streams of events open: close one`);
    if (this.#open >= OF_ALL) throw tooMany('Too many streams of events are open here: try again');
    this.#byAdmin.set(admin, own + 1);
    this.#open += 1;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#open -= 1;
      const left = (this.#byAdmin.get(admin) ?? 1) - 1;
      if (left === 0) this.#byAdmin.delete(admin);
      else this.#byAdmin.set(admin, left);
    };
  }
}

function tooMany(text: string): HostError {
  return new HostError('too_many_requests', text, {
    status: 429,
    expose: true,
    headers: { 'retry-after': RETRY_AFTER },
  });
}
