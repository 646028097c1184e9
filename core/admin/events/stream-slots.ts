import { HostError } from '@keyhost/spi';
import { FairSemaphore } from '../../model/fair-semaphore.js';

/** Maximum number of streams of one admin, and of all admins together, in this process. */
const MAX_PER_ADMIN = 10;
const MAX_TOTAL = 200;
/** The `Retry-After` of a rejected request, in seconds. */
const RETRY_AFTER_SECONDS = '5';

/** Counts the open event streams by realm and admin. */
export class StreamSlots {
  readonly #byAdmin = new Map<string, number>();
  readonly #slots: FairSemaphore;

  /** @param limit maximum number of streams of all realms together */
  constructor(limit = MAX_TOTAL) {
    this.#slots = new FairSemaphore(limit);
  }

  get openCount(): number {
    return this.#slots.takenCount;
  }

  /**
   * Takes a slot for a stream.
   * @param realm the realm of the events
   * @param admin the caller, whose streams are counted over all realms
   * @param evictStream ends the stream if a realm with fewer streams needs the slot
   * @returns a function that releases the slot; further calls do nothing
   * @throws HostError `too_many_requests` (429, with Retry-After)
   */
  acquire(realm: string, admin: string, evictStream: () => void): () => void {
    const openStreams = this.#byAdmin.get(admin) ?? 0;
    if (openStreams >= MAX_PER_ADMIN)
      throw tooManyStreamsError(`You have ${MAX_PER_ADMIN} streams of events open: close one`);
    const releaseSlot = this.#slots.acquire(realm, evictStream);
    if (releaseSlot === undefined)
      throw tooManyStreamsError('Too many event streams of this realm are open. Try again.');
    this.#byAdmin.set(admin, (this.#byAdmin.get(admin) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      releaseSlot();
      const remainingStreams = (this.#byAdmin.get(admin) ?? 1) - 1;
      if (remainingStreams === 0) this.#byAdmin.delete(admin);
      else this.#byAdmin.set(admin, remainingStreams);
    };
  }
}

function tooManyStreamsError(text: string): HostError {
  return new HostError('too_many_requests', text, {
    status: 429,
    expose: true,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
