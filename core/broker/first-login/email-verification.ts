import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type BrokeredIdentity,
  type Message,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { LinkMails } from '../../action-tokens/link-mails.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { accountName } from '../brokered-identity.js';
import type { FederatedIdentities } from '../federated-identities.js';
import { notBrokered } from './not-brokered.js';
import { VERIFY_ACCOUNT, type VerifiedAccounts } from './verified-accounts.js';

/**
 * Keycloak's IdpEmailVerificationAuthenticator: the existing user is mailed a link, and whoever follows it reads that
 * user's mails. Stands aside for a user without an address, and where no mail can be sent.
 */
export function emailVerification({
  identities,
  verified,
  mails,
}: {
  identities: FederatedIdentities;
  verified: VerifiedAccounts;
  mails: LinkMails;
}): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-email-verification',
    describe: {
      displayName: 'Verify existing account by Email',
      helpText: 'Sends an email to verify the ownership of the account.',
      label: { key: 'idp-email-verification-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const existing = async (identity: BrokeredIdentity): Promise<User | undefined> => {
          const user = await identities.existingUser(realm, identity);
          return user?.enabled === true && user.view.email ? user : undefined;
        };
        const confirmed = async (user: User, identity: BrokeredIdentity): Promise<AuthenticationStep | undefined> =>
          (await verified.take(realm, user, identity)) ? { outcome: 'success', userId: user.id } : undefined;
        const mail = async (context: AuthenticationContext, user: User, identity: BrokeredIdentity) => {
          const { client, login, locale } = context;
          await mails.send(session, user, {
            ...{ type: VERIFY_ACCOUNT, clientId: client.clientId, locale },
            ...(login === undefined ? {} : { asid: login }),
            claims: { idpa: identity.identityProvider, idpu: accountName(identity), idpi: identity.id },
            words: [accountName(identity), identity.displayName],
          });
        };
        return {
          async authenticate(context) {
            const { brokered } = context;
            const user = brokered && (await existing(brokered));
            if (brokered === undefined) return notBrokered();
            if (user === undefined) return { outcome: 'attempted' };
            const done = await confirmed(user, brokered);
            if (done !== undefined) return done;
            if (verified.wasMailed(context, user)) return ask(brokered, user);
            try {
              await mail(context, user, brokered);
            } catch (error) {
              if (codeOf(error) !== 'email_send_failed') throw error;
              // The log and an event say so; the user has other ways to show who they are.
              return { outcome: 'attempted' };
            }
            verified.mailed(context, user);
            return ask(brokered, user);
          },
          async action(context, form) {
            const { brokered } = context;
            const user = brokered && (await existing(brokered));
            if (brokered === undefined || user === undefined) return notBrokered();
            const done = await confirmed(user, brokered);
            if (done !== undefined) return done;
            if (form.resend !== 'on') return ask(brokered, user, { key: 'emailLinkIdpNotYet' });
            try {
              await mail(context, user, brokered);
            } catch (error) {
              if (codeOf(error) !== 'email_send_failed') throw error;
              return ask(brokered, user, { key: 'emailSendErrorMessage' });
            }
            return ask(brokered, user);
          },
        };
      },
    }),
  });
}

function ask(identity: BrokeredIdentity, { username }: User, message?: Message): AuthenticationStep {
  const { displayName } = identity;
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'emailLinkIdpTitle', params: [displayName] },
      text: { key: 'emailLinkIdp1', params: [displayName, accountName(identity), username] },
      fields: [{ name: 'resend', type: 'checkbox', label: { key: 'emailVerifyResend' } }],
      submit: { key: 'doContinue' },
    },
    ...(message === undefined ? {} : { message }),
  };
}
