import { EventFeed, type FeedListener, type FeedParts } from './event-feed.js';

/** The event feeds of all realms with listeners. */
export class EventFeeds {
  readonly #parts: FeedParts;
  readonly #feeds = new Map<string, EventFeed>();

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /**
   * Adds a listener for a realm. Resolves once all events that are stored from now on will be delivered.
   * @returns a function that removes the listener
   * @throws HostError of the store
   */
  async join(realm: string, listener: FeedListener): Promise<() => void> {
    const feed = this.#feeds.get(realm) ?? new EventFeed(this.#parts, realm);
    this.#feeds.set(realm, feed);
    const leave = () => {
      feed.leave(listener);
      if (feed.isIdle && this.#feeds.get(realm) === feed) this.#feeds.delete(realm);
    };
    try {
      await feed.join(listener);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }
}
