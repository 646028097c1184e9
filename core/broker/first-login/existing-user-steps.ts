import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/session.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokered } from './not-brokered.js';

/**
 * Keycloak's IdpAutoLinkAuthenticator, stricter: the existing user gets the account without more ado when the realm trusts
 * the provider's e-mail addresses and it is that user's address, verified here too. Anything else is no proof of anything.
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
          if (brokered === undefined) return notBrokered();
          const user = await identities.existingUser(session.compiledRealm, brokered);
          const { email = '', emailVerified } = user?.view ?? {};
          // Whoever registered with an address that is not theirs has not verified it.
          const isSame = email !== '' && email.toLowerCase() === brokered.email?.toLowerCase();
          return user !== undefined && isSame && emailVerified && brokered.emailVerified
            ? { outcome: 'success', userId: user.id }
            : { outcome: 'attempted' };
        },
      }),
    }),
  });
}

/** Keycloak's IdpDetectExistingBrokerUserAuthenticator: nobody new comes in by this flow. */
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
          if (brokered === undefined) return notBrokered();
          const user = await identities.existingUser(session.compiledRealm, brokered);
          if (user !== undefined) return { outcome: 'success' };
          return { outcome: 'failure', error: 'user_not_found', message: { key: 'invalidUserMessage' } };
        },
      }),
    }),
  });
}
