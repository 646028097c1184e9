import type { Readable } from 'node:stream';
import { retryLater } from '../../model/retry-later.js';
import type { FeedParts } from './event-feed.js';
import { EventFeeds } from './event-feeds.js';
import { EventStream, type StreamRequest } from './event-stream.js';
import type { StreamSlots } from './stream-slots.js';

/** The event streams of this process. */
export class EventStreams {
  readonly #parts: FeedParts;
  readonly #feeds: EventFeeds;
  readonly #slots: StreamSlots;
  readonly #openStreams = new Set<EventStream>();
  #isClosed = false;

  constructor(parts: FeedParts, slots: StreamSlots) {
    this.#parts = parts;
    this.#feeds = new EventFeeds(parts);
    this.#slots = slots;
  }

  /**
   * Opens a stream.
   * @param admin the caller
   * @throws HostError `too_many_requests` (429) if that admin or that realm has too many open streams
   * @throws HostError `temporarily_unavailable` (503) while the host stops
   */
  open(admin: string, request: Omit<StreamRequest, 'onEnd'>): Readable {
    if (this.#isClosed) {
      throw retryLater('temporarily_unavailable', 'the host stops', 1);
    }
    const { store, clock } = this.#parts;
    let evictStream = () => {};
    const releaseSlot = this.#slots.acquire(request.realm.name, admin, () => evictStream());
    const stream: EventStream = new EventStream(
      { feeds: this.#feeds, store, clock },
      {
        ...request,
        onEnd: () => {
          this.#openStreams.delete(stream);
          releaseSlot();
        },
      },
    );
    evictStream = () => stream.evict();
    this.#openStreams.add(stream);
    return stream.body;
  }

  /** Ends all streams. Clients then reconnect to another host. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#openStreams) stream.stop();
  }
}
