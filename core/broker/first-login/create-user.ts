import { randomUUID } from 'node:crypto';
import { Authenticator, type BrokeredIdentity, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { identityProvidersOf } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { newUserDefaults } from '../../realms/new-user-defaults.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { fillDefaults } from '../../users/profile/default-values.js';
import type { Users } from '../../users/users.js';
import { accountName } from '../brokered-identity.js';
import { addLink, type FederatedIdentities } from '../federated-identities.js';
import { applyMappers } from '../mappers.js';
import { notBrokeredFailure } from './not-brokered.js';

/**
 * Keycloak's IdpCreateUserIfUniqueAuthenticator: creates a user who is already linked to the brokered account, if email
 * and username are free. Otherwise the step is `attempted`. With `require.password.update.after.registration`, the user
 * must set a password.
 */
export function createUserIfUnique({
  users,
  identities,
  clock,
}: {
  users: Users;
  identities: FederatedIdentities;
  clock: Clock;
}): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-create-user-if-unique',
    describe: {
      displayName: 'Create User If Unique',
      helpText: 'Creates a user if no user has this email or username.',
      proves: true,
    },
    settings: {
      type: 'object',
      properties: {
        'require.password.update.after.registration': {
          type: 'boolean',
          title: 'Require Password Update After Registration',
          description: 'Asks new users for a password.',
          default: false,
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ brokered, config, client }) {
          if (brokered === undefined) return notBrokeredFailure();
          const realm = session.compiledRealm;
          if ((await identities.findExistingUser(realm, brokered)) !== undefined) return { outcome: 'attempted' };
          const asksPassword = config['require.password.update.after.registration'] === 'true';
          const draft = newUser(realm, brokered, clock, asksPassword);
          fillDefaults(draft, realm);
          const created = await users.create(realm, draft);
          if ('exists' in created) {
            // A concurrent login of the same account created the user, or username or email were taken in the meantime.
            const concurrentUser = await identities.userOf(realm, brokered);
            return concurrentUser === undefined
              ? { outcome: 'attempted' }
              : { outcome: 'success', userId: concurrentUser.id };
          }
          await session.events.emit({
            type: 'REGISTER',
            clientId: client.clientId,
            userId: created.id,
            details: {
              register_method: 'broker',
              username: created.username,
              email: created.view.email ?? '',
              identity_provider: brokered.identityProvider,
              identity_provider_identity: accountName(brokered),
            },
          });
          return { outcome: 'success', userId: created.id };
        },
      }),
    }),
  });
}

function newUser(
  realm: Realm,
  identity: BrokeredIdentity,
  clock: Clock,
  asksPassword: boolean,
): UserRepresentation & { id: string } {
  const { username, email, emailVerified, firstName, lastName, claims } = identity;
  const { requiredActions, ...defaults } = newUserDefaults(realm);
  const draft: UserRepresentation & { id: string } = {
    id: randomUUID(),
    username,
    emailVerified,
    enabled: true,
    createdTimestamp: clock.now(),
    ...(email ? { email } : {}),
    ...(firstName ? { firstName } : {}),
    ...(lastName ? { lastName } : {}),
    ...defaults,
    requiredActions: [...requiredActions, ...(asksPassword ? ['UPDATE_PASSWORD'] : [])],
  };
  addLink(draft, identity);
  const provider = identityProvidersOf(realm).get(identity.identityProvider);
  if (provider !== undefined) applyMappers(realm, provider, claims, draft, 'import');
  return draft;
}
