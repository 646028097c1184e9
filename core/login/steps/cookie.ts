import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/**
 * The note of a step's answer that the browser's own user session was good enough. It never becomes a note of a session.
 */
export const BY_SESSION = 'keyhost.by-session';

/** Keycloak's CookieAuthenticator. */
export const cookie: ProviderDefinition = provide(Authenticator, {
  id: 'auth-cookie',
  describe: {
    displayName: 'Cookie',
    helpText: 'Validates the SSO cookie set by the auth server.',
    proves: true,
  },
  open: () => ({
    create: () => ({
      authenticate: async ({ browserUserId }) =>
        browserUserId === undefined
          ? { outcome: 'attempted' }
          : { outcome: 'success', userId: browserUserId, notes: { [BY_SESSION]: 'true' } },
    }),
  }),
});
