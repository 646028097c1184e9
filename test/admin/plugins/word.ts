import { type AuthenticationStep, Authenticator, provide } from '@keyhost/spi';

const ask: AuthenticationStep = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'Word' },
    fields: [{ name: 'word', label: { key: 'word' }, type: 'text' }],
    submit: { key: 'doSubmit' },
  },
};
export default {
  name: 'word',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'word',
      open: () => ({
        create: () => ({
          authenticate: async () => ask,
          action: async ({ config }, { word }) => (word === config.word ? { outcome: 'success' } : ask),
        }),
      }),
    }),
  ],
};
