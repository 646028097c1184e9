import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Met where the pages of the login are in one of the languages. */
export const locale: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-locale',
  describe: {
    category: 'condition',
    displayName: 'Condition - language',
    helpText: 'Flow is executed only if the pages are in one of the languages.',
  },
  settings: {
    type: 'object',
    properties: { languages: { type: 'array', items: { type: 'string' }, title: 'Languages' } },
  },
  open: () => ({
    create: () => ({
      isMet: async ({ locale: language, config }) => (config.languages ?? '').split('##').includes(language),
    }),
  }),
});
