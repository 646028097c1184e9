import { Readable } from 'node:stream';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { memberOf } from '../../model/thrown.js';
import type { EventRecord, EventStore } from '../../store/store.js';
import { type FeedListener, LATE_MS } from './event-feed.js';
import type { EventFeeds } from './event-feeds.js';
import { type EventFilter, fits } from './event-filter.js';
import { frame, HEARTBEAT, RETRY } from './event-frame.js';
import { shownText } from './shown-event.js';

/** What waits for a client that is slow, in events and characters: beyond either it is told of a gap. */
const WAITING = { events: 256, bytes: 1_000_000 };
/** What a client is told at once: when it comes back, of what it missed. */
const AT_ONCE = { events: 1_000, bytes: 8_000_000 };
/** How often it is looked after whether the stream may go on, in milliseconds. */
const TICK_MS = 1_000;
const TICKS_BETWEEN_CHECKS = 3;
const TICKS_BETWEEN_HEARTBEATS = 15;

export interface StreamParts {
  readonly feeds: EventFeeds;
  readonly store: { readonly events: EventStore };
  readonly clock: Clock;
}

/** Who listens to what. */
export interface StreamRequest {
  readonly realm: Realm;
  /** An event is told that fits one of them. */
  readonly filters: readonly EventFilter[];
  /** The time that the client has seen everything up to, in milliseconds. Undefined: it begins now. */
  readonly cursor: number | undefined;
  /** When the token ends, in milliseconds. */
  readonly expiresAt: number;
  /** The realm as it is now. @throws HostError 401, 403, 404 for who may not listen any more */
  readonly readmitted: () => Promise<Realm>;
  /** Breaks the connection off. */
  readonly abort: () => void;
  readonly onEnd: () => void;
}

/** One client's stream of events as `text/event-stream`: what it missed, then what comes, for as long as it may hear it. */
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
  readonly #ticking: NodeJS.Timeout;
  #ticks = 0;
  #isChecking = false;
  #leave = () => {};
  #isClosed = false;
  /** False until what was missed has been told: what comes meanwhile waits. */
  #isLive = false;
  /** True while the connection takes more. */
  #isWanted = false;
  #waiting: { readonly id: string; readonly text: string }[] = [];
  #isIncomplete = false;
  #replayed: ReadonlySet<string> = new Set();
  #seen: number;
  #state: string | undefined;

  constructor(parts: StreamParts, request: StreamRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#seen = request.cursor ?? parts.clock.now();
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
    this.body.push(RETRY);
    void this.#begin().catch((error: unknown) => this.#refuse(error));
  }

  told(events: readonly EventRecord[]): void {
    // Once something is left out the client is told of that next, and of what comes after that.
    if (this.#isIncomplete) return;
    const { filters } = this.#request;
    const fitting = events.filter(
      (event) => !this.#replayed.has(event.id) && filters.some((filter) => fits(event, filter)),
    );
    const added = fitting.map((event) => ({ id: event.id, text: this.#textOf(event) }));
    const waiting = [...this.#waiting, ...added];
    const bytes = waiting.reduce((sum, { text }) => sum + text.length, 0);
    // What comes at once is no sign of a slow client: only beside what has been waiting it is.
    const limits = this.#waiting.length === 0 ? AT_ONCE : WAITING;
    if (waiting.length > limits.events || bytes > limits.bytes) this.#isIncomplete = true;
    else this.#waiting = waiting;
    this.#flush();
  }

  missed(): void {
    this.#isIncomplete = true;
    this.#flush();
  }

  /** The host stops: who can read on is sent elsewhere in order, who does not read is not waited for. */
  stop(): void {
    if (this.#isWanted) this.#end('');
    else this.#request.abort();
  }

  /** A realm with fewer streams needs the place: the client may ask for another one. */
  giveWay(): void {
    this.#last(429);
    if (!this.#isWanted) this.#request.abort();
  }

  async #begin(): Promise<void> {
    const { feeds } = this.#parts;
    const { realm, cursor } = this.#request;
    const leave = await feeds.join(realm.name, this);
    if (this.#isClosed) return leave();
    this.#leave = leave;
    this.#tellState(realm, this.#cursor);
    if (cursor !== undefined) await this.#replay(cursor);
    this.#isLive = true;
    this.#flush();
  }

  /** Which events of the realm are kept at all: the others never come. */
  #tellState(realm: Realm, cursor?: string): void {
    const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.settings;
    const state = JSON.stringify({
      eventsEnabled: realm.eventsEnabled,
      adminEventsEnabled,
      adminEventsDetailsEnabled,
    });
    if (state === this.#state) return;
    this.#state = state;
    this.#push(frame('state', state, cursor));
  }

  async #replay(cursor: number): Promise<void> {
    const { store } = this.#parts;
    const { realm, filters } = this.#request;
    // Of the last seconds before the cursor some may have been stored after it was given.
    const asked = { from: Math.max(0, cursor - LATE_MS), oldestFirst: true, max: AT_ONCE.events + 1 };
    const found = await Promise.all(filters.map((filter) => store.events.query(realm.name, { ...filter, ...asked })));
    if (this.#isClosed) return;
    const events = found.flat().sort((a, b) => a.time - b.time);
    const bytes = events.reduce((sum, { body }) => sum + body.length, 0);
    if (events.length > AT_ONCE.events || bytes > AT_ONCE.bytes) {
      this.#seen = this.#parts.clock.now();
      this.#push(frame('gap', '{}', this.#cursor));
      return;
    }
    this.#replayed = new Set(events.map(({ id }) => id));
    this.#waiting = this.#waiting.filter(({ id }) => !this.#replayed.has(id));
    this.#push(events.map((event) => this.#textOf(event)).join(''));
  }

  get #cursor(): string {
    return String(this.#seen);
  }

  /** The cursor never goes back: an event that is late comes after one that happened later. */
  #textOf(event: EventRecord): string {
    this.#seen = Math.max(this.#seen, event.time);
    return frame(event.kind, shownText(event), this.#cursor);
  }

  #flush(isAsked = false): void {
    this.#isWanted ||= isAsked;
    if (!this.#isWanted || !this.#isLive || this.#isClosed) return;
    const waiting = this.#waiting.map(({ text }) => text);
    if (this.#isIncomplete) waiting.push(frame('gap', '{}'));
    this.#waiting = [];
    this.#isIncomplete = false;
    if (waiting.length > 0) this.#push(waiting.join(''));
  }

  #push(text: string): void {
    if (text !== '') this.#isWanted = this.body.push(text);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#isExpired) this.#end(frame('renew', '{}'));
    if (this.#isClosed) return;
    if (this.#ticks % TICKS_BETWEEN_HEARTBEATS === 0 && this.#isWanted) this.#push(HEARTBEAT);
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

  /** The session may have ended, the rights been taken away, the realm been changed. */
  async #check(): Promise<void> {
    try {
      const realm = await this.#request.readmitted();
      if (!this.#isClosed && this.#isLive) this.#tellState(realm);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Who cannot be let in now hears no more: 401, 403 and 404 are for good. */
  #refuse(error: unknown): void {
    const status = memberOf(error, 'status');
    if (this.#isExpired) this.#end(frame('renew', '{}'));
    else this.#last(typeof status === 'number' ? status : 503);
  }

  #last(status: number): void {
    this.#end(frame('end', JSON.stringify({ status })));
  }

  #end(last: string): void {
    if (this.#isClosed) return;
    this.#close();
    if (last !== '') this.body.push(last);
    this.body.push(null);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#ticking);
    this.#waiting = [];
    this.#leave();
    this.#request.onEnd();
  }
}
