import { type BrokeredIdentity, type ProviderDefinition, provide, RequiredAction } from '@keyhost/spi';
import { enabledIdentityProvider } from '../model/identity-provider.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { Users } from '../users/users.js';
import { accountName } from './brokered-identity.js';
import { linkRefusalMessage } from './brokering.js';
import type { FederatedIdentities } from './federated-identities.js';

const ACTION_ID = 'idp_link';
/** Roles of the client `account` that let users change their linked accounts. */
const LINK_ROLES = ['manage-account', 'manage-account-links'];

/**
 * Keycloak's IdpLinkAction: an application asks the user to link an account by `kc_action=idp_link:{alias}`. The user
 * must confirm the account, because it may belong to an earlier user of the browser, or to an attacker who planted it.
 */
export function linkAccount({
  users,
  identities,
}: {
  users: Users;
  identities: FederatedIdentities;
}): ProviderDefinition {
  return provide(RequiredAction, {
    id: ACTION_ID,
    displayText: 'Linking Identity Provider',
    eventType: 'FEDERATED_IDENTITY_LINK',
    initiable: true,
    open: () => ({
      create: ({ compiledRealm: realm }: HostSession) => {
        const details = (identity: BrokeredIdentity) => ({
          identity_provider: identity.identityProvider,
          identity_provider_identity: accountName(identity),
        });
        return {
          async challenge({ user, initiated, parameter = '', brokered }) {
            const provider = enabledIdentityProvider(realm, parameter);
            const holder = await users.byId(realm, user.id);
            const roles = holder?.roleNames(realm).clients.account ?? [];
            const mayLink = LINK_ROLES.some((right) => roles.includes(right));
            if (initiated && provider === undefined) return { outcome: 'ignored' };
            if (!initiated || provider === undefined || !mayLink) {
              return { outcome: 'failure', error: 'not_allowed', message: { key: 'identityProviderNotFoundMessage' } };
            }
            if (brokered?.identityProvider !== parameter) return { outcome: 'identity-provider', alias: parameter };
            return {
              outcome: 'challenge',
              page: {
                page: 'form',
                title: { key: 'linkIdpTitle', params: [provider.displayName] },
                text: { key: 'linkIdpText', params: [user.username, accountName(brokered), provider.displayName] },
                fields: [],
                submit: { key: 'doLink' },
                cancel: { key: 'doCancel' },
              },
            };
          },
          async action({ user, brokered }) {
            const holder = await users.byId(realm, user.id);
            if (holder === undefined || brokered === undefined) {
              return { outcome: 'failure', error: 'invalid_request', message: { key: 'invalidRequestMessage' } };
            }
            const linkResult = await identities.link(realm, holder, brokered);
            if (typeof linkResult !== 'string') return { outcome: 'success', details: details(brokered) };
            const message = linkRefusalMessage(linkResult, brokered.displayName);
            return { outcome: 'failure', error: 'federated_identity_account_exists', message };
          },
        };
      },
    }),
  });
}
