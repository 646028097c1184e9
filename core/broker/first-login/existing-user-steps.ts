import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokeredFailure } from './not-brokered.js';

/**
 * Keycloak's IdpAutoLinkAuthenticator, but stricter. It links the existing user without asking only if the realm trusts
 * the provider's emails, and the user has the same email, verified here too. Otherwise nothing is proven.
 */
export function autoLink({ identities }: { identities: FederatedIdentities }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-auto-link',
    describe: {
      displayName: 'Automatically set existing user',
      helpText: 'Links the existing user with this trusted email.',
      proves: true,
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ brokered }) {
          if (brokered === undefined) return notBrokeredFailure();
          const user = await identities.findExistingUser(session.compiledRealm, brokered);
          const { email = '', emailVerified } = user?.view ?? {};
          // Require a verified email: a user may have registered with another person's address.
          const isSame = email !== '' && email.toLowerCase() === brokered.email?.toLowerCase();
          return user !== undefined && isSame && emailVerified && brokered.emailVerified
            ? { outcome: 'success', userId: user.id }
            : { outcome: 'attempted' };
        },
      }),
    }),
  });
}

/** Keycloak's IdpDetectExistingBrokerUserAuthenticator: a flow with it creates no new users. */
export function detectExistingUser({ identities }: { identities: FederatedIdentities }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-detect-existing-broker-user',
    describe: {
      displayName: 'Detect existing broker user',
      helpText: 'Rejects people who are not users of the realm yet.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ brokered }) {
          if (brokered === undefined) return notBrokeredFailure();
          const user = await identities.findExistingUser(session.compiledRealm, brokered);
          if (user !== undefined) return { outcome: 'success' };
          return { outcome: 'failure', error: 'user_not_found', message: { key: 'invalidUserMessage' } };
        },
      }),
    }),
  });
}
