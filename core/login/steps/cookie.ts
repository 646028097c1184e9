import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Note of a successful execution: the browser's user session was sufficient. It is never copied to a user session. */
export const AUTHENTICATED_BY_SESSION = 'keyhost.by-session';

/** Keycloak's CookieAuthenticator: accepts the browser's user session. */
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
          : { outcome: 'success', userId: browserUserId, notes: { [AUTHENTICATED_BY_SESSION]: 'true' } },
    }),
  }),
});
