import { EventListener, provide, RealmResourceProvider } from '@keyhost/spi';

const mail = { $ref: '#/definitions/mail' };
export default {
  name: 'secretive',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'webhook',
      realmConfig: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
      open: () => ({ create: () => ({}) }),
    }),
    provide(RealmResourceProvider, {
      id: 'secretive',
      realmConfig: {
        type: 'object',
        definitions: {
          mail: {
            type: 'object',
            properties: { host: { type: 'string' }, phrase: { type: 'string', format: 'password' } },
          },
        },
        properties: {
          servers: { type: 'array', items: mail },
          login: {
            anyOf: [{ type: 'null' }, { type: 'object', properties: { pin: { type: 'integer', writeOnly: true } } }],
          },
          apiKey: { type: 'string' },
          useSecret: { type: 'boolean' },
          pages: { type: 'integer', default: 10 },
        },
        additionalProperties: false,
      },
      routes: { run: { method: 'GET', path: '/' } },
      open: () => ({ create: (_session, config) => ({ run: async () => ({ body: config }) }) }),
    }),
  ],
};
