import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { Users } from '../../users/users.js';
import { userOf } from './user-of-condition.js';

/** Keycloak's ConditionalRoleAuthenticator. A login that knows no user yet does not meet it, `negate` or not. */
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
          const user = await userOf(users, realm, context);
          return user !== undefined && hasRole(realm, user, config.condUserRole ?? '') !== (config.negate === 'true');
        },
      }),
    }),
  });
}

/** By Keycloak's name of a role: its own in the realm, or `client.role`. One that is not there nobody has. */
function hasRole(realm: Realm, user: User, name: string): boolean {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index);
  const ofClient = dots.map((at) => realm.roles.clients.get(name.slice(0, at))?.get(name.slice(at + 1)));
  const role = ofClient.find((one) => one !== undefined) ?? realm.roles.realm.get(name);
  return role !== undefined && user.effectiveRoles(realm).has(role);
}
