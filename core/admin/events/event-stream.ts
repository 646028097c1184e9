import { Readable } from 'node:stream';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { memberOf } from '../../model/thrown.js';
import type { EventRecord, EventStore } from '../../store/store.js';
import { type FeedListener, MAX_DELAY_MS } from './event-feed.js';
import type { EventFeeds } from './event-feeds.js';
import { type EventFilter, matchesFilter } from './event-filter.js';
import { formatMessage, HEARTBEAT, RETRY } from './event-frame.js';
import { eventJson } from './event-response.js';

/**
 * Limits of the queue for a slow client, in events and characters. If one is exceeded, the client gets a `gap` message.
 */
const QUEUE_LIMITS = { events: 256, bytes: 1_000_000 };
/** Limits of what is sent to a client at once, such as the events that it missed before it reconnected. */
const BURST_LIMITS = { events: 1_000, bytes: 8_000_000 };
/** Interval of the stream's own checks, in milliseconds. */
const TICK_MS = 1_000;
const TICKS_BETWEEN_CHECKS = 3;
const TICKS_BETWEEN_HEARTBEATS = 15;

export interface StreamParts {
  readonly feeds: EventFeeds;
  readonly store: { readonly events: EventStore };
  readonly clock: Clock;
}

/** The request for a stream: the realm, the filters and how long the stream may last. */
export interface StreamRequest {
  readonly realm: Realm;
  /** An event is sent if it matches one of the filters. */
  readonly filters: readonly EventFilter[];
  /**
   * The client has received all events up to this time, in milliseconds since the epoch. Undefined: the stream begins
   * now.
   */
  readonly cursor: number | undefined;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Returns the current realm. @throws HostError 401, 403, 404 if the caller may no longer read the events */
  readonly reauthorize: () => Promise<Realm>;
  /** Closes the connection immediately. */
  readonly abort: () => void;
  readonly onEnd: () => void;
}

/**
 * One client's stream of events as `text/event-stream`. It begins with the missed events, followed by new ones, and
 * lasts as long as the caller is authorized.
 */
export class EventStream implements FeedListener {
  readonly body = new Readable({
    read: () => this.#flush(true),
    destroy: (error, done) => {
      this.#close();
      done(error);
    },
  });
  readonly #parts: StreamParts;
  readonly #request: StreamRequest;
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;
  #isChecking = false;
  #leave = () => {};
  #isClosed = false;
  /** False while missed events are being replayed; new events are queued until then. */
  #isLive = false;
  /** True while the connection accepts more data. */
  #isReaderReady = false;
  #queue: { readonly id: string; readonly text: string }[] = [];
  #hasGap = false;
  #replayed: ReadonlySet<string> = new Set();
  #cursorTime: number;
  #state: string | undefined;

  constructor(parts: StreamParts, request: StreamRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#cursorTime = request.cursor ?? parts.clock.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.body.push(RETRY);
    void this.#begin().catch((error: unknown) => this.#refuse(error));
  }

