import type { Readable } from 'node:stream';
import { retryLater } from '../../model/retry-later.js';
import type { FeedParts } from './event-feed.js';
import { EventFeeds } from './event-feeds.js';
import { EventStream, type StreamRequest } from './event-stream.js';
import type { StreamSlots } from './stream-slots.js';

/** The streams of events that this process serves. */
export class EventStreams {
  readonly #parts: FeedParts;
  readonly #feeds: EventFeeds;
  readonly #places: StreamSlots;
  readonly #open = new Set<EventStream>();
  #isClosed = false;

  constructor(parts: FeedParts, places: StreamSlots) {
    this.#parts = parts;
    this.#feeds = new EventFeeds(parts);
    this.#places = places;
  }

  /**
   * @param admin the caller
   * @throws HostError `too_many_requests` (429) if that admin or that realm has too many open streams
   * @throws HostError `temporarily_unavailable` (503) when the host stops
   */
  open(admin: string, request: Omit<StreamRequest, 'onEnd'>): Readable {
    if (this.#isClosed) {
      throw retryLater('temporarily_unavailable', 'the host stops', 1);
    }
    const { store, clock } = this.#parts;
    let giveWay = () => {};
    const giveBack = this.#places.acquire(request.realm.name, admin, () => giveWay());
    const stream: EventStream = new EventStream(
      { feeds: this.#feeds, store, clock },
      {
        ...request,
        onEnd: () => {
          this.#open.delete(stream);
          giveBack();
        },
      },
    );
    giveWay = () => stream.evict();
    this.#open.add(stream);
    return stream.body;
  }

  /** Ends all streams; clients reconnect to another host. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.stop();
  }
}
