import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { hasFollowedLink } from './followed-link.js';

/** Keycloak's ResetPassword: after the user has followed the mailed link, the user must set a new password. */
export const resetPassword: ProviderDefinition = provide(Authenticator, {
  id: 'reset-password',
  describe: {
    displayName: 'Reset Password',
    helpText:
      'Sets the Update Password required action if execution is REQUIRED.  Will also set it if execution is OPTIONAL and the password is currently configured for it.',
  },
  open: () => ({
    create: (session: HostSession) => ({
      authenticate: async (context) =>
        hasFollowedLink(session, context)
          ? { outcome: 'success', requiredActions: ['UPDATE_PASSWORD'] }
          : { outcome: 'success' },
    }),
  }),
});