  onEvents(events: readonly EventRecord[]): void {
    // A waiting `gap` message also covers these events, so they are dropped.
    if (this.#hasGap) return;
    const { filters } = this.#request;
    const matchingEvents = events.filter(
      (event) => !this.#replayed.has(event.id) && filters.some((filter) => matchesFilter(event, filter)),
    );
    const newMessages = matchingEvents.map((event) => ({ id: event.id, text: this.#toMessage(event) }));
    const waitingMessages = [...this.#queue, ...newMessages];
    const bytes = waitingMessages.reduce((sum, { text }) => sum + text.length, 0);
    // A burst alone does not mean that the client is slow. So the lower limit applies only if events were already
    // queued.
    const limits = this.#queue.length === 0 ? BURST_LIMITS : QUEUE_LIMITS;
    if (waitingMessages.length > limits.events || bytes > limits.bytes) this.#hasGap = true;
    else this.#queue = waitingMessages;
    this.#flush();
  }

  onGap(): void {
    this.#hasGap = true;
    this.#flush();
  }

  /**
   * Ends the stream because the host stops. A client that reads gets a regular end and reconnects to another host. The
   * connection of a client that does not read is closed.
   */
  stop(): void {
    if (this.#isReaderReady) this.#end('');
    else this.#request.abort();
  }

  /** Ends the stream because a realm with fewer streams needs the slot. The client may try again. */
  evict(): void {
    this.#endWithStatus(429);
    if (!this.#isReaderReady) this.#request.abort();
  }

  async #begin(): Promise<void> {
    const { feeds } = this.#parts;
    const { realm, cursor } = this.#request;
    const leave = await feeds.join(realm.name, this);
    if (this.#isClosed) return leave();
    this.#leave = leave;
    this.#sendState(realm, this.#cursor);
    if (cursor !== undefined) await this.#replay(cursor);
    this.#isLive = true;
    this.#flush();
  }

  /** Sends which events the realm saves, since other events are never sent. */
  #sendState(realm: Realm, cursor?: string): void {
    const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.settings;
    const state = JSON.stringify({
      eventsEnabled: realm.eventsEnabled,
      adminEventsEnabled,
      adminEventsDetailsEnabled,
    });
    if (state === this.#state) return;
    this.#state = state;
    this.#push(formatMessage('state', state, cursor));
  }

  async #replay(cursor: number): Promise<void> {
    const { store } = this.#parts;
    const { realm, filters } = this.#request;
    // Some events from the last seconds before the cursor may have been stored after the cursor was sent.
    const range = { from: Math.max(0, cursor - MAX_DELAY_MS), oldestFirst: true, max: BURST_LIMITS.events + 1 };
    const results = await Promise.all(filters.map((filter) => store.events.query(realm.name, { ...filter, ...range })));
    if (this.#isClosed) return;
    const events = results.flat().sort((a, b) => a.time - b.time);
    const bytes = events.reduce((sum, { body }) => sum + body.length, 0);
    if (events.length > BURST_LIMITS.events || bytes > BURST_LIMITS.bytes) {
      this.#cursorTime = this.#parts.clock.now();
      this.#push(formatMessage('gap', '{}', this.#cursor));
      return;
    }
    this.#replayed = new Set(events.map(({ id }) => id));
    this.#queue = this.#queue.filter(({ id }) => !this.#replayed.has(id));
    this.#push(events.map((event) => this.#toMessage(event)).join(''));
  }

  get #cursor(): string {
    return String(this.#cursorTime);
  }

  /** Formats an event. The cursor never decreases, even if a late event follows one with a later time. */
  #toMessage(event: EventRecord): string {
    this.#cursorTime = Math.max(this.#cursorTime, event.time);
    return formatMessage(event.kind, eventJson(event), this.#cursor);
  }

  #flush(isReadRequest = false): void {
    this.#isReaderReady ||= isReadRequest;
    if (!this.#isReaderReady || !this.#isLive || this.#isClosed) return;
    const waitingTexts = this.#queue.map(({ text }) => text);
    if (this.#hasGap) waitingTexts.push(formatMessage('gap', '{}'));
    this.#queue = [];
    this.#hasGap = false;
    if (waitingTexts.length > 0) this.#push(waitingTexts.join(''));
  }

  #push(text: string): void {
    if (text !== '') this.#isReaderReady = this.body.push(text);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#isExpired) this.#end(formatMessage('renew', '{}'));
    if (this.#isClosed) return;
    if (this.#ticks % TICKS_BETWEEN_HEARTBEATS === 0 && this.#isReaderReady) this.#push(HEARTBEAT);
    if (this.#ticks % TICKS_BETWEEN_CHECKS === 0 && !this.#isChecking) {
      this.#isChecking = true;
      void this.#check().finally(() => {
        this.#isChecking = false;
      });
    }
  }

  get #isExpired(): boolean {
    return this.#parts.clock.now() >= this.#request.expiresAt;
  }

  /** Checks whether the session has ended, rights were removed or the realm has changed. */
  async #check(): Promise<void> {
    try {
      const realm = await this.#request.reauthorize();
      if (!this.#isClosed && this.#isLive) this.#sendState(realm);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Ends the stream of a caller who is no longer authorized. 401, 403 and 404 are final. */
  #refuse(error: unknown): void {
    const status = memberOf(error, 'status');
    if (this.#isExpired) this.#end(formatMessage('renew', '{}'));
    else this.#endWithStatus(typeof status === 'number' ? status : 503);
  }

  #endWithStatus(status: number): void {
    this.#end(formatMessage('end', JSON.stringify({ status })));
  }

  #end(lastMessage: string): void {
    if (this.#isClosed) return;
    this.#close();
    if (lastMessage !== '') this.body.push(lastMessage);
    this.body.push(null);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#queue = [];
    this.#leave();
    this.#request.onEnd();
  }
}
