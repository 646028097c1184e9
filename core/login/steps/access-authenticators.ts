import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Keycloak's steps that let everybody pass, or nobody: they stand behind conditions. */
export const accessAuthenticators: readonly ProviderDefinition[] = [
  provide(Authenticator, {
    id: 'allow-access-authenticator',
    open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
  }),
  provide(Authenticator, {
    id: 'deny-access-authenticator',
    open: () => ({
      create: () => ({
        authenticate: async ({ config }) => ({
          outcome: 'failure',
          error: 'access_denied',
          message: { key: config.denyErrorMessage || 'access-denied' },
        }),
      }),
    }),
  }),
];
