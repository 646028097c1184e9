import { CredentialProvider, type JsonObject, provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'outside',
  api: 1,
  providers: [
    provide(CredentialProvider, {
      id: 'badge',
      describe: { displayName: 'Badge' },
      category: 'passwordless',
      removable: false,
      single: true,
      open: () => ({
        create: () => ({ create: async () => ({ secret: {}, data: {} }), verify: async () => ({ valid: true }) }),
      }),
    }),
    provide(RealmResourceProvider, {
      id: 'outside',
      routes: { ask: { method: 'GET', path: '/' } },
      open: () => ({
        create: ({ ownCredentials }) => ({
          ask: async () => ({
            body: (await ownCredentials.list('badge').catch(({ code }) => [code])) as readonly JsonObject[],
          }),
        }),
      }),
    }),
  ],
};
