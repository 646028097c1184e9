import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import { accountName } from '../brokered-identity.js';
import { findLink } from '../federated-identities.js';
import { notBrokeredFailure } from './not-brokered.js';

/**
 * The ID of this authenticator. If the first broker login has passed it, the account replaces the one that the user is
 * linked to.
 */
export const CONFIRM_OVERRIDE = 'idp-confirm-override-link';

/**
 * Keycloak's IdpConfirmOverrideLinkAuthenticator. Unlike in Keycloak, earlier steps must have verified the user, so
 * that no one else learns which account the user is linked to.
 */
export function confirmOverrideLink({ users }: { users: Users }): ProviderDefinition {
  return provide(Authenticator, {
    id: CONFIRM_OVERRIDE,
    describe: {
      displayName: 'Confirm override existing link',
      helpText: 'Confirm override the link if there is an existing broker user linked to the account.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ brokered, user: currentUser, provenBefore }) {
          if (brokered === undefined) return notBrokeredFailure();
          const user =
            currentUser && provenBefore ? await users.byId(session.compiledRealm, currentUser.id) : undefined;
          if (user === undefined) return { outcome: 'attempted' };
          const link = findLink(user.representation, brokered.identityProvider);
          if (link === undefined || link.userId === brokered.id) return { outcome: 'success' };
          return {
            outcome: 'challenge',
            page: {
              page: 'form',
              title: { key: 'confirmOverrideIdpTitle' },
              text: {
                key: 'confirmOverrideIdpText',
                params: [user.username, brokered.displayName, accountName(brokered), link.userName || link.userId],
              },
              fields: [],
              submit: { key: 'confirmOverrideIdpContinue' },
            },
          };
        },
        action: async ({ provenBefore }) => ({ outcome: provenBefore ? 'success' : 'attempted' }),
      }),
    }),
  });
}
