import type { Plugin } from '@keyhost/spi';
import type { LinkMails } from '../action-tokens/link-mails.js';
import type { MailedLinks } from '../action-tokens/mailed-links.js';
import type { Clock } from '../model/clock.js';
import type { PasswordLogins } from '../users/passwords/password-logins.js';
import type { PluginValidators } from '../users/profile/plugin-validators.js';
import type { Users } from '../users/users.js';
import type { FederatedIdentities } from './federated-identities.js';
import { confirmLink } from './first-login/confirm-link.js';
import { confirmOverrideLink } from './first-login/confirm-override-link.js';
import type { ConfirmedLinks } from './first-login/confirmed-links.js';
import { createUserIfUnique } from './first-login/create-user.js';
import { emailVerification } from './first-login/email-verification.js';
import { existingUserPasswordForm } from './first-login/existing-user-password-form.js';
import { autoLink, detectExistingUser } from './first-login/existing-user-steps.js';
import { reviewProfile } from './first-login/review-profile.js';
import { verifyAccountHandler } from './first-login/verify-account.js';
import { identityProviderRedirector } from './identity-provider-redirector.js';
import { linkAccount } from './link-account.js';

/** Keycloak's authenticators for logins at identity providers, registered through the same SPI as those of plugins. */
export function builtInBroker(services: {
  users: Users;
  validators: PluginValidators;
  identities: FederatedIdentities;
  confirmedLinks: ConfirmedLinks;
  passwordLogins: PasswordLogins;
  mails: LinkMails;
  links: MailedLinks;
  clock: Clock;
}): Plugin {
  return {
    name: 'keyhost-broker',
    api: 1,
    providers: [
      identityProviderRedirector(),
      reviewProfile(services),
      createUserIfUnique(services),
      confirmLink(services),
      confirmOverrideLink(services),
      emailVerification(services),
      existingUserPasswordForm(services),
      autoLink(services),
      detectExistingUser(services),
      verifyAccountHandler(services),
      linkAccount(services),
    ],
  };
}
