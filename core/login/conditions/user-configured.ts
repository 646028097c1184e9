import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { isFlowConfigured } from '../flows/configured-steps.js';

/**
 * Keycloak's ConditionalUserConfiguredAuthenticator: met if the user has set up the other authenticators of the flow
 * that contains the condition.
 */
export const userConfigured: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-user-configured',
  describe: {
    category: 'condition',
    displayName: 'Condition - user configured',
    helpText: 'Executes the current flow only if authenticators are configured',
  },
  open: () => ({
    create: (session: HostSession) => ({
      isMet: ({ user, executions }) => isFlowConfigured(session, user, executions),
    }),
  }),
});
