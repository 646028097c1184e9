import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/session.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokered } from './not-brokered.js';

/** Keycloak's IdpConfirmLinkAuthenticator: there is a user of this name or address, and whoever it is may be that user. */
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
          if (brokered === undefined) return notBrokered();
          const user = await identities.existingUser(session.compiledRealm, brokered);
          if (user === undefined) return { outcome: 'attempted' };
          const byEmail =
            user.view.email !== undefined && user.view.email.toLowerCase() === brokered.email?.toLowerCase();
          const params = byEmail ? ['email', brokered.email ?? ''] : ['username', brokered.username];
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
        // The other button leads back to the profile: whoever runs the flow sees to that.
        action: async () => ({ outcome: 'success' }),
      }),
    }),
  });
}
