import type { Plugin } from '@keyhost/spi';
import type { LinkMails } from '../../action-tokens/link-mails.js';
import type { Clock } from '../../model/clock.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';
import type { SessionEnder } from '../logout/session-ender.js';
import type { OtpCredentials } from '../steps/otp/otp-credentials.js';
import type { RecoveryCodes } from '../steps/recovery/recovery-codes.js';
import type { WebAuthnCredentials } from '../steps/webauthn/webauthn-credentials.js';
import { configureRecoveryCodes } from './configure-recovery-codes.js';
import { configureTotp } from './configure-totp.js';
import { deleteAccount } from './delete-account.js';
import { deleteCredential } from './delete-credential.js';
import { termsAndConditions } from './terms-and-conditions.js';
import { updateEmail } from './update-email.js';
import { updateLocale } from './update-locale.js';
import { updatePassword } from './update-password.js';
import { updateProfile, verifyProfile } from './update-profile.js';
import { verifyEmail } from './verify-email.js';
import { webAuthnRegister, webAuthnRegisterPasswordless } from './webauthn-register.js';

/** Keycloak's required actions, registered through the same SPI as those of plugins. */
export function builtInRequiredActions(services: {
  users: Users;
  passwords: Passwords;
  validators: PluginValidators;
  clock: Clock;
  mails: LinkMails;
  otps: OtpCredentials;
  passkeys: WebAuthnCredentials;
  recovery: RecoveryCodes;
  sessionEnder: SessionEnder;
  events: Events;
  sessions: SessionFactory;
  types: CredentialTypes;
}): Plugin {
  return {
    name: 'keyhost-required-actions',
    api: 1,
    providers: [
      configureTotp(services),
      configureRecoveryCodes(services),
      deleteAccount(services),
      deleteCredential(services),
      updatePassword(services),
      updateProfile(services),
      updateEmail(services),
      verifyEmail(services),
      verifyProfile(services),
      termsAndConditions,
      updateLocale,
      webAuthnRegister(services),
      webAuthnRegisterPasswordless(services),
    ],
  };
}
