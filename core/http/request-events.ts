import type { NewEvent } from '../registry/events/complete-events.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { callerOf, type Exchange } from './exchange.js';

/** An event of a request; its IP address is the caller's. */
export type RequestEvent = Omit<NewEvent, 'ipAddress'>;

/** Emits the events of requests. Listeners get a session of the request. */
export class RequestEvents {
  readonly #events: Events;
  readonly #sessions: SessionFactory;

  constructor(parts: { events: Events; sessions: SessionFactory }) {
    this.#events = parts.events;
    this.#sessions = parts.sessions;
  }

  /** Like `Events.emit`. */
  emit(exchange: Exchange, event: RequestEvent): void {
    const { realm, ip } = exchange;
    if (this.#events.hasReceiver(realm)) {
      this.#events.emit(realm, { ...event, ipAddress: ip }, () => this.#session(exchange));
    } else this.#events.count(realm, event);
  }

  /** Like `Events.emitWithChange`. */
  emitWithChange<T>(
    exchange: Exchange,
    event: (answer?: T) => RequestEvent | undefined,
    work: () => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    const { realm, ip } = exchange;
    const complete = (answer?: T) => {
      const said = event(answer);
      return said && { ...said, ipAddress: ip };
    };
    return this.#events.emitWithChange(realm, complete, () => this.#session(exchange), work, options);
  }

  #session(exchange: Exchange) {
    return this.#sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
  }
}
