import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStore, type Plugin, provide } from '@keyhost/spi';

/** Appends the events of each realm to a file, one event per line. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(EventStore, {
      id: '__id__',
      describe: { displayName: 'Files', helpText: 'Writes events into a file of the realm.' },
      config: {
        type: 'object',
        properties: { dir: { type: 'string', default: 'events', description: 'The folder of the files.' } },
        additionalProperties: false,
      },
      open: ({ dir = 'events' }) => ({
        create: (session) => ({
          async store({ events }) {
            const lines = events.map((stored) => `${JSON.stringify(stored)}\n`);
            await mkdir(dir, { recursive: true });
            // An event that is stored again after a failure has two lines with the same ID: the later one counts.
            await appendFile(join(dir, `${session.realm.id}.jsonl`), lines.join(''));
            return undefined;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
