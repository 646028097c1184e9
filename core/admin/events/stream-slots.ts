import { HostError } from '@keyhost/spi';
import { FairSemaphore } from '../../model/fair-semaphore.js';

/** Maximum number of streams of one admin, and of all admins together, in one process. */
const MAX_PER_ADMIN = 10;
const MAX_TOTAL = 200;
/** Delay before the next attempt, in seconds. */
const RETRY_AFTER = '5';

/** Counts the open event streams by realm and admin. */
export class StreamSlots {
  readonly #byAdmin = new Map<string, number>();
  readonly #places: FairSemaphore;

  /** @param limit maximum number of streams of all realms together */
  constructor(limit = MAX_TOTAL) {
    this.#places = new FairSemaphore(limit);
  }

  get open(): number {
    return this.#places.taken;
  }

  /**
   * @param realm the realm of the events
   * @param admin the caller, counted over all realms
   * @param giveWay ends the stream, because a realm with fewer streams needs the slot
   * @returns releases the slot; further calls do nothing
   * @throws HostError `too_many_requests` (429, with Retry-After)
   */
  acquire(realm: string, admin: string, giveWay: () => void): () => void {
    const own = this.#byAdmin.get(admin) ?? 0;
    if (own >= MAX_PER_ADMIN) throw tooMany(`You have ${MAX_PER_ADMIN} streams of events open: close one`);
    const giveBack = this.#places.acquire(realm, giveWay);
    if (giveBack === undefined) throw tooMany('Too many event streams of this realm are open. Try again.');
    this.#byAdmin.set(admin, (this.#byAdmin.get(admin) ?? 0) + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      giveBack();
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
