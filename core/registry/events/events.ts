import { randomUUID } from 'node:crypto';
import {
  type EndedSessions,
  EventListener,
  type EventListenerDeclaration,
  type EventListenerProvider,
  type Logger,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
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
/** Creates the session for listeners; called only if the realm has listeners. */
type CreateSession = () => HostSession;
type Delivered = Promise<void> | undefined;
type Deliver = (listener: EventListenerProvider) => Delivered;
/** True if a listener must not receive an event with that session. */
type IsSkipped = (listener: EnabledProvider<EventListenerDeclaration, unknown>, session: HostSession) => boolean;

/**
 * Sends events to the realm's listeners and, if the realm saves them, to the store. The caller waits for neither,
 * except for events that must be stored together with a change.
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

  /** True if an event of this realm has a receiver: otherwise the hot path builds none. */
  hasReceiver(realm: Realm): boolean {
    return realm.eventsEnabled || realm.eventsListeners.length > 0;
  }

  /** Counts an event that has no receiver. */
  count(realm: Realm, event: NewEvent): void {
    this.#counts.count(realm, event);
  }

  emit(realm: Realm, event: NewEvent, session: CreateSession): void {
    this.#counts.count(realm, event);
    if (!this.hasReceiver(realm)) return;
    const complete = completeUserEvent(realm, event, this.#stamp());
    if (complete.record !== undefined) this.#writer.save(complete.record);
    this.#notifyListeners(realm, session, (listener) => listener.onEvent?.(complete.event));
  }

  /** As `emit`, but resolves when the event is stored, if the realm saves it. @throws HostError of the store */
  async emitStored(realm: Realm, event: NewEvent, session: CreateSession): Promise<void> {
    if (!this.hasReceiver(realm)) return this.#counts.count(realm, event);
    const complete = completeUserEvent(realm, event, this.#stamp());
    if (complete.record !== undefined) await this.#writer.append(complete.record);
    this.#counts.count(realm, event);
    this.#notifyListeners(realm, session, (listener) => listener.onEvent?.(complete.event));
  }

  /**
   * Runs work that grants power, such as a new password, and sends its event. The event is stored in the transaction of
   * the first change, so that neither exists without the other if the process dies. If the work changes nothing, the
   * event is stored before this resolves. Listeners receive it afterwards.
   * @param event returns the event: called before each write until something is changed, and at the end with the
   * result. `undefined` means that nothing has happened yet; at the end it only counts if nothing was changed
   * @param options.of restricts the relevant changes to those of users
   * @throws HostError of the store, if the event cannot be written: then the change was not made either
   */
  emitWithChange<T>(
    realm: Realm,
    event: (answer?: T) => NewEvent | undefined,
    session: CreateSession,
    work: () => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    if (!this.hasReceiver(realm)) return this.#countAfter(realm, event, work);
    const stamp = this.#stamp();
    let last: NewEvent | undefined;
    const complete = (answer?: T) => {
      const said = event(answer);
      last = said ?? last;
      return said && completeUserEvent(realm, said, stamp);
    };
    return this.#withChange(
      complete,
      work,
      ({ event: said }) => {
        if (last !== undefined) this.#counts.count(realm, last);
        this.#notifyListeners(realm, session, (listener) => listener.onEvent?.(said));
      },
      options,
    );
  }

  /**
   * Runs an operation of the Admin REST API and sends its event, as `emitWithChange`. The event is stored if the realm
   * has `adminEventsEnabled`.
   * @param event returns the event with every secret masked; called before anything is written. `undefined` if nothing
   * was changed
   * @param work gets a function that returns true once the event is written
   */
  emitAdminWithChange<T>(
    realm: Realm,
    event: () => NewAdminEvent | undefined,
    session: CreateSession,
    work: (isWritten: () => boolean) => Promise<T>,
    options: { readonly detailed?: true } = {},
  ): Promise<T> {
    if (!realm.settings.adminEventsEnabled && realm.eventsListeners.length === 0) return work(() => false);
    const stamp = this.#stamp();
    return this.#withChange(
      () => {
        const said = event();
        return said && completeAdminEvent(realm, said, stamp, options);
      },
      work,
      ({ event: said, details = false }) =>
        this.#notifyListeners(realm, session, (listener) => listener.onAdminEvent?.(said, details), isOwnChange),
    );
  }

  /** True if a plugin's listener in the realm receives ended sessions. */
  hasSessionEndListener(realm: Realm, providers: Pick<Providers, 'find'>): boolean {
    return realm.eventsListeners.some((id) => providers.find(EventListener, id)?.plugin.builtin === false);
  }

  /** Notifies the listeners of plugins that sessions ended. */
  sessionsEnded(
    realm: Realm,
    ended: Omit<EndedSessions, 'time' | 'realmId' | 'realmName'>,
    session: CreateSession,
  ): void {
    const whole = Object.freeze({ time: this.#clock.now(), realmId: realm.id, realmName: realm.name, ...ended });
    const isSpared: IsSkipped = ({ registered }) => registered.plugin.builtin;
    this.#notifyListeners(realm, session, (listener) => listener.onSessionsEnded?.(whole), isSpared);
  }

  /** Resolves when all current events are stored and all listeners have received them. */
  async flush(): Promise<void> {
    do {
      await this.written();
      await Promise.all(this.#deliveries);
    } while (this.#deliveries.size > 0 || !this.#writer.isIdle);
  }

  /** Resolves when all current events are stored. Queries call it first, to include the latest events. */
  written(): Promise<void> {
    return this.#writer.written();
  }

  async close(): Promise<void> {
    this.#writer.stop();
    await within(CLOSE_LIMIT_MS, () => this.flush()).catch((error: unknown) => {
      this.#logger.error('stopped before all events were delivered', { reason: String(error) });
    });
  }

  async #countAfter<T>(realm: Realm, event: (answer?: T) => NewEvent | undefined, work: () => Promise<T>): Promise<T> {
    const answer = await work();
    const said = event(answer);
    if (said !== undefined) this.#counts.count(realm, said);
    return answer;
  }

  #stamp(): EventIdentity {
    return { id: randomUUID(), time: this.#clock.now() };
  }

  async #withChange<E, T>(
    complete: (answer?: T) => CompleteEvent<E> | undefined,
    work: (isWritten: () => boolean) => Promise<T>,
    tell: (event: CompleteEvent<E>) => void,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    // Complete the event first: if it is faulty, this fails before anything is changed.
    let carried = complete();
    if (carried !== undefined && carried.record === undefined) {
      const answer = await work(() => false);
      const said = complete(answer);
      if (said !== undefined) tell(said);
      return answer;
    }
    const records = () => {
      carried = complete();
      return carried?.record === undefined ? [] : [this.#writer.withPosition(carried.record)];
    };
    const run = async (isWritten: () => boolean) => {
      let answer: T;
      try {
        answer = await work(isWritten);
      } catch (error) {
        // The work failed after a part of it was written with the event: send the event of that part.
        if (isWritten() && carried !== undefined) {
          this.#writer.reportWaiting(carried.record);
          tell(carried);
        }
        throw error;
      }
      const said = complete(answer);
      if (isWritten()) this.#writer.reportWaiting(carried?.record);
      if (said?.record !== undefined && !isWritten()) await this.#writer.append(said.record);
      // The event was stored with the change. If its final form differs, write its row again.
      else if (said?.record !== undefined && said.record.body !== carried?.record?.body) this.#writer.save(said.record);
      const told = said ?? (isWritten() ? carried : undefined);
      if (told !== undefined) tell(told);
      return answer;
    };
    return this.#store.withEvents(records, run, options);
  }

  #notifyListeners(realm: Realm, session: CreateSession, tell: Deliver, isSpared?: IsSkipped): void {
    for (const id of realm.eventsListeners) this.#notifyListener(realm, id, session, tell, isSpared);
  }

  #notifyListener(
    realm: Realm,
    id: string,
    session: CreateSession,
    tell: Deliver,
    isSpared: IsSkipped = () => false,
  ): void {
    const hostSession = session();
    const { generation } = hostSession;
    const listener = enabledProvider(generation, realm, EventListener, id);
    if (listener === undefined || isSpared(listener, hostSession)) return;
    const told = this.#store
      .unfenced(async () => {
        // A lease of its own, because the request does not wait: its lease may end before the listener does.
        generation.lease();
        try {
          const provider = createProvider(listener, hostSession);
          await hostSession.withTimeLimit(tell(provider));
        } finally {
          await hostSession.close();
          generation.release();
        }
      })
      .catch((error: unknown) => {
        this.#logger.error('event listener failed', { listener: id, realm: realm.name, reason: String(error) });
      });
    this.#deliveries.add(told);
    void told.finally(() => this.#deliveries.delete(told));
  }
}

/** A listener receives the admin events of its own plugin's changes only if it declares `hearsOwn`. */
const isOwnChange: IsSkipped = ({ registered }, { caller }) =>
  caller.causes?.at(-1) === registered.plugin.name && registered.declaration.hearsOwn !== true;
