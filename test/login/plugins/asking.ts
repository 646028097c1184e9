import { Authenticator, provide } from '@keyhost/spi';
export default {
  name: 'asking',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'asking',
      open: () => ({
        create: () => ({
          authenticate: async () => ({
            outcome: 'challenge',
            page: {
              page: 'form',
              title: { key: 'Word' },
              fields: [{ name: 'word', type: 'text', label: { key: 'Word' } }],
              submit: { key: 'doContinue' },
            },
          }),
          action: async (_, form) =>
            form.word === 'please'
              ? { outcome: 'success' }
              : { outcome: 'failure', error: 'access_denied', message: { key: 'No' } },
        }),
      }),
    }),
  ],
};
