import { readFile } from 'node:fs/promises';
import { type Plugin, provide, Vault } from '@keyhost/spi';

/** Secrets in one JSON file: `{ "REALM": { "KEY": "the secret" } }`. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(Vault, {
      id: '__id__',
      describe: { displayName: 'JSON file', helpText: 'Secrets in one JSON file.' },
      config: {
        type: 'object',
        properties: { file: { type: 'string', default: 'secrets.json' } },
        additionalProperties: false,
      },
      open: ({ file = 'secrets.json' }) => ({
        create: (session) => ({
          async read({ key }) {
            const realms = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
            const value = realms[session.realm.name]?.[key];
            return value === undefined ? undefined : { value };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
