import { provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'door',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'door',
      routes: { run: { method: 'GET', path: '/' } },
      realmConfig: { type: 'object', properties: { greeting: { type: 'string' } } },
      open: () => ({
        create: (_session, config) => ({
          run: async () => {
            if (config.greeting === 'fall') throw new RangeError('over the secret threshold of 10.0.0.7');
            return { body: config.greeting ?? 'nothing' };
          },
        }),
      }),
    }),
  ],
};
