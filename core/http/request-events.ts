import type { NewEvent } from '../registry/events/complete-events.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { callerOf, type Exchange } from './exchange.js';

/** An event of a request, without the IP address, which is that of the caller. */
export type RequestEvent = Omit<NewEvent, 'ipAddress'>;

/** Emits the events of requests. Listeners get a session of the request. */
export class RequestEvents {
  readonly #parts: { events: Events; sessions: SessionFactory };

  constructor(parts: { events: Events; sessions: SessionFactory }) {
    this.#parts = parts;
  }

  /** Emits an event, like `Events.emit`. */
  emit(exchange: Exchange, event: RequestEvent): void {
    const { realm, ip } = exchange;
    if (this.#parts.events.hasReceiver(realm)) {
      this.#parts.events.emit(realm, { ...event, ipAddress: ip }, () => this.#session(exchange));
    } else this.#parts.events.count(realm, event);
  }

  /** Emits an event with a change, like `Events.emitWithChange`. */
  emitWithChange<T>(
    exchange: Exchange,
    event: (answer?: T) => RequestEvent | undefined,
    work: () => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    const { realm, ip } = exchange;
    const withAddress = (answer?: T) => {
      const newEvent = event(answer);
      return newEvent && { ...newEvent, ipAddress: ip };
    };
    return this.#parts.events.emitWithChange(realm, withAddress, () => this.#session(exchange), work, options);
  }

  #session(exchange: Exchange) {
    return this.#parts.sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
  }
}
