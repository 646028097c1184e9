import {
  type EndedSessions,
  EventListener,
  type EventListenerDeclaration,
  type EventListenerProvider,
  type Logger,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { timeOrderedId } from '../../model/time-ordered-id.js';
import type { Store } from '../../store/store.js';
import type { Providers } from '../generations/generation.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../generations/realm-providers.js';
import type { HostSession } from '../sessions/host-session.js';
import { within } from '../sessions/time-limit.js';
import {
  type CompleteEvent,
  completeAdminEvent,
  completeUserEvent,
  type EventIdentity,
  type NewAdminEvent,
  type NewEvent,
} from './complete-events.js';
import type { EventCounts } from './event-counts.js';
import type { EventWriter } from './event-writer.js';

/** Time limit for listeners and the store when the host stops, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
/** Creates the session for listeners. It is called only if the realm has listeners. */
type CreateSession = () => HostSession;
type DeliveryResult = Promise<void> | undefined;
type Deliver = (listener: EventListenerProvider) => DeliveryResult;
/** Returns true if a listener must not receive the event of that session. */
type IsSkipped = (listener: EnabledProvider<EventListenerDeclaration, unknown>, session: HostSession) => boolean;

/**
 * Sends events to the realm's listeners and, if the realm saves them, to the store. The caller does not wait for
 * either, except for events that must be stored together with a change.
 */
export class Events {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #counts: EventCounts;
  readonly #writer: EventWriter;
  readonly #deliveries = new Set<Promise<void>>();

  constructor(services: { store: Store; clock: Clock; logger: Logger; counts: EventCounts; writer: EventWriter }) {
    this.#store = services.store;
    this.#clock = services.clock;
    this.#logger = services.logger;
    this.#counts = services.counts;
    this.#writer = services.writer;
  }

  /** True if the realm saves events or has listeners. Otherwise the hot path does not build the event. */
  hasReceiver(realm: Realm): boolean {
    return realm.eventsEnabled || realm.eventsListeners.length > 0;
  }

  /** Only counts an event, because the realm has no receiver. */
  count(realm: Realm, event: NewEvent): void {
    this.#counts.count(realm, event);
  }

  emit(realm: Realm, event: NewEvent, createSession: CreateSession): void {
    this.#counts.count(realm, event);
    if (!this.hasReceiver(realm)) return;
    const complete = completeUserEvent(realm, event, this.#newIdentity());
    if (complete.record !== undefined) this.#writer.save(complete.record);
    this.#notifyListeners(realm, createSession, (listener) => listener.onEvent?.(complete.event));
  }

  /**
   * Like `emit`, but resolves when the event is stored, if the realm saves it.
   * @throws HostError of the store
   */
  async emitStored(realm: Realm, event: NewEvent, createSession: CreateSession): Promise<void> {
    if (!this.hasReceiver(realm)) return this.#counts.count(realm, event);
    const complete = completeUserEvent(realm, event, this.#newIdentity());
    if (complete.record !== undefined) await this.#writer.append(complete.record);
    this.#counts.count(realm, event);
    this.#notifyListeners(realm, createSession, (listener) => listener.onEvent?.(complete.event));
  }

  /**
   * Runs work that grants power, such as setting a password, and sends its event. The event is stored in the
   * transaction of the first change, so that neither exists without the other if the process dies. If the work changes
   * nothing, the event is stored before this resolves. Listeners receive it afterwards.
   * @param event returns the event, or undefined if nothing has happened yet. It is called before each write until
   * something is changed, and at the end with the result. At the end, undefined means that no event is sent, unless
   * something was changed
   * @param options.of `users` if only changes of users carry the event
   * @throws HostError of the store, if the event cannot be written: then the change was not made either
   */
  emitWithChange<T>(
    realm: Realm,
    event: (answer?: T) => NewEvent | undefined,
    createSession: CreateSession,
    work: () => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    if (!this.hasReceiver(realm)) return this.#runAndCount(realm, event, work);
    const identity = this.#newIdentity();
    let last: NewEvent | undefined;
    const complete = (answer?: T) => {
      const newEvent = event(answer);
      last = newEvent ?? last;
      return newEvent && completeUserEvent(realm, newEvent, identity);
    };
    return this.#withChange(
      complete,
      work,
      ({ event: completed }) => {
        if (last !== undefined) this.#counts.count(realm, last);
        this.#notifyListeners(realm, createSession, (listener) => listener.onEvent?.(completed));
      },
      options,
    );
  }

  /**
   * Runs an operation of the Admin REST API and sends its event, like `emitWithChange`. The event is stored if the
   * realm has `adminEventsEnabled`.
   * @param event returns the event with every secret masked, or undefined if nothing was changed; called before
   * anything is written
   * @param work receives a function that returns true once the event is written
   */
  emitAdminWithChange<T>(
    realm: Realm,
    event: () => NewAdminEvent | undefined,
    createSession: CreateSession,
    work: (isWritten: () => boolean) => Promise<T>,
    options: { readonly detailed?: true } = {},
  ): Promise<T> {
    if (!realm.settings.adminEventsEnabled && realm.eventsListeners.length === 0) return work(() => false);
    const identity = this.#newIdentity();
    return this.#withChange(
      () => {
        const newEvent = event();
        return newEvent && completeAdminEvent(realm, newEvent, identity, options);
      },
      work,
      ({ event: completed, isDetailed = false }) =>
        this.#notifyListeners(
          realm,
          createSession,
          (listener) => listener.onAdminEvent?.(completed, isDetailed),
          isOwnChange,
        ),
    );
  }

  /** True if the realm has a plugin's listener, which may want to know of ended sessions. */
  hasSessionEndListener(realm: Realm, providers: Pick<Providers, 'find'>): boolean {
    return realm.eventsListeners.some((id) => providers.find(EventListener, id)?.plugin.builtin === false);
  }

  /** Notifies the plugins' listeners that sessions have ended. */
  notifySessionsEnded(
    realm: Realm,
    endedSessions: Omit<EndedSessions, 'time' | 'realmId' | 'realmName'>,
    createSession: CreateSession,
  ): void {
    const completeEvent = Object.freeze({
      time: this.#clock.now(),
      realmId: realm.id,
      realmName: realm.name,
      ...endedSessions,
    });
    const isBuiltIn: IsSkipped = ({ registered }) => registered.plugin.builtin;
    this.#notifyListeners(realm, createSession, (listener) => listener.onSessionsEnded?.(completeEvent), isBuiltIn);
  }

  /** Resolves when all current events are stored, and all listeners have received theirs. */
  async flush(): Promise<void> {
    do {
      await this.flushStored();
      await Promise.all(this.#deliveries);
    } while (this.#deliveries.size > 0 || !this.#writer.isIdle);
  }

  /** Resolves when all current events are stored. Queries call it first, to include the latest events. */
  flushStored(): Promise<void> {
    return this.#writer.flush();
  }

  async close(): Promise<void> {
    this.#writer.stop();
    await within(CLOSE_LIMIT_MS, () => this.flush()).catch((error: unknown) => {
      this.#logger.error('stopped before all events were delivered', { reason: String(error) });
    });
  }

  async #runAndCount<T>(realm: Realm, event: (answer?: T) => NewEvent | undefined, work: () => Promise<T>): Promise<T> {
    const answer = await work();
    const newEvent = event(answer);
    if (newEvent !== undefined) this.#counts.count(realm, newEvent);
    return answer;
  }

  #newIdentity(): EventIdentity {
    const time = this.#clock.now();
    return { id: timeOrderedId(time), time };
  }

  async #withChange<E, T>(
    complete: (answer?: T) => CompleteEvent<E> | undefined,
    work: (isWritten: () => boolean) => Promise<T>,
    notify: (event: CompleteEvent<E>) => void,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    // Complete the event before the work starts: a faulty event must fail before anything is changed.
    let pendingEvent = complete();
    if (pendingEvent !== undefined && pendingEvent.record === undefined) {
      const answer = await work(() => false);
      const completed = complete(answer);
      if (completed !== undefined) notify(completed);
      return answer;
    }
    const records = () => {
      pendingEvent = complete();
      return pendingEvent?.record === undefined ? [] : [this.#writer.withPosition(pendingEvent.record)];
    };
    const run = async (isWritten: () => boolean) => {
      let answer: T;
      try {
        answer = await work(isWritten);
      } catch (error) {
        // The work failed after a part of it was written together with the event. Send the event of that part.
        if (isWritten() && pendingEvent !== undefined) {
          this.#writer.reportWaiting(pendingEvent.record);
          notify(pendingEvent);
        }
        throw error;
      }
      const finalEvent = complete(answer);
      if (isWritten()) this.#writer.reportWaiting(pendingEvent?.record);
      if (finalEvent?.record !== undefined && !isWritten()) await this.#writer.append(finalEvent.record);
      // The event was stored with the change. If its final form differs from that, write its row again.
      else if (finalEvent?.record !== undefined && finalEvent.record.body !== pendingEvent?.record?.body)
        this.#writer.save(finalEvent.record);
      const deliveredEvent = finalEvent ?? (isWritten() ? pendingEvent : undefined);
      if (deliveredEvent !== undefined) notify(deliveredEvent);
      return answer;
    };
    return this.#store.withEvents(records, run, options);
  }

  #notifyListeners(realm: Realm, createSession: CreateSession, deliver: Deliver, isSkipped?: IsSkipped): void {
    for (const id of realm.eventsListeners) this.#notifyListener(realm, id, createSession, deliver, isSkipped);
  }

  #notifyListener(
    realm: Realm,
    id: string,
    createSession: CreateSession,
    deliver: Deliver,
    isSkipped: IsSkipped = () => false,
  ): void {
    const hostSession = createSession();
    const { generation } = hostSession;
    const listener = enabledProvider(generation, realm, EventListener, id);
    if (listener === undefined || isSkipped(listener, hostSession)) return;
    const delivery = this.#store
      .unfenced(async () => {
        // Take a separate lease: the request does not wait for the listener, so its lease may end first.
        generation.lease();
        try {
          const provider = createProvider(listener, hostSession);
          await hostSession.withTimeLimit(deliver(provider));
        } finally {
          await hostSession.close();
          generation.release();
        }
      })
      .catch((error: unknown) => {
        this.#logger.error('event listener failed', { listener: id, realm: realm.name, reason: String(error) });
      });
    this.#deliveries.add(delivery);
    void delivery.finally(() => this.#deliveries.delete(delivery));
  }
}

/**
 * True if the event reports a change that the listener's own plugin has made, and the listener does not declare
 * `hearsOwn` to receive such events.
 */
const isOwnChange: IsSkipped = ({ registered }, { caller }) =>
  caller.causes?.at(-1) === registered.plugin.name && registered.declaration.hearsOwn !== true;
