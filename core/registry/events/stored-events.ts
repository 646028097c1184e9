import {
  type AdminEvent,
  type Event,
  type EventQuery,
  EventStore,
  type EventStoreProvider,
  HostError,
  type Logger,
} from '@keyhost/spi';
import { waitForRealmTurn } from '../../model/loop-turns.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import type { Events } from './events.js';
import { BUILT_IN_STORE, eventStoresOf } from './stores-of-realm.js';

type AnyEvent = Event | AdminEvent;
type Provider = RealmProvider<unknown, EventStoreProvider>;
type Kind = EventQuery['kind'];

/** Maximum number of events to read before other work of the realm gets its turn. */
const BATCH_SIZE = 200;

export interface StoredEventsParts {
  readonly providers: RealmProviders;
  readonly events: Pick<Events, 'flushStored'>;
  readonly store: Pick<Store, 'events' | 'eventOutbox'>;
  readonly logger: Logger;
}

/**
 * Reads and deletes the stored events of a realm. They are read from the plugin's store if that supports queries, else
 * from the host's own. They are deleted in both.
 */
export class StoredEvents {
  readonly #parts: StoredEventsParts;

  constructor(parts: StoredEventsParts) {
    this.#parts = parts;
  }

  /**
   * Returns stored events, including the latest ones unless they still wait for a plugin's store.
   * @throws HostError `event_store_unavailable` (503) if the store of a plugin cannot answer
   */
  async query(realm: Realm, query: EventQuery): Promise<readonly AnyEvent[]> {
    await this.#parts.events.flushStored();
    const pluginStore = this.#pluginStoreOf(realm);
    const answer =
      pluginStore && (await rethrowAsUnavailable(() => pluginStore.call(async (store) => store.query?.(query))));
    if (answer === undefined) return this.#queryBuiltIn(realm, query);
    const { events } = answer;
    const isOfRealm = (event: AnyEvent) => event.realmId === realm.id && hasKind(event, query.kind);
    if (!events.every(isOfRealm)) throw this.#logUnavailable(realm, 'it answered what no event of the realm is');
    return events.slice(0, query.max);
  }

  /**
   * Deletes stored events.
   * @throws HostError `event_store_unavailable` (503) if the store of a plugin cannot answer; then nothing was deleted
   */
  async clear(realm: Realm, kind: Kind): Promise<void> {
    const { events, store } = this.#parts;
    await events.flushStored();
    const pluginStore = this.#pluginStoreOf(realm);
    const cleared =
      pluginStore &&
      (await rethrowAsUnavailable(() => pluginStore.call(async (eventStore) => eventStore.clear?.({ kind }))));
    // If the plugin's store cannot delete events, the waiting events are still sent to it.
    if (cleared !== undefined) await store.eventOutbox.clear(realm.name, kind);
    await store.events.clear(realm.name, kind);
  }

  async #queryBuiltIn(realm: Realm, query: EventQuery): Promise<readonly AnyEvent[]> {
    const builtInStore = this.#parts.providers.find(realm, EventStore, BUILT_IN_STORE);
    const { first = 0, max = BATCH_SIZE } = query;
    // Keyed by ID: if an event is stored meanwhile, the others shift, and the last event of a page is read again with
    // the next.
    const eventsById = new Map<string, AnyEvent>();
    for (let read = 0; read < max; read += BATCH_SIZE) {
      await waitForRealmTurn(realm.name);
      const page = { first: first + read, max: Math.min(BATCH_SIZE, max - read) };
      const batch = (await builtInStore?.call(async (store) => store.query?.({ ...query, ...page })))?.events ?? [];
      for (const event of batch) eventsById.set(event.id, event);
      if (batch.length < page.max) break;
    }
    return [...eventsById.values()];
  }

  /**
   * Returns the plugin's store that the realm uses; undefined if it uses only the host's own.
   * @throws HostError `event_store_unavailable` (503) if no plugin provides it
   */
  #pluginStoreOf(realm: Realm): Provider | undefined {
    if (!eventStoresOf(realm).hasPluginStore) return undefined;
    let pluginStore: Provider | undefined;
    try {
      pluginStore = this.#parts.providers.all(realm, EventStore).find(({ builtin }) => !builtin);
    } catch (error) {
      throw this.#logUnavailable(realm, messageOf(error));
    }
    if (pluginStore === undefined) throw this.#logUnavailable(realm, 'no plugin has it');
    return pluginStore;
  }

  #logUnavailable(realm: Realm, reason: unknown): HostError {
    this.#parts.logger.warn('the event store of the realm did not answer', {
      realm: realm.name,
      reason: String(reason),
    });
    return unavailableError();
  }
}

/** Turns a failure of the store into `event_store_unavailable`. Its cause was already logged with the call. */
async function rethrowAsUnavailable<T>(callStore: () => Promise<T>): Promise<T> {
  try {
    return await callStore();
  } catch (error) {
    throw unavailableError(error);
  }
}

function unavailableError(cause?: unknown): HostError {
  return new HostError('event_store_unavailable', 'The event store of the realm is not available. Try again later.', {
    status: 503,
    expose: true,
    headers: { 'retry-after': '5' },
    cause,
  });
}

function hasKind(event: AnyEvent, kind: Kind): boolean {
  return kind === 'user'
    ? typeof (event as Event).type === 'string' && !('operationType' in event)
    : typeof (event as AdminEvent).operationType === 'string' && !('type' in event);
}
