import { randomUUID } from 'node:crypto';
import { type AdminEvent, type Event, EventListener, type EventListenerProvider, type Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { EVENT_TYPES } from '../model/event-types.js';
import type { Realm } from '../model/realm.js';
import type { EventRecord, Store } from '../store/store.js';
import { createProvider, enabledProvider } from './realm-providers.js';
import type { HostSession } from './session.js';
import { within } from './time-limit.js';

/** Types that Keycloak does not save unless `enabledEventTypes` names them. The types of plugins are saved. */
const NOT_SAVED_BY_DEFAULT = new Set(
  [
    'REFRESH_TOKEN',
    'VALIDATE_ACCESS_TOKEN',
    'INTROSPECT_TOKEN',
    'INVALID_SIGNATURE',
    'REGISTER_NODE',
    'UNREGISTER_NODE',
    'USER_INFO_REQUEST',
    'IDENTITY_PROVIDER_LOGIN',
    'IDENTITY_PROVIDER_RESPONSE',
    'IDENTITY_PROVIDER_RETRIEVE_TOKEN',
    'CLIENT_INFO',
    'PUSHED_AUTHORIZATION_REQUEST',
  ].flatMap((type) => [type, `${type}_ERROR`]),
);

/** Keycloak's types that are saved where `enabledEventTypes` is empty. */
export const SAVED_BY_DEFAULT = EVENT_TYPES.filter((type) => !NOT_SAVED_BY_DEFAULT.has(type));

/** Events wait this long, or until there are this many, before they are written together. */
const BATCH_MS = 50;
const BATCH_SIZE = 200;
/** Beyond this many unwritten events new ones are dropped and counted: answers never wait for the store. */
const BACKLOG = 20_000;
/** How long listeners and the store may hold up the end of the host, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
const MAX_DETAIL_LENGTH = 2000;

export interface NewEvent {
  readonly type: string;
  readonly error?: string | undefined;
  readonly clientId?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly details?: Readonly<Record<string, string>> | undefined;
}

export type NewAdminEvent = Omit<AdminEvent, 'id' | 'time' | 'realmId' | 'realmName'>;

/** Hands events to the realm's listeners and, where the realm says so, to the store. Nobody waits for either. */
export class Events {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pending: EventRecord[] = [];
  readonly #telling = new Set<Promise<void>>();
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;

  constructor(services: { store: Store; clock: Clock; logger: Logger }) {
    this.#store = services.store;
    this.#clock = services.clock;
    this.#logger = services.logger;
  }

  /** True when somebody would notice an event of this realm: the hot path builds none otherwise. */
  wanted(realm: Realm): boolean {
    return realm.eventsEnabled || realm.eventsListeners.length > 0;
  }

  /** @param session what listeners are created with; made only when the realm has listeners */
  emit(realm: Realm, event: NewEvent, session: () => HostSession): void {
    if (!this.wanted(realm)) return;
    const complete: Event = Object.freeze({
      id: randomUUID(),
      time: this.#clock.now(),
      type: event.error === undefined ? event.type : `${event.type}_ERROR`,
      realmId: realm.id,
      realmName: realm.name,
      ...(event.clientId === undefined ? {} : { clientId: clean(event.clientId) }),
      ...(event.userId === undefined ? {} : { userId: clean(event.userId) }),
      ...(event.sessionId === undefined ? {} : { sessionId: event.sessionId }),
      ...(event.ipAddress === undefined ? {} : { ipAddress: event.ipAddress }),
      ...(event.error === undefined ? {} : { error: event.error }),
      details: Object.freeze(cleanAll(event.details ?? {})),
    });
    if (realm.eventsEnabled && isSaved(realm, complete.type)) this.#saveUserEvent(realm, complete);
    for (const id of realm.eventsListeners) {
      this.#tell(realm, id, session, (listener) => listener.onEvent?.(complete));
    }
  }

  /**
   * An event of the Admin REST API: told to the listeners, and stored where the realm says `adminEventsEnabled`. The
   * representation goes along where it says `adminEventsDetailsEnabled`.
   * @param event with every secret masked
   */
  emitAdmin(
    realm: Realm,
    event: NewAdminEvent,
    session: () => HostSession,
    options: { readonly detailed?: true } = {},
  ): void {
    const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.representation;
    if (adminEventsEnabled !== true && realm.eventsListeners.length === 0) return;
    const { representation, ...rest } = event;
    const complete: AdminEvent = Object.freeze({
      id: randomUUID(),
      time: this.#clock.now(),
      realmId: realm.id,
      realmName: realm.name,
      ...rest,
      resourcePath: clean(rest.resourcePath),
      ...((adminEventsDetailsEnabled === true || options.detailed === true) && representation !== undefined
        ? { representation }
        : {}),
    });
    if (adminEventsEnabled === true) {
      this.#save({
        id: complete.id,
        realm: realm.name,
        kind: 'admin',
        time: complete.time,
        type: complete.operationType,
        clientId: complete.authDetails.clientId,
        userId: complete.authDetails.userId,
        ipAddress: complete.authDetails.ipAddress,
        body: JSON.stringify(complete),
        ...expiry(complete.time, Number(realm.representation.attributes?.adminEventsExpiration ?? 0)),
      });
    }
    for (const id of realm.eventsListeners) {
      this.#tell(realm, id, session, (listener) => listener.onAdminEvent?.(complete));
    }
  }

  /** Resolves when everything emitted so far has been stored and heard. */
  async flush(): Promise<void> {
    do {
      await this.written();
      await Promise.all(this.#telling);
    } while (this.#telling.size > 0 || this.#pending.length > 0);
  }

  /** Resolves when everything emitted so far has been stored: who reads events reads the latest. */
  async written(): Promise<void> {
    await Promise.all([this.#write(), ...this.#writing]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await within(CLOSE_LIMIT_MS, () => this.flush()).catch((error: unknown) => {
      this.#logger.error('events were left behind', { reason: String(error) });
    });
  }

  #tell(
    realm: Realm,
    id: string,
    session: () => HostSession,
    tell: (listener: EventListenerProvider) => Promise<void> | undefined,
  ): void {
    const hostSession = session();
    const { providers } = hostSession;
    const listener = enabledProvider(providers, realm, EventListener, id);
    if (listener === undefined) return;
    const told = (async () => {
      // The request does not wait: its own lease may end before the listener does.
      providers.lease();
      try {
        const provider = createProvider(listener, hostSession);
        await hostSession.limited(tell(provider));
      } finally {
        await hostSession.close();
        providers.release();
      }
    })().catch((error: unknown) => {
      this.#logger.error('event listener failed', { listener: id, realm: realm.name, reason: String(error) });
    });
    this.#telling.add(told);
    void told.finally(() => this.#telling.delete(told));
  }

  #saveUserEvent(realm: Realm, event: Event): void {
    this.#save({
      id: event.id,
      realm: realm.name,
      kind: 'user',
      time: event.time,
      type: event.type,
      ...(event.clientId === undefined ? {} : { clientId: event.clientId }),
      ...(event.userId === undefined ? {} : { userId: event.userId }),
      ...(event.ipAddress === undefined ? {} : { ipAddress: event.ipAddress }),
      body: JSON.stringify(event),
      ...expiry(event.time, realm.eventsExpiration),
    });
  }

  #save(record: EventRecord): void {
    if (this.#pending.length >= BACKLOG) {
      this.#dropped += 1;
      return;
    }
    this.#pending.push(record);
    if (this.#pending.length >= BATCH_SIZE) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), BATCH_MS);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#pending.splice(0);
    if (this.#dropped > 0) {
      this.#logger.error('events were dropped: the store is too slow', { dropped: this.#dropped });
      this.#dropped = 0;
    }
    if (batch.length === 0) return;
    const written = this.#store.events.append(batch).catch((error: unknown) => {
      this.#logger.error('events could not be stored', { count: batch.length, reason: String(error) });
    });
    this.#writing.add(written);
    await written.finally(() => this.#writing.delete(written));
  }
}

/** @param seconds 0: kept */
function expiry(time: number, seconds: number): { expiresAt?: number } {
  return seconds > 0 ? { expiresAt: time + seconds * 1000 } : {};
}

function isSaved(realm: Realm, type: string): boolean {
  return realm.enabledEventTypes.size > 0 ? realm.enabledEventTypes.has(type) : !NOT_SAVED_BY_DEFAULT.has(type);
}

/** Control characters cannot forge log lines, and no detail grows without bound. */
function clean(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return value.slice(0, MAX_DETAIL_LENGTH).replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, ' ');
}

function cleanAll(details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, clean(value)]));
}
