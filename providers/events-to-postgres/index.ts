import { EventStore, type Plugin, provide } from '@keyhost/spi';
import { Database } from './database.js';
import { EventsTable } from './events-table.js';
import { MESSAGES } from './messages.js';
import { SETTINGS } from './settings.js';

/** Stores the events of realms in a PostgreSQL table, and answers the Admin API from it. */
export default {
  name: '@keyhost/events-to-postgres',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(EventStore, {
      id: 'postgres',
      describe: { displayName: 'PostgreSQL', helpText: 'Keeps events in a table of a PostgreSQL database.' },
      config: SETTINGS,
      schedule: { every: 3600 },
      open(settings) {
        const database = new Database(settings);
        return {
          create: (session) => {
            const table = new EventsTable(database, session.realm.id);
            return {
              store: ({ events }) => table.store(events),
              query: async (query) => ({ events: await table.query(query, session.clock.now()) }),
              clear: async ({ kind }) => ({ removed: await table.clear(kind) }),
              async scheduled() {
                const removed = await table.deleteExpired(session.clock.now());
                return { summary: `${removed} expired events deleted` };
              },
            };
          },
          close: () => database.close(),
        };
      },
    }),
  ],
} satisfies Plugin;
