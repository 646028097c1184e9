import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorProvider,
  type BrokeredIdentity,
  type Message,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import { type LinkMails, unsentMessage } from '../../action-tokens/link-mails.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { accountName } from '../brokered-identity.js';
import type { FederatedIdentities } from '../federated-identities.js';
import type { ConfirmedLinks } from './confirmed-links.js';
import { notBrokeredFailure } from './not-brokered.js';
import { VERIFY_ACCOUNT_MAIL } from './verify-account.js';

interface Services {
  readonly identities: FederatedIdentities;
  readonly confirmedLinks: ConfirmedLinks;
  readonly mails: LinkMails;
}

/**
 * Keycloak's IdpEmailVerificationAuthenticator: mails the existing user a link, which proves access to the mailbox when
 * it is followed. Skipped if the user is disabled or has no email, or if the mail cannot be sent.
 */
export function emailVerification(services: Services): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-email-verification',
    describe: {
      displayName: 'Verify existing account by Email',
      helpText: 'Sends an email to verify the ownership of the account.',
      proves: true,
      label: { key: 'idp-email-verification-display-name' },
    },
    open: () => ({ create: (session: HostSession) => new EmailVerification(session, services) }),
  });
}

class EmailVerification implements AuthenticatorProvider {
  readonly #session: HostSession;
  readonly #services: Services;

  constructor(session: HostSession, services: Services) {
    this.#session = session;
    this.#services = services;
  }

  async authenticate(context: AuthenticationContext): Promise<AuthenticationStep> {
    const { brokered } = context;
    if (brokered === undefined) return notBrokeredFailure();
    const user = await this.#existingUser(brokered);
    if (user === undefined) return { outcome: 'attempted' };
    if (await this.#isConfirmed(user, brokered)) return { outcome: 'success', userId: user.id };
    const { confirmedLinks } = this.#services;
    if (!confirmedLinks.wasMailed(context, user)) {
      // The failure was logged and has an event. Later steps may verify the user in another way.
      if ((await this.#sendMail(context, user, brokered)) !== undefined) return { outcome: 'attempted' };
      confirmedLinks.recordMail(context, user);
    }
    return challenge(brokered, user);
  }

  async action(context: AuthenticationContext, form: Readonly<Record<string, string>>): Promise<AuthenticationStep> {
    const { brokered } = context;
    const user = brokered && (await this.#existingUser(brokered));
    if (brokered === undefined || user === undefined) return notBrokeredFailure();
    if (await this.#isConfirmed(user, brokered)) return { outcome: 'success', userId: user.id };
    if (form.resend !== 'on') return challenge(brokered, user, { key: 'emailLinkIdpNotYet' });
    return challenge(brokered, user, await this.#sendMail(context, user, brokered));
  }

  /** The existing user with the account's email or username, if the user is enabled and has an email. */
  async #existingUser(identity: BrokeredIdentity): Promise<User | undefined> {
    const user = await this.#services.identities.findExistingUser(this.#session.compiledRealm, identity);
    return user?.enabled === true && user.view.email ? user : undefined;
  }

  /** True once after the user has followed the link. */
  #isConfirmed(user: User, identity: BrokeredIdentity): Promise<boolean> {
    return this.#services.confirmedLinks.take(this.#session.compiledRealm, user, identity);
  }

  /**
   * Mails the link.
   * @returns the message for the user if the mail was not sent
   */
  async #sendMail(
    { client, login, locale }: AuthenticationContext,
    user: User,
    identity: BrokeredIdentity,
  ): Promise<Message | undefined> {
    const name = accountName(identity);
    try {
      await this.#services.mails.send(this.#session, user, {
        kind: VERIFY_ACCOUNT_MAIL,
        requestSource: { typedName: user.id, ip: this.#session.remoteAddress },
        clientId: client.clientId,
        login,
        locale,
        claims: { idpa: identity.identityProvider, idpu: name, idpi: identity.id },
        extraParams: [name, identity.displayName],
      });
      return undefined;
    } catch (error) {
      return unsentMessage(error);
    }
  }
}

function challenge(identity: BrokeredIdentity, { username }: User, message?: Message): AuthenticationStep {
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
    message,
  };
}
