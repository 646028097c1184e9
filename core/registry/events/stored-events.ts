import {
  type AdminEvent,
  type Event,
  type EventQuery,
  EventStore,
  type EventStoreProvider,
  HostError,
  type Logger,
} from '@keyhost/spi';
import { realmTurn } from '../../model/loop-turns.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import type { Events } from './events.js';
import { BUILT_IN_STORE, eventStoresOf } from './stores-of-realm.js';

type KeptEvent = Event | AdminEvent;
type Provider = RealmProvider<unknown, EventStoreProvider>;
type Kind = EventQuery['kind'];

/** Maximum number of events to read in one turn of the realm. */
const READ_AT_ONCE = 200;

export interface StoredEventsParts {
  readonly providers: RealmProviders;
  readonly events: Pick<Events, 'written'>;
  readonly store: Pick<Store, 'events' | 'eventOutbox'>;
  readonly logger: Logger;
}

/** The stored events of a realm: read from a plugin's store if it supports queries, else from the host's own. */
export class StoredEvents {
  readonly #parts: StoredEventsParts;

  constructor(parts: StoredEventsParts) {
    this.#parts = parts;
  }

  /**
   * Returns stored events. It includes the latest ones, unless they still wait for a plugin's store.
   * @throws HostError `event_store_unavailable` (503) if the store of a plugin cannot answer
   */
  async query(realm: Realm, query: EventQuery): Promise<readonly KeptEvent[]> {
    await this.#parts.events.written();
    const other = this.#other(realm);
    const found = other && (await orUnavailable(() => other.call(async (store) => store.query?.(query))));
    if (found === undefined) return this.#own(realm, query);
    const { events } = found;
    const isTheirs = (event: KeptEvent) => event.realmId === realm.id && isOf(event, query.kind);
    if (!events.every(isTheirs)) throw this.#unusable(realm, 'it answered what no event of the realm is');
    return events.slice(0, query.max);
  }

  /** @throws HostError as `query`; then nothing was deleted */
  async clear(realm: Realm, kind: Kind): Promise<void> {
    const { events, store } = this.#parts;
    await events.written();
    const other = this.#other(realm);
    const cleared = other && (await orUnavailable(() => other.call(async (one) => one.clear?.({ kind }))));
    // A store that cannot delete still receives the waiting events.
    if (cleared !== undefined) await store.eventOutbox.clear(realm.name, kind);
    await store.events.clear(realm.name, kind);
  }

  async #own(realm: Realm, query: EventQuery): Promise<readonly KeptEvent[]> {
    const own = this.#parts.providers.find(realm, EventStore, BUILT_IN_STORE);
    const { first = 0, max = READ_AT_ONCE } = query;
    // A map by ID: an event that is stored meanwhile shifts the others, so that the last of a page appears again in the
    // next.
    const found = new Map<string, KeptEvent>();
    for (let read = 0; read < max; read += READ_AT_ONCE) {
      await realmTurn(realm.name);
      const page = { first: first + read, max: Math.min(READ_AT_ONCE, max - read) };
      const part = (await own?.call(async (store) => store.query?.({ ...query, ...page })))?.events ?? [];
      for (const event of part) found.set(event.id, event);
      if (part.length < page.max) break;
    }
    return [...found.values()];
  }

  /** @throws HostError `event_store_unavailable` (503) if no plugin provides the realm's store */
  #other(realm: Realm): Provider | undefined {
    if (!eventStoresOf(realm).other) return undefined;
    let other: Provider | undefined;
    try {
      other = this.#parts.providers.all(realm, EventStore).find(({ builtin }) => !builtin);
    } catch (error) {
      throw this.#unusable(realm, messageOf(error));
    }
    if (other === undefined) throw this.#unusable(realm, 'no plugin has it');
    return other;
  }

  #unusable(realm: Realm, reason: unknown): HostError {
    this.#parts.logger.warn('the event store of the realm did not answer', {
      realm: realm.name,
      reason: String(reason),
    });
    return unavailable();
  }
}

/** Turns a failure into `event_store_unavailable`. The cause was logged with the call. */
async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause?: unknown): HostError {
  return new HostError('event_store_unavailable', 'The event store of the realm is not available. Try again later.', {
    status: 503,
    expose: true,
    headers: { 'retry-after': '5' },
    cause,
  });
}

function isOf(event: KeptEvent, kind: Kind): boolean {
  return kind === 'user'
    ? typeof (event as Event).type === 'string' && !('operationType' in event)
    : typeof (event as AdminEvent).operationType === 'string' && !('type' in event);
}
