import { ClientAuthenticator, provide, RealmResourceProvider } from '@keyhost/spi';

const show = (headers: Readonly<Record<string, string | undefined>>) => ({
  body: { key: headers['x-api-key'] ?? null, other: headers['x-other'] ?? null },
});
export default {
  name: 'keys',
  api: 1,
  providers: [
    provide(ClientAuthenticator, {
      id: 'api-key',
      authMethods: ['api_key'],
      headers: ['x-api-key', 'x-acme-proof'],
      describe: { displayName: 'API key', helpText: 'A key in a header.' },
      open: () => ({
        create: ({ logger }) => ({
          async authenticate({ client, headers }) {
            logger.info('asked', { seen: Object.keys(headers).join(' '), headers });
            logger.info(`x-acme-proof: ${headers['x-acme-proof']} {"x-api-key":"${headers['x-api-key']}"}`);
            return headers['x-api-key'] === client.attributes['api.key']
              ? { outcome: 'success' }
              : { outcome: 'failure' };
          },
        }),
      }),
    }),
    provide(RealmResourceProvider, {
      id: 'own',
      routes: { show: { method: 'GET', path: '/', authentication: 'none' } },
      open: () => ({ create: () => ({ show: async ({ headers }) => show(headers) }) }),
    }),
  ],
};
