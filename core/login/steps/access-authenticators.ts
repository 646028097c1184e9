import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Keycloak's message key, if the authenticator's settings contain none. */
const ACCESS_DENIED = 'access-denied';

/** Keycloak's authenticators that always succeed or always fail, for use after conditions. */
export const accessAuthenticators: readonly ProviderDefinition[] = [
  provide(Authenticator, {
    id: 'allow-access-authenticator',
    describe: {
      displayName: 'Allow access',
      helpText: 'Authenticator always allowing access.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
  }),
  provide(Authenticator, {
    id: 'deny-access-authenticator',
    describe: {
      displayName: 'Deny access',
      helpText: 'Authenticator always denying access.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    settings: {
      type: 'object',
      properties: {
        denyErrorMessage: {
          type: 'string',
          title: 'Error message',
          description: 'A text, or the key of one.',
          default: ACCESS_DENIED,
        },
      },
    },
    open: () => ({
      create: () => ({
        authenticate: async ({ config }) => ({
          outcome: 'failure',
          error: 'access_denied',
          message: { key: config.denyErrorMessage || ACCESS_DENIED },
        }),
      }),
    }),
  }),
];
