import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** A step that shows the realm's notice before the login goes on. In a direct grant, which has no pages, it is refused. */
export const notice: ProviderDefinition = provide(Authenticator, {
  id: 'show-notice',
  describe: {
    displayName: 'Notice',
    helpText: 'Shows a notice before the login goes on.',
    requirements: ['REQUIRED', 'DISABLED'],
  },
  settings: {
    type: 'object',
    properties: { text: { type: 'string', title: 'Notice', description: 'A text, or the key of one.' } },
  },
  open: () => ({
    create: () => ({
      authenticate: async ({ config }): Promise<AuthenticationStep> => ({
        outcome: 'challenge',
        page: { page: 'form', title: { key: config.text ?? '' }, fields: [], submit: { key: 'doContinue' } },
      }),
      action: async () => ({ outcome: 'success' }),
    }),
  }),
});
