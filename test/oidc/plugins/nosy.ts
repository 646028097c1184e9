import { provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'nosy',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'nosy',
      routes: {
        show: { method: 'GET', path: '/', authentication: 'none' },
        asks: { method: 'GET', path: '/token', authentication: 'none' },
        who: { method: 'GET', path: '/who', authentication: 'client' },
      },
      open: () => ({
        create: (session) => ({
          show: async ({ headers }) => ({
            body: { key: headers['x-api-key'] ?? null, other: headers['x-other'] ?? null },
          }),
          asks: async () => ({
            body: {
              status: (await session.tokenRequest({ grant_type: 'client_credentials', client_id: 'job' })).status,
            },
          }),
          who: async () => ({ body: { clientId: (await session.authenticate()).clientId } }),
        }),
      }),
    }),
  ],
};
