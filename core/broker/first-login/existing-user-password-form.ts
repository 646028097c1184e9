import {
  type AuthenticationStep,
  Authenticator,
  type BrokeredIdentity,
  type Message,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { mayRevealDisabled, type PasswordLogins } from '../../users/passwords/password-logins.js';
import { accountName } from '../brokered-identity.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokeredFailure } from './not-brokered.js';

const MAX_PASSWORD_LENGTH = 4096;

/** Keycloak's IdpUsernamePasswordForm: verifies the existing user by password. Wrong passwords are counted as usual. */
export function existingUserPasswordForm({
  identities,
  passwordLogins,
}: {
  identities: FederatedIdentities;
  passwordLogins: PasswordLogins;
}): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-username-password-form',
    describe: {
      displayName: 'Username Password Form for identity provider reauthentication',
      helpText: 'Validates a password from login form.',
      proves: true,
      requirements: ['REQUIRED'],
      label: { key: 'idp-username-password-form-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const { compiledRealm: realm, caller } = session;
        return {
          async authenticate({ brokered }) {
            const user = brokered && (await identities.findExistingUser(realm, brokered));
            if (brokered === undefined) return notBrokeredFailure();
            return user === undefined ? { outcome: 'attempted' } : challenge(brokered, user);
          },
          async action({ brokered }, form) {
            const user = brokered && (await identities.findExistingUser(realm, brokered));
            if (brokered === undefined || user === undefined) return notBrokeredFailure();
            const password = (form.password ?? '').slice(0, MAX_PASSWORD_LENGTH + 1);
            const result =
              password.length > MAX_PASSWORD_LENGTH || user.isServiceAccount
                ? ({ refused: 'invalid_user_credentials' } as const)
                : await passwordLogins.verify(realm, user, password, caller.ip);
            if (!('refused' in result)) return { outcome: 'success', userId: user.id };
            const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : 'invalidPasswordMessage';
            return { ...challenge(brokered, user, { key }), error: result.refused, userId: user.id };
          },
        };
      },
    }),
  });
}

function challenge(
  identity: BrokeredIdentity,
  { username }: User,
  message?: Message,
): Extract<AuthenticationStep, { outcome: 'challenge' }> {
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'confirmLinkIdpTitle' },
      text: {
        key: 'federatedIdentityConfirmReauthenticateMessage',
        params: [identity.displayName, accountName(identity), username],
      },
      fields: [
        { name: 'username', label: { key: 'username' }, type: 'hidden', value: username, autocomplete: 'username' },
        {
          name: 'password',
          label: { key: 'password' },
          type: 'password',
          autocomplete: 'current-password',
          required: true,
        },
      ],
      submit: { key: 'doLogIn' },
    },
    message,
  };
}
