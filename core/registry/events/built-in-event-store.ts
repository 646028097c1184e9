import { type EventQuery, EventStore, type Plugin, provide } from '@keyhost/spi';
import type { EventRecord, EventStore as OwnEvents } from '../../store/store.js';
import { eventRecord } from './event-records.js';
import { BUILT_IN_STORE } from './stores-of-realm.js';

type Filter = Parameters<OwnEvents['query']>[1];

/**
 * Creates the plugin that provides the host's own event store under the same SPI as plugins' stores. Nothing calls its
 * `store` method, because `EventWriter` and the transactions of changes write the events.
 * @param events returns the store; called with the first query
 */
export function builtInEventStore(events: () => OwnEvents): Plugin {
  return {
    name: 'keyhost-event-store',
    api: 1,
    providers: [
      provide(EventStore, {
        id: BUILT_IN_STORE,
        open: () => ({
          create: ({ realm }) => ({
            async store(batch) {
              await events().append(batch.events.map((storedEvent) => eventRecord(realm.name, storedEvent)));
              return undefined;
            },
            async query(query) {
              const records = await queryRecords(events(), realm.name, query);
              return { events: records.map(({ body }) => JSON.parse(body)) };
            },
            clear: async ({ kind }) => ({ removed: await events().clear(realm.name, kind) }),
          }),
        }),
      }),
    ],
  };
}

async function queryRecords(
  events: OwnEvents,
  realm: string,
  { id, ...query }: EventQuery,
): Promise<readonly EventRecord[]> {
  if (id === undefined) return events.query(realm, query as Filter);
  return (await events.byIds(realm, [id])).filter(({ kind }) => kind === query.kind);
}
