import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import { hasRole } from './has-role.js';
import { userOfCondition } from './user-of-condition.js';

/** Keycloak's ConditionalRoleAuthenticator. It is not met while the login has no user, with or without `negate`. */
export function userRole({ users }: { users: Users }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'conditional-user-role',
    describe: {
      category: 'condition',
      displayName: 'Condition - user role',
      helpText: 'Flow is executed only if user has the given role.',
    },
    settings: {
      type: 'object',
      properties: {
        condUserRole: { type: 'string', title: 'User role', description: 'A realm role, or "client.role".' },
        negate: {
          type: 'boolean',
          title: 'Negate output',
          description: 'The condition is met if the user does not have the role.',
          default: false,
        },
      },
    },
    open: () => ({
      create: ({ compiledRealm: realm }: HostSession) => ({
        async isMet(context) {
          const { config } = context;
          const user = await userOfCondition(users, realm, context);
          return user !== undefined && hasRole(realm, user, config.condUserRole ?? '') !== (config.negate === 'true');
        },
      }),
    }),
  });
}
