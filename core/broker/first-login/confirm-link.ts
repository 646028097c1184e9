import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokeredFailure } from './not-brokered.js';

/**
 * Keycloak's IdpConfirmLinkAuthenticator: asks whether to link with the existing user who has this username or email.
 */
export function confirmLink({ identities }: { identities: FederatedIdentities }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-confirm-link',
    describe: {
      displayName: 'Confirm link existing account',
      helpText: 'Asks whether to link with an existing account.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ brokered }) {
          if (brokered === undefined) return notBrokeredFailure();
          const user = await identities.findExistingUser(session.compiledRealm, brokered);
          if (user === undefined) return { outcome: 'attempted' };
          const isSameEmail =
            user.view.email !== undefined && user.view.email.toLowerCase() === brokered.email?.toLowerCase();
          const params = isSameEmail ? ['email', brokered.email ?? ''] : ['username', brokered.username];
          return {
            outcome: 'challenge',
            page: {
              page: 'form',
              title: { key: 'confirmLinkIdpTitle' },
              text: { key: 'federatedIdentityConfirmLinkMessage', params },
              fields: [],
              submit: { key: 'confirmLinkIdpContinue' },
              cancel: { key: 'confirmLinkIdpReviewProfile' },
            },
          };
        },
        // The endpoint of the login's pages handles the other button, which returns to the profile.
        action: async () => ({ outcome: 'success' }),
      }),
    }),
  });
}
